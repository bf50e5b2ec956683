"""Brazilian company numbers (CNPJ): two check digits, modulo 11."""

from .base import Number
from .checks import all_same, weighted
from .view import words

_WEIGHTS = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)


def _digit(digits: str) -> str:
    rest = weighted(digits, _WEIGHTS[13 - len(digits) :]) % 11
    return "0" if rest < 2 else str(11 - rest)


def _valid(digits: str) -> bool:
    return not all_same(digits) and digits[12] == _digit(digits[:12]) and digits[13] == _digit(digits[:13])


RECOGNIZER = Number(
    kind="BR_CNPJ",
    valid=_valid,
    sure=("2.3.3/4-2",),
    loose=("14", "12-2"),
    context=words(any="cnpj*, *cnpj", pt="cadastro nacional, empresa*", en="brazilian company"),
)
