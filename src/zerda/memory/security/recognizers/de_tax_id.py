"""German tax identification numbers (Steuer-ID): eleven digits, ISO 7064 mod 11,10."""

from .base import Number
from .checks import mod_11_10
from .view import words


def _valid(digits: str) -> bool:
    repeated = max(digits[:10].count(digit) for digit in set(digits[:10]))
    return digits[0] != "0" and 2 <= repeated <= 3 and mod_11_10(digits)


RECOGNIZER = Number(
    kind="DE_TAX_ID",
    valid=_valid,
    sure=("2 3 3 3",),
    loose=("11",),
    context=words(
        any="idnr, tin",
        de="steuer*, identifikationsnummer*, steuerliche*, idnr, id-nr",
        en="tax*, german id*",
        fr="fiscal*",
        es="fiscal*",
    ),
)
