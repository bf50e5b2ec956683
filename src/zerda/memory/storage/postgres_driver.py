"""How a PostgreSQL database is reached, made ready, and how the driver's errors become ours."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..after_fork import Lock
from ..errors import (
    InvalidInput,
    MissingExtra,
    SchemaTooNew,
    StorageBusy,
    StorageDamaged,
    StorageError,
    StorageFull,
    StorageUnavailable,
    StoreClosed,
)
from .sql import Params

try:
    import pgvector.psycopg
    import psycopg
    import psycopg.adapt
    import psycopg.conninfo
    import psycopg_pool
    from pgvector import HalfVector
    from psycopg import errors, pq
except ImportError as error:
    raise MissingExtra("the driver of PostgreSQL", "postgres") from error

Row = tuple[Any, ...]
Bytes = bytes | bytearray | memoryview

APP_ROLE = "zerda_app"
"""The role that owns nothing. Whoever may pass row-level security by takes it for each transaction."""

APPLICATION = "zerda-memory"
"""How our connections are called on the server, where the address says nothing else."""

WAIT_SECONDS = 30.0
"""How long a call waits for a connection, or for another writer of its tenant, before `StorageBusy`."""

MOST_CONNECTIONS = 16
"""Connections of one process. A server has 100 for all by default, and each is a process there."""

_SETTINGS = (
    "SET TIME ZONE 'UTC'",
    f"SET lock_timeout = '{WAIT_SECONDS:g}s'",
    # A plan for any tenant guesses how many rows one has: it was 50 times slower for some.
    "SET plan_cache_mode = force_custom_plan",
    "SET jit = off",
    # A machine that is gone holds its locks no longer than this; by default it would be hours.
    "SET tcp_keepalives_idle = 30",
    "SET tcp_keepalives_interval = 10",
    "SET tcp_keepalives_count = 3",
    "SET hnsw.iterative_scan = strict_order",
    "SET hnsw.ef_search = 100",
)

_TABLES = (
    "meta", "tenants", "fingerprints", "numbers", "scopes", "sessions", "entries", "versions", "passages",
    "words", "vectors", "watermarks", "profiles", "preferences", "learnt", "audit", "tombstones", "grants",
    "receipts", "tombstone_keys", "api_keys", "mentions", "ties",
)  # fmt: skip

_log = logging.getLogger(__name__)

# A pool that was made before a fork is the parent's; letting go of it would end the parent's connections.
_abandoned: list[object] = []


class Link:
    """A connection for the time of a call. SQL has ``:name`` for parameters, as in every dialect here."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self.connection = connection

    def rows(self, sql: str, params: Mapping[str, Any] | None = None) -> list[Row]:
        """All rows of a statement; their types are the schema's."""
        return self.connection.execute(_native(sql), params or {}, binary=True).fetchall()

    def run(self, sql: str, params: Mapping[str, Any] | None = None) -> int:
        """Run a statement; how many rows it touched."""
        return self.connection.execute(_native(sql), params or {}).rowcount

    def number(self, sql: str, params: Mapping[str, Any] | None = None) -> int:
        """The only number that a statement tells."""
        return int(self.rows(sql, params)[0][0])

    def insert(
        self, table: str, columns: Mapping[str, str], rows: Sequence[Params], *, more: str = ""
    ) -> None:
        """Insert rows with one statement; ``columns`` tells their types, ``more`` what follows the rows."""
        if not rows:
            return
        names = ", ".join(columns)
        arrays = ", ".join(f":{name}::{kind}[]" for name, kind in columns.items())
        # Not COPY: a table with row-level security takes none.
        self.run(
            f"INSERT INTO {table} ({names}) SELECT * FROM unnest({arrays}) {more}",
            {name: [row[name] for row in rows] for name in columns},
        )


@lru_cache(1_024)
def _native(sql: str) -> bytes:
    """The statement with the driver's placeholders."""
    return _PARAMETER.sub(r"%(\1)s", sql.replace("%", "%%")).encode()


