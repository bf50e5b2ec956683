"""Belgian national register numbers: birth date, order, 97 complement."""

from .base import Number
from .view import words


def _valid(digits: str) -> bool:
    if not (1 <= int(digits[2:4]) <= 12 and 1 <= int(digits[4:6]) <= 31):
        return False
    check = int(digits[9:])
    return check in (97 - int(digits[:9]) % 97, 97 - int("2" + digits[:9]) % 97)


RECOGNIZER = Number(
    kind="BE_NRN",
    valid=_valid,
    sure=("2.2.2-3.2",),
    loose=("11", "6-3-2", "2 2 2 3 2"),
    context=words(
        any="nrn, niss, insz",
        nl="rijksregister*",
        fr="registre national*",
        de="nationalregister*",
        en="belgian id*",
    ),
)
