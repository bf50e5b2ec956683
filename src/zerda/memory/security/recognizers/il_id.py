"""Israeli identity numbers: nine digits, Luhn."""

from .base import Number
from .checks import all_same, luhn
from .view import words


def _valid(digits: str) -> bool:
    return not all_same(digits) and luhn(digits)


RECOGNIZER = Number(
    kind="IL_ID",
    valid=_valid,
    loose=("9", "8-1"),
    context=words(any="teudat zehut*", he="תעודת זהות, ת.ז, מספר זהות", en="israeli id*"),
)
