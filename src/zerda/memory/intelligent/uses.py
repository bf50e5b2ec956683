"""Counts what was put before a model, until it can be written with something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING

from ..after_fork import Lock, renew_in_child
from ..core.trust import Event
from ..errors import StorageReadOnly

if TYPE_CHECKING:
    from ..core.model import Scope
    from ..storage.base import Catalog, Store


MOST_WAITING = 1_024
"""Scopes whose uses may wait for a save of their own; as many as working memory keeps selections."""


class UseCounter:
    """Uses of entries that are not written yet, by scope; a killed process loses them. Locked."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._uses: dict[Scope, Counter[str]] = {}
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked child: what was counted before is the parent's to write."""
        self._uses = {}

    def add(self, scope: Scope, entry_ids: Iterable[str]) -> None:
        """Count one use of each entry."""
        with self._lock:
            self._uses.setdefault(scope, Counter()).update(entry_ids)

    def write(self, store: Store, tenant_id: str, at: datetime, *, only: Scope | None = None) -> None:
        """Write what was counted in a tenant; it stays counted if the write fails, unless nothing can be.

        ``only`` one scope's, so that no user's save shows in the times of another's entries; when very
        many wait, all are written.
        """
        for scope, uses in self._taken(tenant_id, only).items():
            try:
                store.count_uses(scope, uses, at)
            except StorageReadOnly:  # Where nothing can be written, uses are not counted.
                continue
            except BaseException:
                with self._lock:
                    self._uses.setdefault(scope, Counter()).update(uses)
                raise

    def drop(self, tenant_id: str) -> None:
        """Forget what was counted in a tenant."""
        self._taken(tenant_id)

    def tenants(self) -> set[str]:
        """Tenants of which something is counted."""
        with self._lock:
            return {scope.tenant_id for scope in self._uses}

    def _taken(self, tenant_id: str, only: Scope | None = None) -> dict[Scope, Counter[str]]:
        with self._lock:
            if only is not None and len(self._uses) <= MOST_WAITING:
                return {only: self._uses.pop(only)} if only in self._uses else {}
            scopes = [scope for scope in self._uses if scope.tenant_id == tenant_id]
            return {scope: self._uses.pop(scope) for scope in scopes}


class ReadLog:
    """Allowed reads that are not in the audit yet, by tenant; a killed process loses them. Locked."""

    MOST = 100  # Different readers and read, before they are written.

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._lock = Lock()
        self._reads: dict[str, Counter[tuple[str | None, str | None]]] = {}
        renew_in_child(self)

    def renew(self) -> None:
        """In a forked child: what was counted before is the parent's to write."""
        self._reads = {}

    def add(self, tenant_id: str, event: Event) -> None:
        """Count a read; many together become one record for each reader and who was read."""
        with self._lock:
            reads = self._reads.setdefault(tenant_id, Counter())
            reads[event.actor, event.subject] += 1
            full = len(reads) >= self.MOST
        if full:
            self.write(tenant_id)

    def write(self, tenant_id: str | None = None) -> None:
        """Put what was counted into the audit, of one tenant or of all; it stays counted if that fails."""
        with self._lock:
            tenants = [tenant_id] if tenant_id is not None else list(self._reads)
            taken = {name: self._reads.pop(name) for name in tenants if name in self._reads}
        for name, reads in taken.items():
            events = [Event("read", actor, subject, count=count) for (actor, subject), count in reads.items()]
            try:
                self._catalog.record(name, events)
            except BaseException:
                with self._lock:
                    self._reads.setdefault(name, Counter()).update(reads)
                raise
