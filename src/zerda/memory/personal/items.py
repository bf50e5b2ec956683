"""One user's items in a storage: what the memories of a user are views of."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..core.model import Draft, Hit, MemoryEntry, Note, Query
from ..core.rules.filtering import query_of
from ..core.rules.floor import RELEVANCE_FLOOR
from ..embedding.checked import CheckedEmbedder
from ..errors import EmbeddingError, EntryNotFound, InvalidInput
from ..gate import scope_of
from ..intake import Intake, with_vectors
from ..retrieval.pipeline import find_hits
from ..retrieval.presets import FINDING, weights_for
from ..retrieval.recall import ask
from ..upkeep.indexing import index_newest
from .memory_item import IDS

if TYPE_CHECKING:
    from ..core.seams import Embedder, Masker
    from .memory_storage import MemoryStorage

log = logging.getLogger(__name__)

CANDIDATES = 60
"""Passages that each source proposes, as `MemoryConfig.candidate_limit`."""

MEANING_FROM = 0.25
"""Cosine from which an item counts as meant. Set by hand: below it short texts are alike for no reason."""

PAGE = 500
"""Items that are read and erased at a time."""

DECAY_RATE = 0.1
"""How fast a memory that is not used fades in the ranking, as `MemoryConfig.decay_rate`."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the memories of all users of one `UserMemory` share."""

    storage: MemoryStorage
    tenant_id: str = "default"
    embedder: Embedder | None = None
    masker: Masker | None = None
    importance_threshold: float = 0.7


