"""Long-term memory: what was promoted."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ..core.model import MemoryEntry, Query, Scope
from ..intake import Intake, draft_of
from ..storage.base import Store
from ..upkeep.archiving import FADED, batches, each
from ..upkeep.forgetting import ForgettingMechanism
from .view import View

_PROMOTED = Query(promoted=True)


class LongTermMemory(View):
    """The promoted entries of a tenant. They fade like everything; only pins are exempt.

    On its own it opens (and `close` closes) the SQLite file ``db_path``, which several tenants may share;
    a manager gives it the tenant's store. Any number of threads and processes.
    """

    def __init__(
        self,
        db_path: str | Path = "./memory_storage/ltm.db",
        tenant_id: str = "default",
        *,
        store: Store | None = None,
        scope: Scope | None = None,
        intake: Intake | None = None,
    ) -> None:
        super().__init__(
            store or _opened(db_path),
            tenant_id,
            scope=scope,
            intake=intake or Intake(clock=lambda: datetime.now(UTC), promote_from=0.0),
        )
        self.db_path = str(db_path)
        self._owns_store = store is None

    def store(self, entry: MemoryEntry) -> MemoryEntry:
        """Promote the entry; one that is not kept yet is kept first. Again is a no-op."""
        return self.store_many([entry])[0]

    def store_many(self, entries: Iterable[MemoryEntry]) -> list[MemoryEntry]:
        """Promote entries, all or none."""
        given = list(entries)
        with self._store.transaction():
            known = {one.id for one in self._store.find(self._scope, _of(given))}
            drafts = [draft_of(entry) for entry in given if entry.id not in known]
            self._store.put(self._scope, drafts)
            self._store.mark(self._scope, [entry.id for entry in given], promoted_at=self._intake.clock())
            kept = {one.id: one for one in self._store.find(self._scope, _of(given))}
        return self._outward(kept[entry.id] for entry in given)

    def get(self, entry_id: str) -> MemoryEntry:
        """The entry; `EntryNotFound` where there is none. Reading changes nothing about it."""
        return self._outward([self._store.get(self._scope, entry_id)])[0]

    def get_top_by_importance(self, limit: int = 20, *, min_importance: float = 0.0) -> list[MemoryEntry]:
        """The most important entries, of ``min_importance`` and more, the most important first."""
        query = _PROMOTED.only(order="important", limit=limit, min_importance=min_importance)
        return self._outward(self._store.find(self._scope, query))

    def get_recent(self, limit: int = 20) -> list[MemoryEntry]:
        """The newest entries, newest first."""
        return self._outward(self._store.find(self._scope, _PROMOTED.only(limit=limit)))

    def count(self) -> int:
        """How many entries there are."""
        return self._store.count(self._scope, _PROMOTED)

    def delete(self, entry_id: str) -> bool:
        """Erase an entry for ever; whether it was there."""
        return self._store.delete(self._scope, [entry_id]) > 0

    def apply_global_decay(self, rate: float = 0.1, *, threshold: float = 0.05) -> int:
        """Archive what has faded at this rate a day; return how many. Pins are exempt.

        Strength is computed from importance, age and use (`ForgettingMechanism`) and kept nowhere, so twice
        is once. Every promoted entry is read, in batches, without a bound.
        """
        now = self._intake.clock()
        forgetting = ForgettingMechanism(rate, deletion_threshold=threshold, clock=self._intake.clock)
        faded = [one for one in each(self._store, self._scope, _PROMOTED) if forgetting.faded(one, now)]
        return sum(
            self._store.mark(self._scope, [one.id for one in batch], archived_at=now, archived_because=FADED)
            for batch in batches(faded)
        )

    def delete_below_importance(self, threshold: float) -> int:
        """Erase promoted entries of less importance for ever, pinned ones excepted; return how many."""
        below = [
            one
            for one in each(self._store, self._scope, _PROMOTED.only(pinned=False))
            if one.importance < threshold
        ]
        return sum(self._store.delete(self._scope, [one.id for one in batch]) for batch in batches(below))

    def clear(self) -> int:
        """Erase every promoted entry for ever; return how many."""
        erased = 0
        while batch := self._store.find(self._scope, _PROMOTED.only(archived=None, limit=1_000)):
            erased += self._store.delete(self._scope, [entry.id for entry in batch])
        return erased

    def stats(self) -> dict[str, Any]:
        """Its type, tenant, file and number of entries."""
        return {
            "type": "long_term",
            "tenant_id": self.tenant_id,
            "db_path": self.db_path,
            "total_entries": self.count(),
        }

    def close(self) -> None:
        """Close the file, where it was opened here."""
        if self._owns_store:
            self._store.close()


def _of(entries: Iterable[MemoryEntry]) -> Query:
    return Query(ids=tuple(entry.id for entry in entries), archived=None, limit=None)


def _opened(db_path: str | Path) -> Store:
    from ..storage.sqlite import SQLiteStore

    return SQLiteStore(Path(db_path))
