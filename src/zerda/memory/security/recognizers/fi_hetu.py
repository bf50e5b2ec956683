"""Finnish personal codes: birth date, a sign for the century, three digits, a check of 31."""

import re

from .base import Pattern
from .checks import is_short_date

_CHECKS = "0123456789ABCDEFHJKLMNPRSTUVWXY"


def _valid(match: re.Match[str]) -> bool:
    code = match[0].upper()
    born = code[4:6] + code[2:4] + code[:2]
    return is_short_date(born) and code[10] == _CHECKS[int(code[:6] + code[7:10]) % 31]


RECOGNIZER = Pattern(
    "FI_HETU",
    re.compile(r"[0-3](?<![0-9A-Za-z].)[0-9]{5}[-+A-FU-Y][0-9]{3}[0-9A-FHJ-NPR-Y](?![0-9A-Za-z])"),
    digits=9,
    valid=_valid,
)
