"""Another key for what is stored: written beside, verified, and swapped; whoever is killed is followed.

A tenant's file is replaced in steps, and each may be the last that this process does:

1. *recorded*: the catalog names the new file and holds its wrapped key beside the old one.
2. *copied*: under the old file's write lock, one state of it is written under the new key.
3. *verified*: the copy is sound and says row by row what the old file says.
4. *retired*: the old file is marked, still under its lock. From here on nobody writes it: whoever has it
   open sees the mark at the next call and looks again.
5. *swapped*: the catalog names the new file as the tenant's. Whoever finds a retired file does this too.
6. *removed*: the old file and the old key are gone.

`resume` brings to its end what was begun: before 4 by copying again, from then on by going on. The new
file has a name of its own, since a file that others have open is not to be replaced under its name: they
would go on writing to the one that is gone, and their WAL would belong to neither.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from ..errors import InvalidInput, NotEncrypted, StorageDamaged, StorageError
from . import sqlite_audit
from .catalog import (
    ENCRYPTION,
    ENDING,
    add_key,
    complete,
    generation,
    key_of,
    known_as,
    placed,
    replacing,
    set_value,
    value,
)
from .catalog_keys import hide_keys
from .catalog_trust import audit_secret, hide_grants
from .driver import RETIRED, Source, copy_into, fetched, opened, translated, version

if TYPE_CHECKING:
    from ..core.seams import Keys, Ring
    from .catalog import SQLiteCatalog
    from .folder import SQLiteFolder

Step = Callable[[str], None]
"""Told after each step; tests end the process there."""


def _unheard(step: str) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Replacement:
    """A file that is given up, and the one that takes its place; none where the tenant is destroyed."""

    name: str
    old: str
    old_key: bytes | None = field(repr=False)
    file: str
    key: bytes | None = field(repr=False)
    swapped: bool


# ── what can be asked ────────────────────────────────────────────────────────────────────────────


def rotate_tenant(folder: SQLiteFolder, tenant_id: str, step: Step = _unheard) -> None:
    """Give a tenant's file a new key. The old key opens nothing afterwards, the old file is gone."""
    resume(folder, step)
    with folder.catalog.unlocked() as (db, ring):
        if ring is None:
            raise NotEncrypted("the memory is not encrypted, so there is no key to change; encrypt it first")
        name = _existing(db, ring, tenant_id)
        record(db, ring, name, add_key(db, ring, name))
    step("recorded")
    resume(folder, step)


def encrypt(folder: SQLiteFolder, keys: Keys, step: Step = _unheard) -> None:
    """Encrypt a plain memory with ``keys``, tenant by tenant; called again, it goes on where it was.

    ``folder`` was opened with the same keys. Processes that work on the memory without them are refused
    from the moment on at which their tenant is encrypted.
    """
    with folder.catalog.writing() as db:
        if value(db, ENCRYPTION) is None:
            store_id = value(db, "store_id") or ""
            set_value(db, ENCRYPTION, keys.begin(store_id))
            _hide_ids(db, keys.unlock(value(db, ENCRYPTION) or "", store_id))
    step("begun")
    resume(folder, step)
    for name in _plain_ones(folder.catalog):
        with folder.catalog.unlocked() as (db, ring):
            record(db, ring, name, add_key(db, ring, name))
        step("recorded")
        resume(folder, step)
    folder.catalog.scrub()


def destroy_tenant(folder: SQLiteFolder, tenant_id: str, step: Step = _unheard) -> None:
    """Destroy a tenant's key and file. Copies of the file open no more, unless the key was copied too."""
    resume(folder, step)
    with folder.catalog.unlocked() as (db, ring):
        if ring is None:
            raise NotEncrypted("the memory is not encrypted, so there is no key to destroy; clear the tenant")
        record(db, ring, _existing(db, ring, tenant_id), 0)
    step("recorded")
    resume(folder, step)


def rotate_root(folder: SQLiteFolder, keys: Keys) -> None:
    """Wrap every key with the root of ``keys``, in one transaction; no tenant's file is touched."""
    with folder.catalog.unlocked() as (db, ring):
        if ring is None:
            raise NotEncrypted("the memory is not encrypted, so there is no key to change; encrypt it first")
        set_value(db, ENCRYPTION, again := keys.again(ring))
        new = keys.unlock(again, value(db, "store_id") or "")
        rows = fetched(db, "SELECT version, tenant_id, wrapped FROM keys")
        db.executemany(
            "UPDATE keys SET wrapped = ? WHERE version = ?",
            [
                (new.wrapped(ring.unwrapped(old, name, number), name, number), number)
                for number, name, old in rows
            ],
        )
    folder.catalog.scrub()


def resume(folder: SQLiteFolder, step: Step = _unheard) -> tuple[str, ...]:
    """Bring to its end what another process, or this one, began and did not end; whose files they were."""
    begun = _replacements(folder.catalog)
    for one in begun:
        _go_on(folder, one, step)
    return tuple(one.name for one in begun)


# ── the steps ────────────────────────────────────────────────────────────────────────────────────


def _go_on(folder: SQLiteFolder, one: Replacement, step: Step) -> None:
    old = Source(folder.path / one.old, key=one.old_key)
    if not one.swapped:
        if old.path.exists():
            with locked(old) as writer:
                if version(writer) != RETIRED:
                    if one.file:
                        _copied(writer, old, Source(folder.path / one.file, key=one.key), step)
                    writer.pragma("user_version", RETIRED)
            step("retired")
        with folder.catalog.writing() as db:
            complete(db, one.name, one.old)
        step("swapped")
    with folder.catalog.writing() as db:
        if replacing(db, one.name, one.old):  # Else another process has ended it, and the name may be in use.
            remove(old.path)
            step("removed")
            _forget(db, one)
    folder.catalog.scrub()
    step("forgotten")


