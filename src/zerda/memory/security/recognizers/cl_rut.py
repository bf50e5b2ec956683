"""Chilean RUT: up to eight digits and a check character, modulo 11 (K for ten)."""

import re
from itertools import cycle

from .base import LIKELY, Pattern
from .view import words


def _valid(match: re.Match[str]) -> bool:
    bare = re.sub(r"[.-]", "", match[0]).upper()
    total = sum(
        [int(digit) * weight for digit, weight in zip(bare[-2::-1], cycle(range(2, 8)), strict=False)]
    )
    return bare[-1] == "0123456789K0"[11 - total % 11]


def _dotted(match: re.Match[str]) -> bool:
    return "." in match[0]


RECOGNIZER = Pattern(
    "CL_RUT",
    re.compile(r"[1-9](?<![0-9A-Za-z.].)[0-9]?(?:\.[0-9]{3}\.[0-9]{3}|[0-9]{6})-[0-9Kk](?![0-9A-Za-z-])"),
    rank=LIKELY,
    digits=7,
    valid=_valid,
    context=words(any="rut, run", es="rol único*, cédula", en="chilean id*"),
    evident=_dotted,
)
