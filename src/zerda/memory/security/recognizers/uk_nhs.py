"""Numbers of the National Health Service: ten digits, modulo 11."""

from .base import Number
from .checks import all_same, weighted
from .view import words


def _valid(digits: str) -> bool:
    check = 11 - weighted(digits, range(10, 1, -1)) % 11
    return not all_same(digits) and int(digits[9]) == (0 if check == 11 else check)


RECOGNIZER = Number(
    kind="UK_NHS",
    valid=_valid,
    loose=("3 3 4", "3-3-4", "10"),
    context=words(any="nhs*", en="national health*, patient number*"),
)
