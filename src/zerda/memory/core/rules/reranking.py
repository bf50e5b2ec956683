"""How a second judgement changes the order of hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import fsum, isfinite, sqrt

from ..model import Hit


def sound(judged: Sequence[float], hits: int) -> bool:
    """Whether these are judgements: a finite number for each hit."""
    return len(judged) == hits and all(isfinite(one) for one in judged)


def reordered(hits: Sequence[Hit], judged: Sequence[float], share: float) -> tuple[Hit, ...]:
    """The hits by both rankings, each read by how far a hit stands above their mean.

    Equal ones keep their order. The places keep their probabilities: a second judgement says who answers
    better, and not how likely it is that somebody does. Each hit's parts tell what it was judged.
    """
    first = _standard([fsum(hit.parts.values()) for hit in hits])
    second = _standard(judged)
    worth = [(1 - share) * one + share * other for one, other in zip(first, second, strict=True)]
    order = sorted(range(len(hits)), key=lambda place: -worth[place])
    return tuple(
        replace(
            hits[old],
            score=hits[place].score,
            parts={**hits[old].parts, "judged": judged[old]},
        )
        for place, old in enumerate(order)
    )


def _standard(values: Sequence[float]) -> list[float]:
    mean = fsum(values) / max(len(values), 1)
    spread = sqrt(fsum((one - mean) ** 2 for one in values) / max(len(values), 1))
    return [(one - mean) / spread if spread > 1e-12 else 0.0 for one in values]
