"""Korean resident registration numbers: birth date, sex and century; from 2020 on without check digit."""

from .base import Number
from .checks import is_short_date
from .view import words


def _valid(digits: str) -> bool:
    return digits[6] in "12345678" and is_short_date(digits)


RECOGNIZER = Number(
    kind="KR_RRN",
    valid=_valid,
    plain=("6-7",),
    loose=("13", "6 7"),
    context=words(
        ko="주민*, 주민등록번호, 외국인등록번호, 생년월일", en="resident registration*, rrn, korean id*"
    ),
)
