"""Spanish identity numbers (DNI, NIE): eight characters and a letter, modulo 23."""

import re

from .base import LIKELY, Pattern
from .view import words

_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def _valid(match: re.Match[str]) -> bool:
    bare = re.sub(r"[ .-]", "", match[0]).upper()
    number = bare[:-1].replace("X", "0").replace("Y", "1").replace("Z", "2")
    return bare[-1] == _LETTERS[int(number) % 23]


def _upper(match: re.Match[str]) -> bool:
    return match[0].isupper() and " " not in match[0]


RECOGNIZER = Pattern(
    "ES_DNI",
    re.compile(
        r"(?:[0-9](?<![0-9A-Za-z].)[0-9](?:[0-9]{6}|\.[0-9]{3}\.[0-9]{3})"
        r"|[XYZxyz](?<![0-9A-Za-z].)[ -]?[0-9]{7})"
        r"[ -]?[A-HJ-NP-TV-Za-hj-np-tv-z](?![0-9A-Za-z])"
    ),
    rank=LIKELY,
    digits=7,
    valid=_valid,
    context=words(
        any="dni*, nie, nif", es="documento*, identidad, identificación", ca="document*", en="spanish id*"
    ),
    evident=_upper,
)
