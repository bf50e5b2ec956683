"""How content becomes the pieces that are indexed."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .graphemes import whole

CHUNK_WORDS = 180
"""Longest passage in words: within the 256 word pieces that a MiniLM-class model reads."""

CHUNK_OVERLAP_WORDS = 30
MAX_CHUNK_CHARS = 1_600  # A text without spaces is cut by characters; 1,600 are some 400 word pieces at most.

_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])|\n+")


def parts(content: str | Mapping[str, Any]) -> list[tuple[str, str]]:
    """The texts of a content with their roles: ``text``, or ``input`` and ``output`` of an interaction.

    Any other mapping is one text: its JSON.
    """
    if isinstance(content, str):
        return [("text", content)]
    if set(content) == {"input", "output"}:
        return [(role, str(content[role])) for role in ("input", "output")]
    return [("text", json.dumps(dict(content), ensure_ascii=False, default=str))]


def chunks(text: str, *, max_words: int = CHUNK_WORDS) -> list[tuple[int, int]]:
    """Where to cut a text: spans (start, end) of at most ``max_words`` words, at sentence ends if they allow.

    Every character that is not white space lies in a span; a long text's spans overlap a little, so
    that what stands at a cut is found too. A text without words gives no span.
    """
    if len(text) <= MAX_CHUNK_CHARS and len(text.split()) <= max_words:
        return [(0, len(text))] if text.strip() else []
    return list(_packed(list(_pieces(text, max_words)), max_words))


def _pieces(text: str, max_words: int) -> Iterator[tuple[int, int, int]]:
    """Sentences as (start, end, words); one that is too long on its own is cut."""
    start = 0
    for end in [*(m.end() for m in _SENTENCE_END.finditer(text)), len(text)]:
        if text[start:end].strip():
            yield from _cut(text, start, end, max_words)
        start = end


def _cut(text: str, start: int, end: int, max_words: int) -> Iterator[tuple[int, int, int]]:
    """One sentence, or the stretches of at most ``max_words // 2`` words that it is made of."""
    words = len(text[start:end].split())
    if words <= max_words and end - start <= MAX_CHUNK_CHARS:
        yield start, end, words
        return
    here, count = start, 0
    for word_start, word_end in _words(text, start, end):
        count += 1
        if count > max_words // 2 or word_end - here > MAX_CHUNK_CHARS // 2:
            stop = max(word_start, here + 1)
            yield here, stop, count - 1
            here, count = stop, 1
    yield here, end, count


def _words(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The words, as (start, end); one that is very long in parts, at the end of a character."""
    most = MAX_CHUNK_CHARS // 2
    for word in re.compile(r"\S+").finditer(text, start, end):
        here = word.start()
        while word.end() - here > most:
            stop = whole(text, here + most)
            stop = stop if stop > here else here + most  # One character that is longer than a chunk.
            yield here, stop
            here = stop
        yield here, word.end()


def _packed(pieces: list[tuple[int, int, int]], max_words: int) -> Iterator[tuple[int, int]]:
    """Neighbouring pieces together, as many as fit; spans overlap a little."""
    first = 0
    while first < len(pieces):
        last, words = first, pieces[first][2]
        while last + 1 < len(pieces) and _fits(pieces, first, last + 1, words, max_words):
            last += 1
            words += pieces[last][2]
        yield pieces[first][0], pieces[last][1]
        first = _overlapping(pieces, first, last)


def _fits(pieces: list[tuple[int, int, int]], first: int, last: int, words: int, max_words: int) -> bool:
    return words + pieces[last][2] <= max_words and pieces[last][1] - pieces[first][0] <= MAX_CHUNK_CHARS


def _overlapping(pieces: list[tuple[int, int, int]], first: int, last: int) -> int:
    """Where the next span begins: one piece back if that is short, so that the spans overlap."""
    if last + 1 < len(pieces) and last > first and pieces[last][2] <= CHUNK_OVERLAP_WORDS:
        return last
    return last + 1
