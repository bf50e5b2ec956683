"""How what is remembered fades: computed from age and use whenever it is asked, never stored."""

from datetime import datetime
from math import log1p

SECONDS_PER_DAY = 86_400.0


def age_in_days(since: datetime, now: datetime) -> float:
    """Days between two moments; 0 where a clock that jumped makes it negative."""
    return max(0.0, (now - since).total_seconds() / SECONDS_PER_DAY)


def strength(age_days: float, *, rate: float, uses: int = 0) -> float:
    """How much is left, 0 to 1: ``2 ** (-rate * age / (1 + ln(1 + uses)))``.

    Exponential forgetting (Ebbinghaus 1885 as fitted by Woźniak, Gorzelańczyk & Murakowski 1995), with
    a half-life of ``1 / rate`` days that grows with the logarithm of use.
    """
    return float(2.0 ** (-rate * age_days / (1.0 + log1p(uses))))
