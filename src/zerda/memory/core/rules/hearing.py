"""Which of a question's terms a scope can answer at all: its own words tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .text import is_unspaced, parts_of

Term = tuple[str, ...]


def unheard(terms: Sequence[Term], frequencies: Mapping[str, int]) -> list[Term]:
    """The terms of which no passage of the scope holds a token."""
    return [term for term in terms if not any(frequencies.get(token) for token in term)]


def by_parts(terms: Sequence[Term], frequencies: Mapping[str, int], language: str | None) -> tuple[Term, ...]:
    """The terms, and with each compound that nobody said the tokens of its parts."""
    lacking = set(unheard(terms, frequencies))
    parted = {term: parts_of(term, language) for term in lacking}
    return tuple(tuple(dict.fromkeys((*term, *parted.get(term, ())))) for term in terms)


def telling(terms: Sequence[Term], frequencies: Mapping[str, int]) -> tuple[Term, ...]:
    """The terms without the pairs of characters that only lie between two words.

    In a script without spaces, a pair that nobody said, and that shares a character with the next pair that
    somebody did, is mostly the end of one word and the beginning of another.
    """
    heard = [any(frequencies.get(token) for token in term) for term in terms]
    kept = [term for place, term in enumerate(terms) if heard[place] or not _between(terms, heard, place)]
    return tuple(kept)


def _between(terms: Sequence[Term], heard: Sequence[bool], place: int) -> bool:
    pair = terms[place][0]
    if len(pair) != 2 or not is_unspaced(pair):
        return False
    before = place > 0 and heard[place - 1] and terms[place - 1][0][-1] == pair[0]
    after = place + 1 < len(terms) and heard[place + 1] and terms[place + 1][0][0] == pair[1]
    return before or after
