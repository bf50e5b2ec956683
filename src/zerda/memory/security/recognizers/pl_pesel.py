"""Polish PESEL: birth date with the century in the month, and a check digit."""

from .base import Number
from .checks import is_date, weighted
from .view import words


def _valid(digits: str) -> bool:
    century, month = divmod(int(digits[2:4]), 20)
    year = (1900, 2000, 2100, 2200, 1800)[century] + int(digits[:2])
    check = weighted(digits, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1)) % 10 == 0
    return check and is_date(year, month, int(digits[4:6]))


RECOGNIZER = Number(
    kind="PL_PESEL",
    valid=_valid,
    loose=("11", "6 5", "6-5"),
    context=words(any="pesel*, *pesel", pl="ewidencyjny*, identyfikacyjny*", en="polish id*"),
)
