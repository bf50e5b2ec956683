"""The keys of programs that call a server, on PostgreSQL."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..core.trust import ApiKey, Event
from . import postgres_audit
from .base import WHOLE_STORE, KeyCatalog
from .postgres_audit import ACCESS

if TYPE_CHECKING:
    from .postgres_driver import Link

_KEY = (
    "id", "digest", "tenant_id", "user_id", "principal", "role", "name", "at", "until", "revoked_at", "by",
)  # fmt: skip
_SELECT = f"SELECT {', '.join(_KEY)} FROM api_keys"


class PostgresKeys(KeyCatalog):
    """The part of a catalog that keeps keys."""

    if TYPE_CHECKING:

        def _reading(self, tenant_id: str) -> AbstractContextManager[Link]: ...

        def _writing(self, tenant_id: str) -> AbstractContextManager[Link]: ...

    def put_api_key(self, key: ApiKey, digest: bytes) -> None:
        row = {name: getattr(key, name) for name in _KEY if name != "digest"} | {"digest": digest}
        with self._writing(key.tenant_id) as db:
            values = ", ".join(f":{name}" for name in _KEY)
            db.run(f"INSERT INTO api_keys ({', '.join(_KEY)}) VALUES ({values})", row)
            event = Event(f"key {key.role}", key.by, key.principal, (key.id,))
            postgres_audit.append(db, key.tenant_id, ACCESS, event)

    def api_key(self, key_id: str) -> tuple[ApiKey, bytes] | None:
        with self._reading(WHOLE_STORE) as db:
            rows = db.rows(f"{_SELECT} WHERE id = :id", {"id": key_id})
        return _kept(rows[0]) if rows else None

    def api_keys(self, tenant_id: str | None = None) -> tuple[ApiKey, ...]:
        sql = f"{_SELECT} WHERE :tenant::text IS NULL OR tenant_id = :tenant ORDER BY at, id"
        with self._reading(WHOLE_STORE if tenant_id is None else tenant_id) as db:
            rows = db.rows(sql, {"tenant": tenant_id})
        return tuple(_kept(row)[0] for row in rows)

    def revoke_api_key(self, tenant_id: str, key_id: str, *, at: datetime, by: str | None = None) -> bool:
        with self._writing(tenant_id) as db:
            revoked = db.rows(
                "UPDATE api_keys SET revoked_at = coalesce(revoked_at, :at)"
                " WHERE tenant_id = :tenant AND id = :id RETURNING principal",
                {"at": at, "tenant": tenant_id, "id": key_id},
            )
            for (principal,) in revoked:
                event = Event("revoke key", by, principal, (key_id,))
                postgres_audit.append(db, tenant_id, ACCESS, event)
        return bool(revoked)


def _kept(row: tuple[Any, ...]) -> tuple[ApiKey, bytes]:
    told = dict(zip(_KEY, row, strict=True))
    digest = bytes(told.pop("digest"))
    return ApiKey(**told), digest
