"""Typing errors, as people make them: what the pieces of words are trained on."""

import random
import re

_LONG_WORD = re.compile(r"[A-Za-z]{4,}")  # Shorter words have too few pieces to be known again.
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def misspelt(text: str, draw: random.Random) -> str:
    """The text with one error in about every fifth long word, in one at least if it has any."""
    found = list(_LONG_WORD.finditer(text))
    if not found:
        return text
    sure = draw.randrange(len(found))
    for number, match in reversed(list(enumerate(found))):
        if number == sure or draw.random() < 0.2:
            text = text[: match.start()] + mistyped(match[0], draw) + text[match.end() :]
    return text


def mistyped(word: str, draw: random.Random) -> str:
    """A letter left out, doubled, swapped with the next, or replaced; the first letter stays."""
    place = draw.randrange(1, len(word) - 1)
    before, letter, after = word[:place], word[place], word[place + 1 :]
    return draw.choice(
        [
            before + after,
            before + letter + letter + after,
            before + after[0] + letter + after[1:],
            before + draw.choice(_LETTERS) + after,
        ]
    )
