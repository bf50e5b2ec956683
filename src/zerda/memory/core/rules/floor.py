"""When nothing is the answer: from a raw score to the probability that a passage is relevant."""

from dataclasses import dataclass
from math import exp, log


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic curve from a score to a probability; it never reorders, since ``slope`` is not negative.

    ``intercept`` is the log-odds at score 1, ``slope`` what a score e times as high adds, ``unknown``
    what is taken off when the question names somebody or something of which the scope holds no word.
    """

    intercept: float
    slope: float
    unknown: float

    def probability(self, score: float, *, unknown: bool = False) -> float:
        """0 where there is no evidence at all, below 1 always."""
        if score <= 0:
            return 0.0
        return _logistic(self.intercept + self.slope * log(score) - (self.unknown if unknown else 0.0))


def _logistic(odds: float) -> float:
    # In the form that cannot overflow.
    return 1 / (1 + exp(-odds)) if odds >= 0 else exp(odds) / (1 + exp(odds))
