"""How well a ranking answers questions whose evidence is known."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from statistics import fmean

CUTS = (5, 10, 20)
_RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found for one question: ids best first, the evidence wanted, and where each id was said."""

    found: tuple[str, ...]
    evidence: frozenset[str]
    category: str
    group: str
    session_of: Mapping[str, str]


def share_at(answer: Answer, k: int) -> float:
    """The share of the evidence among the first k."""
    return len(answer.evidence & set(answer.found[:k])) / len(answer.evidence)


def hit_at(answer: Answer, k: int) -> float:
    """1 where any of the evidence is among the first k, else 0."""
    return float(bool(answer.evidence & set(answer.found[:k])))


def reciprocal_rank(answer: Answer) -> float:
    """1 over the place of the first piece of evidence; 0 where none was found."""
    return next((1 / place for place, one in enumerate(answer.found, 1) if one in answer.evidence), 0.0)


def session_share_at(answer: Answer, k: int) -> float:
    """The share of the evidence's sessions among the first k different sessions found."""
    wanted = {answer.session_of[one] for one in answer.evidence}
    found = list(dict.fromkeys(answer.session_of[one] for one in answer.found))
    return len(wanted & set(found[:k])) / len(wanted)


def any_session_at(answer: Answer, k: int) -> float:
    """1 where any session with evidence is among the first k different sessions found, else 0."""
    return float(session_share_at(answer, k) > 0)


def all_sessions_at(answer: Answer, k: int) -> float:
    """1 where every session with evidence is among the first k different sessions found, else 0."""
    return float(session_share_at(answer, k) == 1)


MEASURES: Mapping[str, Callable[[Answer], float]] = {
    **{f"R@{k}": partial(share_at, k=k) for k in CUTS},
    "hit@10": partial(hit_at, k=10),
    "MRR": reciprocal_rank,
    "session R@5": partial(session_share_at, k=5),
}


SESSION_MEASURES: Mapping[str, Callable[[Answer], float]] = {
    **{f"any session@{k}": partial(any_session_at, k=k) for k in CUTS[:2]},
    **{f"all sessions@{k}": partial(all_sessions_at, k=k) for k in CUTS[:2]},
    "MRR": reciprocal_rank,
}


def means(
    answers: Sequence[Answer], measures: Mapping[str, Callable[[Answer], float]] = MEASURES
) -> dict[str, float]:
    """Each measure's mean over the answers, in per cent; empty without answers."""
    return {name: 100 * fmean(map(measure, answers)) for name, measure in measures.items()} if answers else {}


def by_category(answers: Iterable[Answer], measure: Callable[[Answer], float]) -> dict[str, float]:
    """One measure's mean for each category, in per cent."""
    grouped: dict[str, list[float]] = {}
    for answer in answers:
        grouped.setdefault(answer.category, []).append(100 * measure(answer))
    return {category: fmean(values) for category, values in sorted(grouped.items())}


def difference(
    ours: Sequence[Answer], theirs: Sequence[Answer], measure: Callable[[Answer], float]
) -> tuple[float, float]:
    """The 95 % bootstrap interval of what ours is above theirs, question by question, in points."""
    return interval([100 * (measure(a) - measure(b)) for a, b in zip(ours, theirs, strict=True)])


def interval(values: Sequence[float], *, seed: int = 0) -> tuple[float, float]:
    """The 95 % bootstrap interval of a mean (Efron 1979, percentile method, 1,000 resamples)."""
    chance = random.Random(seed)
    resampled = sorted(fmean(chance.choices(values, k=len(values))) for _ in range(_RESAMPLES))
    return resampled[int(0.025 * _RESAMPLES)], resampled[int(0.975 * _RESAMPLES)]
