"""How strongly each proposed passage answers a question: the steps, and `rank`, which takes them in turn.

A passage's score depends on itself, its neighbours in the session and its session's best; never on
what else was proposed. So the score means the same in every question, and `floor` can turn it into a
probability. A question has hundreds of passages, so they stand side by side in columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..model import TimeSpan
from .floor import FULL, Calibration

Floats = NDArray[np.float64]
Numbers = NDArray[np.int64]

Step = Literal["words", "meaning", "neighbours", "speaker", "time", "dates", "session", "prior", "standing"]

FULL_LENGTH = 40  # Words from which an utterance counts in full.
DAYS_AFTER = 7  # What happened on a day is mostly told within a week.


class Utterance(NamedTuple):
    """A passage as the ranking sees it.

    ``words`` is its raw BM25 by the question's words, in their order (empty: it has none of them),
    ``meaning`` its cosine (None: no vector). ``position`` runs through the session; passages of one long
    text share theirs. ``time_match`` is `time_match` of its dates with the question's. ``strength`` is
    what decay left. ``mentions`` says that it holds the name of whom the question names.
    """

    key: int
    entry_id: str
    session: int
    position: int
    words: tuple[float, ...] = ()
    meaning: float | None = None
    speaker: str | None = None
    length: int = FULL_LENGTH
    question: bool = False
    has_time: bool = False
    time_match: float = 0.0
    importance: float = 0.5
    strength: float = 1.0
    proposed_by: frozenset[str] = frozenset()
    mentions: bool = False


@dataclass(frozen=True, slots=True)
class Background:
    """How near the scope's passages are to the question in general: mean and spread of their cosines."""

    mean: float
    sd: float


TYPICAL = Background(mean=0.12, sd=0.09)  # all-MiniLM-L6-v2 on conversations.


@dataclass(frozen=True, slots=True)
class Question:
    """What the ranking knows of a question.

    ``attainable`` is the BM25 that no passage can exceed (0: the question has no words); ``named`` the
    speakers of the scope whom it names; ``unknown`` says that it names somebody or something of which the
    scope holds no word; ``passages`` are how many the scope has; ``language`` is None where nothing tells.
    """

    attainable: float
    named: frozenset[str] = frozenset()
    asks_when: bool = False
    unknown: bool = False
    background: Background | None = None
    passages: int = FULL
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Weights:
    """Every number of the ranking. A step with weight 0 is off; `without` turns steps off by name.

    The values were found on the first five conversations of LoCoMo, for four kinds of vectors and none at
    once, and checked on the other five; all lie on a plateau.
    """

    calibration: Calibration
    words: float = 2.0
    meaning: float = 1.2
    # An answer's topic often stands in the turn before: shares of the utterances 1, 2, 3 before, 1, 2 after.
    words_before: tuple[float, ...] = (0.6, 0.7, 0.3)
    words_after: tuple[float, ...] = (0.25, 0.3)
    words_asked: float = 0.6  # What the utterance just before says counts so much more if it is a question.
    meaning_after: tuple[float, ...] = (0.3,)
    # Both together: what the named person said in other words lies low, and rises by `said`; what another
    # said in the question's own words keeps its place, as more of `speaker` would not let it.
    said: float = 0.27
    speaker: float = 0.1
    mentioned: float = 0.05  # Others speak of them, too; mostly they only greet them.
    time: float = 0.1  # It tells a time.
    time_asked: float = 0.4  # More, when the question asks for one.
    dates: float = 2.0  # It speaks of the time that the question names.
    session: float = 0.35  # Share of the best score in the same session.
    question: float = 0.2  # A question answers nothing,
    reply: float = 0.06  # what follows it may.
    brevity: float = 0.07  # Exponent: how much a short utterance counts less.
    importance: float = 0.02  # Ties only: importance and strength must not bury what answers.
    strength: float = 0.02
    languages: frozenset[str] | None = None  # Those that the vectors' model knows; None: any.
    foreign: float = 0.5  # In another one it sees names and pieces of words: half of what it says is chance.
    standard_meaning: bool = False  # Read cosines against the scope's background: for models nobody measured.

    def without(self, *steps: Step) -> Weights:
        """These weights with the named steps off."""
        off: dict[str, Any] = {name: _nothing(getattr(self, name)) for step in steps for name in STEPS[step]}
        return replace(self, **off)


