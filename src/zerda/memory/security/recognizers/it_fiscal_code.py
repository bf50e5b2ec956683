"""Italian fiscal codes: sixteen characters, the last a check letter over odd and even places."""

import re

from .base import Pattern

# The decree of 1976: what a character counts on an odd place, digits first, then letters.
_ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)


def _place(char: str) -> int:
    return int(char) if char.isdigit() else ord(char) - ord("A")


def _valid(match: re.Match[str]) -> bool:
    bare = re.sub(r"[ -]", "", match[0]).upper()
    odd = sum([_ODD[_place(char)] for char in bare[0:15:2]])
    even = sum([_place(char) for char in bare[1:15:2]])
    return (odd + even) % 26 == _place(bare[15])


RECOGNIZER = Pattern(
    "IT_FISCAL_CODE",
    re.compile(
        r"(?i:[A-Z](?<![0-9A-Z].)[A-Z]{2}[ -]?[A-Z]{3}[ -]?[0-9L-NP-V]{2}[A-EHLMPRST][0-9L-NP-V]{2}[ -]?"
        r"[A-Z][0-9L-NP-V]{3}[ -]?[A-Z](?![0-9A-Z]))"
    ),
    digits=2,
    valid=_valid,
)
