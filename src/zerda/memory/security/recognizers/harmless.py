"""What looks like a value and is none: UUIDs, digests, book numbers, times. It wins its place and stays."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from .base import CERTAIN, LIKELY, PROVEN, Group, Hit
from .view import View

_UUID = re.compile(
    r"[0-9A-Fa-f](?<![0-9A-Za-z].)[0-9A-Fa-f]{7}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}"
)
# A digest has letters and digits; 24 characters is the shortest in use (object ids of databases).
_DIGEST = re.compile(r"[0-9A-Fa-f](?<![0-9A-Za-z].)(?=[0-9]{0,40}[A-Fa-f])[0-9A-Fa-f]{23,127}(?![0-9A-Za-z])")
_BOOK = re.compile(r"(?i:is[bs]n(?:-?1[03])?)(?: ?[:#=] ?| | no\.? ?)?([0-9](?:[ -]?[0-9Xx]){7,16})")
_MOMENT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?"  # noqa: E501
)


@dataclass(frozen=True, slots=True)
class Harmless:
    kind: str = ""
    group: Group = "personal"

    def find(self, view: View) -> Iterator[Hit]:
        if view.digits < 4:
            return
        text = view.text
        if text.count("-") >= 4:
            yield from (Hit(*match.span(), CERTAIN - 1, "") for match in _UUID.finditer(text))
        if ":" in text and "-" in text:
            yield from (Hit(*match.span(), LIKELY, "") for match in _MOMENT.finditer(text))
        if "isbn" in view.lower or "issn" in view.lower:
            yield from (Hit(*match.span(1), PROVEN + 9.5, "") for match in _BOOK.finditer(text))
        yield from (Hit(*match.span(), PROVEN + 9.5, "") for match in _DIGEST.finditer(text))


RECOGNIZER = Harmless()
