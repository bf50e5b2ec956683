"""`zerda.db`: what a memory in a folder knows of itself. Nothing that was said is in it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.model import micros
from ..errors import KeyNeeded, NotEncrypted, StorageDamaged
from .catalog_keys import SQLiteKeys
from .catalog_trust import TrustCatalog, seal_audit_secret
from .driver import Durability, Source, check_version, fetched, translated
from .pool import Pool

if TYPE_CHECKING:
    from apsw import Connection

    from ..core.seams import Keys, Ring

MIGRATIONS = "catalog_"
ENDING = "_ltm.db"  # Of a tenant's file.
ENCRYPTION = "encryption"  # The name of the key record among the values.

Names = Callable[[str], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tenant's entries lie: the file, its key (version 0: plain), and whether it was written yet."""

    file: str
    version: int
    key: bytes | None = field(repr=False)
    made: bool


class SQLiteCatalog(SQLiteKeys, TrustCatalog):
    """The catalog in a SQLite file, made at the first call; for any number of threads and processes.

    With ``keys`` the tenants' files are encrypted. Every call that depends on it first sees whether the
    keys are right for this memory: `WrongKey`, `KeyNeeded`, `NotEncrypted`, before anything is changed.
    """

    def __init__(
        self, path: Path, pool: Pool, *, durability: Durability = "full", keys: Keys | None = None
    ) -> None:
        self._source = Source(path, MIGRATIONS, durability)
        self._pool = pool
        self._keys = keys

    @property
    def path(self) -> Path:
        """The file."""
        return self._source.path

    @property
    def store_id(self) -> str:
        """32 hex digits that name this memory for as long as it lives."""
        with self.reading() as db:
            return value(db, "store_id") or ""

    def embedder(self) -> str | None:
        with self.reading() as db:
            return value(db, "embedder")

    def record_embedder(self, fingerprint: str) -> str:
        if (recorded := self.embedder()) is not None:
            return recorded
        with self.unlocked() as (db, _):
            sql = "INSERT OR IGNORE INTO meta (name, value) VALUES ('embedder', :fingerprint)"
            db.execute(sql, {"fingerprint": fingerprint})
        return self.embedder() or fingerprint

    def replace_embedder(self, fingerprint: str) -> None:
        with self.unlocked() as (db, _):
            set_value(db, "embedder", fingerprint)

    # ── tenants and their files ──────────────────────────────────────────────────────────────────

    def tenants(self) -> tuple[str, ...]:
        """Every tenant that has a file, sorted."""
        with self.reading() as db:
            ring = self._ring(db)
            rows = fetched(db, "SELECT tenant_id, sealed FROM tenants")
        return tuple(sorted(readable(ring, name, sealed) for name, sealed in rows))

    def claim_upkeep(self, before: datetime, now: datetime) -> str | None:
        """As `Stores.claim_upkeep`."""
        due = (
            "SELECT tenant_id FROM tenants WHERE tended_at IS NULL OR tended_at < :before"
            " ORDER BY tended_at, tenant_id LIMIT 1"
        )
        with self.unlocked() as (db, ring):
            rows = fetched(
                db,
                f"UPDATE tenants SET tended_at = :now WHERE tenant_id = ({due}) RETURNING tenant_id, sealed",
                {"before": micros(before), "now": micros(now)},
            )
            return next((readable(ring, name, sealed) for name, sealed in rows), None)

    def place(self, tenant_id: str, names: Names, *, retired: str | None = None) -> Place:
        """Where the tenant's file is: as recorded, else the first of ``names`` that is nobody's yet.

        Where the file found is ``retired``, its replacement was ready: that is brought to its end. Names are
        compared without case, as some file systems do.
        """
        with self.reading() as db:
            ring = self._ring(db)
            name = known_as(ring, tenant_id)
            if (place := placed(db, ring, name)) and (
                place.file != retired or not replacing(db, name, place.file)
            ):
                return place
        with self.unlocked() as (db, ring):
            name = known_as(ring, tenant_id)
            if retired is not None:
                complete(db, name, retired)
            if not placed(db, ring, name):
                enter(db, ring, tenant_id, names(name))
            found = placed(db, ring, name)
        assert found is not None  # The last name holds a hash of the tenant, so it is free.
        return found

    def has_file(self, file: str) -> bool:
        """Whether a tenant's entries lie in this file."""
        with self.reading() as db:
            return bool(fetched(db, "SELECT 1 FROM tenants WHERE file = :file", {"file": file}))

    def record_made(self, tenant_id: str, file: str) -> None:
        """Record that the tenant's file was written; from now on it is a loss if it is not there."""
        with self.unlocked() as (db, ring):
            sql = "UPDATE tenants SET made = 1 WHERE tenant_id = :tenant AND file = :file"
            db.execute(sql, {"tenant": known_as(ring, tenant_id), "file": file})

    # ── connections ──────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that reads one state of the catalog."""
        with translated(self.path), self._pool.reading(self._source) as lease:
            lease.connection.execute("BEGIN")
            try:
                check_version(lease.connection, self._source)
                yield lease.connection
            finally:
                lease.connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction."""
        with translated(self.path), self._pool.writing(self._source) as lease:
            lease.connection.execute("BEGIN IMMEDIATE")
            try:
                check_version(lease.connection, self._source)
                yield lease.connection
            except BaseException:
                lease.connection.execute("ROLLBACK")
                raise
            lease.connection.execute("COMMIT")

    @contextmanager
    def unlocked(self) -> Iterator[tuple[Connection, Ring | None]]:
        """A transaction, after seeing that the keys are right; with them, if the memory is encrypted."""
        with self.writing() as db:
            ring = self._ring(db, writing=True)
            if ring is not None:
                seal_audit_secret(db, ring)
            yield db, ring

    def scrub(self) -> None:
        """Leave no byte of what was deleted in the file or its WAL, as far as no reader holds it up."""
        with translated(self.path), self._pool.writing(self._source) as lease:
            fetched(lease.connection, "PRAGMA wal_checkpoint(TRUNCATE)")

    # ── keys ─────────────────────────────────────────────────────────────────────────────────────

    @property
    def encrypted(self) -> bool:
        """Whether this memory has a key record."""
        with self.reading() as db:
            return value(db, ENCRYPTION) is not None

    def ring(self) -> Ring | None:
        """The ring of this memory, None for a plain one; a fresh memory begins to be encrypted here."""
        with self.reading() as db:
            return self._ring(db)

    def _ring(self, db: Connection, *, writing: bool = False) -> Ring | None:
        record = value(db, ENCRYPTION)
        if self._keys is None:
            if record is None:
                return None
            raise KeyNeeded(f"the memory in {self.path.parent} is encrypted; give its encryption key")
        if record is None and not writing:
            with self.writing() as again:
                return self._ring(again, writing=True)
        return self._keys.unlock(record or self._begin(db, self._keys), value(db, "store_id") or "")

    def _begin(self, db: Connection, keys: Keys) -> str:
        """Encrypt from the start what has no tenants yet."""
        if fetched(db, "SELECT 1 FROM tenants UNION SELECT 1 FROM grants LIMIT 1"):
            raise NotEncrypted(
                f"the memory in {self.path.parent} is not encrypted, and a key was given; encrypt it with"
                " `encrypt_memory`, or leave the key out"
            )
        set_value(db, ENCRYPTION, record := keys.begin(value(db, "store_id") or ""))
        return record


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


def value(db: Connection, name: str) -> str | None:
    """A value that the memory has as a whole."""
    rows = fetched(db, "SELECT value FROM meta WHERE name = :name", {"name": name})
    return rows[0][0] if rows else None


def set_value(db: Connection, name: str, value: str) -> None:
    """Give the memory as a whole a value."""
    sql = "INSERT OR REPLACE INTO meta (name, value) VALUES (:name, :value)"
    db.execute(sql, {"name": name, "value": value})


def known_as(ring: Ring | None, tenant_id: str) -> str:
    """The name of a tenant in this catalog."""
    return tenant_id if ring is None else ring.known_as(tenant_id, "tenant")


def readable(ring: Ring | None, name: str, sealed: bytes | None) -> str:
    """The tenant behind a name."""
    return name if ring is None or sealed is None else ring.unsealed_id(sealed)


def placed(db: Connection, ring: Ring | None, name: str) -> Place | None:
    """Where a tenant's file is, as recorded; None where none is."""
    sql = "SELECT file, key, made FROM tenants WHERE tenant_id = :tenant"
    rows = fetched(db, sql, {"tenant": name})
    if not rows:
        return None
    ((file, version, made),) = rows
    return Place(file, version, key_of(db, ring, name, version), bool(made))