@contextmanager
def locked(source: Source) -> Iterator[apsw.Connection]:
    """The file, with its write lock: no one else writes until the end, and what is written then stands."""
    connection = opened(source)
    try:
        with translated(source.path):
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
    finally:
        connection.close()


def _copied(writer: apsw.Connection, old: Source, new: Source, step: Step) -> None:
    remove(new.path)  # What a killed process left of it.
    reader = opened(old)
    try:
        with translated(new.path):
            copy_into(reader, new.path, new.key)
            step("copied")
        verify_copy(new, digest(reader))
    finally:
        reader.close()
    step("verified")


def verify_copy(copy: Source, expected: str) -> None:
    """See that a copy is sound, says the same and is on the disk; else `StorageDamaged`, and it is gone."""
    connection = opened(copy)
    try:
        with translated(copy.path):
            sound = (
                fetched(connection, "PRAGMA integrity_check") == [("ok",)] and digest(connection) == expected
            )
            fetched(connection, "PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.close()
    if not sound:
        remove(copy.path)
        raise StorageDamaged(f"the copy {copy.path} does not say what its original says; check the disk")
    on_disk(copy.path)


def digest(connection: apsw.Connection) -> str:
    """One hash of all rows of all tables, whatever the pages look like."""
    tables = fetched(
        connection, "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 ORDER BY name"
    )
    said = hashlib.sha256()
    for name, sql in tables:
        said.update(f"{name}\n{sql}\n".encode())
        for row in connection.execute(f'SELECT * FROM "{name}"'):
            said.update(repr(row).encode("utf-8", "surrogatepass"))
    return said.hexdigest()


def on_disk(path: Path) -> None:
    """Have a file and its name written to the disk."""
    for one in (path, path.parent):
        if one.is_dir() and os.name == "nt":
            continue
        handle = os.open(one, os.O_RDONLY if one.is_dir() else os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def remove(path: Path) -> None:
    """Delete a database with what SQLite keeps beside it."""
    for ending in ("", "-wal", "-shm", "-journal"):
        try:
            Path(f"{path}{ending}").unlink(missing_ok=True)
        except PermissionError as error:  # Windows, where another process has it open.
            raise StorageError(f"{path} is in use; close other programs, then go on with `resume`") from error


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


def _existing(db: apsw.Connection, ring: Ring, tenant_id: str) -> str:
    name = known_as(ring, tenant_id)
    if not placed(db, ring, name):
        raise InvalidInput(f"there is no tenant {tenant_id!r} in this memory")
    return name


def record(db: apsw.Connection, ring: Ring | None, name: str, key: int, file: str | None = None) -> None:
    """Begin to replace a tenant's file, by one with this version of a key, or (0) by nothing."""
    ((old, old_key),) = fetched(db, "SELECT file, key FROM tenants WHERE tenant_id = :name", {"name": name})
    stem = f"{name}{ENDING}" if ring is not None and ring.hides_ids else old
    if file is None:
        file = generation(stem, key) if key else ""
    db.execute(
        "INSERT INTO replacing (tenant_id, old, old_key, file, key)"
        " VALUES (:name, :old, :old_key, :file, :key)",
        {"name": name, "old": old, "old_key": old_key, "file": file, "key": key},
    )


def _replacements(catalog: SQLiteCatalog) -> list[Replacement]:
    sql = (
        "SELECT tenant_id, old, old_key, file, key,"
        " NOT EXISTS (SELECT 1 FROM tenants t WHERE t.tenant_id = r.tenant_id AND t.file = r.old)"
        " FROM replacing r ORDER BY tenant_id"
    )
    with catalog.unlocked() as (db, ring):
        return [
            Replacement(
                name,
                old,
                None if swapped else key_of(db, ring, name, old_key),
                file,
                None if swapped else key_of(db, ring, name, key),
                bool(swapped),
            )
            for name, old, old_key, file, key, swapped in fetched(db, sql)
        ]


def _forget(db: apsw.Connection, one: Replacement) -> None:
    params = {"name": one.name, "old": one.old}
    db.execute(
        "DELETE FROM keys WHERE tenant_id = :name AND version IN"
        " (SELECT old_key FROM replacing WHERE tenant_id = :name AND old = :old)",
        params,
    )
    db.execute("DELETE FROM replacing WHERE tenant_id = :name AND old = :old", params)


def _plain_ones(catalog: SQLiteCatalog) -> list[str]:
    with catalog.reading() as db:
        return [name for (name,) in fetched(db, "SELECT tenant_id FROM tenants WHERE key = 0 ORDER BY 1")]


def _hide_ids(db: apsw.Connection, ring: Ring) -> None:
    """Put pseudonyms in the place of the ids that the catalog knew until now."""
    if not ring.hides_ids:
        return
    for (tenant_id,) in fetched(db, "SELECT tenant_id FROM tenants"):
        db.execute(
            "UPDATE tenants SET tenant_id = ?, sealed = ? WHERE tenant_id = ?",
            (known_as(ring, tenant_id), ring.sealed_id(tenant_id), tenant_id),
        )
    hide_grants(db, ring)
    hide_keys(db, ring)
    for (tenant_id,) in fetched(db, "SELECT DISTINCT tenant_id FROM audit WHERE tenant_id <> ''"):
        sqlite_audit.rename(db, audit_secret(db, ring), tenant_id, known_as(ring, tenant_id))
