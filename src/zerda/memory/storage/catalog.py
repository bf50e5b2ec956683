"""`zerda.db`: what a memory in a folder knows of itself. Nothing that was said is in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from .base import Catalog
from .driver import Durability, Source, check_version, fetched, translated
from .pool import Pool
from .sql import micros

if TYPE_CHECKING:
    from apsw import Connection

MIGRATIONS = "catalog_"


class SQLiteCatalog(Catalog):
    """The catalog in a SQLite file, made at the first call; for any number of threads and processes."""

    def __init__(self, path: Path, pool: Pool, *, durability: Durability = "full") -> None:
        self._source = Source(path, MIGRATIONS, durability)
        self._pool = pool

    @property
    def path(self) -> Path:
        """The file."""
        return self._source.path

    @property
    def store_id(self) -> str:
        """32 hex digits that name this memory for as long as it lives."""
        return self._value("store_id") or ""

    def embedder(self) -> str | None:
        return self._value("embedder")

    def record_embedder(self, fingerprint: str) -> str:
        if (recorded := self.embedder()) is not None:
            return recorded
        with self._writing() as db:
            sql = "INSERT OR IGNORE INTO meta (name, value) VALUES ('embedder', :fingerprint)"
            db.execute(sql, {"fingerprint": fingerprint})
        return self.embedder() or fingerprint

    def replace_embedder(self, fingerprint: str) -> None:
        with self._writing() as db:
            sql = "INSERT OR REPLACE INTO meta (name, value) VALUES ('embedder', :fingerprint)"
            db.execute(sql, {"fingerprint": fingerprint})

    def roles(self, tenant_id: str, user_id: str) -> dict[str, bool]:
        sql = "SELECT role, held FROM roles WHERE tenant_id = :tenant AND user_id = :user"
        with self._reading() as db:
            rows = fetched(db, sql, {"tenant": tenant_id, "user": user_id})
        return {role: bool(held) for role, held in rows}

    def set_role(self, tenant_id: str, user_id: str, role: str, *, held: bool, at: datetime) -> None:
        with self._writing() as db:
            db.execute(
                "INSERT OR REPLACE INTO roles (tenant_id, user_id, role, held, at)"
                " VALUES (:tenant, :user, :role, :held, :at)",
                {"tenant": tenant_id, "user": user_id, "role": role, "held": held, "at": micros(at)},
            )

    # ── tenants and their files ──────────────────────────────────────────────────────────────────

    def tenants(self) -> tuple[str, ...]:
        """Every tenant that has a file, sorted."""
        with self._reading() as db:
            rows = fetched(db, "SELECT tenant_id FROM tenants ORDER BY tenant_id")
        return tuple(tenant_id for (tenant_id,) in rows)

    def file_of(self, tenant_id: str, wishes: tuple[str, ...]) -> str:
        """The name of the tenant's file: the recorded one, else the first wish that is nobody's yet.

        Names are compared without case, as some file systems do.
        """
        with self._reading() as db:
            if recorded := _file(db, tenant_id):
                return recorded
        with self._writing() as db:
            for file in wishes:
                db.execute(
                    "INSERT OR IGNORE INTO tenants (tenant_id, file, folded)"
                    " VALUES (:tenant, :file, :folded)",
                    {"tenant": tenant_id, "file": file, "folded": file.casefold()},
                )
            recorded = _file(db, tenant_id)
        assert recorded is not None  # The last wish holds a hash of the tenant, so it is free.
        return recorded

    # ── connections ──────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with translated(self.path), self._pool.reading(self._source) as lease:
            check_version(lease.connection, self._source)
            yield lease.connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with translated(self.path), self._pool.writing(self._source) as lease:
            lease.connection.execute("BEGIN IMMEDIATE")
            try:
                check_version(lease.connection, self._source)
                yield lease.connection
            except BaseException:
                lease.connection.execute("ROLLBACK")
                raise
            lease.connection.execute("COMMIT")

    def _value(self, name: str) -> str | None:
        with self._reading() as db:
            rows = fetched(db, "SELECT value FROM meta WHERE name = :name", {"name": name})
        return rows[0][0] if rows else None


def _file(db: Connection, tenant_id: str) -> str | None:
    rows = fetched(db, "SELECT file FROM tenants WHERE tenant_id = :tenant", {"tenant": tenant_id})
    return rows[0][0] if rows else None
