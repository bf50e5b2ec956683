"""How strongly each proposed passage answers a question: the steps, and `rank`, which takes them in turn.

A passage's score depends on itself, its neighbours in the session and its session's best; never on
what else was proposed. So the score means the same in every question, and `floor` can turn it into a
probability.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Literal

from ..model import TimeSpan
from .floor import Calibration

Step = Literal["words", "meaning", "neighbours", "speaker", "time", "dates", "session", "prior", "standing"]

Place = tuple[int, int]
"""A session and a position in it."""

FULL_LENGTH = 40  # Words from which an utterance counts in full.
DAYS_AFTER = 7  # What happened on a day is mostly told within a week.


@dataclass(frozen=True, slots=True)
class Utterance:
    """A passage as the ranking sees it.

    ``words`` is its raw BM25 by the question's words, in their order (empty: it has none of them),
    ``meaning`` its cosine (None: no vector). ``position`` runs through the session; passages of one long
    text share theirs. ``time_match`` is `time_match` of its dates with the question's. ``strength`` is
    what decay left.
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
    scope holds no word.
    """

    attainable: float
    named: frozenset[str] = frozenset()
    asks_when: bool = False
    unknown: bool = False
    background: Background | None = None


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
    words_after: tuple[float, ...] = (0.2, 0.3)
    words_asked: float = 0.6  # What the utterance just before says counts so much more if it is a question.
    meaning_after: tuple[float, ...] = (0.3,)
    # 0.8 finds a little more, but falls for questions that name the wrong person (eight points fewer).
    speaker: float = 0.4
    time: float = 0.1  # It tells a time.
    time_asked: float = 0.4  # More, when the question asks for one.
    dates: float = 2.0  # It speaks of the time that the question names.
    session: float = 0.35  # Share of the best score in the same session.
    question: float = 0.2  # A question answers nothing,
    reply: float = 0.1  # what follows it may.
    brevity: float = 0.05  # Exponent: how much a short utterance counts less.
    importance: float = 0.02  # Ties only: importance and strength must not bury what answers.
    strength: float = 0.02
    standard_meaning: bool = False  # Read cosines against the scope's background: for models nobody measured.

    def without(self, *steps: Step) -> "Weights":
        """These weights with the named steps off."""
        off: dict[str, Any] = {name: _nothing(getattr(self, name)) for step in steps for name in STEPS[step]}
        return replace(self, **off)


STEPS: Mapping[Step, tuple[str, ...]] = {
    "words": ("words",),
    "meaning": ("meaning",),
    "neighbours": ("words_before", "words_after", "meaning_after"),
    "speaker": ("speaker",),
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


def rank(question: Question, pool: Iterable[Utterance], weights: Weights) -> list[Ranked]:
    """The utterances, best first; equal ones by key. The order of the pool does not matter.

    Linear in the pool but for one sort: 1 to 1.5 ms for 300 utterances.
    """
    told = list(pool)
    words = words_evidence(told, question, weights)
    meaning = meaning_evidence(told, question, weights)
    neighbours = neighbour_evidence(told, question, meaning, weights)
    parts = {"words": words, "meaning": meaning, "neighbours": neighbours}
    scores = [sum(evidence) for evidence in zip(*parts.values(), strict=True)]
    for step, factors in adjustments(told, question, weights):
        adjusted = [score * factor for score, factor in zip(scores, factors, strict=True)]
        parts[step] = [new - old for new, old in zip(adjusted, scores, strict=True)]
        scores = adjusted
    parts["session"] = session_evidence(told, scores, weights)
    scores = [score + more for score, more in zip(scores, parts["session"], strict=True)]
    return _in_order(question, told, scores, parts, weights)


def best_of_entries(ranked: Iterable[Ranked]) -> list[Ranked]:
    """Each entry once, by its best passage, in the order of the ranking."""
    best: dict[str, Ranked] = {}
    for one in ranked:
        best.setdefault(one.utterance.entry_id, one)
    return list(best.values())


def words_evidence(told: Sequence[Utterance], question: Question, weights: Weights) -> list[float]:
    """BM25 as a share of what the question could attain: a raw measure, the same in every pool."""
    if question.attainable <= 0:
        return [0.0] * len(told)
    unit = weights.words / question.attainable
    return [unit * sum(u.words) if u.words else 0.0 for u in told]


def meaning_evidence(told: Sequence[Utterance], question: Question, weights: Weights) -> list[float]:
    """The cosine, or nothing where it is negative or there is no vector."""
    cosines = [0.0 if u.meaning is None else u.meaning for u in told]
    if weights.standard_meaning and question.background:
        cosines = [0.0 if u.meaning is None else standard(u.meaning, question.background) for u in told]
    return [weights.meaning * max(0.0, cosine) for cosine in cosines]


def standard(cosine: float, background: Background) -> float:
    """A cosine of any model as a well-known one would give it, by its distance from the background."""
    if background.sd <= 0:
        return 0.0
    return min(1.0, TYPICAL.mean + TYPICAL.sd * ((cosine - background.mean) / background.sd))


def neighbour_evidence(
    told: Sequence[Utterance], question: Question, meaning: Sequence[float], weights: Weights
) -> list[float]:
    """What each utterance gets from those around it, in the same session.

    A word of the question counts once, where it is said best: a neighbour adds only what it says better,
    less its distance. So a topic that everyone repeats is no more evidence than a topic.
    """
    by_words = neighbours_words(told, question, weights)
    by_meaning = shares(told, meaning, weights.meaning_after)
    return [w + m for w, m in zip(by_words, by_meaning, strict=True)]


def neighbours_words(told: Sequence[Utterance], question: Question, weights: Weights) -> list[float]:
    """What the neighbours' words add to each utterance's own."""
    if question.attainable <= 0:
        return [0.0] * len(told)
    said = _words_by_place(told)
    asked = {(u.session, u.position) for u in told if u.question}
    heard: dict[Place, Sequence[float]] = {}
    steps = _steps(weights)
    for (session, position), words in said.items():
        for step, share in steps:
            more = 1 + weights.words_asked if step == 1 and (session, position) in asked else 1.0
            place = (session, position + step)
            heard[place] = _best_of_each(heard.get(place), [share * more * word for word in words])
    unit = weights.words / question.attainable
    return [unit * _added(u.words, heard.get((u.session, u.position))) for u in told]


def shares(told: Sequence[Utterance], values: Sequence[float], after: Sequence[float]) -> list[float]:
    """Shares of what follows: ``after[0]`` of the value of the utterance just after, and so on.

    A neighbour that came in several passages gives its best one's.
    """
    best: dict[Place, float] = {}
    for u, value in zip(told, values, strict=True):
        place = (u.session, u.position)
        if value > best.get(place, 0.0):
            best[place] = value
    return [
        sum([share * best.get((u.session, u.position + step), 0.0) for step, share in enumerate(after, 1)])
        for u in told
    ]


def _words_by_place(told: Sequence[Utterance]) -> dict[Place, Sequence[float]]:
    """The words said at each place; where a long text has several passages there, the best of each."""
    said: dict[Place, Sequence[float]] = {}
    for u in told:
        if u.words:
            place = (u.session, u.position)
            said[place] = _best_of_each(said.get(place), u.words)
    return said


def _steps(weights: Weights) -> list[tuple[int, float]]:
    """How far evidence goes, and what is left of it there; forward is to what was said later."""
    return [
        *enumerate(weights.words_before, 1),
        *((-distance, share) for distance, share in enumerate(weights.words_after, 1)),
    ]


def _best_of_each(one: Sequence[float] | None, other: Sequence[float]) -> Sequence[float]:
    return list(map(max, one, other)) if one else other


def _added(own: Sequence[float], heard: Sequence[float] | None) -> float:
    if heard is None:
        return 0.0
    if not own:
        return sum(heard)
    return sum([better - word for word, better in zip(own, heard, strict=True) if better > word])


def adjustments(
    told: Sequence[Utterance], question: Question, weights: Weights
) -> list[tuple[Step, list[float]]]:
    """The steps that multiply, in their order, each with a factor for every utterance."""
    return [
        ("speaker", who_said_it(told, question, weights)),
        ("time", telling_a_time(told, question, weights)),
        ("dates", [1 + weights.dates * u.time_match for u in told]),
        ("prior", prior(told, weights)),
        ("standing", standing(told, weights)),
    ]


def who_said_it(told: Sequence[Utterance], question: Question, weights: Weights) -> list[float]:
    """More for what the named person said, where the question names just one of those who spoke."""
    if len(question.named) != 1:
        return [1.0] * len(told)
    return [1 + weights.speaker * (u.speaker in question.named) for u in told]


def telling_a_time(told: Sequence[Utterance], question: Question, weights: Weights) -> list[float]:
    """More for a passage that tells a time, above all when the question asks for one."""
    more = weights.time + weights.time_asked * question.asks_when
    return [1 + more * u.has_time for u in told]


def prior(told: Sequence[Utterance], weights: Weights) -> list[float]:
    """Less for questions and very short utterances, more for what follows a question."""
    asked = {(u.session, u.position + 1) for u in told if u.question}
    return [
        (1 - weights.question * u.question)
        * (1 + weights.reply * ((u.session, u.position) in asked))
        * _fullness(u.length, weights.brevity)
        for u in told
    ]


def _fullness(length: int, exponent: float) -> float:
    return 1.0 if length >= FULL_LENGTH else float((max(length, 1) / FULL_LENGTH) ** exponent)


def standing(told: Sequence[Utterance], weights: Weights) -> list[float]:
    """Importance and strength, as a tie-breaker around an ordinary memory that is still fresh."""
    return [
        (1 + weights.importance * (u.importance - 0.5)) * (1 - weights.strength * (1 - u.strength))
        for u in told
    ]


def session_evidence(told: Sequence[Utterance], scores: Sequence[float], weights: Weights) -> list[float]:
    """A share of the session's best score, for whatever has evidence of its own."""
    best: dict[int, float] = {}
    for u, score in zip(told, scores, strict=True):
        if score > best.get(u.session, 0.0):
            best[u.session] = score
    return [
        weights.session * best[u.session] if score > 0 else 0.0 for u, score in zip(told, scores, strict=True)
    ]


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
    question: Question,
    told: Sequence[Utterance],
    scores: Sequence[float],
    parts: Mapping[str, Sequence[float]],
    weights: Weights,
) -> list[Ranked]:
    probability = weights.calibration.probability
    rows = zip(told, scores, zip(*parts.values(), strict=True), strict=True)
    ranked = [
        Ranked(u, score, probability(score, unknown=question.unknown), dict(zip(parts, row, strict=True)))
        for u, score, row in rows
    ]
    return sorted(ranked, key=lambda r: (-r.score, r.utterance.key))


def _nothing(value: object) -> object:
    return () if isinstance(value, tuple) else 0.0


# Calibrated on the first five conversations of LoCoMo: questions with and without names, asked of their own
# memory and of another; ``unknown`` is set above the fit (1.0 to 1.9), since a wrong memory costs more
# than none. "generic" is for embedders nobody measured: the curve of a good one, cosines by the background.
PRESETS: Mapping[str, Weights] = {
    "words": Weights(Calibration(intercept=-3.0, slope=2.35, unknown=2.5), meaning=0.0),
    "static": Weights(Calibration(intercept=-4.6, slope=2.75, unknown=2.5)),
    "minilm": Weights(Calibration(intercept=-4.8, slope=2.9, unknown=2.5)),
    "generic": Weights(Calibration(intercept=-5.1, slope=3.2, unknown=2.5), standard_meaning=True),
}
