"""Indian permanent account numbers (PAN): five letters, the fourth for the holder, four digits, a letter."""

import re

from .base import LIKELY, Pattern
from .view import words


def _upper(match: re.Match[str]) -> bool:
    return match[0].isupper()


RECOGNIZER = Pattern(
    "IN_PAN",
    re.compile(r"(?i:[A-Z](?<![0-9A-Z].)[A-Z]{2}[ABCFGHJLPT][A-Z])[ -]?[0-9]{4}[ -]?[A-Za-z](?![0-9A-Za-z])"),
    rank=LIKELY,
    digits=4,
    context=words(any="pan", en="permanent account*, income tax*", hi="पैन"),
    evident=_upper,
)
