"""The languages we know, by ISO 639-1 code. A new one is a file beside this one and its name in the list."""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from .table import FirstPerson, Language, TimePattern, TimeWords

# In order of precedence: where the evidence for two languages is equal, the earlier one wins.
NAMES = (
    "english",
    "german",
    "french",
    "spanish",
    "italian",
    "portuguese",
    "dutch",
    "polish",
    "turkish",
    "russian",
    "ukrainian",
    "chinese",
    "japanese",
    "korean",
    "arabic",
    "hindi",
    "thai",
)


def _load(name: str) -> Language:
    found: Language = import_module(f"{__name__}.{name}").LANGUAGE
    return found


LANGUAGES: Mapping[str, Language] = MappingProxyType({table.code: table for table in map(_load, NAMES)})

__all__ = ["LANGUAGES", "FirstPerson", "Language", "TimePattern", "TimeWords"]