def key_of(db: Connection, ring: Ring | None, name: str, version: int) -> bytes | None:
    """A version of a tenant's key; None for version 0, which is a plain file's."""
    if ring is None or not version:
        return None
    sql = "SELECT wrapped FROM keys WHERE version = :version AND tenant_id = :tenant"
    rows = fetched(db, sql, {"version": version, "tenant": name})
    if not rows:
        raise StorageDamaged(f"the key of tenant {name!r} is not in zerda.db; restore it from a backup")
    return ring.unwrapped(rows[0][0], name, version)


def add_key(db: Connection, ring: Ring | None, name: str, key: bytes | None = None) -> int:
    """Make a tenant a key, or take the one given; return its version, 0 for a memory that is plain."""
    if ring is None:
        return 0
    db.execute("INSERT INTO keys (tenant_id, wrapped) VALUES (:tenant, x'')", {"tenant": name})
    version = db.last_insert_rowid()
    wrapped = ring.wrapped(key or os.urandom(32), name, version)
    sql = "UPDATE keys SET wrapped = :wrapped WHERE version = :version"
    db.execute(sql, {"wrapped": wrapped, "version": version})
    return version


def generation(file: str, version: int) -> str:
    """The name of a tenant's file after a change of its key; no name is used twice."""
    stem = re.sub(r"~k\d+$", "", file.removesuffix(ENDING))
    return f"{stem}~k{version}{ENDING}"


