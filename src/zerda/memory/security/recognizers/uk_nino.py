"""British national insurance numbers: two letters, six digits, one letter; no check digit."""

import re

from .base import LIKELY, Pattern
from .view import words

_PREFIX = r"(?!BG|GB|NK|KN|TN|NT|ZZ)(?:QQ|[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z])"  # QQ: the sample


def _upper(match: re.Match[str]) -> bool:
    return match[0].isupper()


RECOGNIZER = Pattern(
    "UK_NINO",
    re.compile(rf"(?i:{_PREFIX})(?<![0-9A-Za-z]..)(?:[ -]?[0-9]{{2}}){{3}}[ -]?[A-Da-d](?![0-9A-Za-z])"),
    rank=LIKELY,
    digits=6,
    context=words(any="nino, ni number, ni no", en="national insurance*, insurance number"),
    evident=_upper,
)