_PARAMETER = re.compile(r"(?<![:\w]):([a-z_][a-z0-9_]*)")


# ── errors ───────────────────────────────────────────────────────────────────────────────────────────


@contextmanager
def translated(name: str) -> Iterator[None]:
    """Raise the driver's errors as ours. A driver's message may quote rows, so it is not passed on."""
    try:
        yield
    except (psycopg.Error, psycopg_pool.PoolTimeout, psycopg_pool.PoolClosed) as error:
        raise _ours(error, name) from None
    except UnicodeEncodeError:
        raise InvalidInput("an id or a name holds a lone surrogate; use visible characters") from None


def _ours(error: Exception, name: str) -> StorageError | InvalidInput:
    kind = type(error).__name__
    match error:
        case psycopg_pool.PoolTimeout():
            return StorageBusy(f"no connection to {name} became free within {WAIT_SECONDS:g} s; try again")
        case psycopg_pool.PoolClosed():
            return StoreClosed(f"the connections to {name} were closed; open it again")
        case errors.DiskFull() | errors.OutOfMemory():
            return StorageFull(f"no room to write in {name}; free some, then try again")
        case errors.LockNotAvailable():
            return StorageBusy(f"another writer held the tenant for {WAIT_SECONDS:g} s in {name}; try again")
        case errors.QueryCanceled() | errors.DeadlockDetected() | errors.SerializationFailure():
            return StorageBusy(f"{name} gave a statement up ({kind}); nothing was written, try again")
        case errors.InsufficientPrivilege() | errors.UndefinedTable() | errors.UndefinedObject():
            return StorageUnavailable(
                f"{name} does not let this role work there ({kind}); open it once as the owner of its tables,"
                f" and make this role a member of {APP_ROLE}"
            )
        case errors.DataCorrupted() | errors.IndexCorrupted():
            return StorageDamaged(f"{name} is not what was written ({kind}); restore it from a backup")
        case errors.StatementTooComplex() | errors.ProgramLimitExceeded():
            return InvalidInput("the content is above what a row may hold; store it in parts")
        case psycopg.OperationalError() | psycopg.InterfaceError():
            return StorageUnavailable(
                f"{name} cannot be reached now ({kind}); a save whose answer was lost may be repeated with"
                " its id"
            )
        case psycopg.DataError():
            return InvalidInput("an id or a name holds a NUL; use visible characters")
    return StorageUnavailable(f"{name} refused a statement ({kind}, {getattr(error, 'sqlstate', None)})")


# ── vectors ──────────────────────────────────────────────────────────────────────────────────────────


class _HalvesLoader(psycopg.adapt.Loader):
    """A halfvec as it is kept elsewhere: float16 one after the other, little-endian."""

    format = pq.Format.BINARY

    def load(self, data: Bytes) -> bytes:
        return np.frombuffer(data, ">f2", offset=4).astype("<f2").tobytes()


def halfvec(vector: NDArray[Any]) -> HalfVector:
    """A vector as a parameter."""
    return HalfVector(vector)


# ── a database ───────────────────────────────────────────────────────────────────────────────────────


