"""The mark of a text that we made ourselves, by which it is known when it comes back.

``[zerda:MAC:BEFORE:AFTER]`` tells how many characters before and behind it are ours; the MAC is of these
characters, with a secret of the memory. White space, ``>`` and ``|`` do not count: so it still fits after a
client has wrapped lines anew, quoted them, changed their ends. What was changed otherwise is no longer ours.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate

MARK = re.compile(r"\[zerda:([0-9a-f]{24}):(\d{1,7}):(\d{1,7})\]")
START = "[zerda:"

MOST_MARKS = 100
"""Marks of one text that are tried: each costs a hash of as much as it claims."""

_RUNS = re.compile(r"[^\s>|]+")
_MAC_DIGITS = 24  # 96 bits: nobody guesses it, and a model reads it in some twenty tokens.


def mark_of(key: bytes, before: str, after: str) -> str:
    """The mark that stands between these texts."""
    first, last = _Characters.of(before).text, _Characters.of(after).text
    return f"[zerda:{_mac(key, first, last)}:{len(first)}:{len(last)}]"


def without_own(key: bytes, text: str) -> tuple[str, int]:
    """The text without what marks prove to be ours, and how many times that was."""
    if START not in text:
        return text, 0
    characters = _Characters.of(text)
    left: list[str] = []
    end = cuts = 0
    for mark in list(MARK.finditer(text))[:MOST_MARKS]:
        span = _span(key, characters, mark)
        if span is not None and span[0] >= end:
            left.append(text[end : span[0]])
            end, cuts = span[1], cuts + 1
    if not cuts:
        return text, 0
    return "\n".join(part for one in (*left, text[end:]) if (part := _edges(one))), cuts


def _span(key: bytes, characters: _Characters, mark: re.Match[str]) -> tuple[int, int] | None:
    """Where the text that a mark speaks of begins and ends, if the mark is true."""
    before, after = int(mark[2]), int(mark[3])
    at, behind = characters.before(mark.start()), characters.before(mark.end())
    if before > at or behind + after > len(characters.text):
        return None
    first, last = characters.text[at - before : at], characters.text[behind : behind + after]
    if not hmac.compare_digest(_mac(key, first, last), mark[1]):
        return None
    start = characters.place(at - before) if before else mark.start()
    return start, characters.place(behind + after - 1) + 1 if after else mark.end()


def _mac(key: bytes, first: str, last: str) -> str:
    said = f"{len(first)}:{first}{last}".encode("utf-8", "surrogatepass")
    return hmac.new(key, said, hashlib.sha256).hexdigest()[:_MAC_DIGITS]


def _edges(text: str) -> str:
    """Without the white space and the quotation marks that were left of our lines."""
    kept = text.split("\n")
    while kept and not kept[0].strip(" \t\r>|"):
        kept.pop(0)
    while kept and not kept[-1].strip(" \t\r>|"):
        kept.pop()
    return "\n".join(kept).strip()


@dataclass(frozen=True, slots=True)
class _Characters:
    """The characters of a text that count, and where they stand in it."""

    text: str
    starts: tuple[int, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> _Characters:
        runs = list(_RUNS.finditer(text))
        counts = accumulate((run.end() - run.start() for run in runs), initial=0)
        return cls("".join(run.group() for run in runs), tuple(run.start() for run in runs), tuple(counts))

    def before(self, place: int) -> int:
        """How many of them stand before a place."""
        run = bisect_right(self.starts, place) - 1
        if run < 0:
            return 0
        return min(self.counts[run] + place - self.starts[run], self.counts[run + 1])

    def place(self, number: int) -> int:
        """Where one of them stands."""
        run = bisect_right(self.counts, number) - 1
        return self.starts[run] + number - self.counts[run]
