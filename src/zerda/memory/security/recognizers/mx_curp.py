"""Mexican population codes (CURP): eighteen characters, the last a check digit."""

import re

from .base import Pattern

_ALPHABET = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"


def _valid(match: re.Match[str]) -> bool:
    code = match[0].upper()
    total = sum([_ALPHABET.index(char) * (18 - place) for place, char in enumerate(code[:17])])
    return str(-total % 10) == code[17]


RECOGNIZER = Pattern(
    "MX_CURP",
    re.compile(
        r"(?i:[A-Z](?<![0-9A-Z].)[AEIOUX][A-Z]{2}[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])[HMX]"
        r"(?:AS|B[CS]|C[CLMSH]|D[FG]|G[TR]|HG|JC|M[CNS]|N[ETL]|OC|PL|Q[TR]|S[PLR]|T[CSL]|VZ|YN|ZS)"
        r"[B-DF-HJ-NP-TV-Z]{3}[0-9A-Z][0-9](?![0-9A-Z]))"
    ),
    digits=7,
    valid=_valid,
)