class Database:
    """The connections of one process to one memory on a server; opened at the first call.

    The memory's tables are in the schema that is first in the connection's ``search_path``.
    """

    def __init__(self, url: str, *, connections: int = MOST_CONNECTIONS) -> None:
        try:
            told = psycopg.conninfo.conninfo_to_dict(url)
        except psycopg.ProgrammingError:
            raise InvalidInput("the address is no postgresql:// URL") from None
        self.name = (
            f"PostgreSQL {told.get('dbname') or told.get('user') or ''} on {told.get('host') or 'localhost'}"
        )
        self.connections = connections
        self._url = url
        self._lock = Lock()
        self._pool: psycopg_pool.ConnectionPool[psycopg.Connection[Row]] | None = None
        self._process = os.getpid()
        self._closed = False
        self._role: str | None = None

    @contextmanager
    def link(self, *, reading: bool) -> Iterator[Link]:
        """A connection within a transaction of its own, which ends with the block."""
        with translated(self.name), self._opened().connection(WAIT_SECONDS) as connection:
            connection.read_only = reading
            connection.isolation_level = (
                psycopg.IsolationLevel.REPEATABLE_READ if reading else psycopg.IsolationLevel.READ_COMMITTED
            )
            with connection.transaction():
                yield Link(connection)

    def translated(self) -> AbstractContextManager[None]:
        """The driver's errors as ours."""
        return translated(self.name)

    @contextmanager
    def step(self, link: Link) -> Iterator[None]:
        """A part of a transaction that fails without the rest."""
        with translated(self.name), link.connection.transaction():
            yield

    def enter(self, link: Link, tenant_id: str) -> None:
        """Say whose rows this transaction is about; `SchemaTooNew` where the layout is another by now."""
        with translated(self.name):
            ((_, _, layout),) = link.rows(
                "SELECT set_config('role', :role, true), set_config('app.tenant', :tenant, true),"
                " (SELECT value FROM meta WHERE name = 'layout')",
                {"role": self._role or "none", "tenant": tenant_id},
            )
        _check(int(layout), self.name)

    @contextmanager
    def alone(self, what: str) -> Iterator[None]:
        """One at a time, over all processes, is at what is named so; a process that ends lets the next in."""
        self.check_open()
        # Not of the pool: whoever holds this lock needs connections of it too.
        with translated(self.name), psycopg.connect(self._url, autocommit=True) as connection:
            link = Link(connection)
            for setting in _SETTINGS:
                link.run(setting)
            link.rows(
                "SELECT pg_advisory_lock(hashtextextended(current_schema() || ' ' || :what, 0))",
                {"what": what},
            )
            yield

    def outside(self, *statements: str) -> None:
        """Run statements that no transaction may hold, with the rights that we came with."""
        with translated(self.name), psycopg.connect(self._url, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def close(self) -> None:
        """Close all connections; closing again does nothing."""
        with self._lock:
            self._closed = True
            pool, self._pool = self._pool, None
        if pool is not None and self._process == os.getpid():
            pool.close()

    def check_open(self) -> None:
        if self._closed:
            raise StoreClosed(f"{self.name} was closed; open it again")

    def _opened(self) -> psycopg_pool.ConnectionPool[psycopg.Connection[Row]]:
        with self._lock:
            self.check_open()
            if self._process != os.getpid():
                _abandoned.append(self._pool)
                self._pool, self._process = None, os.getpid()
            if self._pool is None:
                self._role = _made_ready(self._url, self.name)
                self._pool = psycopg_pool.ConnectionPool(
                    self._url,
                    kwargs={"fallback_application_name": APPLICATION},
                    min_size=0,
                    max_size=self.connections,
                    open=True,
                    configure=_configure,
                    check=psycopg_pool.ConnectionPool.check_connection,
                    name=APPLICATION,
                )
            return self._pool


def _configure(connection: psycopg.Connection[Row]) -> None:
    for setting in _SETTINGS:
        connection.execute(setting.encode())
    pgvector.psycopg.register_vector(connection)
    info = psycopg.types.TypeInfo.fetch(connection, "halfvec")
    assert info is not None  # The layout has a column of that type.
    connection.adapters.register_loader(info.oid, _HalvesLoader)
    connection.commit()


# ── the layout ───────────────────────────────────────────────────────────────────────────────────────


@cache
def migrations() -> tuple[tuple[str, ...], ...]:
    """The numbered files of the dialect, in order, each as its statements."""
    folder = resources.files(__package__ or "zerda.memory.storage") / "migrations"
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".postgres.sql"))
    return tuple(_statements((folder / name).read_text("utf-8")) for name in names)


def _statements(text: str) -> tuple[str, ...]:
    """A file's statements: each ends with a semicolon at the end of a line."""
    return tuple(part for part in text.split(";\n") if part.strip())


