"""Copies of a memory, made while it is in use, and brought back.

A backup is a folder like a memory's own: the tenants' files, each one state of itself, and ``zerda.db``
with their grants and wrapped keys; ``manifest.json`` says what belongs to it. Encrypted files are copied
as ciphertext: a backup is opened with the same key as the memory, and with no other.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from ..errors import InvalidInput, KeyNeeded, StorageDamaged, StorageUnavailable
from .catalog import ENCRYPTION, Place, add_key, complete, enter, generation, key_of, known_as, placed, value
from .catalog_trust import add_grants, grants_of
from .driver import RETIRED, Source, copy_into, fetched, opened, translated, unlock, version
from .folder import CATALOG, SQLiteFolder, file_names
from .rekeying import digest, locked, on_disk, record, remove, resume, verify_copy

if TYPE_CHECKING:
    from ..core.seams import Keys, Ring

MANIFEST = "manifest.json"
PARTIAL = ".partial"  # Behind the name of a backup that is being written.


@dataclass(frozen=True, slots=True)
class BackupFile:
    """A file of a backup as it was written."""

    bytes: int
    sha256: str
    entries: int | None = None


@dataclass(frozen=True, slots=True)
class Manifest:
    """What belongs to a backup."""

    made_at: str
    store_id: str
    encrypted: bool
    files: Mapping[str, BackupFile] = field(default_factory=dict)
    format: int = 1

    @property
    def entries(self) -> int:
        """How many entries it holds."""
        return sum(file.entries or 0 for file in self.files.values())


# ── making one ───────────────────────────────────────────────────────────────────────────────────


def back_up(
    folder: SQLiteFolder, to: Path, *, at: datetime, tenants: Sequence[str] | None = None
) -> Manifest:
    """Copy the memory, or some of its tenants, into a folder that is made for it; others may go on writing.

    Each tenant is copied in one state of its own. The folder appears under its name when all of it is
    written and verified.
    """
    if to.exists():
        raise InvalidInput(f"{to} exists; name a folder that does not")
    partial = to.with_name(to.name + PARTIAL)
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(mode=0o700, parents=True)
    ring = folder.catalog.ring()
    names = None if tenants is None else {_known(folder, ring, tenant) for tenant in tenants}
    files = _copied(folder, partial, names)
    with folder.catalog.reading() as db:
        manifest = Manifest(
            at.isoformat(timespec="seconds"), value(db, "store_id") or "", ring is not None, files
        )
    (partial / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1), "utf-8")
    for file in partial.iterdir():
        on_disk(file)
    partial.rename(to)
    on_disk(to)
    return manifest


def _known(folder: SQLiteFolder, ring: Ring | None, tenant_id: str) -> str:
    with folder.catalog.reading() as db:
        if not placed(db, ring, name := known_as(ring, tenant_id)):
            raise InvalidInput(f"there is no tenant {tenant_id!r} in this memory")
        return name


def _copied(folder: SQLiteFolder, to: Path, names: set[str] | None) -> dict[str, BackupFile]:
    """The catalog, and every file that it names; again where one was replaced in the meantime."""
    done: dict[str, BackupFile] = {}
    while True:
        remove(to / CATALOG)
        _copy_catalog(folder, to / CATALOG, names)
        places = _places(to / CATALOG, folder.catalog.ring())
        for file in done.keys() - {place.file for place in places}:
            remove(to / file)
            del done[file]
        missing = [place for place in places if place.file not in done]
        copies = [(place.file, _copy_tenant(folder, place, to / place.file)) for place in missing]
        done |= {file: copy for file, copy in copies if copy is not None}
        if all(copy is not None for _, copy in copies):
            return {CATALOG: _described(to / CATALOG), **done}
        resume(folder)


def _copy_catalog(folder: SQLiteFolder, to: Path, names: set[str] | None) -> None:
    connection = opened(Source(folder.catalog.path))
    try:
        with translated(to):
            copy_into(connection, to, None)
    finally:
        connection.close()
    with _plain(to) as copy:
        copy.execute("DELETE FROM replacing")
        copy.execute("DELETE FROM tenants WHERE made = 0")
        if names is not None:
            chosen = {"names": json.dumps(sorted(names))}
            for table in ("tenants", "grants", "audit", "api_keys"):
                others = "tenant_id NOT IN (SELECT value FROM json_each(:names))"
                copy.execute(f"DELETE FROM {table} WHERE {others}", chosen)
        copy.execute("DELETE FROM keys WHERE version NOT IN (SELECT key FROM tenants)")
        copy.execute("VACUUM")


@contextmanager
def _plain(path: Path) -> Iterator[apsw.Connection]:
    """A catalog of a backup: one file, without a WAL."""
    with translated(path):
        connection = apsw.Connection(os.fspath(path))
        try:
            connection.pragma("journal_mode", "delete")
            connection.pragma("secure_delete", True)
            yield connection
        finally:
            connection.close()


def _places(catalog: Path, ring: Ring | None) -> list[Place]:
    with _plain(catalog) as db:
        names = [name for (name,) in fetched(db, "SELECT tenant_id FROM tenants ORDER BY file")]
        return [place for name in names if (place := placed(db, ring, name))]


def _copy_tenant(folder: SQLiteFolder, place: Place, to: Path) -> BackupFile | None:
    """A copy under the same key; None where another file has taken the place of this one."""
    remove(to)
    try:
        connection = opened(folder.source(place))
    except StorageDamaged:
        if folder.catalog.has_file(place.file):
            raise
        return None
    try:
        with translated(folder.path / place.file):
            if version(connection) == RETIRED:
                return None
            copy_into(connection, to, place.key)
    finally:
        connection.close()
    return _verified(Source(to, key=place.key), folder.path / place.file)


def _verified(copy: Source, original: Path) -> BackupFile | None:
    connection = opened(copy)
    try:
        with translated(copy.path):
            if version(connection) == RETIRED:  # It was replaced while we read it.
                return None
            sound = fetched(connection, "PRAGMA integrity_check") == [("ok",)]
            ((entries,),) = fetched(connection, "SELECT count(*) FROM entries")
            connection.pragma("journal_mode", "delete")
    finally:
        connection.close()
    if not sound:
        raise StorageDamaged(f"{original} is not sound and was not backed up; run `zerda doctor`")
    return _described(copy.path, int(entries))


def _described(path: Path, entries: int | None = None) -> BackupFile:
    with path.open("rb") as file:
        return BackupFile(path.stat().st_size, hashlib.file_digest(file, "sha256").hexdigest(), entries)


# ── bringing it back ─────────────────────────────────────────────────────────────────────────────


def read_manifest(backup: Path) -> Manifest:
    """The manifest of a backup whose files are all there and as they were written; else `StorageDamaged`."""
    try:
        told = json.loads((backup / MANIFEST).read_text("utf-8"))
        files = {name: BackupFile(**file) for name, file in told.pop("files").items()}
        manifest = Manifest(**told, files=files)
    except FileNotFoundError:
        raise StorageUnavailable(f"{backup} is no backup: it has no {MANIFEST}") from None
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise StorageDamaged(f"{backup / MANIFEST} is not what was written; take another backup") from error
    for name, file in files.items():
        path = backup / name
        if Path(name).name != name or not path.is_file() or _described(path, file.entries) != file:
            raise StorageDamaged(f"{path} is not what was backed up; take another backup")
    return manifest


def bring_back(backup: Path, to: Path, keys: Keys | None) -> Manifest:
    """Copy a whole backup into a folder that holds no memory; it holds one when all of it is there."""
    manifest = read_manifest(backup)
    with read_only(backup / CATALOG) as db:
        _ring(db, keys)
    if (to / CATALOG).exists():
        raise InvalidInput(f"{to} holds a memory; name an empty folder, or the tenants to bring back")
    to.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in manifest.files:
        if name != CATALOG:
            remove(to / name)
            _copy_file(backup / name, to / name)
    _copy_file(backup / CATALOG, arriving := to / (CATALOG + PARTIAL))
    arriving.rename(to / CATALOG)
    on_disk(to / CATALOG)
    return manifest


@contextmanager
def read_only(path: Path, key: bytes | None = None) -> Iterator[apsw.Connection]:
    """A file of a backup, which nobody writes: it is not changed, and nothing is put beside it."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    with translated(path):
        connection = apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags)
        try:
            unlock(connection, key)
            yield connection
        finally:
            connection.close()


