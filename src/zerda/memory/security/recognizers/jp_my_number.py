"""Japanese individual numbers (My Number): twelve digits, modulo 11."""

from .base import Number
from .checks import all_same, weighted
from .view import words


def _valid(digits: str) -> bool:
    rest = weighted(digits, (6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return not all_same(digits) and int(digits[11]) == (0 if rest <= 1 else 11 - rest)


RECOGNIZER = Number(
    kind="JP_MY_NUMBER",
    valid=_valid,
    loose=("12", "4 4 4", "4-4-4"),
    context=words(any="my number*, mynumber*", ja="マイナンバー, 個人番号", en="individual number*"),
)
