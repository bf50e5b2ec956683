"""Dutch citizen service numbers (BSN): nine digits, the eleven test."""

from .base import Number
from .checks import all_same, weighted
from .view import words


def _valid(digits: str) -> bool:
    digits = digits.zfill(9)
    return not all_same(digits) and weighted(digits, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0


RECOGNIZER = Number(
    kind="NL_BSN",
    valid=_valid,
    loose=("9", "8", "4.2.3", "3.3.3"),
    context=words(
        any="bsn*, sofi*", nl="burgerservicenummer*, burgerservice, persoonsnummer*", en="dutch id*"
    ),
)
