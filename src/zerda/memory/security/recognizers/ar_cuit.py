"""Argentine tax and labour numbers (CUIT, CUIL): eleven digits, modulo 11."""

from .base import Number
from .checks import weighted
from .view import words


def _valid(digits: str) -> bool:
    rest = -weighted(digits, (5, 4, 3, 2, 7, 6, 5, 4, 3, 2)) % 11
    return digits[:2] in ("20", "23", "24", "25", "26", "27", "30", "33", "34") and int(digits[10]) == rest


RECOGNIZER = Number(
    kind="AR_CUIT",
    valid=_valid,
    sure=("2-8-1",),
    loose=("11", "2 8 1"),
    context=words(any="cuit*, cuil*", es="clave única, clave unica", en="argentine tax*"),
)
