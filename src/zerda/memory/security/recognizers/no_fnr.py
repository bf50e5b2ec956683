"""Norwegian birth numbers: eleven digits, two checks modulo 11."""

from .base import Number
from .checks import is_short_date, weighted
from .view import words


def _valid(digits: str) -> bool:
    day = int(digits[:2])
    born = digits[4:6] + digits[2:4] + f"{day - 40 if day > 40 else day:02d}"
    checks = (
        weighted(digits, (3, 7, 6, 1, 8, 9, 4, 5, 2, 1)),
        weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1)),
    )
    return is_short_date(born) and checks[0] % 11 == 0 and checks[1] % 11 == 0


RECOGNIZER = Number(
    kind="NO_FNR",
    valid=_valid,
    loose=("11", "6 5"),
    context=words(
        any="fnr",
        no="fødselsnummer*, personnummer*, d-nummer*",
        nb="fødselsnummer*, personnummer*",
        en="norwegian id*",
    ),
)