def _ring(db: apsw.Connection, keys: Keys | None) -> Ring | None:
    """The backup's ring; the keys may be none, or others than the memory's that it is brought back to."""
    if (record := value(db, ENCRYPTION)) is None:
        return None
    if keys is None:
        raise KeyNeeded("the backup is encrypted; give the key that its memory had")
    return keys.unlock(record, value(db, "store_id") or "")


def _copy_file(source: Path, to: Path) -> None:
    to.unlink(missing_ok=True)
    handle = os.open(to, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with open(handle, "wb") as target, source.open("rb") as file:
        shutil.copyfileobj(file, target)
    on_disk(to)


def bring_back_tenant(
    backup: Path, keys: Keys | None, folder: SQLiteFolder, tenant_id: str, *, replace: bool = False
) -> int:
    """Copy one tenant into a memory, under a key of that memory's own; return how many entries.

    ``keys`` are the backup's. With ``replace`` what the tenant has now is given up for it.
    """
    manifest = read_manifest(backup)
    resume(folder)
    with read_only(backup / CATALOG) as db:
        ring = _ring(db, keys)
        there, grants = placed(db, ring, known_as(ring, tenant_id)), grants_of(db, ring, tenant_id)
    if there is None:
        raise InvalidInput(f"there is no tenant {tenant_id!r} in this backup")
    with folder.catalog.unlocked() as (db, own):
        here = placed(db, own, name := known_as(own, tenant_id))
        if here and not replace:
            raise InvalidInput(f"tenant {tenant_id!r} is in the memory; say that it is to be replaced")
        number = add_key(db, own, name) or _number(db)
        file = generation(here.file if here else file_names(name)[0], number)
        new = Source(folder.path / file, key=key_of(db, own, name, number))
    with read_only(backup / there.file, there.key) as connection:
        remove(new.path)
        copy_into(connection, new.path, new.key)
        verify_copy(new, digest(connection))
    _put_in_place(folder, tenant_id, here, file, number if new.key else 0)
    if not here:
        with folder.catalog.unlocked() as (db, own):
            add_grants(db, own, grants)
    return manifest.files[there.file].entries or 0


def _number(db: apsw.Connection) -> int:
    """A number for a file name in a memory without keys; it is used once."""
    db.execute("INSERT INTO keys (tenant_id, wrapped) VALUES ('', x'')")
    number = db.last_insert_rowid()
    db.execute("DELETE FROM keys WHERE version = ?", (number,))
    return number


def _put_in_place(folder: SQLiteFolder, tenant_id: str, here: Place | None, file: str, key: int) -> None:
    if here is None:
        with folder.catalog.unlocked() as (db, ring):
            enter(db, ring, tenant_id, (file,), key=key, made=True)
        return
    try:
        with locked(folder.source(here)) as old:  # Nobody writes it from here on.
            _begin_replacing(folder, tenant_id, key, file)
            old.pragma("user_version", RETIRED)
    except StorageDamaged:
        _begin_replacing(folder, tenant_id, key, file)
        with folder.catalog.unlocked() as (db, ring):
            complete(db, known_as(ring, tenant_id), here.file)
    resume(folder)


def _begin_replacing(folder: SQLiteFolder, tenant_id: str, key: int, file: str) -> None:
    with folder.catalog.unlocked() as (db, ring):
        record(db, ring, known_as(ring, tenant_id), key, file)
