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

LOOKED_UP = 1_000
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
        asked = words.affordable(self.terms, postings, self.budget)
        keys = self._best(*self._scored(asked)) if asked else ()
        return WordHits(keys, self.corpus.passages, self.corpus.mean_length, live)

    def _scored(self, asked: list[tuple[str, ...]]) -> tuple[Int64s, NDArray[np.float64]]:
        """All passages that hold a term, and how rare the terms are that each holds.

        The index's own rank would count other scopes' passages, and takes five times as long.
        """
        lists = self._postings(asked)
        weights = [
            idf(Term(tokens, len(keys)), self.corpus) for tokens, keys in zip(asked, lists, strict=True)
        ]
        keys, places = np.unique(np.concatenate(lists), return_inverse=True)
        repeated = np.repeat(np.array(weights, np.float64), [len(keys) for keys in lists])
        scores = np.bincount(places, repeated, len(keys)).astype(np.float64, copy=False)
        return keys, scores

    def _best(self, keys: Int64s, scores: NDArray[np.float64]) -> tuple[int, ...]:
        """Those that fulfil the conditions, the rarest words and the shortest passages first."""
        order = np.lexsort((-keys, -scores))
        found: list[tuple[float, int]] = []
        for start, end in _stretches(len(order), max(LOOKED_UP, 4 * self.limit)):
            piece = order[start:end]
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
    def _postings(self, asked: list[tuple[str, ...]]) -> list[Int64s]:
        """For each term the passages of the scope that hold one of its tokens, each once."""

    @abstractmethod
    def _fulfilling(self, keys: Mapping[int, float]) -> list[tuple[int, int]]:
        """Those of the passages that meet the conditions, with their lengths."""


def _stretches(total: int, first: int) -> Iterator[tuple[int, int]]:
    """Pieces of a list, each four times as long as the one before."""
    start = 0
    while start < total:
        yield start, start + first
        start, first = start + first, 4 * first
