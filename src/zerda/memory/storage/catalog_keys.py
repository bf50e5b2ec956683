"""The keys of programs that call a server, in `zerda.db`."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

import apsw

from ..core.rules.hashing import as_json
from ..core.trust import ApiKey, Event
from . import sqlite_audit
from .base import KeyCatalog
from .catalog_trust import audit_secret, tenant_as
from .driver import Source, check_version, fetched, translated
from .sql import insert, micros, moment

if TYPE_CHECKING:
    from pathlib import Path

    from apsw import Connection

    from ..core.seams import Ring
    from .pool import Lease, Pool

_KEY = (
    "id", "digest", "tenant_id", "user_id", "principal", "role", "name", "at", "until", "revoked_at", "by",
    "sealed",
)  # fmt: skip
_SELECT = f"SELECT {', '.join(_KEY)} FROM api_keys"


class SQLiteKeys(KeyCatalog):
    """The part of a catalog that keeps keys."""

    _source: Source
    _pool: Pool

    if TYPE_CHECKING:

        @property
        def path(self) -> Path: ...

        def reading(self) -> AbstractContextManager[Connection]: ...

        def unlocked(self) -> AbstractContextManager[tuple[Connection, Ring | None]]: ...

        def _ring(self, db: Connection, *, writing: bool = False) -> Ring | None: ...

    def put_api_key(self, key: ApiKey, digest: bytes) -> None:
        with self.unlocked() as (db, ring):
            db.execute(insert("api_keys", _KEY), _row(ring, key, digest))
            event = Event(f"key {key.role}", key.by, key.principal, (key.id,))
            sqlite_audit.append(db, audit_secret(db, ring), tenant_as(ring, key.tenant_id), event)

    def api_key(self, key_id: str) -> tuple[ApiKey, bytes] | None:
        # Asked at every call of every program.
        try:
            return self._pool.ask(self._source, partial(self._api_key, key_id))
        except apsw.Error as error:
            with translated(self.path):
                raise error

    def _api_key(self, key_id: str, lease: Lease) -> tuple[ApiKey, bytes] | None:
        db = lease.connection
        check_version(db, self._source)
        ring = self._ring(db)
        rows = fetched(db, f"{_SELECT} WHERE id = :id", {"id": key_id})
        return _kept(ring, dict(zip(_KEY, rows[0], strict=True))) if rows else None

    def api_keys(self, tenant_id: str | None = None) -> tuple[ApiKey, ...]:
        with self.reading() as db:
            return tuple(key for key, _ in keys_of(db, self._ring(db), tenant_id))

    def revoke_api_key(self, tenant_id: str, key_id: str, *, at: datetime, by: str | None = None) -> bool:
        with self.unlocked() as (db, ring):
            name = tenant_as(ring, tenant_id)
            revoked = fetched(
                db,
                "UPDATE api_keys SET revoked_at = coalesce(revoked_at, :at)"
                f" WHERE tenant_id = :tenant AND id = :id RETURNING {', '.join(_KEY)}",
                {"at": micros(at), "tenant": name, "id": key_id},
            )
            for row in revoked:
                key, _ = _kept(ring, dict(zip(_KEY, row, strict=True)))
                event = Event("revoke key", by, key.principal, (key_id,))
                sqlite_audit.append(db, audit_secret(db, ring), name, event)
        return bool(revoked)


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────


def keys_of(db: Connection, ring: Ring | None, tenant_id: str | None) -> list[tuple[ApiKey, bytes]]:
    """The keys of a tenant, or of all, oldest first, each with what stands for its secret."""
    rows = fetched(
        db,
        f"{_SELECT} WHERE :tenant IS NULL OR tenant_id = :tenant ORDER BY at, id",
        {"tenant": None if tenant_id is None else tenant_as(ring, tenant_id)},
    )
    return [_kept(ring, dict(zip(_KEY, row, strict=True))) for row in rows]


def hide_keys(db: Connection, ring: Ring) -> None:
    """Put pseudonyms in the place of the names that keys had until now."""
    for key, digest in keys_of(db, None, None):
        db.execute(f"INSERT OR REPLACE {insert('api_keys', _KEY).removeprefix('INSERT')}",
                   _row(ring, key, digest))  # fmt: skip


def _row(ring: Ring | None, key: ApiKey, digest: bytes) -> dict[str, Any]:
    """A key as it is kept; ``sealed`` tells the names to whoever holds the encryption key."""
    row = {
        "id": key.id, "digest": digest, "tenant_id": key.tenant_id, "user_id": key.user_id,
        "principal": key.principal, "role": key.role, "name": key.name, "at": micros(key.at),
        "until": micros(key.until), "revoked_at": micros(key.revoked_at), "by": key.by, "sealed": None,
    }  # fmt: skip
    if ring is None or not ring.hides_ids:
        return row
    names = [key.tenant_id, key.user_id, key.principal, key.name, key.by]
    hidden = {
        name: None if row[name] is None else ring.known_as(str(row[name]), "user")
        for name in ("user_id", "principal", "by")
    }
    return {
        **row, **hidden, "tenant_id": tenant_as(ring, key.tenant_id), "name": "",
        "sealed": ring.sealed_id(as_json(names, "names")),
    }  # fmt: skip


def _kept(ring: Ring | None, row: dict[str, Any]) -> tuple[ApiKey, bytes]:
    sealed, digest = row.pop("sealed"), row.pop("digest")
    times: dict[str, Any] = {name: moment(row[name]) for name in ("at", "until", "revoked_at")}
    if ring is not None and sealed is not None:
        names = json.loads(ring.unsealed_id(sealed))
        row |= dict(zip(("tenant_id", "user_id", "principal", "name", "by"), names, strict=True))
    return ApiKey(**{**row, **times}), digest
