"""A copy in memory of a file's vectors, fit for a scan: filter, sign bits, int8.

Proposes the rows whose vectors are probably nearest; the store scores those exactly from the truth in
the file, so a row that is out of date here can cost work but can never answer. A vector of 384
dimensions takes 448 bytes: 48 of sign bits, 384 of int8, a scale, a key, a scope.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

BLOCK = 16_384
"""Rows scanned at once: their distances stay in the processor's cache."""

CACHED_FLOATS = 196_608
"""Rows are made floats of so many numbers at a time."""

MIN_CANDIDATES = 500
CANDIDATES_PER_ROOT = 7
"""Candidates that the sign bits leave: 7 times the root of the rows, at least 500.

Measured on sentence vectors of 384 dimensions: at 20,000 rows 471 hold .99 of the true ten nearest, and
the need grows with less than the root. Twice that is taken. Fewer dimensions tell less by their signs: the
numbers are for 384 and grow with the square of what is lacking. On 100,000 sentence vectors of 128
dimensions, 7, 21, 35 and 63 times the root hold .949, .980, .988 and .996.
"""

BACKGROUND_ROWS = 1_024  # A sample of this size tells a mean within .03 of a standard deviation.

GONE = 0  # No scope has this number.

Int64s = NDArray[np.int64]
Floats = NDArray[np.float32]


