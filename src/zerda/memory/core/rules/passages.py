"""How content becomes passages: each part cut to size, and read once for all that is to be known of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from ..model import Passage
from .chunking import CHUNK_WORDS, chunks, parts
from .language import detect, is_question
from .text import index_tokens
from .time_expressions import find_times


def passages_of(
    content: str | Mapping[str, Any], *, occurred_at: datetime, max_words: int = CHUNK_WORDS
) -> tuple[Passage, ...]:
    """The pieces of a content that are indexed, in order; none where nothing but white space was said.

    Each has at most ``max_words`` words, and every character that is not white space lies in one.
    ``occurred_at`` is the day from which "yesterday" is counted.
    """
    return tuple(
        passage
        for role, text in parts(content)
        for passage in _pieces(role, text, occurred_at=occurred_at, max_words=max_words)
    )


def _pieces(role: str, text: str, *, occurred_at: datetime, max_words: int) -> Iterator[Passage]:
    overall = detect(text)
    for start, end in chunks(text, max_words=max_words):
        said = text[start:end]
        language = overall if said == text else detect(said) or overall
        tokens, length = index_tokens(said, language, compounds=True)
        times = find_times(said, occurred_at, language)
        yield Passage(role, start, end, tokens, length, language, is_question(said), times)


def text_of(content: str | Mapping[str, Any], passage: Passage) -> str:
    """The words of a passage of this content."""
    return dict(parts(content))[passage.role][passage.start : passage.end]
