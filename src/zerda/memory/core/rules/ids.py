"""What an id may be, and how we make our own."""

import unicodedata

from ...errors import InvalidInput

MAX_ID_BYTES = 256
_REFUSED = {"Cc": "a control character", "Cf": "an invisible character", "Cs": "a lone surrogate",
            "Zl": "a line separator", "Zp": "a paragraph separator"}  # fmt: skip


def valid_id(value: object, what: str) -> str:
    """Return the id as it is, or raise `InvalidInput`: 1 to 256 bytes of UTF-8 that a person can see.

    Ids are compared byte for byte: neither normalised nor folded, so look-alikes stay apart.
    """
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is {value!r}; it is text")
    fault = _fault(value)
    if fault:
        raise InvalidInput(f"{what} {value[:60]!r} {fault}")
    return value


def _fault(value: str) -> str | None:
    if not value:
        return "is empty; one character is enough"
    for char in "" if value.isascii() and value.isprintable() else value:
        if kind := _REFUSED.get(unicodedata.category(char)):
            return f"holds {kind} (U+{ord(char):04X}); use visible characters"
    if value != value.strip():
        return "begins or ends with white space; strip it"
    if (size := len(value.encode())) > MAX_ID_BYTES:
        return f"has {size} bytes; {MAX_ID_BYTES} is the most"
    return None


def uuid7(milliseconds: int, randomness: int) -> str:
    """A UUID of version 7 (RFC 9562, 5.7): ids made later sort later. ``randomness`` has 74 bits."""
    value = (milliseconds & (1 << 48) - 1) << 80 | 0x7 << 76 | (randomness >> 62 & 0xFFF) << 64
    value |= 0b10 << 62 | randomness & (1 << 62) - 1
    text = f"{value:032x}"
    return "-".join((text[:8], text[8:12], text[12:16], text[16:20], text[20:]))
