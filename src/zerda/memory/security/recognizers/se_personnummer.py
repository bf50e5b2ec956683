"""Swedish personal numbers: birth date, three digits, Luhn."""

from .base import Number
from .checks import is_short_date, luhn
from .view import words


def _valid(digits: str) -> bool:
    short = digits[-10:]
    day = int(short[4:6])
    born = f"{short[:4]}{day - 60 if day > 60 else day:02d}"  # A coordination number adds 60 to the day.
    return luhn(short) and is_short_date(born) and (len(digits) == 10 or digits[:2] in ("18", "19", "20"))


RECOGNIZER = Number(
    kind="SE_PERSONNUMMER",
    valid=_valid,
    plain=("6-4", "8-4"),
    loose=("10", "12", "8 4", "6 4"),
    context=words(
        sv="personnummer*, pnr, persnr, samordningsnummer*, födelsenummer*, personnr",
        en="swedish id*, personal number*",
    ),
)
