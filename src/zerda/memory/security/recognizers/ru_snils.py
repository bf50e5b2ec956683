"""Russian pension numbers (SNILS): nine digits and a check number."""

from .base import Number
from .checks import all_same, weighted
from .view import words


def _valid(digits: str) -> bool:
    return not all_same(digits) and weighted(digits, range(9, 0, -1)) % 101 % 100 == int(digits[9:])


RECOGNIZER = Number(
    kind="RU_SNILS",
    valid=_valid,
    sure=("3-3-3 2", "3-3-3-2"),
    loose=("11", "3 3 3 2"),
    context=words(any="snils, снилс*", ru="страховой номер, страховое, пенсионн*", en="russian pension"),
)