STEPS: Mapping[Step, tuple[str, ...]] = {
    "words": ("words",),
    "meaning": ("meaning",),
    "neighbours": ("words_before", "words_after", "meaning_after"),
    "speaker": ("said", "speaker", "mentioned"),
    "time": ("time", "time_asked"),
    "dates": ("dates",),
    "session": ("session",),
    "prior": ("question", "reply", "brevity"),
    "standing": ("importance", "strength"),
}
"""The steps that `Weights.without` knows, and the numbers that each uses."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """An utterance with its score, its probability, and what each step added: the parts make up the score."""

    utterance: Utterance
    score: float
    probability: float
    parts: Mapping[str, float]


class Pool:
    """Utterances side by side, and where each stands: places are sessions and positions in them, sorted.

    ``columns`` are those of `Utterance`, in its order; ``words`` may be a matrix, ``meaning`` NaN for None.
    """

    def __init__(self, columns: Sequence[Sequence[Any] | NDArray[Any]]) -> None:
        self._columns = columns
        (self.keys, _, sessions, positions, words, meaning, self.speakers, lengths, question,
         has_time, time_match, importance, strength, _, mentions) = columns  # fmt: skip
        self.mentions = np.array(mentions, np.bool_)
        self.words = words if isinstance(words, np.ndarray) else _matrix(words)
        self.meaning = np.array(meaning, np.float64)
        self.lengths = np.array(lengths, np.int64)
        self.question, self.has_time = np.array(question, np.bool_), np.array(has_time, np.bool_)
        self.time_match, self.importance = np.array(time_match, np.float64), np.array(importance, np.float64)
        self.strength = np.array(strength, np.float64)
        self._find_places(np.array(sessions, np.int64), np.array(positions, np.int64))

    @classmethod
    def of(cls, told: Sequence[Utterance]) -> Pool:
        """The pool of these utterances."""
        return cls(list(zip(*told, strict=True)) or [()] * len(Utterance._fields))

    def __len__(self) -> int:
        return len(self.keys)

    def __getitem__(self, row: int) -> Utterance:
        one = Utterance(*(column[row] for column in self._columns))
        meaning = None if np.isnan(self.meaning[row]) else float(self.meaning[row])
        words = tuple(self.words[row].tolist()) if self.words[row].any() else ()
        return one._replace(words=words, meaning=meaning)

    def _find_places(self, sessions: Numbers, positions: Numbers) -> None:
        # Between two sessions lies more room than evidence goes.
        first = positions.min(initial=0)
        room = positions.max(initial=0) - first + 1 + _FARTHEST
        numbers, session_of = np.unique(sessions, return_inverse=True)
        self._places, self._place_of = np.unique(session_of * room + positions - first, return_inverse=True)
        self._session_of, self._sessions = session_of, len(numbers)

    def best_by_place(self, values: NDArray[Any]) -> NDArray[Any]:
        """The best value at each place: several passages of a long text share one."""
        best = np.zeros((len(self._places), *values.shape[1:]), values.dtype)
        if len(self._places) == len(self):
            best[self._place_of] = values
        else:
            np.maximum.at(best, self._place_of, values)
        return best

    def best_by_session(self, values: Floats) -> Floats:
        """The best value, at least 0, in the session of each utterance."""
        best = np.zeros(self._sessions)
        np.maximum.at(best, self._session_of, values)
        return best[self._session_of]

    def at(self, by_place: NDArray[Any]) -> NDArray[Any]:
        """For each utterance what its place has."""
        return by_place[self._place_of]

    def moved(self, by_place: NDArray[Any], step: int) -> NDArray[Any]:
        """For each place what the place ``step`` before it has; 0 where there is none."""
        wanted = self._places - step
        found = np.minimum(np.searchsorted(self._places, wanted), len(self._places) - 1)
        there = self._places[found] == wanted
        return np.where(there if by_place.ndim == 1 else there[:, None], by_place[found], 0)


_FARTHEST = 8  # More than the reach of `Weights.words_before`.


def _matrix(words: Sequence[tuple[float, ...]]) -> Floats:
    """A row for each utterance, a column for each word."""
    nothing = (0.0,) * max(map(len, words), default=0)
    return np.array([one or nothing for one in words], np.float64).reshape(len(words), len(nothing))


def rank(question: Question, pool: Pool, weights: Weights) -> Iterator[Ranked]:
    """The utterances, best first; equal ones by key. The order of the pool does not matter.

    Linear in the pool but for its sorts: below 1 ms for 500 utterances, and little for each one taken.
    """
    if not len(pool):
        return iter(())
    meaning = meaning_evidence(pool, question, weights)
    parts: dict[str, Floats] = {
        "words": words_evidence(pool, question, weights),
        "meaning": meaning,
        "neighbours": neighbour_evidence(pool, question, meaning, weights),
    }
    scores = parts["words"] + parts["meaning"] + parts["neighbours"]
    parts["speaker"] = speaker_evidence(pool, question, scores, weights)
    scores = scores + parts["speaker"]
    for step, factors in adjustments(pool, question, weights):
        parts[step] = scores * factors - scores
        scores = scores * factors
    parts["session"] = session_evidence(pool, scores, weights)
    return _in_order(question, pool, scores + parts["session"], parts, weights)


def best_of_entries(ranked: Iterable[Ranked]) -> Iterator[Ranked]:
    """Each entry once, by its best passage, in the order of the ranking."""
    seen: set[str] = set()
    for one in ranked:
        if one.utterance.entry_id not in seen:
            seen.add(one.utterance.entry_id)
            yield one


def words_evidence(pool: Pool, question: Question, weights: Weights) -> Floats:
    """BM25 as a share of what the question could attain: a raw measure, the same in every pool."""
    if question.attainable <= 0:
        return np.zeros(len(pool))
    said: Floats = pool.words.sum(axis=1) * (weights.words / question.attainable)
    return said


def meaning_evidence(pool: Pool, question: Question, weights: Weights) -> Floats:
    """The cosine, or nothing where it is negative or there is no vector."""
    cosines = pool.meaning
    if weights.standard_meaning and question.background:
        cosines = standard(cosines, question.background)
    share = weights.meaning * (weights.foreign if _is_foreign(question, weights) else 1.0)
    return share * np.maximum(np.nan_to_num(cosines), 0.0)


def _is_foreign(question: Question, weights: Weights) -> bool:
    known = weights.languages
    return known is not None and question.language is not None and question.language not in known


def standard(cosines: Floats, background: Background) -> Floats:
    """Cosines of any model as a well-known one would give them, by their distance from the background."""
    if background.sd < 1e-6:
        return np.zeros_like(cosines)
    return np.minimum(TYPICAL.mean + TYPICAL.sd * ((cosines - background.mean) / background.sd), 1.0)


def neighbour_evidence(pool: Pool, question: Question, meaning: Floats, weights: Weights) -> Floats:
    """What each utterance gets from those around it, in the same session.

    A word of the question counts once, where it is said best: a neighbour adds only what it says better,
    less its distance. So a topic that everyone repeats is no more evidence than a topic.
    """
    return neighbours_words(pool, question, weights) + shares(pool, meaning, weights.meaning_after)


def neighbours_words(pool: Pool, question: Question, weights: Weights) -> Floats:
    """What the neighbours' words add to each utterance's own."""
    if question.attainable <= 0 or not pool.words.any():
        return np.zeros(len(pool))
    said = pool.best_by_place(pool.words)
    asking = 1 + weights.words_asked * pool.best_by_place(pool.question)
    heard = np.zeros_like(said)
    for step, share in _steps(weights):
        given = share * said if step != 1 else share * said * asking[:, None]
        np.maximum(heard, pool.moved(given, step), out=heard)
    added: Floats = np.maximum(pool.at(heard) - pool.words, 0.0).sum(axis=1)
    return added * (weights.words / question.attainable)


def shares(pool: Pool, values: Floats, after: Sequence[float]) -> Floats:
    """Shares of what follows: ``after[0]`` of the value of the utterance just after, and so on.

    A neighbour that came in several passages gives its best one's.
    """
    best = pool.best_by_place(values)
    given = np.zeros_like(best)
    for step, share in enumerate(after, 1):
        given += share * pool.moved(best, -step)
    return pool.at(given)


def _steps(weights: Weights) -> list[tuple[int, float]]:
    """How far evidence goes, and what is left of it there; forward is to what was said later."""
    return [
        *enumerate(weights.words_before, 1),
        *((-distance, share) for distance, share in enumerate(weights.words_after, 1)),
    ]


def adjustments(pool: Pool, question: Question, weights: Weights) -> list[tuple[Step, Floats]]:
    """The steps that multiply, in their order, each with a factor for every utterance."""
    return [
        ("time", telling_a_time(pool, question, weights)),
        ("dates", 1 + weights.dates * pool.time_match),
        ("prior", prior(pool, weights)),
        ("standing", standing(pool, weights)),
    ]


def speaker_evidence(pool: Pool, question: Question, scores: Floats, weights: Weights) -> Floats:
    """More for what the named person said, where the question names just one of those who spoke.

    And a little for what others say of that person. Only what has evidence of its own gets it: that
    somebody spoke answers nothing.
    """
    if len(question.named) != 1:
        return np.zeros(len(pool))
    theirs = np.array([one in question.named for one in pool.speakers], np.bool_)
    given = np.where(theirs, weights.said + (weights.said + scores) * weights.speaker, 0.0)
    of_them = np.where(pool.mentions & ~theirs, weights.mentioned, 0.0)
    return np.where(scores > 0, given + of_them, 0.0)


def telling_a_time(pool: Pool, question: Question, weights: Weights) -> Floats:
    """More for a passage that tells a time, above all when the question asks for one."""
    more: float = weights.time + weights.time_asked * question.asks_when
    return np.where(pool.has_time, 1 + more, 1.0)


def prior(pool: Pool, weights: Weights) -> Floats:
    """Less for questions and very short utterances, more for what follows a question."""
    replies = pool.at(pool.moved(pool.best_by_place(pool.question), 1))
    fullness = (np.clip(pool.lengths, 1, FULL_LENGTH) / FULL_LENGTH) ** weights.brevity
    factors: Floats = (1 - weights.question * pool.question) * (1 + weights.reply * replies) * fullness
    return factors


def standing(pool: Pool, weights: Weights) -> Floats:
    """Importance and strength, as a tie-breaker around an ordinary memory that is still fresh."""
    return (1 + weights.importance * (pool.importance - 0.5)) * (1 - weights.strength * (1 - pool.strength))


def session_evidence(pool: Pool, scores: Floats, weights: Weights) -> Floats:
    """A share of the session's best score, for whatever has evidence of its own."""
    return np.where(scores > 0, weights.session * pool.best_by_session(scores), 0.0)


