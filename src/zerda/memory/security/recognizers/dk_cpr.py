"""Danish personal numbers (CPR): birth date and four digits; since 2007 without check digit."""

from .base import Number
from .checks import is_short_date
from .view import words


def _valid(digits: str) -> bool:
    return is_short_date(digits[4:6] + digits[2:4] + digits[:2])


RECOGNIZER = Number(
    kind="DK_CPR",
    valid=_valid,
    loose=("6-4", "10", "6 4"),
    context=words(any="cpr*", da="personnummer*, cpr-nummer*", en="danish id*", sv="danskt"),
)
