"""Russian tax numbers (INN): ten digits of a firm, twelve of a person."""

from .base import Number
from .checks import all_same, weighted
from .view import words

_TEN = (2, 4, 10, 3, 5, 9, 4, 6, 8)


def _digit(digits: str, weights: tuple[int, ...]) -> int:
    return weighted(digits, weights) % 11 % 10


def _valid(digits: str) -> bool:
    if all_same(digits):
        return False
    if len(digits) == 10:
        return _digit(digits, _TEN) == int(digits[9])
    first, second = _digit(digits, (7, *_TEN)), _digit(digits, (3, 7, *_TEN))
    return first == int(digits[10]) and second == int(digits[11])


RECOGNIZER = Number(
    kind="RU_INN",
    valid=_valid,
    loose=("10", "12"),
    context=words(any="инн, inn", ru="налогоплательщик*", en="russian tax*"),
)
