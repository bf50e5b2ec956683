"""Check digits: pure functions on strings of digits."""

from collections.abc import Sequence
from datetime import date
from functools import lru_cache

_DOUBLED = str.maketrans("0123456789", "0246813579")
_ZERO = ord("0")

# ISO 7064 and the tables of Verhoeff 1969: multiplication in D5, and its permutation.
_D5 = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 2, 3, 4, 0, 6, 7, 8, 9, 5),
    (2, 3, 4, 0, 1, 7, 8, 9, 5, 6),
    (3, 4, 0, 1, 2, 8, 9, 5, 6, 7),
    (4, 0, 1, 2, 3, 9, 5, 6, 7, 8),
    (5, 9, 8, 7, 6, 0, 4, 3, 2, 1),
    (6, 5, 9, 8, 7, 1, 0, 4, 3, 2),
    (7, 6, 5, 9, 8, 2, 1, 0, 4, 3),
    (8, 7, 6, 5, 9, 3, 2, 1, 0, 4),
    (9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
)
_PERMUTED = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 5, 7, 6, 2, 8, 3, 0, 9, 4),
    (5, 8, 0, 3, 7, 9, 6, 1, 4, 2),
    (8, 9, 1, 6, 0, 4, 3, 5, 2, 7),
    (9, 4, 5, 3, 1, 2, 6, 8, 7, 0),
    (4, 2, 8, 6, 5, 7, 3, 9, 0, 1),
    (2, 7, 9, 3, 8, 0, 6, 4, 1, 5),
    (7, 0, 4, 6, 9, 1, 3, 2, 5, 8),
)


def luhn(digits: str) -> bool:
    """ISO/IEC 7812: cards and many ids."""
    written = digits[-1::-2] + digits[-2::-2].translate(_DOUBLED)
    return (sum(written.encode()) - _ZERO * len(digits)) % 10 == 0


def verhoeff(digits: str) -> bool:
    state = 0
    for place, digit in enumerate(reversed(digits)):
        state = _D5[state][_PERMUTED[place % 8][int(digit)]]
    return state == 0


def weighted(digits: str, weights: Sequence[int]) -> int:
    """The sum of digit times weight; the shorter of the two ends it."""
    return sum([int(digit) * weight for digit, weight in zip(digits, weights, strict=False)])


def mod_11_10(digits: str) -> bool:
    """ISO 7064 mod 11,10: German tax numbers and others."""
    product = 10
    for digit in digits[:-1]:
        product = ((int(digit) + product) % 10 or 10) * 2 % 11
    return (11 - product) % 10 == int(digits[-1])


def ean(digits: str) -> bool:
    """GS1's check digit: weights 3 and 1 from the right."""
    return (sum(map(int, digits[-1::-2])) + 3 * sum(map(int, digits[-2::-2]))) % 10 == 0


def all_same(digits: str) -> bool:
    """000…, 111…: check digits often let them pass, and nobody has them."""
    return digits == digits[0] * len(digits)


@lru_cache(maxsize=4096)
def is_date(year: int, month: int, day: int) -> bool:
    """A day of the calendar."""
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def is_short_date(yymmdd: str) -> bool:
    """YYMMDD in either century."""
    year, month, day = int(yymmdd[:2]), int(yymmdd[2:4]), int(yymmdd[4:6])
    return is_date(1900 + year, month, day) or is_date(2000 + year, month, day)


def is_long_date(yyyymmdd: str) -> bool:
    """YYYYMMDD from 1880 to 2099."""
    year = int(yyyymmdd[:4])
    return 1880 <= year <= 2099 and is_date(year, int(yyyymmdd[4:6]), int(yyyymmdd[6:8]))
