"""Search by words on every SQL backend: the index gives postings, a first measure of our own orders them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.model import WordHits
from ..core.rules.bm25 import LENGTH_SHARE, SATURATION, Corpus, Term, idf
from . import words
from .sql import Reach, Where

Int64s = NDArray[np.int64]

LOOKED_UP = 256
"""Passages whose length and conditions are read at a time, where four times the limit is not more."""


@dataclass(frozen=True, slots=True)
class WordSearch(ABC):
    """One search for terms, each the tokens that would match it, in what ``corpus`` describes."""

    reach: Reach
    terms: tuple[tuple[str, ...], ...]
    conditions: Where
    archived: bool | None
    corpus: Corpus
    limit: int
    budget: int

    def run(self) -> WordHits:
        """The best keys, and in how many live passages of the scope each token stands."""
        live = self._frequencies(archived=False)
        postings = live if self.archived is False else self._frequencies(archived=self.archived)
        fetched, among = words.affordable(self.terms, postings, self.budget)
        keys = self._best(*self._scored(fetched, among, postings)) if fetched else ()
        return WordHits(keys, self.corpus.passages, self.corpus.mean_length, live)

    def _scored(
        self, fetched: list[tuple[str, ...]], among: list[tuple[str, ...]], postings: Mapping[str, int]
    ) -> tuple[Int64s, NDArray[np.float64]]:
        """All passages that hold a fetched term, by key, and how rare the terms are that each holds.

        The index's own rank would count other scopes' passages, and takes five times as long.
        """
        lists = [*self._postings(fetched), *(self._postings(among, within=fetched) if among else ())]
        rarities = [
            idf(Term(tokens, max(postings[token] for token in tokens)), self.corpus)
            for tokens in (*fetched, *among)
        ]
        return _summed(lists, rarities)

    def _best(self, keys: Int64s, scores: NDArray[np.float64]) -> tuple[int, ...]:
        """Those that fulfil the conditions, the rarest words and the shortest passages first."""
        found: list[tuple[float, int]] = []
        for piece in _pieces(scores, max(LOOKED_UP, 4 * self.limit)):
            score = dict(zip(keys[piece].tolist(), scores[piece].tolist(), strict=True))
            found += [(score[key] * self._brevity(length), key) for key, length in self._fulfilling(score)]
            if len(found) >= self.limit:
                break
        found.sort(key=lambda hit: (-hit[0], hit[1]))
        return tuple(key for _, key in found[: self.limit])

    def _brevity(self, length: int) -> float:
        """BM25's factor for a word said once; repeats are left to the ranking that follows."""
        relative = length / self.corpus.mean_length if self.corpus.mean_length else 1.0
        return (SATURATION + 1) / (1 + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * relative))

    @abstractmethod
    def _frequencies(self, *, archived: bool | None) -> Mapping[str, int]:
        """In how many passages of the scope each token stands."""

    @abstractmethod
    def _postings(
        self, asked: list[tuple[str, ...]], *, within: list[tuple[str, ...]] | None = None
    ) -> list[Int64s]:
        """For each term the passages of the scope that hold one of its tokens, each once, by key.

        ``within`` narrows to passages that also hold one of these terms.
        """

    @abstractmethod
    def _fulfilling(self, keys: Mapping[int, float]) -> list[tuple[int, int]]:
        """Those of the passages that meet the conditions, with their lengths."""


def _summed(lists: list[Int64s], values: list[float]) -> tuple[Int64s, NDArray[np.float64]]:
    """The keys of sorted lists, each once and sorted, and the sum of the values of the lists that hold it."""
    keys = np.concatenate(lists)
    repeated = np.repeat(np.array(values, np.float64), [len(one) for one in lists])
    if len(lists) == 1 or not len(keys):
        return keys, repeated
    order = np.argsort(keys, kind="stable")  # Merges what is sorted already.
    keys = keys[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return keys[first], np.add.reduceat(repeated[order], first)


def _pieces(scores: NDArray[np.float64], first: int) -> Iterator[NDArray[np.intp]]:
    """Rows by falling score, the last of equals first, in pieces, each four times as long as the one before.

    The first piece is mostly the only one that is asked for; it is found without sorting the rest.
    """
    if len(scores) > 4 * first:
        least = np.partition(scores, len(scores) - first)[len(scores) - first]
        tied = np.flatnonzero(scores == least)[::-1]
        above = np.flatnonzero(scores > least)
        yield _falling(scores, np.concatenate([above, tied[: first - len(above)]]))
        start, size = first, 4 * first
    else:
        start, size = 0, first
    order = _falling(scores, np.arange(len(scores)))
    while start < len(order):
        yield order[start : start + size]
        start, size = start + size, 4 * size


def _falling(scores: NDArray[np.float64], rows: NDArray[np.intp]) -> NDArray[np.intp]:
    order: NDArray[np.intp] = rows[np.lexsort((-rows, -scores[rows]))]
    return order
