"""Semantic memory: what the vectors find."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..core.model import Draft, MemoryEntry, Query, Scope
from ..embedding import embedder_named
from ..errors import ConfigError
from ..intake import Intake, draft_of
from ..storage.base import Store
from ..storage.memory import InMemoryStore
from ..storage.vector_backends import SemanticBackend, vector_backend
from ..upkeep.archiving import each
from ..upkeep.indexing import index_pending
from .view import View

if TYPE_CHECKING:
    from ..core.seams import Embedder


class SemanticMemory(View):
    """Finds entries by meaning. On its own it lives in this process and indexes what is added at once.

    ``backend`` scans the vectors: "numpy" ("auto"), or "faiss" (extra ``faiss``); a store that is given has
    its own. `stats` names it.
    """

    def __init__(
        self,
        model_name: str = "auto",
        cache_size: int = 1_000,
        tenant_id: str = "default",
        backend: SemanticBackend = "auto",
        *,
        store: Store | None = None,
        scope: Scope | None = None,
        intake: Intake | None = None,
        embedder: Embedder | None = None,
    ) -> None:
        vector_backend(backend)  # An unknown one is refused, and one that lacks its package.
        super().__init__(
            store or InMemoryStore(vectors=backend),
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
        """Index entries; those that are not kept yet are kept first, those taken out are taken in again."""
        given = list(entries)
        with self._store.transaction():
            known = {one.id: one for one in self._kept([entry.id for entry in given])}
            self._store.put(self._scope, [draft_of(entry) for entry in given if entry.id not in known])
            for entry in known.values():
                draft = draft_of(replace(entry, version=entry.version + 1))
                if draft.passages and not self._is_indexed(draft):
                    self._store.revise(self._scope, draft)
        if self._embedder:
            index_pending(self._store, self._scope, self._embedder)

    def remove(self, entry_id: str) -> bool:
        """Take an entry out of the index; whether it was in it. The entry stays, with its next version.

        No search finds it until it is added again, or its words change.
        """
        return sum(self._take_out(entry) for entry in self._kept([entry_id])) > 0

    def clear(self) -> int:
        """Take every entry out of the index; return how many were in it. The entries stay."""
        return sum(self._take_out(entry) for entry in list(each(self._store, self._scope, Query())))

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
            "backend": self._store.vector_backend,
            "model": self._embedder.fingerprint if self._embedder else "none",
            "entries": counts.entries,
            "passages": counts.passages,
            "pending": counts.pending,
        }

    def _kept(self, ids: Sequence[str]) -> list[MemoryEntry]:
        return self._store.find(self._scope, Query(ids=tuple(ids), archived=None, limit=None))

    def _take_out(self, entry: MemoryEntry) -> bool:
        if not self._is_indexed(draft_of(entry)):
            return False
        emptied = Draft(replace(entry, version=entry.version + 1))
        self._store.revise(replace(self._scope, user_id=entry.user_id), emptied)
        return True

    def _is_indexed(self, draft: Draft) -> bool:
        query = Query(ids=(draft.entry.id,), archived=None)
        return any(
            self._store.search_words(self._scope, [one.tokens[:1]], query, limit=1).keys
            for one in draft.passages
            if one.tokens
        )

    def _nearest(self, scores: dict[int, float]) -> dict[str, float]:
        """Entry ids with the score of their nearest passage, nearest first."""
        best: dict[str, float] = {}
        for stored in self._store.passages(self._scope, list(scores), Query()):
            best[stored.entry_id] = max(scores[stored.key], best.get(stored.entry_id, -1.0))
        return dict(sorted(best.items(), key=lambda one: (-one[1], one[0])))
