"""Singaporean NRIC and FIN: a letter, seven digits, a check letter."""

import re

from .base import Pattern
from .checks import weighted

_LETTERS = {
    "S": "JZIHGFEDCBA",
    "T": "JZIHGFEDCBA",
    "F": "XWUTRQPNMLK",
    "G": "XWUTRQPNMLK",
    "M": "KLJNPQRTUWX",
}
_OFFSETS = {"S": 0, "T": 4, "F": 0, "G": 4, "M": 3}


def _valid(match: re.Match[str]) -> bool:
    code = match[0].upper()
    place = (weighted(code[1:8], (2, 7, 6, 5, 4, 3, 2)) + _OFFSETS[code[0]]) % 11
    return code[8] == _LETTERS[code[0]][10 - place if code[0] == "M" else place]


RECOGNIZER = Pattern(
    "SG_NRIC",
    re.compile(r"[STFGMstfgm](?<![0-9A-Za-z].)[0-9]{7}[A-Za-z](?![0-9A-Za-z])"),
    digits=7,
    valid=_valid,
)