def time_match(asked: Iterable[TimeSpan], told: Iterable[TimeSpan], said_on: date) -> float:
    """How well a passage meets the time that a question names, 0 to 1.

    Three things count, the best of them: it was said then; it speaks of then; it was said within a
    week after a day that is named. A day that is met counts twice as much as a month or a year.
    """
    told = tuple(told)
    return max((_match(span, told, said_on) for span in asked), default=0.0)


def _match(asked: TimeSpan, told: Sequence[TimeSpan], said_on: date) -> float:
    day = asked.start == asked.end
    best = (0.8 if day else 0.4) if asked.start <= said_on <= asked.end else 0.0
    if day and 0 < (said_on - asked.end).days <= DAYS_AFTER:
        best = 0.24
    for span in told:
        if asked.start <= span.end and span.start <= asked.end:
            best = max(best, 1.0 if day and span.start == span.end else 0.48)
    return best


def _in_order(
    question: Question, pool: Pool, scores: Floats, parts: Mapping[str, Floats], weights: Weights
) -> Iterator[Ranked]:
    for row in np.lexsort((pool.keys, -scores)).tolist():
        score = float(scores[row])
        yield Ranked(
            pool[row],
            score,
            weights.calibration.probability(score, unknown=question.unknown, passages=question.passages),
            {step: float(part[row]) for step, part in parts.items()},
        )


def _nothing(value: object) -> object:
    return () if isinstance(value, tuple) else 0.0


_ENGLISH = frozenset({"en"})

# Calibrated on the first five conversations of LoCoMo: questions with and without names, asked of their own
# memory and of another; ``unknown`` is set above the fit (1.0 to 1.9), since a wrong memory costs more
# than none. "generic" is for embedders nobody measured: the curve of a good one, cosines by the background.
PRESETS: Mapping[str, Weights] = {
    "words": Weights(
        Calibration(intercept=-3.0, slope=2.35, unknown=2.5), meaning=0.0, said=0.1, speaker=0.15
    ),
    "static": Weights(Calibration(intercept=-4.6, slope=2.75, unknown=2.5), languages=_ENGLISH),
    "minilm": Weights(Calibration(intercept=-4.8, slope=2.9, unknown=2.5), languages=_ENGLISH),
    "generic": Weights(Calibration(intercept=-5.1, slope=3.2, unknown=2.5), standard_meaning=True),
}
