"""Private keys in PEM armour, whole or cut off."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from .base import CERTAIN, Group, Hit
from .view import View

_BEGIN = re.compile(r"-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_END = re.compile(r"-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}")
_BODY = re.compile(r"(?:\\[rn]|[0-9A-Za-z+/=\s:,])*")  # What a key is made of, if its end is missing.


@dataclass(frozen=True, slots=True)
class PrivateKey:
    kind: str = "PRIVATE_KEY"
    group: Group = "secret"

    def find(self, view: View) -> Iterator[Hit]:
        text, done = view.text, 0
        if "PRIVATE KEY" not in text:
            return
        ends = [match.end() for match in _END.finditer(text)]
        for begin in _BEGIN.finditer(text):
            if begin.start() < done:
                continue
            at = bisect_right(ends, begin.end())
            done = ends[at] if at < len(ends) else _cut_off(text, begin.end())
            yield Hit(begin.start(), done, CERTAIN + 9, self.kind)


def _cut_off(text: str, start: int) -> int:
    """Where a key without an end ends: with the last long line of base64."""
    last = start
    for line in re.finditer(r"[0-9A-Za-z+/=]{16,}", _run(text, start)):
        last = start + line.end()
    return last


def _run(text: str, start: int) -> str:
    body = _BODY.match(text, start)
    return body[0] if body else ""


RECOGNIZER = PrivateKey()
