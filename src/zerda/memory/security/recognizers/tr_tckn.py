"""Turkish identity numbers (TCKN): eleven digits, two of them checks."""

from .base import Number
from .view import words


def _valid(digits: str) -> bool:
    if digits[0] == "0":
        return False
    odd, even = sum(map(int, digits[0:9:2])), sum(map(int, digits[1:8:2]))
    return (odd * 7 - even) % 10 == int(digits[9]) and sum(map(int, digits[:10])) % 10 == int(digits[10])


RECOGNIZER = Number(
    kind="TR_TCKN",
    valid=_valid,
    loose=("11", "3 3 3 2"),
    context=words(
        any="tckn*, tc, tc no, t.c., tc kimlik*, tckno",
        tr="kimlik*, vatandaşlık no*, vatandaşlık numara*",
        en="turkish id*",
    ),
)
