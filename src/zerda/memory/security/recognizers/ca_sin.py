"""Canadian social insurance numbers: nine digits, Luhn."""

from .base import Number
from .checks import all_same, luhn
from .view import words


def _valid(digits: str) -> bool:
    return digits[0] not in "08" and not all_same(digits) and luhn(digits)


RECOGNIZER = Number(
    kind="CA_SIN",
    valid=_valid,
    loose=("9", "3-3-3", "3 3 3"),
    context=words(any="sin#", en="sin, social insurance*, sin number", fr="nas, assurance sociale"),
)