def _check(layout: int, name: str) -> None:
    if layout != (known := len(migrations())):
        raise SchemaTooNew(
            f"{name} has layout {layout}, this zerda-memory knows {known}; install a newer version"
        )


def _made_ready(url: str, name: str) -> str | None:
    """Bring the database to the newest layout; the role to take in each transaction, if any."""
    with psycopg.connect(url, connect_timeout=int(WAIT_SECONDS)) as connection:
        link = Link(connection)
        link.rows("SELECT pg_advisory_xact_lock(hashtextextended('zerda-memory:' || current_schema(), 0))")
        link.run("SET LOCAL client_min_messages = warning")
        role = _role(link)
        done = _layout(link)
        for number, statements in enumerate(migrations()[done:], done + 1):
            if number == 1:
                _begin(link)
            for statement in statements:
                link.run(statement)
            link.run(
                "INSERT INTO meta (name, value) VALUES ('layout', :layout)"
                " ON CONFLICT (name) DO UPDATE SET value = :layout",
                {"layout": str(number)},
            )
            _log.info("%s now has layout %d", name, number)
        if done == 0:
            link.run(
                "INSERT INTO meta (name, value) VALUES ('secret', :secret)", {"secret": os.urandom(32).hex()}
            )
        if done < len(migrations()) or not _granted(link):
            _grant(link)
        _check(_layout(link), name)
        return role


def _layout(link: Link) -> int:
    """The layout's number; 0 where there is none."""
    ((there,),) = link.rows("SELECT to_regclass(quote_ident(current_schema()) || '.meta') IS NOT NULL")
    return link.number("SELECT value FROM meta WHERE name = 'layout'") if there else 0


def _begin(link: Link) -> None:
    ((there,),) = link.rows("SELECT to_regtype('halfvec') IS NOT NULL")
    if not there:
        link.run("CREATE EXTENSION vector")


def _role(link: Link) -> str | None:
    """`APP_ROLE`, made if need be, for whoever would pass row-level security by, or owns the tables."""
    ((mighty, creates, member),) = link.rows(
        "SELECT rolsuper OR rolbypassrls, rolsuper OR rolcreaterole,"
        " (SELECT bool_or(pg_has_role(current_user, oid, 'MEMBER')) FROM pg_roles WHERE rolname = :role)"
        " FROM pg_roles WHERE rolname = current_user",
        {"role": APP_ROLE},
    )
    if member is None and creates:
        try:
            with link.connection.transaction():
                link.run(f"CREATE ROLE {APP_ROLE} NOLOGIN")
        except (errors.DuplicateObject, errors.UniqueViolation):
            pass  # Roles are all databases' of a server, and another was first.
        link.run(f"GRANT {APP_ROLE} TO CURRENT_USER")
        member = True
    if mighty and not member:
        raise StorageUnavailable(
            f"this role passes row-level security by and is no member of {APP_ROLE}; connect as another,"
            f" or make the role {APP_ROLE} and this one its member"
        )
    return APP_ROLE if member else None


def _granted(link: Link) -> bool:
    """Whether the application's role may work on the tables, or is not there, or is not ours to be let."""
    ((granted,),) = link.rows(
        "SELECT coalesce((SELECT has_table_privilege(oid, 'meta', 'SELECT') FROM pg_roles"
        " WHERE rolname = :role), true) OR NOT (SELECT pg_has_role(current_user, relowner, 'MEMBER')"
        " FROM pg_class WHERE oid = 'meta'::regclass)",
        {"role": APP_ROLE},
    )
    return bool(granted)


def _grant(link: Link) -> None:
    """Let the application's role work on the tables, where there is one."""
    if not link.rows("SELECT 1 FROM pg_roles WHERE rolname = :role", {"role": APP_ROLE}):
        return
    ((schema,),) = link.rows("SELECT quote_ident(current_schema())")
    link.run(f"GRANT USAGE ON SCHEMA {schema} TO {APP_ROLE}")
    link.run(f"GRANT SELECT, INSERT, UPDATE, DELETE ON {', '.join(_TABLES)} TO {APP_ROLE}")
