"""When nothing is the answer: from a raw score to the probability that a passage is relevant."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import exp, log

from ..model import TimeSpan
from .text import words

RELEVANCE_FLOOR = 0.01
"""One chance in a hundred. Of the questions put to another conversation's memory, 96 in 100 or more find
nothing above it, and 1 to 2 points of what should be found in the first ten are lost (LoCoMo). The tenth of
ten good hits is relevant once in thirty times, so a floor of 0.1 would cut far into them."""


FULL = 500
"""Passages of the memories that the curves were fitted on."""

CHANCE = 0.4
"""What chance alone brings to the top, it brings from among many: of few, the same score says more.

Measured on pieces of 3 to 150 turns of LoCoMo's first half: with this, 97 in 100 questions of another
conversation still find nothing in them."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A logistic curve from a score to a probability; it never reorders, since ``slope`` is not negative.

    ``intercept`` is the log-odds at score 1, ``slope`` what a score e times as high adds, ``unknown``
    what is taken off when the question names somebody or something of which the scope holds no word.
    """

    intercept: float
    slope: float
    unknown: float

    def probability(self, score: float, *, unknown: bool = False, passages: int = FULL) -> float:
        """0 where there is no evidence at all, below 1 always. ``passages`` are those of the scope."""
        if score <= 0:
            return 0.0
        rarer = CHANCE * log(FULL / min(max(passages, 1), FULL))
        odds = self.intercept + self.slope * log(score) + rarer
        return _logistic(odds - (self.unknown if unknown else 0.0))


def _logistic(odds: float) -> float:
    # In the form that cannot overflow.
    return 1 / (1 + exp(-odds)) if odds >= 0 else exp(odds) / (1 + exp(odds))


_WORDS = re.compile(r"[^\W_]+")
_BEGINS = re.compile(r"""(?:^|[.?!:;…\n])[\s"'“”‘’«»(\[¿¡]*$""")
_BETWEEN = 16  # Characters that may stand between the end of a sentence and the next one: not a whole text.
_CAPITAL_NOUNS = frozenset({"de", "lb"})  # Languages that write every noun as others write names.


def written_as_names(question: str, language: str | None, times: Iterable[TimeSpan] = ()) -> frozenset[str]:
    """The folded words of a question that are written as names: with a capital, though no sentence begins.

    Words of the given times ("May") are not names. None in scripts without capitals, and none in German:
    there a capital tells nothing.
    """
    if language in _CAPITAL_NOUNS:
        return frozenset()
    spans = [(time.text_start, time.text_end) for time in times]
    return frozenset(
        word for start, name in _capitalised(question) if not _within(start, spans) for word in words(name)
    )


def _capitalised(question: str) -> Iterator[tuple[int, str]]:
    for match in _WORDS.finditer(question):
        if match[0][0].isupper() and not _BEGINS.search(question, _back(match.start()), match.start()):
            yield match.start(), match[0]


def _back(position: int) -> int:
    return max(0, position - _BETWEEN)


def _within(position: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start <= position < end for start, end in spans)
