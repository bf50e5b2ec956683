"""Semantic memory: what the vectors find."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..core.model import MemoryEntry, Query, Scope
from ..embedding import embedder_named
from ..errors import ConfigError
from ..intake import Intake, draft_of
from ..storage.base import Store
from ..storage.memory import InMemoryStore
from ..upkeep.indexing import index_pending
from .view import View

if TYPE_CHECKING:
    from ..core.seams import Embedder


class SemanticMemory(View):
    """Finds entries by meaning. On its own it lives in this process and indexes what is added at once."""

    def __init__(
        self,
        model_name: str = "auto",
        cache_size: int = 1_000,
        tenant_id: str = "default",
        *,
        store: Store | None = None,
        scope: Scope | None = None,
        intake: Intake | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        super().__init__(
            store or InMemoryStore(),
            tenant_id,
            scope=scope,
            intake=intake or Intake(clock=lambda: datetime.now(UTC)),
        )
        self.model_name = model_name
        self._embedder = embedder or embedder_named(model_name, cache_size=cache_size)

    def add(self, entry: MemoryEntry) -> None:
        """Index an entry; one that is not kept yet is kept first."""
        self.add_batch([entry])

    def add_batch(self, entries: Iterable[MemoryEntry]) -> None:
        """Index entries; those that are not kept yet are kept first."""
        given = list(entries)
        query = Query(ids=tuple(entry.id for entry in given), archived=None, limit=None)
        with self._store.transaction():
            known = {one.id for one in self._store.find(self._scope, query)}
            self._store.put(self._scope, [draft_of(entry) for entry in given if entry.id not in known])
        if self._embedder:
            index_pending(self._store, self._scope, self._embedder)

    def search(self, query: str, k: int = 5, min_score: float = 0.0) -> list[tuple[MemoryEntry, float]]:
        """The ``k`` nearest entries with their cosine of at least ``min_score``, nearest first.

        An entry is as near as its nearest passage. `ConfigError` where there is no embedder.
        """
        if self._embedder is None:
            raise ConfigError(f"embedding_model is {self.model_name!r}, which makes no vectors; name another")
        vector = self._embedder.embed([query], role="query")[0]
        found = self._store.search_vectors(
            self._scope, vector, self._embedder.fingerprint, Query(), limit=4 * k
        )
        nearest = self._nearest({key: score for key, score in found.hits if score >= min_score})
        entries = {
            one.id: one for one in self._store.find(self._scope, Query(ids=tuple(nearest), limit=None))
        }
        return [
            (self._outward([entries[one]])[0], score)
            for one, score in list(nearest.items())[:k]
            if one in entries
        ]

    def search_entries(self, query: str, k: int = 5, min_score: float = 0.0) -> list[MemoryEntry]:
        """The entries that `search` finds."""
        return [entry for entry, _ in self.search(query, k, min_score)]

    def stats(self) -> dict[str, Any]:
        """Its type, tenant, model, backend, and how many passages are indexed or pending."""
        counts = self._store.stats(self._scope, self._embedder.fingerprint if self._embedder else None)
        return {
            "type": "semantic",
            "tenant_id": self.tenant_id,
            "backend": "numpy",
            "model": self._embedder.fingerprint if self._embedder else "none",
            "entries": counts.entries,
            "passages": counts.passages,
            "pending": counts.pending,
        }

    def _nearest(self, scores: dict[int, float]) -> dict[str, float]:
        """Entry ids with the score of their nearest passage, nearest first."""
        best: dict[str, float] = {}
        for stored in self._store.passages(self._scope, list(scores), Query()):
            best[stored.entry_id] = max(scores[stored.key], best.get(stored.entry_id, -1.0))
        return dict(sorted(best.items(), key=lambda one: (-one[1], one[0])))
