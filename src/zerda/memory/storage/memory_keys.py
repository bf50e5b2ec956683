"""The keys of programs that call a server, for as long as the process lives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from ..after_fork import Lock
from ..core.trust import ApiKey, Event
from .base import KeyCatalog


class InMemoryKeys(KeyCatalog):
    """The part of a catalog that keeps keys."""

    def __init__(self) -> None:
        self._keys_lock = Lock()
        self._keys: dict[str, tuple[ApiKey, bytes]] = {}

    if TYPE_CHECKING:

        def record(self, tenant_id: str, events: Sequence[Event]) -> None: ...

    def put_api_key(self, key: ApiKey, digest: bytes) -> None:
        with self._keys_lock:
            self._keys[key.id] = key, digest
        self.record(key.tenant_id, [Event(f"key {key.role}", key.by, key.principal, (key.id,))])

    def api_key(self, key_id: str) -> tuple[ApiKey, bytes] | None:
        with self._keys_lock:
            return self._keys.get(key_id)

    def api_keys(self, tenant_id: str | None = None) -> tuple[ApiKey, ...]:
        with self._keys_lock:
            found = [key for key, _ in self._keys.values() if tenant_id in (None, key.tenant_id)]
        return tuple(sorted(found, key=lambda key: (key.at, key.id)))

    def revoke_api_key(self, tenant_id: str, key_id: str, *, at: datetime, by: str | None = None) -> bool:
        with self._keys_lock:
            key, digest = self._keys.get(key_id, (None, b""))
            if key is None or key.tenant_id != tenant_id:
                return False
            self._keys[key_id] = replace(key, revoked_at=key.revoked_at or at), digest
        self.record(tenant_id, [Event("revoke key", by, key.principal, (key_id,))])
        return True
