"""How many tokens a text has, without a tokenizer at hand."""

import re
from math import ceil

# Average characters per token of the o200k and cl100k vocabularies, rounded down so that the estimate
# lies above the count for nearly all prose: English words 4.6, digits 3, other alphabets 2.2, Han 1.3.
_RUNS = re.compile(
    r"(?P<word>[A-Za-z]+)|(?P<digits>[0-9]+)|(?P<space>\s+)|(?P<ascii>[!-/:-@\[-`{-~]+)|(?P<wide>[\u2e80-\U0003ffff])"
    r"|(?P<other>[^\x00-\x7f\u2e80-\U0003ffff]+)|(?P<control>[\x00-\x1f\x7f]+)"
)
_CHARACTERS_PER_TOKEN = {"word": 6.0, "digits": 3.0, "ascii": 1.5, "wide": 1.0, "other": 2.0, "control": 1.0}


def estimate_tokens(text: str) -> int:
    """An estimate by script that rather counts too many than too few; 0 only for the empty text."""
    return sum(_tokens(match) for match in _RUNS.finditer(text))


def _tokens(match: re.Match[str]) -> int:
    kind = match.lastgroup or "other"
    if kind == "space":
        return match.group().count("\n")
    return ceil(len(match.group()) / _CHARACTERS_PER_TOKEN[kind])
