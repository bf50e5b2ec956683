"""How what is remembered fades: computed from importance, age and use whenever it is asked, never stored."""

from collections.abc import Callable, Mapping
from datetime import datetime
from math import log1p, log10
from typing import Literal, get_args

Curve = Literal["exponential", "power", "ebbinghaus"]
CURVES: tuple[Curve, ...] = get_args(Curve)

SECONDS_PER_DAY = 86_400.0

IMPORTANCE_DOUBLINGS = 4.0
"""What is all-important lasts 2 ** 4 = 16 times as long as what is not important at all: our own choice.

With the default rate an unused entry of importance 0.5 is archived after some 170 days, one of 0.9 after
some 520, one of 0.1 after 57.
"""


def age_in_days(since: datetime, now: datetime) -> float:
    """Days between two moments; 0 where a clock that jumped makes it negative."""
    return max(0.0, (now - since).total_seconds() / SECONDS_PER_DAY)


def strength(
    age_days: float,
    *,
    rate: float,
    uses: int = 0,
    importance: float = 0.0,
    curve: Curve = "exponential",
) -> float:
    """How much is left, 0 to 1, of what was not used for ``age_days``; one half after its `half_life_days`.

    Use strengthens, importance prolongs, time weakens; ``rate`` 0 lets nothing fade.
    """
    if rate <= 0:
        return 1.0
    return _CURVES[curve](age_days / half_life_days(rate=rate, uses=uses, importance=importance))


def half_life_days(*, rate: float, uses: int = 0, importance: float = 0.0) -> float:
    """``(1 + ln(1 + uses)) * 2 ** (4 * importance) / rate`` days.

    That repetition lengthens what is remembered, by less each time, is as old as Ebbinghaus 1885 (§ 23);
    the logarithm is the simplest form of it.
    """
    return float((1.0 + log1p(uses)) * 2.0 ** (IMPORTANCE_DOUBLINGS * importance) / rate)


def exponential(half_lives: float) -> float:
    """``2 ** -t``: each day takes the same share of what is left.

    The retrievability of the two-component model of memory (Woźniak, Gorzelańczyk & Murakowski 1995,
    *Two components of long-term memory*).
    """
    return float(2.0**-half_lives)


def power(half_lives: float) -> float:
    """``(1 + 3 t) ** -0.5``: what is old already fades ever more slowly.

    The form that Wixted & Ebbesen 1991 (*On the form of forgetting*) found to fit best, with the exponent
    0.5 of ACT-R (Anderson & Lebiere 1998); the 3 makes it one half at t = 1.
    """
    return float((1.0 + 3.0 * half_lives) ** -0.5)


_EBBINGHAUS_K, _EBBINGHAUS_C = 1.84, 1.25
_EBBINGHAUS_HALF = 10.0 ** (_EBBINGHAUS_K ** (1 / _EBBINGHAUS_C))  # 42.5 minutes, where his savings are 50 %.


def ebbinghaus(half_lives: float) -> float:
    """``k / ((log10 t) ** c + k)`` with k = 1.84 and c = 1.25: the savings that Ebbinghaus measured.

    Ebbinghaus 1885, *Über das Gedächtnis*, § 29, t in minutes from one minute on. Here his 42.5 minutes to
    one half are stretched to a half-life.
    """
    minutes = max(1.0, half_lives * _EBBINGHAUS_HALF)
    return float(_EBBINGHAUS_K / (log10(minutes) ** _EBBINGHAUS_C + _EBBINGHAUS_K))


_CURVES: Mapping[Curve, Callable[[float], float]] = {
    "exponential": exponential,
    "power": power,
    "ebbinghaus": ebbinghaus,
}
