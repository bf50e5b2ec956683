"""South African identity numbers: birth date, citizenship, Luhn."""

from .base import Number
from .checks import is_short_date, luhn
from .view import words


def _valid(digits: str) -> bool:
    return digits[10] in "012" and is_short_date(digits) and luhn(digits)


RECOGNIZER = Number(
    kind="ZA_ID",
    valid=_valid,
    loose=("13", "6 4 3", "6 4 2 1"),
    context=words(
        en="id number*, identity number*, id no*, south african id*, national id*, rsa id",
        af="id-nommer*, identiteitsnommer*",
    ),
)
