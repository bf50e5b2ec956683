"""How well a passage's words answer a question's: BM25, one rule for every backend."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Utterances are short, and saying a word twice adds little: on conversations, lower values than the
# usual 1.2 and 0.75 find 1.4 points more in the first ten.
SATURATION = 0.5  # k1: how soon a repeated word stops adding.
LENGTH_SHARE = 0.5  # b: how much of a passage's length is held against it.

FEWEST = 50
"""What a scope counts for at least: in a memory of three, a word that one holds is not common."""


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a question: the index tokens that stand for it, and how many passages hold it.

    The tokens are alternatives (the folded word, its stems), so a passage that holds two of them
    has still said the word once.
    """

    tokens: tuple[str, ...]
    df: int


@dataclass(frozen=True, slots=True)
class Corpus:
    """The passages of the caller's scope, and nobody else's: how many, and their mean length in tokens."""

    passages: int
    mean_length: float


def idf(term: Term, corpus: Corpus) -> float:
    """How rare a word is in the scope; never negative, so a common word cannot count against a passage."""
    passages = max(corpus.passages, term.df, FEWEST)
    return log(1 + (passages - term.df + 0.5) / (term.df + 0.5))


def by_term(
    terms: Iterable[Term], corpus: Corpus, counts: Mapping[str, int], length: int
) -> tuple[float, ...]:
    """What each term adds to the BM25 of a passage with these token counts and this length in tokens."""
    wanted = list(terms)
    said = [_said(term, counts) for term in wanted]
    return added(values(wanted, corpus), said, length, corpus)


def values(terms: Iterable[Term], corpus: Corpus) -> tuple[float, ...]:
    """What each term would add at the most: its rarity, said without end."""
    return tuple(idf(term, corpus) * (SATURATION + 1) for term in terms)


def counted(texts: Sequence[str], terms: Sequence[Term]) -> NDArray[np.int64]:
    """How often texts say terms: a row for each text (its tokens, joined by spaces), a column for each term.

    The texts are searched as one, since to cut hundreds of them into tokens costs more than all else.
    """
    said = np.zeros((len(texts), len(terms)), np.int64)
    joined = "\n".join([f" {text} " for text in texts])
    ends = np.cumsum([len(text) + 3 for text in texts])
    for column, term in enumerate(terms):
        for token in term.tokens:
            rows = np.searchsorted(ends, list(_places(joined, token)), side="right")
            np.maximum(
                said[:, column], np.bincount(rows.astype(np.intp), minlength=len(texts)), out=said[:, column]
            )
    return said


def _places(joined: str, token: str) -> Iterator[int]:
    """Where a token stands in texts of tokens with a space on each side."""
    wanted = f" {token} "
    at = joined.find(wanted)
    while at >= 0:
        yield at
        at = joined.find(wanted, at + len(wanted) - 1)  # The space behind it may be the next one's.


def matrix(
    terms: Sequence[Term], corpus: Corpus, said: NDArray[np.int64], lengths: NDArray[Any]
) -> NDArray[np.float64]:
    """What each term adds to the BM25 of each passage: `by_term` for many at once; see `counted`."""
    relative = lengths / corpus.mean_length if corpus.mean_length > 0 else np.ones(len(lengths))
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative)
    added: NDArray[np.float64] = np.array(values(terms, corpus)) * said / (said + damping[:, None])
    return added


def added(values: Sequence[float], said: Sequence[int], length: int, corpus: Corpus) -> tuple[float, ...]:
    """What each term adds in a passage of this length that says them so often; see `values`."""
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * _relative(length, corpus))
    return tuple([value * n / (n + damping) if n else 0.0 for value, n in zip(values, said, strict=True)])


def bm25(terms: Iterable[Term], corpus: Corpus, counts: Mapping[str, int], length: int) -> float:
    """The raw BM25 of a passage with these token counts and this length in tokens."""
    return sum(by_term(terms, corpus, counts, length))


def attainable(terms: Iterable[Term], corpus: Corpus) -> float:
    """What no passage can exceed for these terms: the raw score's own yardstick, whatever the scope holds."""
    return sum(values(terms, corpus))


def _said(term: Term, counts: Mapping[str, int]) -> int:
    return max((counts.get(token, 0) for token in term.tokens), default=0)


def _relative(length: int, corpus: Corpus) -> float:
    return length / corpus.mean_length if corpus.mean_length > 0 else 1.0
