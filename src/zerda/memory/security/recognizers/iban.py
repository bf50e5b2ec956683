"""International bank account numbers: a country's length and modulo 97."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .base import CERTAIN, Group, Hit
from .view import View

# The registry of SWIFT: characters of an IBAN by country.
_REGISTRY = (
    "AD:24 AE:23 AL:28 AT:20 AZ:28 BA:20 BE:16 BG:22 BH:22 BI:27 BR:29 BY:28 CH:21 CR:22 CY:28 CZ:24 "
    "DE:22 DJ:27 DK:18 DO:28 EE:20 EG:29 ES:24 FI:18 FK:18 FO:18 FR:27 GB:22 GE:22 GI:23 GL:18 GR:27 "
    "GT:28 HN:28 HR:21 HU:28 IE:22 IL:23 IQ:23 IS:26 IT:27 JO:30 KW:30 KZ:20 LB:28 LC:32 LI:21 LT:20 "
    "LU:20 LV:21 LY:25 MC:27 MD:24 ME:22 MK:19 MN:20 MR:27 MT:31 MU:30 NI:28 NL:18 NO:15 OM:23 PK:24 "
    "PL:28 PS:29 PT:25 QA:29 RO:24 RS:22 RU:33 SA:24 SC:31 SD:18 SE:24 SI:19 SK:24 SM:27 SO:23 ST:25 "
    "SV:28 TL:23 TN:24 TR:26 UA:29 VA:22 VG:24 XK:20 YE:30"
)
_LENGTHS = {pair[:2]: int(pair[3:]) for pair in _REGISTRY.split()}
# Blanks or dashes may stand between any two characters; the longest has 34 characters.
_START = re.compile(
    r"[A-Za-z](?<![0-9A-Za-z].)[ ]?[A-Za-z](?=[ -]?[0-9][ -]?[0-9](?:[ -]{0,2}[0-9A-Za-z]){11})"
)
_REACH = 100


@dataclass(frozen=True, slots=True)
class Iban:
    kind: str = "IBAN"
    group: Group = "personal"

    def find(self, view: View) -> Iterator[Hit]:
        if view.digits < 8:
            return
        for match in _START.finditer(view.text):
            size = _LENGTHS.get(match[0].replace(" ", "").upper())
            end = _end(view.text, match.start(), size) if size else None
            if end:
                yield Hit(match.start(), end, CERTAIN, self.kind)


def _end(text: str, start: int, size: int) -> int | None:
    piece = text[start : start + _REACH]
    bare = piece.replace(" ", "").replace("-", "")[:size].upper()
    if len(bare) < size or not (bare.isascii() and bare.isalnum()) or not _valid(bare):
        return None
    end = start + _width(piece, size)
    return None if text[end : end + 1].isascii() and text[end : end + 1].isalnum() else end


def _width(piece: str, size: int) -> int:
    """How far into the piece the ``size``-th character that counts ends."""
    for at, char in enumerate(piece):
        size -= char not in " -"
        if not size:
            return at + 1
    return len(piece)


def _valid(bare: str) -> bool:
    return int("".join([str(int(char, 36)) for char in bare[4:] + bare[:4]])) % 97 == 1


RECOGNIZER = Iban()
