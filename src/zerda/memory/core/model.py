"""The nouns of zerda.memory: frozen values that every floor shares.

*scope*      whose memories: tenant, user, session
*entry*      one thing remembered
*passage*    a piece of an entry that is indexed: the user's part, the assistant's part, a chunk
*candidate*  a passage that a source proposes, with its score
*hit*        an entry that a recall returns, with the probability that it is relevant
*context*    what is put before the model
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, get_args

from .rules.chunking import parts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .rules.filtering import Condition

Kind = Literal["interaction", "message", "note", "fact", "summary", "document"]
Origin = Literal["user", "assistant", "tool", "web", "file", "import", "derived"]
Trust = Literal["system", "owner", "user", "untrusted", "quarantined"]
Visibility = Literal["user", "tenant"]
Order = Literal["newest", "oldest", "important"]
Grain = Literal["day", "week", "month", "season", "year", "span"]
Role = Literal["passage", "query"]

KINDS: tuple[Kind, ...] = get_args(Kind)
ORIGINS: tuple[Origin, ...] = get_args(Origin)
VISIBILITIES: tuple[Visibility, ...] = get_args(Visibility)
TRUSTS: tuple[Trust, ...] = get_args(Trust)
"""From the most to the least trusted."""

QUARANTINED = "quarantined: "
"""Begins ``archived_because`` of what is in quarantine; the reason follows."""

Content = str | Mapping[str, Any]
"""What was said: a text, or for an interaction ``{"input": …, "output": …}``."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memories a call may touch. Only the access layer makes one.

    ``user_id=None`` is the embedding program's own view of the whole tenant. With a user, a scope
    reaches what is theirs and what others share with the tenant; it changes only what is theirs.
    ``actor`` is the principal on whose call it was made, for the audit: None is the embedding program.
    """

    tenant_id: str
    user_id: str | None = None
    actor: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryEntry:
    """One thing remembered, as it was said (except what masking replaced: ``masked`` counts its kinds).

    ``seq`` is the order of arrival in its store; times are aware and in UTC; ``content_hash`` tells
    whether two entries say the same. An entry is a value: `AIMemoryManager.update` makes a new version.
    ``origin`` and ``source`` tell where it came from (``web``, and from which page), ``sources`` from which
    entries it was made; ``flags`` what was noticed about it. ``seq`` is 0 in an entry that was not kept.
    """

    id: str
    tenant_id: str
    content: Content
    occurred_at: datetime
    recorded_at: datetime
    user_id: str | None = None
    session_id: str | None = None
    seq: int = 0
    version: int = 1
    kind: Kind = "note"
    importance: float = 0.5
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    speaker: str | None = None
    origin: Origin = "user"
    source: str | None = None
    sources: tuple[str, ...] = ()
    trust: Trust = "user"
    flags: tuple[str, ...] = ()
    visibility: Visibility = "user"
    promoted_at: datetime | None = None
    archived_at: datetime | None = None
    archived_because: str | None = None
    expires_at: datetime | None = None
    pinned: bool = False
    access_count: int = 0
    last_access: datetime | None = None
    masked: Mapping[str, int] = field(default_factory=dict)
    content_hash: str = ""

    @property
    def text(self) -> str:
        """The content as one text; the parts of an interaction stand on lines of their own."""
        said = parts(self.content)
        return said[0][1] if len(said) == 1 else "\n".join(f"{role}: {text}" for role, text in said)

    @property
    def derived_from(self) -> tuple[str, ...]:
        """The entries that it was made of: the same as ``sources``."""
        return self.sources

    @property
    def quarantined(self) -> bool:
        """Whether it waits for a review: in no search, count or context until it is released."""
        return (self.archived_because or "").startswith(QUARANTINED)


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """The days that a text speaks of, both ends included; ``start`` and ``end`` of the text in characters."""

    start: date
    end: date
    grain: Grain
    relative: bool = False
    text_start: int = 0
    text_end: int = 0


def spans_as_text(spans: Sequence[TimeSpan]) -> str:
    """Time spans as JSON."""
    return json.dumps([_as_list(span) for span in spans], separators=(",", ":")) if spans else "[]"


def spans_from(text: str) -> tuple[TimeSpan, ...]:
    """What `spans_as_text` wrote."""
    return () if text == "[]" else tuple(_span(*span) for span in json.loads(text))


def _as_list(span: TimeSpan) -> list[Any]:
    days = [span.start.isoformat(), span.end.isoformat()]
    return [*days, span.grain, span.relative, span.text_start, span.text_end]


def _span(start: str, end: str, grain: Grain, relative: bool, text_start: int, text_end: int) -> TimeSpan:
    return TimeSpan(date.fromisoformat(start), date.fromisoformat(end), grain, relative, text_start, text_end)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def micros(at: datetime) -> int:
    """Microseconds since 1970: exact, and sorted like the time."""
    return (at - _EPOCH) // _MICROSECOND


def moment(value: int) -> datetime:
    """The time that `micros` made a number of."""
    return _EPOCH + timedelta(microseconds=value)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of an entry, prepared for the index: characters ``start`` to ``end`` of the part ``role``.

    ``tokens`` are what the lexical index holds, ``length`` counts words. ``question`` and ``times`` are
    what the ranking wants to know of the text without reading it again.
    """

    role: str
    start: int
    end: int
    tokens: tuple[str, ...]
    length: int
    language: str | None = None
    question: bool = False
    times: tuple[TimeSpan, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry on its way into a store. ``vectors`` has a row for each passage, made by ``fingerprint``.

    ``originals`` are what its placeholders stand for, where that is to be kept.
    """

    entry: MemoryEntry
    passages: tuple[Passage, ...] = ()
    vectors: NDArray[Any] | None = None
    fingerprint: str | None = None
    originals: Mapping[str, str] = field(default_factory=dict, repr=False)


class StoredPassage(NamedTuple):
    """A passage in its place, with what the ranking wants to know of its entry.

    A recall reads hundreds and looks closely at few, so they are as a store keeps them, and properties
    read them: ``tokens`` joined by spaces, ``times`` as JSON, moments in microseconds since 1970, the
    vector in half precision.

    ``key`` names it within its store. ``position`` runs through ``session`` (a number of the store's
    own), an utterance at a time, so neighbours are positions apart. ``speaker`` is who said it: in an
    interaction the part (``input``: "user", ``output``: "assistant"), else the entry's speaker.
    ``matching`` is False for a neighbour that the query leaves out: evidence, but never returned.
    ``halves`` are there when a vector was asked for and exists.
    """

    key: int
    entry_id: str
    seq: int
    session: int
    position: int
    role: str
    start: int
    end: int
    language: str | None
    question: bool
    times: str
    length: int
    tokens: str
    said_at: int
    used_at: int | None = None
    importance: float = 0.5
    speaker: str | None = None
    access_count: int = 0
    trust: Trust = "user"
    matching: bool = True
    halves: bytes | None = None

    @property
    def passage(self) -> Passage:
        """The passage by itself."""
        tokens = tuple(self.tokens.split(" ")) if self.tokens else ()
        where = (self.role, self.start, self.end)
        return Passage(
            *where, tokens, self.length, self.language, bool(self.question), spans_from(self.times)
        )

    @property
    def occurred_at(self) -> datetime:
        """When it was said."""
        return moment(self.said_at)

    @property
    def last_access(self) -> datetime | None:
        """When it was last put before a model."""
        return None if self.used_at is None else moment(self.used_at)

    @property
    def vector(self) -> NDArray[Any] | None:
        """Its vector: float32, unit length."""
        if self.halves is None:
            return None
        import numpy as np

        return np.frombuffer(self.halves, "<f2").astype(np.float32)


@dataclass(frozen=True, slots=True)
class PendingText:
    """A passage that lacks a vector: its key in the store, and its words."""

    key: int
    text: str


class Unchanged(Enum):
    """Stands for "as it is" where None says something of its own."""

    UNCHANGED = "unchanged"


class State(TypedDict, total=False):
    """What may change about an entry without making a new version of it."""

    pinned: bool
    archived_at: datetime | None
    archived_because: str | None
    promoted_at: datetime | None
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class StoreStats:
    """Counts within a scope. ``pending`` passages lack a vector of the fingerprint that was asked about."""

    entries: int = 0
    archived: int = 0
    promoted: int = 0
    pinned: int = 0
    passages: int = 0
    pending: int = 0
    sessions: int = 0
    users: int = 0
    bytes_on_disk: int = 0


@dataclass(frozen=True, slots=True)
class Query:
    """Which entries of a scope: every condition that is set must hold.

    ``archived=None`` means both; ``now`` leaves out what has expired by then, ``expired_by`` all else;
    ``as_of`` leaves out what was recorded later; ``where`` is what `zerda.memory.core.rules.filtering` made
    of a mapping; ``archived_since`` and ``recorded_since`` are inclusive; ``archived_before``, ``after_seq``
    and ``before_seq`` are exclusive. What is less trusted than ``min_trust`` is not even evidence for its
    neighbours. A query narrows a scope and can never widen it.
    """

    ids: tuple[str, ...] | None = None
    kinds: tuple[Kind, ...] = ()
    session_id: str | None = None
    speakers: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    min_importance: float = 0.0
    min_trust: Trust | None = None
    promoted: bool | None = None
    pinned: bool | None = None
    archived: bool | None = False
    archived_since: datetime | None = None
    archived_before: datetime | None = None
    quarantined: bool | None = None
    recorded_since: datetime | None = None
    expired_by: datetime | None = None
    now: datetime | None = None
    as_of: datetime | None = None
    where: Condition | None = None
    after_seq: int = 0
    before_seq: int | None = None
    order: Order = "newest"
    limit: int | None = 100

    def only(self, **conditions: Any) -> Query:
        """This query with some of its conditions set anew."""
        return replace(self, **conditions)


@dataclass(frozen=True, slots=True)
class WordHits:
    """What a lexical search found: the best passages by key, and what BM25 wants to know of the scope.

    ``passages`` and ``mean_length`` describe all indexed passages of the scope, ``frequencies`` how many
    of them hold each token asked for: no other user's words are in any of these numbers.
    """

    keys: tuple[int, ...] = ()
    passages: int = 0
    mean_length: float = 0.0
    frequencies: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VectorHits:
    """What a vector search found: keys with their cosine, nearest first.

    ``background_mean`` and ``background_sd`` describe the cosines of the scope's passages with the query.
    """

    hits: tuple[tuple[int, float], ...] = ()
    background_mean: float = 0.0
    background_sd: float = 0.0


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that a source proposes; ``score`` is the source's own."""

    key: int
    score: float
    source: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a source answers: candidates, and what it learnt of the scope on the way."""

    candidates: tuple[Candidate, ...] = ()
    words: WordHits | None = None
    vectors: VectorHits | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """An entry that a recall found.

    ``score`` is the probability that it is relevant, 0 to 1. ``text`` is the passage that earned it;
    ``parts`` tells what each step of the ranking contributed; ``sources`` who proposed it; ``copies`` are
    ids of entries that say nearly the same and gave up their places to it.
    """

    entry: MemoryEntry
    score: float
    text: str
    parts: Mapping[str, float] = field(default_factory=dict)
    sources: tuple[str, ...] = ()
    passage_role: str = "text"
    copies: tuple[str, ...] = ()


class Hits(list[Hit]):
    """What a recall found, best first: a list, empty where nothing answers.

    ``degraded`` names what was lacking while it looked, such as an embedder that is away or a search that
    the server gave up: where it is not empty, there may be more. Two are equal as their hits are.
    """

    def __init__(self, hits: Iterable[Hit] = (), degraded: Iterable[str] = ()) -> None:
        super().__init__(hits)
        self.degraded = tuple(degraded)


@dataclass(frozen=True, slots=True)
class Page:
    """Some entries of a list; ``cursor`` asks for the next ones, None where there are no more."""

    entries: tuple[MemoryEntry, ...]
    cursor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Something to be remembered, as the application gives it. What is None is filled in by the manager."""

    content: Content
    kind: Kind = "note"
    id: str | None = None
    speaker: str | None = None
    origin: Origin = "user"
    source: str | None = None
    trust: Trust | None = None
    importance: float = 0.5
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    session_id: str | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    visibility: Visibility | None = None
