"""Brazilian taxpayer numbers of persons (CPF): two check digits, modulo 11."""

from .base import Number
from .checks import all_same, weighted
from .view import words


def _digit(digits: str) -> str:
    rest = weighted(digits, range(len(digits) + 1, 1, -1)) * 10 % 11
    return str(rest % 10)


def _valid(digits: str) -> bool:
    return not all_same(digits) and digits[9] == _digit(digits[:9]) and digits[10] == _digit(digits[:10])


RECOGNIZER = Number(
    kind="BR_CPF",
    valid=_valid,
    sure=("3.3.3-2",),
    loose=("11", "9-2"),
    context=words(any="cpf*, *cpf", pt="cadastro de pessoa*, contribuinte*", en="brazilian tax*"),
)
