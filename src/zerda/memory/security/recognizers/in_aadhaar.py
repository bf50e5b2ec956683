"""Indian Aadhaar numbers: twelve digits, Verhoeff."""

from .base import Number
from .checks import all_same, verhoeff
from .view import words


def _valid(digits: str) -> bool:
    return digits[0] not in "01" and not all_same(digits) and verhoeff(digits)


RECOGNIZER = Number(
    kind="IN_AADHAAR",
    valid=_valid,
    plain=("4 4 4", "4-4-4"),
    loose=("12",),
    context=words(
        any="aadhaar*, aadhar*, adhaar*, uidai*",
        en="indian id*",
        hi="आधार",
        bn="আধার",
        ta="ஆதார்",
        te="ఆధార్",
        mr="आधार",
    ),
)
