"""From what an application gives to what a store keeps: check, mask, hash, cut into passages, embed."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from .core.model import Draft, MemoryEntry, Note, Passage, Scope, Visibility
from .core.rules.chunking import CHUNK_WORDS
from .core.rules.hashing import content_hash
from .core.rules.ids import uuid7
from .core.rules.notes import sound
from .core.rules.passages import passages_of, text_of
from .core.rules.profile import boosted

if TYPE_CHECKING:
    from .core.seams import Clock, Embedder, Masker

Said = TypeVar("Said", Note, MemoryEntry)


def time_ordered_id(now: datetime) -> str:
    """A new id; ids made later sort later."""
    return uuid7(int(now.timestamp() * 1_000), secrets.randbits(74))


@dataclass(frozen=True, slots=True)
class Intake:
    """Makes drafts. It keeps no state: any number of threads may use one."""

    clock: Clock
    masker: Masker | None = None
    visibility: Visibility = "user"
    promote_from: float = 0.7
    new_id: Callable[[datetime], str] = time_ordered_id

    def draft(self, scope: Scope, note: Note, *, max_words: int | None = None) -> Draft:
        """A draft of a new entry; `InvalidInput` where the note is unsound. Its vectors are still lacking."""
        now = self.clock()
        note = sound(note, scope)
        masked, counts = self._masked(note)
        entry = MemoryEntry(
            id=note.id or self.new_id(now),
            tenant_id=scope.tenant_id,
            user_id=scope.user_id,
            session_id=note.session_id,
            content=masked.content,
            content_hash=content_hash(masked.content),
            kind=note.kind,
            occurred_at=note.occurred_at or now,
            recorded_at=now,
            importance=note.importance,
            tags=masked.tags,
            topics=masked.topics,
            metadata=masked.metadata,
            speaker=masked.speaker,
            origin=note.origin,
            trust="user" if note.origin in ("user", "assistant") else "untrusted",
            visibility=note.visibility or self.visibility,
            promoted_at=self._promoted(note.importance, now),
            expires_at=note.expires_at,
            masked=counts,
        )
        return Draft(entry, _passages(entry, max_words))

    def boosted(self, draft: Draft, boost: float) -> Draft:
        """The draft with a profile's boost on its importance, which may promote it."""
        if not boost:
            return draft
        importance = boosted(draft.entry.importance, boost)
        promoted = self._promoted(importance, draft.entry.recorded_at) or draft.entry.promoted_at
        return replace(draft, entry=replace(draft.entry, importance=importance, promoted_at=promoted))

    def revised(self, entry: MemoryEntry, note: Note, scope: Scope, *, max_words: int | None = None) -> Draft:
        """A draft of an entry's next version."""
        now = self.clock()
        masked, counts = self._masked(sound(note, scope))
        revision = replace(
            entry,
            version=entry.version + 1,
            content=masked.content,
            content_hash=content_hash(masked.content),
            recorded_at=now,
            occurred_at=masked.occurred_at or entry.occurred_at,
            importance=masked.importance,
            tags=masked.tags,
            topics=masked.topics,
            metadata=masked.metadata,
            visibility=masked.visibility or entry.visibility,
            promoted_at=entry.promoted_at or self._promoted(masked.importance, now),
            expires_at=masked.expires_at,
            masked={**entry.masked, **counts},
        )
        return Draft(revision, _passages(revision, max_words))

    def _promoted(self, importance: float, now: datetime) -> datetime | None:
        return now if importance >= self.promote_from else None

    def masked_again(self, entry: MemoryEntry) -> MemoryEntry:
        """An entry that is kept, by the rules of today; the same object where they find nothing."""
        masked, counts = self._masked(entry)
        if not counts:
            return entry
        told = Counter(entry.masked)
        told.update(counts)
        return replace(masked, content_hash=content_hash(masked.content), masked=dict(told))

    def _masked(self, said: Said) -> tuple[Said, dict[str, int]]:
        """Every field that carries a user's words, masked together: one value gets one placeholder."""
        if self.masker is None:
            return said, {}
        masked, counts = self.masker.mask_value(
            {
                "content": said.content,
                "tags": list(said.tags),
                "topics": list(said.topics),
                "metadata": said.metadata,
                "speaker": said.speaker,
            }
        )
        masked |= {"tags": tuple(masked["tags"]), "topics": tuple(masked["topics"])}
        return replace(said, **masked), counts


def draft_of(entry: MemoryEntry, *, max_words: int | None = None) -> Draft:
    """A draft of an entry that was made elsewhere; its hash is taken anew."""
    hashed = replace(entry, content_hash=content_hash(entry.content))
    return Draft(hashed, _passages(hashed, max_words))


def _passages(entry: MemoryEntry, max_words: int | None) -> tuple[Passage, ...]:
    words = min(max_words or CHUNK_WORDS, CHUNK_WORDS)
    return passages_of(entry.content, occurred_at=entry.occurred_at, max_words=words)


def with_vectors(drafts: Sequence[Draft], embedder: Embedder) -> list[Draft]:
    """The drafts with the vectors of all their passages, made in one batch; `EmbeddingError` travels."""
    texts = [text for draft in drafts for text in texts_of(draft)]
    if not texts:
        return list(drafts)
    vectors = embedder.embed(texts, role="passage")
    embedded: list[Draft] = []
    start = 0
    for draft in drafts:
        end = start + len(draft.passages)
        embedded.append(replace(draft, vectors=vectors[start:end], fingerprint=embedder.fingerprint))
        start = end
    return embedded


def texts_of(draft: Draft) -> list[str]:
    """The words of a draft's passages."""
    return [text_of(draft.entry.content, passage) for passage in draft.passages]