def enter(
    db: Connection,
    ring: Ring | None,
    tenant_id: str,
    files: tuple[str, ...],
    *,
    key: int | None = None,
    made: bool = False,
) -> None:
    """Record a new tenant with the first of the file names that is nobody's yet."""
    name = known_as(ring, tenant_id)
    version = add_key(db, ring, name) if key is None else key
    if fetched(db, "SELECT 1 FROM replacing WHERE tenant_id = :tenant", {"tenant": name}):
        files = (generation(files[0], version),)  # The name that it had is still being given up.
    for file in files:
        db.execute(
            "INSERT OR IGNORE INTO tenants (tenant_id, file, folded, key, made, sealed)"
            " VALUES (:tenant, :file, :folded, :key, :made, :sealed)",
            {"tenant": name, "file": file, "folded": file.casefold(), "key": version, "made": made,
             "sealed": None if ring is None else ring.sealed_id(tenant_id)},
        )  # fmt: skip


def replacing(db: Connection, name: str, old: str) -> bool:
    """Whether the tenant's file is being given up for another."""
    sql = "SELECT 1 FROM replacing WHERE tenant_id = :tenant AND old = :old"
    return bool(fetched(db, sql, {"tenant": name, "old": old}))


def complete(db: Connection, name: str, old: str) -> None:
    """Put the new file, complete and verified, in the place of the old one, which no one writes any more."""
    if not replacing(db, name, old):
        return
    params = {"tenant": name, "old": old}
    ((file, key),) = fetched(
        db, "SELECT file, key FROM replacing WHERE tenant_id = :tenant", {"tenant": name}
    )
    if not file:
        db.execute("DELETE FROM tenants WHERE tenant_id = :tenant AND file = :old", params)
        db.execute("DELETE FROM keys WHERE tenant_id = :tenant", {"tenant": name})
        return
    db.execute(
        "UPDATE tenants SET file = :file, folded = :folded, key = :key, made = 1"
        " WHERE tenant_id = :tenant AND file = :old",
        {**params, "file": file, "folded": file.casefold(), "key": key},
    )
