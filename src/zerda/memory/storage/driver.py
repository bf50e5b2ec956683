"""How SQLite files are opened, brought up to date, and how the driver's errors become ours."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal, TypeVar

import apsw

from ..errors import (
    InvalidInput,
    SchemaTooNew,
    StorageBusy,
    StorageDamaged,
    StorageError,
    StorageFull,
    StorageReadOnly,
    StorageUnavailable,
)
from .disks import warn_of_network_disk

T = TypeVar("T")

Durability = Literal["full", "relaxed"]

BUSY_SECONDS = 30.0
"""How long a writer waits for another process before `StorageBusy`."""

CACHE_KIB = 8_192  # Pages that a connection keeps; 100,000 short entries have some 10 MB of words.
RETIRED = 0x7FFF_FFFF
"""The layout number of a file that another has taken the place of; whoever has it open asks again."""

CIPHER = "aegis"  # AEGIS-256, authenticated page by page; as fast as no cipher where the CPU has AES.
APPLICATION_ID = 0x5A524441  # "ZRDA": tells our files from other programs' SQLite files.

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Source:
    """A file to be opened, and how: two that are equal share their connections.

    With a ``key`` all of it is ciphertext. One that was ``made`` before is damaged where it is missing or
    empty; any other is made at once.
    """

    path: Path
    migrations: str = ""
    durability: Durability = "full"
    key: bytes | None = field(default=None, repr=False)
    made: bool = field(default=False, compare=False)


class Retired(StorageUnavailable):
    """Another file has taken the place of this one; whoever located it looks again."""


def fetched(db: apsw.Connection, sql: str, params: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
    """All rows of a statement; their types are the schema's."""
    return db.execute(sql, params).fetchall()


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise the driver's errors as ours. Messages name the file; what a user said is in none of them."""
    try:
        yield
    except apsw.Error as error:
        raise _ours(error, path) from error
    except UnicodeDecodeError as error:
        raise StorageDamaged(f"{path} holds text that is not UTF-8; restore it from a backup") from error
    except UnicodeEncodeError:
        raise InvalidInput("an id or a name holds a lone surrogate; use visible characters") from None


def _ours(error: apsw.Error, path: Path) -> StorageError | InvalidInput:
    kind = type(error).__name__
    if isinstance(error, apsw.FullError):
        return StorageFull(f"no room to write {path}; free some disk space, then try again")
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return StorageBusy(f"another process held {path} for longer than the timeout; try again")
    if isinstance(error, apsw.CorruptError | apsw.NotADBError | apsw.FormatError):
        return StorageDamaged(f"{path} is not what was written ({kind}); restore it from a backup")
    if isinstance(error, apsw.ReadOnlyError):
        return StorageReadOnly(f"{path} may be read here and not written; check the rights of its folder")
    if isinstance(error, apsw.TooBigError):
        return InvalidInput("the content is above a gigabyte; store it in parts")
    return StorageUnavailable(
        f"{path} cannot be read or written now ({kind}); check the folder, its rights and its quota"
    )


def connect(source: Source) -> apsw.Connection:
    """A connection with our settings to a file with our newest layout; both are made where they lack."""
    connection = opened(source)
    try:
        with translated(source.path):
            migrate(connection, source)
    except BaseException:
        connection.close()
        raise
    return connection


def opened(source: Source) -> apsw.Connection:
    """A connection with our settings, whatever the layout."""
    path = source.path
    if path.is_dir():
        raise StorageUnavailable(f"{path} is a folder; name a file")
    warn_of_network_disk(path.parent)
    if source.made and (not path.exists() or not path.stat().st_size):
        raise StorageDamaged(f"{path} is missing or empty, but was written before; restore it from a backup")
    with translated(path):
        if _may_only_be_read(path):
            return _opened_to_read(source)
        _make_private(path)
        connection = apsw.Connection(os.fspath(path), flags=_FLAGS)
        try:
            unlock(connection, source.key)
            _set_up(connection, source)
        except BaseException:
            connection.close()
            raise
        return connection


