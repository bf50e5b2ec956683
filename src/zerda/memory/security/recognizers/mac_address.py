"""Hardware addresses: six bytes with colons or dashes, or three groups with dots."""

import re

from .base import PROVEN, Pattern

_BYTE = "[0-9A-Fa-f]{2}"


def _not_a_date(match: re.Match[str]) -> bool:
    """Digits and dashes alone are rather something else."""
    return ":" in match[0] or any(map(str.isalpha, match[0]))


RECOGNIZER = Pattern(
    "MAC_ADDRESS",
    re.compile(
        rf"[0-9A-Fa-f](?<![0-9A-Za-z:-].)(?:[0-9A-Fa-f](?:(?::{_BYTE}){{5}}|(?:-{_BYTE}){{5}})"
        r"|[0-9A-Fa-f]{3}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})(?![0-9A-Za-z]|[:-][0-9A-Fa-f])"
    ),
    rank=PROVEN,
    valid=_not_a_date,
)
