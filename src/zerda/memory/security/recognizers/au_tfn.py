"""Australian tax file numbers: eight or nine digits, modulo 11."""

from .base import Number
from .checks import all_same, weighted
from .view import words


def _valid(digits: str) -> bool:
    weights = (1, 4, 3, 7, 5, 8, 6, 9, 10) if len(digits) == 9 else (10, 7, 8, 4, 6, 3, 5, 1)
    return not all_same(digits) and weighted(digits, weights) % 11 == 0


RECOGNIZER = Number(
    kind="AU_TFN",
    valid=_valid,
    loose=("9", "3 3 3", "8"),
    context=words(any="tfn*", en="tax file*"),
)
