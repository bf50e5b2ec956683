"""How a token budget is shared out, and how a text is cut to fit."""

import re
from collections.abc import Callable, Mapping

from .graphemes import whole

Count = Callable[[str], int]

_CUT_AFTER = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


def shares(budget: int, wanted: Mapping[str, int], fractions: Mapping[str, float]) -> dict[str, int]:
    """Tokens for each section: its fraction of the budget, and what others leave goes on in order.

    Never more than a section wants, and never more than the budget in all.
    """
    given = {name: min(wanted[name], int(budget * fractions[name])) for name in wanted}
    left = budget - sum(given.values())
    for name in wanted:
        more = min(left, wanted[name] - given[name])
        given[name] += more
        left -= more
    return given


def cut(text: str, tokens: int, count: Count, *, mark: str = " …") -> str:
    """The longest beginning of a text that fits, ``mark`` included: to a sentence's end, else a word's.

    Empty where not even a word fits. Never cut inside a character that a reader sees as one.
    """
    if count(text) <= tokens:
        return text
    fits = _longest(text, lambda end: count(text[:end] + mark) <= tokens)
    end = _sentence_end(text, fits) or _word_end(text, fits)
    return text[:end].rstrip() + mark if text[:end].strip() else ""


def _longest(text: str, fits: Callable[[int], bool]) -> int:
    """The largest end that fits, by halving."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def _sentence_end(text: str, limit: int) -> int:
    """The last sentence end in the latter half of what fits; 0 where there is none."""
    ends = [match.end() for match in _CUT_AFTER.finditer(text, 0, limit)]
    return ends[-1] if ends and ends[-1] >= limit // 2 else 0


def _word_end(text: str, limit: int) -> int:
    space = max(text.rfind(" ", 0, limit), text.rfind("\n", 0, limit))
    return space if space > limit // 2 else whole(text, limit)
