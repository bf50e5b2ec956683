"""What stands in an Authorization header: bearer tokens, basic credentials."""

import re

from .base import PROVEN, Pattern


def _random(match: re.Match[str]) -> bool:
    value = match["value"]
    return any(map(str.isdigit, value)) or (match["scheme"].lower() == "basic" and value != value.lower())


RECOGNIZER = Pattern(
    "BEARER_TOKEN",
    re.compile(
        r"(?P<scheme>(?i:bearer|basic|digest)|Token)[ :]{1,3}[\"']?"
        r"(?P<value>[0-9A-Za-z._~+/-]{12,4096}={0,2})"
    ),
    group="secret",
    rank=PROVEN + 10,
    hints=("bearer", "authorization"),
    valid=_random,
)
