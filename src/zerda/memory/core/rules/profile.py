"""What is known of a user, and how it is learnt: each learnt value with the entries that it was learnt from.

No language model is asked. Values come in, a new profile comes out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from ...errors import InvalidInput
from .chunking import parts
from .decay import age_in_days
from .language import DEFAULT, detect, stop_words
from .profile_cues import cues_in
from .text import fold, is_unspaced
from .trusting import trusted_from

if TYPE_CHECKING:
    from ..model import MemoryEntry

Trait = Literal["language", "verbosity", "style", "topic", "word"]

MOST_BOOST = 0.5
"""A profile adds at most this to the importance of what is saved: more would promote whatever is said."""

TOPIC_HALF_LIFE_DAYS = 30.0
"""What was learnt weighs half as much after a month without new evidence: interests last weeks, not days."""

KEPT_TOPICS, KEPT_WORDS = 64, 64  # Values of a trait that are kept; the weakest give way.
KEPT_EVIDENCE = 20  # Entry ids beside a value; its count goes on beyond.
SHOWN_TOPICS = 10
WORDS_A_TEXT = 5  # Words of one text that may become a topic.
SEEN_AS_TOPIC = 3  # Entries that a word has to stand in before it counts as an interest ...
WORD_WEIGHT = 0.5  # ... and then it weighs half of a topic that was named as one.
SEEN_AS_MANNER = 2  # Once may be a whim: verbosity and style are learnt from the second time on.
LONGEST_VALUE = 80

_PLACEHOLDER = re.compile(r"\[[A-Z0-9_]+\]")  # What masking leaves behind says nothing about the user.
_LONG_WORD = re.compile(r"[^\W\d_]{5,}")


@dataclass(frozen=True, slots=True)
class Learnt:
    """A value that was learnt, with its evidence.

    ``weight`` is as of ``at``, the last evidence. ``count`` entries speak for it; ``entry_ids`` names the
    newest of them, newest last.
    """

    trait: Trait
    value: str
    weight: float
    count: int
    at: datetime
    entry_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class UserProfile:
    """What is known of one user in one tenant: a value, never shared with another.

    An explicit preference stands above what was learnt. ``query_words`` and ``importance_sum`` are sums
    over ``total_interactions``. ``half_life_days`` is how its reader weighs (None: nothing weakens); it is
    not kept with it.
    """

    tenant_id: str
    user_id: str
    total_interactions: int = 0
    session_count: int = 0
    last_session: str | None = None
    query_words: int = 0
    importance_sum: float = 0.0
    memory_retention_boost: float = 0.0
    first_at: datetime | None = None
    last_at: datetime | None = None
    explicit_preferences: Mapping[str, Any] = field(default_factory=dict)
    learnt: tuple[Learnt, ...] = ()
    half_life_days: float | None = TOPIC_HALF_LIFE_DAYS

    @property
    def preferred_language(self) -> str:
        """The language to answer in: a code such as "de"; "en" where nothing is known."""
        return self._told("preferred_language", "language") or best(self, "language") or DEFAULT

    @property
    def verbosity(self) -> str:
        """How long answers should be: "brief", "medium", "detailed", or what was set."""
        return self._told("verbosity") or best(self, "verbosity", seen=SEEN_AS_MANNER) or "medium"

    @property
    def response_style(self) -> str:
        """How answers should sound: "formal", "casual", "technical", "neutral", or what was set."""
        return self._told("response_style", "style") or best(self, "style", seen=SEEN_AS_MANNER) or "neutral"

    @property
    def topics_of_interest(self) -> tuple[str, ...]:
        """The strongest topics, strongest first. All weaken alike, so the order is the same at any time."""
        return interests(self, None)

    @property
    def topic_frequency(self) -> dict[str, int]:
        """How many entries spoke of each topic."""
        return {one.value: one.count for one in self.learnt if one.trait == "topic"}

    @property
    def avg_query_length(self) -> float:
        """Words of what the user says, on average."""
        return self.query_words / self.total_interactions if self.total_interactions else 0.0

    @property
    def avg_importance(self) -> float:
        """Importance of what was saved, on average."""
        return self.importance_sum / self.total_interactions if self.total_interactions else 0.0

    def evidence(self, trait: Trait) -> tuple[Learnt, ...]:
        """What was learnt of a trait, what weighs most by now first."""
        weighed = [(-self.weight(one), one.value, one) for one in self.learnt if one.trait == trait]
        return tuple(one for *_, one in sorted(weighed, key=lambda it: it[:2]))

    def weight(self, learnt: Learnt, now: datetime | None = None) -> float:
        """What a learnt value weighs at ``now``, or when the user was last heard: a fresh evidence is 1."""
        return weight_at(learnt, now or self.last_at or learnt.at, self.half_life_days)

    def _told(self, *names: str) -> str | None:
        values = (self.explicit_preferences.get(name) for name in names)
        return next((str(value) for value in values if value not in (None, "")), None)


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing that a user said, as far as a profile learns from it."""

    text: str
    at: datetime
    importance: float = 0.5
    topics: tuple[str, ...] = ()
    entry_id: str | None = None
    session_id: str | None = None


def observation_of(entry: MemoryEntry) -> Observation | None:
    """What a profile may learn from an entry; None where it was not the user who said it."""
    spoken = entry.kind in ("interaction", "message") and entry.speaker in (None, "user", entry.user_id)
    own = entry.origin == "user" and trusted_from("user", entry.trust) and not entry.quarantined
    if not spoken or not own or entry.user_id is None:
        return None
    role, said = parts(entry.content)[0]
    text = said if role in ("input", "text") else ""
    return Observation(text, entry.recorded_at, entry.importance, entry.topics, entry.id, entry.session_id)


