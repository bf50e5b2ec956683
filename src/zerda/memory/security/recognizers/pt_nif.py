"""Portuguese tax numbers (NIF): nine digits, modulo 11."""

from .base import Number
from .checks import weighted
from .view import words


def _valid(digits: str) -> bool:
    rest = weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2)) % 11
    return digits[0] in "1235689" and int(digits[8]) == (0 if rest < 2 else 11 - rest)


RECOGNIZER = Number(
    kind="PT_NIF",
    valid=_valid,
    loose=("9", "3 3 3"),
    context=words(
        any="nif*, nipc", pt="contribuinte*, número fiscal, identificação fiscal", en="portuguese tax*"
    ),
)
