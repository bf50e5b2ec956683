"""From what an application gives to what a store keeps: check, mask, hash, cut into passages, embed."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, TypeVar

from .core.model import QUARANTINED, Content, Draft, MemoryEntry, Note, Passage, Scope, Trust, Visibility
from .core.rules.chunking import CHUNK_WORDS, parts
from .core.rules.hashing import content_hash
from .core.rules.ids import uuid7
from .core.rules.notes import sound
from .core.rules.passages import passages_of, text_of
from .core.rules.profile import boosted
from .core.rules.suspicion import Suspicious, suspicions
from .core.rules.trusting import counted_importance, lowest, trust_of, trusted_from
from .errors import InvalidInput

if TYPE_CHECKING:
    from .core.seams import Clock, Embedder, Masker

Said = TypeVar("Said", Note, MemoryEntry)

REFUSED_IN_IDS = frozenset(
    ("API_KEY", "BEARER_TOKEN", "JWT", "PASSWORD", "PRIVATE_KEY", "SECRET", "URL_WITH_AUTH")
)
"""Kinds that no id may hold. Personal data may: an address is how many an application names its users."""

SHORTEST_SECRET = 16
"""Characters of an id below which it is no key."""


def time_ordered_id(now: datetime) -> str:
    """A new id; ids made later sort later."""
    return uuid7(int(now.timestamp() * 1_000), secrets.randbits(74))


@dataclass(frozen=True, slots=True)
class Intake:
    """Makes drafts. It keeps no state: any number of threads may use one."""

    clock: Clock
    masker: Masker | None = None
    maskers: Mapping[str, Masker | None] = field(default_factory=dict)
    refuses_secret_ids: Callable[[str], bool] = lambda tenant_id: True
    visibility: Visibility = "user"
    promote_from: float = 0.7
    suspicious: Suspicious = "label"
    new_id: Callable[[datetime], str] = time_ordered_id
    keeps_original: Callable[[str], bool] | None = None

    def draft(
        self, scope: Scope, note: Note, *, max_words: int | None = None, may_raise: bool = False
    ) -> Draft:
        """A draft of a new entry; `InvalidInput` where the note is unsound. Its vectors are still lacking.

        It is trusted by its origin, or as it says, and more than that only where the caller ``may_raise``.
        """
        now = self.clock()
        note = sound(note, scope)
        self._refuse_secret_ids(note, scope.tenant_id)
        trust = trust_of(note.origin, note.trust, may_raise=may_raise)
        flags = self._flags(note.content, trust)
        because = self._quarantined_because(trust, flags)
        importance = counted_importance(note.importance, trust)
        masked, counts, originals = self._masked(note, scope.tenant_id)
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
            importance=importance,
            tags=masked.tags,
            topics=masked.topics,
            metadata=masked.metadata,
            speaker=masked.speaker,
            origin=note.origin,
            source=masked.source,
            trust=trust,
            flags=flags,
            visibility=note.visibility or self.visibility,
            promoted_at=self._promoted(importance, now),
            archived_at=now if because else None,
            archived_because=because,
            expires_at=note.expires_at,
            masked=counts,
        )
        return Draft(entry, _passages(entry, max_words), originals=originals)

    def boosted(self, draft: Draft, boost: float) -> Draft:
        """The draft with a profile's boost on its importance, which may promote it."""
        if not boost:
            return draft
        importance = counted_importance(boosted(draft.entry.importance, boost), draft.entry.trust)
        promoted = self._promoted(importance, draft.entry.recorded_at) or draft.entry.promoted_at
        return replace(draft, entry=replace(draft.entry, importance=importance, promoted_at=promoted))

    def revised(self, entry: MemoryEntry, note: Note, scope: Scope, *, max_words: int | None = None) -> Draft:
        """A draft of an entry's next version."""
        now = self.clock()
        masked, counts, originals = self._masked(sound(note, scope), scope.tenant_id)
        trust = lowest((entry.trust, note.trust or entry.trust))
        importance = counted_importance(masked.importance, trust)
        revision = replace(
            entry,
            version=entry.version + 1,
            content=masked.content,
            content_hash=content_hash(masked.content),
            recorded_at=now,
            occurred_at=masked.occurred_at or entry.occurred_at,
            importance=importance,
            tags=masked.tags,
            topics=masked.topics,
            metadata=masked.metadata,
            trust=trust,
            flags=self._flags(masked.content, trust),
            visibility=masked.visibility or entry.visibility,
            promoted_at=entry.promoted_at or self._promoted(importance, now),
            expires_at=masked.expires_at,
            masked={**entry.masked, **counts},
        )
        return Draft(revision, _passages(revision, max_words), originals=originals)

    def _flags(self, content: Content, trust: Trust) -> tuple[str, ...]:
        """What is noticed about something untrusted; what a user says of such things is only talk."""
        if self.suspicious == "off" or trusted_from("user", trust):
            return ()
        found = (flag for _, text in parts(content) for flag in suspicions(text))
        return tuple(dict.fromkeys(found))

    def _quarantined_because(self, trust: Trust, flags: tuple[str, ...]) -> str | None:
        if trust == "quarantined":
            return f"{QUARANTINED}not trusted at all"
        if flags and self.suspicious == "review":
            return QUARANTINED + ", ".join(flags)
        return None

    def _promoted(self, importance: float, now: datetime) -> datetime | None:
        return now if importance >= self.promote_from else None

    def masked_again(self, entry: MemoryEntry) -> MemoryEntry:
        """An entry that is kept, by the rules of today; the same object where they find nothing."""
        masked, counts, _ = self._masked(entry, entry.tenant_id)
        if not counts:
            return entry
        told = Counter(entry.masked)
        told.update(counts)
        return replace(masked, content_hash=content_hash(masked.content), masked=dict(told))

    def masker_of(self, tenant_id: str) -> Masker | None:
        """What masks a tenant's words; None where nothing is masked."""
        return self.maskers.get(tenant_id, self.masker)

    def _refuse_secret_ids(self, note: Note, tenant_id: str) -> None:
        """Ids are kept as they are given: they find things again. So none may be a key or a token."""
        masker = self.masker_of(tenant_id)
        if masker is None or not self.refuses_secret_ids(tenant_id):
            return
        for name, given in (("id", note.id), ("session_id", note.session_id)):
            kinds = masker.mask_value(given)[1] if given and len(given) >= SHORTEST_SECRET else {}
            if found := sorted(REFUSED_IN_IDS.intersection(kinds)):
                raise InvalidInput(
                    f"the {name} holds a secret ({', '.join(found)}), and ids are kept as they are; give"
                    " another, or MaskingPolicy(refuse_secret_ids=False)"
                )

    def _masked(self, said: Said, tenant_id: str) -> tuple[Said, dict[str, int], dict[str, str]]:
        """Every field that carries a user's words, masked together: one value gets one placeholder.

        With it what the placeholders stand for, as far as that is to be kept.
        """
        masker = self.masker_of(tenant_id)
        if masker is None:
            return said, {}, {}
        told = {name: getattr(said, name) for name in ("content", "metadata", "speaker", "source")}
        told |= {"tags": list(said.tags), "topics": list(said.topics)}
        keeps, originals = self.keeps_original, dict[str, str]()
        if keeps is None:
            masked, counts = masker.mask_value(told)
        else:
            masked, counts = masker.mask_value(told, vault=originals)
            originals = {name: value for name, value in originals.items() if keeps(kind_of(name))}
        masked |= {"tags": tuple(masked["tags"]), "topics": tuple(masked["topics"])}
        return replace(said, **masked), counts, originals


def kind_of(placeholder: str) -> str:
    """``EMAIL`` of ``[EMAIL_1]``."""
    return placeholder.strip("[]").rpartition("_")[0]


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