def learn(profile: UserProfile, seen: Observation) -> UserProfile:
    """The profile after one more observation."""
    half_life = profile.half_life_days
    text = _PLACEHOLDER.sub(" ", seen.text)
    learnt = {(one.trait, one.value): one for one in profile.learnt}
    for trait, value in _evidence(text, seen.topics):
        known = learnt.get((trait, value), Learnt(trait, value, 0.0, 0, seen.at))
        learnt[trait, value] = _strengthened(known, seen, half_life)
    new_session = seen.session_id is not None and seen.session_id != profile.last_session
    return replace(
        profile,
        total_interactions=profile.total_interactions + 1,
        session_count=profile.session_count + new_session,
        last_session=seen.session_id or profile.last_session,
        query_words=profile.query_words + len(text.split()),
        importance_sum=profile.importance_sum + seen.importance,
        first_at=profile.first_at or seen.at,
        last_at=max(profile.last_at or seen.at, seen.at),
        learnt=tuple(_strongest(learnt.values(), half_life)),
    )


def retract(profile: UserProfile, entry_ids: Collection[str]) -> UserProfile:
    """The profile without what these entries spoke for: a value that has no other evidence goes."""
    gone = frozenset(entry_ids)
    left = (_without(one, gone) for one in profile.learnt)
    return replace(profile, learnt=tuple(one for one in left if one is not None))


def best(profile: UserProfile, trait: Trait, *, seen: int = 1) -> str | None:
    """The heaviest value of a trait that at least ``seen`` entries speak for."""
    known = [one for one in profile.evidence(trait) if one.count >= seen]
    return known[0].value if known else None


def interests(profile: UserProfile, now: datetime | None, *, floor: float = 0.0) -> tuple[str, ...]:
    """The strongest topics, strongest first; ``now`` and ``floor`` leave out what has faded by then."""
    counted = [
        (profile.weight(one, now) * (WORD_WEIGHT if one.trait == "word" else 1.0), one.value)
        for one in profile.learnt
        if one.trait == "topic" or (one.trait == "word" and one.count >= SEEN_AS_TOPIC)
    ]
    ranked = sorted((pair for pair in counted if pair[0] >= floor), key=lambda pair: (-pair[0], pair[1]))
    return tuple(dict.fromkeys(value for _, value in ranked))[:SHOWN_TOPICS]


def weight_at(learnt: Learnt, now: datetime, half_life_days: float | None) -> float:
    """What is left of a weight by ``now``."""
    if half_life_days is None:
        return learnt.weight
    return float(learnt.weight * 2.0 ** (-age_in_days(learnt.at, now) / half_life_days))


def boost_of(value: object) -> float:
    """A retention boost within its bounds, 0 to 0.5; `InvalidInput` for what is no number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        raise InvalidInput(f"retention boost is {value!r}; it is a number from 0 to {MOST_BOOST:g}")
    return float(min(max(value, 0.0), MOST_BOOST))  # Bounded first: a float holds no 10**400.


def boosted(importance: float, boost: float) -> float:
    """An importance with a profile's boost: at most 1, and untouched without one."""
    return min(1.0, importance + boost) if boost else importance


def _evidence(text: str, topics: Iterable[str]) -> list[tuple[Trait, str]]:
    """Each value that a text speaks for, once."""
    language = detect(text)
    found: list[tuple[Trait, str]] = [("language", language)] if language else []
    found.extend(cues_in(text))
    found.extend(("topic", value) for topic in topics if (value := _named(topic)))
    found.extend(("word", word) for word in _telling_words(text, language))
    return list(dict.fromkeys(found))


def _named(topic: str) -> str:
    return " ".join(topic.split()).casefold()[:LONGEST_VALUE]


def _telling_words(text: str, language: str | None) -> list[str]:
    """The first longer words of a text that say what it is about."""
    silent = stop_words(language)
    words = (word.casefold() for word in _LONG_WORD.findall(text))
    telling = (word for word in words if not is_unspaced(word) and fold(word) not in silent)
    return [word[:LONGEST_VALUE] for word in dict.fromkeys(telling)][:WORDS_A_TEXT]


def _strengthened(known: Learnt, seen: Observation, half_life_days: float | None) -> Learnt:
    ids = known.entry_ids if seen.entry_id is None else (*known.entry_ids, seen.entry_id)
    return replace(
        known,
        weight=weight_at(known, seen.at, half_life_days) + 1.0,
        count=known.count + 1,
        at=max(known.at, seen.at),
        entry_ids=ids[-KEPT_EVIDENCE:],
    )


def _strongest(learnt: Iterable[Learnt], half_life_days: float | None) -> list[Learnt]:
    """What is kept, in a fixed order: of topics and words only the strongest."""
    everything = sorted(learnt, key=lambda one: (one.trait, one.value))
    now = max((one.at for one in everything), default=None)
    most = {"topic": KEPT_TOPICS, "word": KEPT_WORDS}
    kept: list[Learnt] = []
    for trait in dict.fromkeys(one.trait for one in everything):
        of_trait = [one for one in everything if one.trait == trait]
        if now is not None and len(of_trait) > most.get(trait, len(of_trait)):
            of_trait.sort(key=lambda one: -weight_at(one, now, half_life_days))
            of_trait = sorted(of_trait[: most[trait]], key=lambda one: one.value)
        kept += of_trait
    return kept


def _without(learnt: Learnt, gone: Collection[str]) -> Learnt | None:
    left = tuple(entry_id for entry_id in learnt.entry_ids if entry_id not in gone)
    fewer = len(learnt.entry_ids) - len(left)
    if not fewer:
        return learnt
    if not left:
        return None
    count = learnt.count - fewer
    return replace(learnt, weight=learnt.weight * count / learnt.count, count=count, entry_ids=left)