def _may_only_be_read(path: Path) -> bool:
    """Whether the file, or the folder in which its log would be made, cannot be written."""
    return path.exists() and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _opened_to_read(source: Source) -> apsw.Connection:
    """A connection that writes nothing, no lock and no log either where the folder does not allow it.

    Without a log SQLite takes the file as one that nobody changes; so where there is one with something in
    it, and it cannot be read, the file is refused: what was said last stands in the log.
    """
    try:
        return _reading_only(source, "mode=ro")
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        log = source.path.with_name(f"{source.path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise
        return _reading_only(source, "mode=ro&immutable=1")


def _reading_only(source: Source, how: str) -> apsw.Connection:
    address = f"{source.path.absolute().as_uri()}?{how}"
    connection = apsw.Connection(address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
    try:
        unlock(connection, source.key)
        _set_limits(connection)
        version(connection)  # Opens the log, or fails.
    except BaseException:
        connection.close()
        raise
    return connection


_FLAGS = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE | apsw.SQLITE_OPEN_URI


def unlock(connection: apsw.Connection, key: bytes | None) -> None:
    """Give the driver the key as it is, so that it derives nothing."""
    if key is not None:
        connection.pragma("cipher", CIPHER)
        connection.pragma("hexkey", _hexkey(key))


def _hexkey(key: bytes) -> str:
    return (b"raw:" + key).hex()


def copy_into(connection: apsw.Connection, path: Path, key: bytes | None) -> None:
    """Write a compact copy of one state of the database, under another key; a file that is there is refused.

    The file's pages, its WAL included, are read as other connections read them.
    """
    asked = f"cipher={CIPHER}&hexkey={_hexkey(key)}" if key is not None else "key="
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    connection.execute("VACUUM INTO ?", (f"{path.absolute().as_uri()}?{asked}",))


def _make_private(path: Path) -> None:
    """Make folder and file so that only their owner reads them; SQLite gives its WAL the same rights."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise StorageUnavailable(f"{path} cannot be made ({error.strerror}); check the folder") from error


def _set_up(connection: apsw.Connection, source: Source) -> None:
    connection.set_busy_timeout(int(BUSY_SECONDS * 1000))
    if _within_busy_time(lambda: connection.pragma("journal_mode", "wal")) != "wal":
        raise StorageUnavailable(f"{source.path} lies where SQLite cannot keep a WAL; use a local disk")
    connection.pragma("synchronous", "NORMAL" if source.durability == "relaxed" else "FULL")
    connection.pragma("foreign_keys", True)
    connection.pragma("secure_delete", True)
    _set_limits(connection)
    if sys.platform == "darwin":
        connection.pragma("fullfsync", True)


def _set_limits(connection: apsw.Connection) -> None:
    connection.pragma("temp_store", "MEMORY")
    connection.pragma("mmap_size", 0)
    connection.pragma("cache_size", -CACHE_KIB)


def _within_busy_time(ask: Callable[[], T]) -> T:
    """Changing the journal mode does not wait for others by itself, so we do."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            return ask()
        except apsw.BusyError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


@cache
def migrations(prefix: str) -> tuple[tuple[str, ...], ...]:
    """The numbered files of a database, in order, each as its statements."""
    folder = resources.files(__package__ or "zerda.memory.storage") / "migrations"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".sqlite.sql"))
    ours = [name for name in names if name.startswith(prefix) and name[len(prefix) :][:4].isdigit()]
    return tuple(_statements((folder / name).read_text("utf-8")) for name in ours)


def _statements(text: str) -> tuple[str, ...]:
    """A file's statements: each ends with a semicolon at the end of a line."""
    return tuple(part for part in text.split(";\n") if part.strip())


def version(connection: apsw.Connection) -> int:
    """The layout's number, as the file tells it now."""
    return int(fetched(connection, "PRAGMA user_version")[0][0])


def check_version(connection: apsw.Connection, source: Source) -> None:
    """`SchemaTooNew` where another process has brought the file beyond what we know."""
    if (found := version(connection)) != (known := len(migrations(source.migrations))):
        if found == RETIRED:
            raise Retired(f"{source.path} was replaced by another file; open the memory again")
        raise SchemaTooNew(
            f"{source.path} has layout {found}, this zerda-memory knows {known}; install a newer version"
        )


def migrate(connection: apsw.Connection, source: Source) -> None:
    """Bring the file to the newest layout, in one transaction; nothing is written to a newer one.

    A file that holds data is copied first, and the copy is kept until the new layout is found sound.
    """
    if version(connection) < len(migrations(source.migrations)):
        if connection.readonly("main"):
            raise StorageReadOnly(f"{source.path} has an older layout; open it once where it may be written")
        connection.execute("BEGIN IMMEDIATE")
        try:
            copy = _advance(connection, source)
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")
        if copy is not None:
            _let_go(copy, connection, source)
    check_version(connection, source)


def _advance(connection: apsw.Connection, source: Source) -> Path | None:
    """Run what has not been run; the copy of what was, if there was something."""
    done = version(connection)  # Read again: another process may have been first.
    files = migrations(source.migrations)
    if done >= len(files):
        return None
    if done == 0 and source.made:
        raise StorageDamaged(f"{source.path} has lost what was written; restore it from a backup")
    if done == 0:
        _refuse_strangers(connection, source)
    copy = _copied(source, copy_of(source.path, done)) if done else None
    for number, statements in enumerate(files[done:], done + 1):
        for statement in statements:
            fetched(connection, statement)
        connection.pragma("user_version", number)
        _log.info("%s now has layout %d", source.path.name, number)
    return copy


def copy_of(path: Path, layout: int | str) -> Path:
    """Where a file is copied to before it is brought from this layout to the next."""
    return path.with_name(f"{path.name}.layout-{layout}")


def _copied(source: Source, copy: Path) -> Path:
    """Copy what is committed; other connections may read a file while one holds its write lock."""
    copy.unlink(missing_ok=True)  # Of an attempt that was cut short; the file itself is the newer one.
    reader = opened(source)
    try:
        copy_into(reader, copy, source.key)
    finally:
        reader.close()
    return copy


def _let_go(copy: Path, connection: apsw.Connection, source: Source) -> None:
    if fetched(connection, "PRAGMA quick_check(1)") != [("ok",)]:
        raise StorageDamaged(f"{source.path} is not sound in its new layout; {copy.name} is the old one")
    copy.unlink()


def _refuse_strangers(connection: apsw.Connection, source: Source) -> None:
    """A file without a layout of ours has to be empty."""
    if fetched(connection, "SELECT 1 FROM sqlite_schema LIMIT 1"):
        raise StorageUnavailable(f"{source.path} is another program's database; name another file")
    connection.pragma("application_id", APPLICATION_ID)
