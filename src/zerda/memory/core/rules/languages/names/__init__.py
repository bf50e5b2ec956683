"""The words around names, by language. A new one is a file beside this one and its line in the list."""

from functools import cache
from importlib import import_module

from .known import GIVEN, PLACES, PLACES_UNSPACED
from .table import NameWords, Saying, name_words

CODES = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "ru": "russian",
    "ja": "japanese",
    "zh": "chinese",
    "ko": "korean",
}

_NONE = name_words(kin="none=none", sayings="none {a} none {b}")


@cache
def words_around_names(code: str) -> NameWords:
    """A language's table, loaded when it is first asked for; without one, capitals alone tell a name."""
    if code not in CODES:
        return _NONE
    found: NameWords = import_module(f"{__name__}.{CODES[code]}").WORDS
    return found


__all__ = ["CODES", "GIVEN", "PLACES", "PLACES_UNSPACED", "NameWords", "Saying", "words_around_names"]
