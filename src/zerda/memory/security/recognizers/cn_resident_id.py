"""Chinese resident identity numbers: place, birth date, order, ISO 7064 mod 11-2 (X for ten)."""

import re

from .base import Pattern
from .checks import is_long_date, weighted

_WEIGHTS = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_DIGITS = re.compile(r"[0-9]+|[Xx]$")


def _valid(match: re.Match[str]) -> bool:
    digits = "".join(_DIGITS.findall(match[0]))
    check = "10X98765432"[weighted(digits, _WEIGHTS) % 11]
    return is_long_date(digits[6:14]) and digits[17:].upper() == check


RECOGNIZER = Pattern(
    "CN_RESIDENT_ID",
    re.compile(r"[1-8](?<![0-9].)[0-9]{5}[ -]?(?:18|19|20)[0-9]{6}[ -]?[0-9]{3}[ -]?[0-9Xx](?![0-9A-Za-z])"),
    digits=17,
    valid=_valid,
)