class Items:
    """The entries of one user: kept, found and erased within their scope, and no other.

    What a manager on the same store lets a tenant share is found too; none of it is changed here.
    """

    def __init__(self, parts: Parts, user_id: str) -> None:
        self.store = parts.storage.store
        self._storage = parts.storage
        self.scope = scope_of(parts.tenant_id, user_id)
        self.user_id = user_id
        self._clock = parts.storage.clock
        self._intake = Intake(self._clock, parts.masker, promote_from=parts.importance_threshold)
        self._masker = parts.masker
        self._embedder = None if parts.embedder is None else CheckedEmbedder(parts.embedder)

    @property
    def now(self) -> datetime:
        return self._clock()

    def add(
        self,
        content: str,
        metadata: Mapping[str, Any] | None,
        *,
        importance: float | None = None,
        promoted: bool = False,
        more: Mapping[str, Any] | None = None,
    ) -> MemoryEntry:
        """Keep an item; what ``more`` names goes among its metadata. Durable when this returns.

        A clear since the call began wins, through the same storage or of the whole tenant: then nothing is
        kept, as if the clear had come a moment later.
        """
        clears = self._storage.clears(self.scope)
        note = self.note(content, {**(metadata or {}), **(more or {})}, importance)
        draft = self._intake.draft(self.scope, note)
        if promoted and draft.entry.promoted_at is None:
            draft = replace(draft, entry=replace(draft.entry, promoted_at=self.now))
        (draft,) = self._embedded([draft])
        with self.store.transaction():
            if self._storage.clears(self.scope) != clears:
                return draft.entry
            return self.store.put(self.scope, [draft])[0]

    def revise(
        self,
        item_id: str,
        content: str | None,
        metadata: Mapping[str, Any] | None,
        importance: float | None,
    ) -> bool:
        """Make a new version of an item, in which only what is given differs; whether the item is there."""
        with self.store.transaction():
            entry = self.get(item_id)
            if entry is None:
                return False
            told = {**entry.metadata, "importance": entry.importance, **(metadata or {})}
            note = self.note(entry.text if content is None else content, told, importance)
            draft = self._intake.revised(entry, _kept(entry, note, said=content is not None), self.scope)
            revised = self.store.revise(self.scope, self._embedded([draft])[0])
            if draft.entry.promoted_at != revised.promoted_at:
                self.store.mark(self.scope, [entry.id], promoted_at=draft.entry.promoted_at)
            return True

    def get(self, item_id: str) -> MemoryEntry | None:
        """An item; None where there is none."""
        try:
            return self.store.get(self.scope, item_id)
        except EntryNotFound:
            return None

    def newest(
        self, limit: int | None, filters: Mapping[str, Any] | None = None, **conditions: Any
    ) -> list[MemoryEntry]:
        """Live items, newest first, or in the order that the conditions name."""
        query = narrowed(filters).only(limit=limit, now=self.now, **conditions)
        return self.store.find(self.scope, query)

    def count(self, **conditions: Any) -> int:
        """How many live items there are."""
        return self.store.count(self.scope, Query(limit=None, now=self.now, **conditions))

    def search(
        self, query: str, limit: int, filters: Mapping[str, Any] | None, **conditions: Any
    ) -> list[Hit]:
        """The items that answer a query, most relevant first: none that nothing speaks for."""
        if limit < 1 or not query.strip():
            return []
        if self._embedder is not None:
            index_newest(self.store, self.scope, self._embedder)
        asked = str(self._masker.mask_value(query)[0]) if self._masker else query
        recall = ask(
            self.store,
            self.scope,
            asked,
            query=narrowed(filters).only(now=self.now, **conditions),
            now=self.now,
            limit=max(CANDIDATES, limit),
            min_score=MEANING_FROM,
            embedder=self._embedder,
        )
        weights = weights_for(recall.fingerprint)
        ranking = find_hits(recall, FINDING, weights, decay_rate=DECAY_RATE, limit=limit)
        return [hit for hit in ranking.hits if _spoken_for(hit)]

    def used(self, entry: MemoryEntry, *, promote_from: int) -> MemoryEntry:
        """Count a use; from so many on the item is promoted, once."""
        with self.store.transaction():
            self.store.count_uses(self.scope, {entry.id: 1}, self.now)
            known = self.store.get(self.scope, entry.id)
            if known.promoted_at is None and known.access_count >= promote_from:
                self.store.mark(self.scope, [entry.id], promoted_at=self.now)
            return self.store.get(self.scope, entry.id)

    def delete(self, ids: Sequence[str]) -> int:
        """Erase items for ever; return how many were there."""
        return self.store.delete(self.scope, ids)

    def delete_all(self, filters: Mapping[str, Any]) -> int:
        """Erase for ever the user's own items that a filter describes; return how many there were."""
        erased, query = 0, narrowed(filters).only(limit=PAGE, now=self.now)
        while found := self.store.find(self.scope, query):
            erased += self.delete([entry.id for entry in found])
            query = query.only(before_seq=found[-1].seq)  # What others share is found, and stays.
        return erased

    def clear(self) -> int:
        """Erase all that is the user's: items, profile, marks; no byte of it is left in the files."""
        return self._storage.clear_user(self.scope)

    def note(self, content: str, metadata: Mapping[str, Any], importance: float | None) -> Note:
        """What a caller gives, as a note; whose it is need not be said, and cannot be said otherwise."""
        if not isinstance(content, str):
            raise InvalidInput(f"content is a {type(content).__name__}; it is text")
        told = {key: value for key, value in metadata.items() if key not in ("user_id", "importance")}
        matters = metadata.get("importance", 0.5) if importance is None else importance
        session = told.get("conversation_id") or None
        return Note(content=content, metadata=told, importance=matters, session_id=session)

    def _embedded(self, drafts: list[Draft]) -> list[Draft]:
        """The drafts with vectors, where these cost next to nothing; a search makes the others."""
        if self._embedder is None or not self._embedder.fast:
            return drafts
        try:
            return with_vectors(drafts, self._embedder)
        except EmbeddingError as error:
            log.warning("saved without vectors, to be indexed later: %s", error)
            return drafts


def _kept(entry: MemoryEntry, note: Note, *, said: bool) -> Note:
    """A note of what is changed, with what an entry keeps of its own: its words too, where none are given."""
    return replace(
        note,
        content=note.content if said else entry.content,
        kind=entry.kind,
        tags=entry.tags,
        topics=entry.topics,
        visibility=entry.visibility,
        expires_at=entry.expires_at,
    )


def _spoken_for(hit: Hit) -> bool:
    """Whether the item itself answers: it is no turn of a conversation, so its neighbours say nothing."""
    return "words" in hit.sources or ("meaning" in hit.sources and hit.score >= RELEVANCE_FLOOR)


def narrowed(filters: Mapping[str, Any] | None) -> Query:
    """A query of what a caller filters by: ids and keys of the metadata, or fields of `docs/filters.md`."""
    given = (filters or {}).items()
    return query_of({(f"metadata.{key}" if _of_metadata(key) else key): value for key, value in given})


_FIELDS = frozenset("session speaker kind origin tags topics time".split())


def _of_metadata(key: str) -> bool:
    return key in IDS or not (key in _FIELDS or key.startswith(("$", "metadata.")))
