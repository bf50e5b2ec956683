"""Numbers of the French social security (NIR): sex, year, month, place, order and a key of 97."""

from .base import Number
from .view import words


def _valid(digits: str) -> bool:
    if digits[0] not in "1278":
        return False
    month = int(digits[3:5])
    return (1 <= month <= 12 or 20 <= month <= 42 or month >= 50) and 97 - int(digits[:13]) % 97 == int(
        digits[13:]
    )


RECOGNIZER = Number(
    kind="FR_NIR",
    valid=_valid,
    sure=("1 2 2 2 3 3 2", "1 2 2 2 3 3-2", "1-2-2-2-3-3-2", "1.2.2.2.3.3.2"),
    plain=("15", "13 2"),
    context=words(
        any="nir, n° ss",
        fr="sécu*, sécurité sociale, securite sociale, numéro de sécu*, insee, carte vitale",
        en="social security, french id",
        de="sozialversicherung*",
        es="seguridad social",
    ),
)