class _Block(NamedTuple):
    """Rows side by side; ``signs`` has a row for each 64 dimensions.

    A scope below 0 is archived; a row whose scope is `GONE` is no more.
    """

    keys: Int64s
    scopes: NDArray[np.int32]
    signs: NDArray[np.uint64]
    codes: NDArray[np.int8]
    scales: Floats

    @classmethod
    def empty(cls, capacity: int, dimensions: int) -> _Block:
        return cls(
            np.empty(capacity, np.int64),
            np.empty(capacity, np.int32),
            np.empty((-(-dimensions // 64), capacity), np.uint64),
            np.empty((capacity, dimensions), np.int8),
            np.empty(capacity, np.float32),
        )

    def copied_to(self, capacity: int, rows: int) -> _Block:
        larger = _Block.empty(capacity, self.codes.shape[1])
        larger.signs[:, :rows] = self.signs[:, :rows]
        for old, new in ((self.keys, larger.keys), (self.scopes, larger.scopes),
                         (self.codes, larger.codes), (self.scales, larger.scales)):  # fmt: skip
            new[:rows] = old[:rows]
        return larger


class _Part(NamedTuple):
    """The rows of a block that a search may look at; None is all of the first ``size``."""

    block: _Block
    size: int
    rows: NDArray[np.intp] | None

    def of(self, column: NDArray[Any]) -> NDArray[Any]:
        return column[..., : self.size] if self.rows is None else column[..., self.rows]


class VectorIndex:
    """Vectors of one fingerprint. Many threads may search while one adds or drops."""

    def __init__(self, dimensions: int) -> None:
        self.dimensions = dimensions
        self.seen = -1
        self._lock = threading.Lock()
        self._blocks: list[tuple[_Block, int]] = []
        self._newest = 0
        self._dropped = 0

    def __len__(self) -> int:
        return sum(count for _, count in self._blocks)

    @property
    def nbytes(self) -> int:
        """Memory held."""
        return sum(column.nbytes for block, _ in self._blocks for column in block)

    @property
    def worn(self) -> bool:
        """Whether so many rows are gone that loading anew is worth it."""
        return self._dropped > max(1_024, len(self) // 4)

    # ── changing ─────────────────────────────────────────────────────────────────────────────────

    def add(self, keys: Int64s, scopes: NDArray[np.int32], vectors: NDArray[np.float16]) -> None:
        """Add rows; a key that is there already is replaced."""
        with self._lock:
            self._hide(keys[keys <= self._newest])
            self._newest = max(self._newest, int(keys.max(initial=0)))
            self._append(keys, scopes, vectors)

    def drop(self, keys: Int64s) -> None:
        """Take rows out, and wipe what can be read from them."""
        with self._lock:
            for place, block, rows in self._hide(keys[keys <= self._newest]):
                self._wipe(place, block, rows)

    def _wipe(self, place: int, block: _Block, rows: NDArray[np.intp]) -> None:
        block.codes[rows] = 0
        block.signs[:, rows] = 0

    def _hide(self, keys: Int64s) -> list[tuple[int, _Block, NDArray[np.intp]]]:
        """Mark rows as gone in a copy of the column: searches under way go on with what they began."""
        hidden = []
        for place, (block, count) in enumerate(self._blocks if len(keys) else ()):
            rows = np.flatnonzero(np.isin(block.keys[:count], keys) & (block.scopes[:count] != GONE))
            if len(rows):
                block = block._replace(scopes=block.scopes.copy())
                block.scopes[rows] = GONE
                self._blocks[place] = (block, count)
                self._dropped += len(rows)
                hidden.append((place, block, rows))
        return hidden

    def _append(self, keys: Int64s, scopes: NDArray[np.int32], vectors: NDArray[np.float16]) -> None:
        while len(keys):
            block, count = self._room(len(keys))
            taken = min(len(keys), len(block.keys) - count)
            rows = slice(count, count + taken)
            block.keys[rows], block.scopes[rows] = keys[:taken], scopes[:taken]
            block.signs[:, rows] = signs_of(vectors[:taken])
            _quantise(vectors[:taken], block.codes[rows], block.scales[rows])
            self._blocks[-1] = (block, count + taken)
            keys, scopes, vectors = keys[taken:], scopes[taken:], vectors[taken:]

    def _room(self, wanted: int) -> tuple[_Block, int]:
        """The last block with room in it: small ones grow, full ones get a successor."""
        if not self._blocks or self._blocks[-1][1] == BLOCK:
            self._blocks.append((_Block.empty(min(BLOCK, max(64, wanted)), self.dimensions), 0))
        block, count = self._blocks[-1]
        if count == len(block.keys):
            block = block.copied_to(min(BLOCK, max(2 * count, count + wanted)), count)
            self._blocks[-1] = (block, count)
        return block, count

    # ── searching ────────────────────────────────────────────────────────────────────────────────

    def nearest(
        self, vector: Floats, scopes: Int64s | None, *, limit: int, among: Int64s | None = None
    ) -> Int64s:
        """About ``limit`` keys that are probably nearest, nearest first; all where there are no more.

        ``scopes`` are those that may be seen (None: all that are live); ``among``, sorted, narrows to
        these keys.
        """
        parts = list(self._parts(scopes, among))
        total = sum(part.size if part.rows is None else len(part.rows) for part in parts)
        lacking = max(1.0, 384 / self.dimensions) ** 2
        wanted = max(int(lacking * max(MIN_CANDIDATES, CANDIDATES_PER_ROOT * math.sqrt(total))), limit)
        if total > 4 * wanted:  # Below that, int8 alone is less work than bits and int8.
            parts = _by_signs(parts, signs_of(vector.astype(np.float16)[None])[:, 0], wanted)
        return _by_codes(parts, vector, limit)

    def background(self, vector: Floats, scopes: Int64s | None) -> tuple[float, float]:
        """Mean and standard deviation of the cosines with rows spread evenly over the scope."""
        parts = list(self._parts(scopes, None))
        total = sum(part.size if part.rows is None else len(part.rows) for part in parts)
        if not total:
            return 0.0, 0.0
        places = np.arange(total) if total <= BACKGROUND_ROWS else _spread(total, BACKGROUND_ROWS)
        cosines = np.concatenate([_scores(part, vector) for part in _at(parts, places)])
        return float(cosines.mean(dtype=np.float64)), float(cosines.std(dtype=np.float64))

    def _parts(self, scopes: Int64s | None, among: Int64s | None) -> Iterator[_Part]:
        if scopes is not None:
            scopes = scopes[scopes != GONE]  # Nobody's scope, so nobody may ask for it.
        with self._lock:
            blocks = list(self._blocks)
        for block, count in blocks:
            rows = np.flatnonzero(_allowed(block, count, scopes, among))
            if len(rows):
                yield _Part(block, count, None if len(rows) == count else rows)


def _allowed(block: _Block, count: int, scopes: Int64s | None, among: Int64s | None) -> NDArray[np.bool_]:
    present = block.scopes[:count]
    if scopes is None:
        allowed = present > 0
    elif 0 < len(scopes) <= 4:
        allowed = np.logical_or.reduce([present == scope for scope in scopes])
    else:
        allowed = np.isin(present, scopes)
    if among is not None:
        allowed &= _contained(block.keys[:count], among)
    return allowed


def _contained(keys: Int64s, among: Int64s) -> NDArray[np.bool_]:
    if not len(among):
        return np.zeros(len(keys), np.bool_)
    places = np.minimum(np.searchsorted(among, keys), len(among) - 1)
    found: NDArray[np.bool_] = among[places] == keys
    return found


def _by_signs(parts: list[_Part], query: NDArray[np.uint64], wanted: int) -> list[_Part]:
    """The ``wanted`` rows whose sign bits differ least from the query's; at a tie, those that come first."""
    distances = [_hamming(part, query) for part in parts]
    counts = sum(np.bincount(one, minlength=64 * len(query) + 1) for one in distances)
    last = int(np.searchsorted(np.cumsum(counts), wanted))
    spare = wanted - int(counts[:last].sum()) if isinstance(counts, np.ndarray) else 0
    chosen = []
    for part, one in zip(parts, distances, strict=True):
        tied = np.flatnonzero(one == last)[:spare]
        spare -= len(tied)
        rows = np.sort(np.concatenate([np.flatnonzero(one < last), tied]))
        chosen.append(_Part(part.block, part.size, rows if part.rows is None else part.rows[rows]))
    return chosen


def _hamming(part: _Part, query: NDArray[np.uint64]) -> NDArray[np.uint16]:
    signs = part.of(part.block.signs)
    distances = np.zeros(signs.shape[1], np.uint16)
    for column, bits in zip(signs, query, strict=True):
        distances += np.bitwise_count(column ^ bits)
    return distances


def _by_codes(parts: list[_Part], vector: Floats, limit: int) -> Int64s:
    """The ``limit`` keys with the highest cosine by int8, ties by key."""
    if not parts:
        return np.empty(0, np.int64)
    keys = np.concatenate([part.of(part.block.keys) for part in parts])
    scores = np.concatenate([_scores(part, vector) for part in parts])
    if len(keys) > 4 * limit:
        floor = np.partition(scores, len(scores) - limit)[len(scores) - limit]
        best = np.flatnonzero(scores >= floor)
        keys, scores = keys[best], scores[best]
    order: Int64s = keys[np.lexsort((keys, -scores))][:limit]
    return order


def _scores(part: _Part, vector: Floats) -> Floats:
    """Cosines by int8, some rows at a time so that they stay in cache as floats."""
    codes, scales = part.block.codes, part.of(part.block.scales)
    scores = np.empty(len(scales), np.float32)
    step = max(1, CACHED_FLOATS // len(vector))
    for start in range(0, len(scores), step):
        end = min(start + step, len(scores))
        piece = codes[start:end] if part.rows is None else codes[part.rows[start:end]]
        np.matmul(piece.astype(np.float32), vector, out=scores[start:end])
    scores *= scales
    return scores


def _spread(total: int, sample: int) -> NDArray[np.int64]:
    return np.arange(sample, dtype=np.int64) * total // sample


def _at(parts: list[_Part], places: NDArray[np.int64]) -> Iterator[_Part]:
    """The rows at these places of all rows of the parts."""
    before = 0
    for part in parts:
        size = part.size if part.rows is None else len(part.rows)
        here = places[(places >= before) & (places < before + size)] - before
        if len(here):
            yield _Part(part.block, part.size, here if part.rows is None else part.rows[here])
        before += size


def signs_of(vectors: NDArray[np.float16]) -> NDArray[np.uint64]:
    """A bit for each dimension that is above zero, 64 to a number, a column for each vector."""
    rows, dimensions = vectors.shape
    positive = np.zeros((rows, -(-dimensions // 64) * 64), np.bool_)
    # Floats sort like integers of their bits, and integers compare faster.
    np.greater(vectors.view(np.int16), 0, out=positive[:, :dimensions])
    return np.packbits(positive, axis=1).view(np.uint64).T


def _quantise(vectors: NDArray[np.float16], codes: NDArray[np.int8], scales: Floats) -> None:
    """int8 with a scale for each row, in place. numpy's own float16 is 5 times slower than this.

    A float16's bits, moved to a float32's places, are its value divided by 2 to the 112th.
    """
    bits = vectors.view(np.int16)
    for start in range(0, len(bits), 512):
        piece = bits[start : start + 512]
        top = (piece & 0x7FFF).max(axis=1, initial=0).astype(np.int16).view(np.float16).astype(np.float32)
        wide = piece.astype(np.int32)
        wide <<= 13
        wide &= np.int32(-0x7000_2000)  # Sign, exponent and mantissa; not the copies of the sign.
        floats = wide.view(np.float32)
        floats *= np.float32(2.0**112)
        floats *= (127 / np.where(top > 0, top, 1))[:, None]
        np.rint(floats, out=floats)
        codes[start : start + 512] = floats
        scales[start : start + 512] = top / 127
