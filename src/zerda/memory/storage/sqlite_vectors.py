"""Search by vectors in a SQLite file: a copy in memory proposes, the file decides."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ..core.model import VectorHits
from ..errors import InvalidInput, StorageDamaged
from . import packed
from .driver import fetched
from .packed import Int64s, numbers
from .pool import Lease
from .sql import Reach, Where, as_ids
from .vector_index import Floats, VectorIndex

if TYPE_CHECKING:
    from apsw import Connection
    from numpy.typing import NDArray

SPARE = 50
"""Rows scored exactly beyond those asked for: int8 misplaces a neighbour by a few ranks, not by 50."""

WIDER = 4
"""How much further to look where conditions leave too few: asking for all that they allow costs far more."""

LOAD_ROWS = 8_192  # Vectors are read that many to a row: a row for each costs more than its bytes.


@dataclass(frozen=True, slots=True)
class VectorSearch:
    """One search; ``reader`` lends a connection that sees what is committed, and only that."""

    lease: Lease
    reach: Reach
    vector: Floats
    fingerprint: str
    conditions: Where
    archived: bool | None
    limit: int
    reader: Callable[[], AbstractContextManager[Lease]]
    make: Callable[[int], VectorIndex] = VectorIndex

    def run(self) -> VectorHits:
        """The nearest that fulfil the conditions, and how the scope's vectors lie to the query."""
        db = self.lease.connection
        sql = "SELECT code, dimensions FROM fingerprints WHERE name = :name"
        for code, dimensions in fetched(db, sql, {"name": self.fingerprint}):
            if self.vector.shape != (dimensions,):
                raise InvalidInput(
                    f"the vector has the shape {self.vector.shape}; it has {dimensions} numbers"
                )
            index = self._index(code, dimensions)
            mean, sd = index.background(self.vector, replace(self, archived=False)._scopes())
            return VectorHits(self._hits(index, code), mean, sd)
        return VectorHits()

    def _hits(self, index: VectorIndex, code: int) -> tuple[tuple[int, float], ...]:
        """The nearest of all; where the conditions leave too few of them, the nearest of what they allow."""
        tail, scopes = self._uncommitted(index, code), self._scopes()
        for wanted in (self.limit + SPARE, WIDER * (self.limit + SPARE)):
            near = index.nearest(self.vector, scopes, limit=wanted)
            hits = self._exact(code, near, tail)
            if len(hits) >= self.limit or len(near) < wanted:
                return tuple(hits[: self.limit])
        near = index.nearest(self.vector, scopes, limit=self.limit + SPARE, among=self._allowed(code))
        return tuple(self._exact(code, near, tail)[: self.limit])

    def _exact(self, code: int, near: Int64s, tail: Int64s) -> list[tuple[int, float]]:
        """Keys that live and fulfil the conditions, by their true cosine; ties by key."""
        keys = np.union1d(near, tail).tolist()
        rows = fetched(
            self.lease.connection,
            "SELECT v.key, v.vector FROM json_each(:keys) j CROSS JOIN vectors v ON v.key = j.value"
            " CROSS JOIN passages p ON p.key = v.key CROSS JOIN entries e ON e.seq = p.entry"
            f" WHERE v.fingerprint = :code AND {self.conditions.sql}",
            {**self.conditions.params, "keys": as_ids(keys), "code": code},
        )
        if not rows:
            return []
        found = [key for key, _ in rows]
        vectors = packed.vectors(b"".join(blob for _, blob in rows), len(rows)).astype(np.float32)
        # Row by row: the last bits of a matrix product depend on how many rows there are.
        cosines = (vectors * self.vector).sum(axis=1)
        return sorted(zip(found, cosines.tolist(), strict=True), key=lambda hit: (-hit[1], hit[0]))

    def _allowed(self, code: int) -> Int64s:
        """The keys of everything that fulfils the conditions, sorted."""
        arms = " UNION ALL ".join(
            f"SELECT v.key AS key FROM entries e JOIN passages p ON p.entry = e.seq"
            f" JOIN vectors v ON v.key = p.key WHERE v.fingerprint = :code AND {arm}"
            for arm in self.conditions.each_arm()
        )
        sql = f"SELECT group_concat(key) FROM ({arms})"
        return np.sort(numbers(self.lease.connection, sql, {**self.conditions.params, "code": code}))

    def _scopes(self) -> Int64s | None:
        """The scopes that may be seen, archived ones negative; None where that is all that is live."""
        codes = np.array(self.reach.visible, np.int64)
        if self.reach.everyone:
            sql = "SELECT code, tenant_id = (SELECT tenant_id FROM scopes WHERE code = :tenant) FROM scopes"
            rows = fetched(self.lease.connection, sql, {"tenant": self.reach.tenant})
            codes = np.array([code for code, ours in rows if ours], np.int64)
            if self.archived is False and len(codes) == len(rows):
                return None
        shelves = {False: (codes,), True: (-codes,), None: (codes, -codes)}[self.archived]
        return np.concatenate(shelves)

    # ── the copy in memory ───────────────────────────────────────────────────────────────────────

    def _index(self, code: int, dimensions: int) -> VectorIndex:
        """The copy, at least as new as what this search sees of other's work.

        A copy is made of committed rows alone: what a transaction may yet undo never enters it.
        """
        if not self.lease.writing:
            return _refreshed(self.lease, code, partial(self.make, dimensions))
        with self.reader() as reader:
            return _refreshed(reader, code, partial(self.make, dimensions))

    def _uncommitted(self, index: VectorIndex, code: int) -> Int64s:
        """Keys that this thread's own transaction has written."""
        if not self.lease.writing:
            return np.empty(0, np.int64)
        sql = "SELECT group_concat(key) FROM vectors WHERE change > :seen AND fingerprint = :code"
        return numbers(self.lease.connection, sql, {"seen": index.seen, "code": code})


def _refreshed(lease: Lease, code: int, make: Callable[[], VectorIndex]) -> VectorIndex:
    """The file's copy, made or brought up to what the lease's connection sees."""
    copies: _Copies = lease.file.derived.setdefault(("vectors", code), _Copies())
    change, floor = _changes(lease.connection)
    with copies.refreshing:
        index = copies.index
        if index is None or (change > index.seen and (index.worn or index.seen < floor)):
            # Not emptied in place: another thread may be searching it.
            index = make()
        if change > index.seen:
            _catch_up(index, lease.connection, code, change)
        copies.index = index
    return index


@dataclass(slots=True)
class _Copies:
    """The present copy, and whose turn it is to refresh it."""

    refreshing: threading.Lock = field(default_factory=threading.Lock)
    index: VectorIndex | None = None


def _changes(db: Connection) -> tuple[int, int]:
    rows = dict(fetched(db, "SELECT name, value FROM meta WHERE name IN ('change', 'dropped_floor')"))
    return int(rows["change"]), int(rows["dropped_floor"])


def _catch_up(index: VectorIndex, db: Connection, code: int, change: int) -> None:
    gone = "SELECT group_concat(key) FROM dropped WHERE change > :seen"
    hidden = "SELECT group_concat(key) FROM vectors WHERE change > :seen AND fingerprint <> :code"
    params = {"seen": index.seen, "code": code}
    if len(index):
        index.drop(numbers(db, gone, params))
        index.drop(numbers(db, hidden, params))
    for keys, scopes, vectors in _packed(db, code, index.seen, index.dimensions):
        index.add(keys, scopes, vectors)
    index.seen = change


def _packed(
    db: Connection, code: int, seen: int, dimensions: int
) -> Iterator[tuple[Int64s, NDArray[np.int32], NDArray[np.float16]]]:
    """Vectors that changed, thousands to a row of the database."""
    key = "v.key" if seen < 0 else "+v.key"  # A few changes are found by the index of changes.
    some = (
        "(SELECT v.key, v.scope, v.vector FROM vectors v WHERE v.change > :seen"
        f" AND v.fingerprint = :code AND {key} > :last ORDER BY {key} LIMIT :rows)"
    )
    # SQLite joins blobs as bytes; the cast keeps it from looking for characters in them.
    sql = (
        "SELECT count(*), min(key), max(key), min(scope), max(scope),"
        f" CAST(group_concat(vector, '') AS BLOB) FROM {some}"
    )
    params = {"seen": seen, "code": code, "last": -1, "rows": LOAD_ROWS}
    while True:
        ((count, first, last, lowest, highest, blob),) = fetched(db, sql, params)
        if not count:
            return
        vectors = packed.vectors(blob, count)
        if vectors.shape[1] != dimensions:
            raise StorageDamaged("vectors of one model differ in length; restore the file from a backup")
        # Numbers without gaps, and of one scope, need not be read one by one.
        dense, alike = last - first + 1 == count, lowest == highest
        keys = (
            np.arange(first, last + 1)
            if dense
            else numbers(db, f"SELECT group_concat(key) FROM {some}", params)
        )
        scopes = (
            np.full(count, lowest)
            if alike
            else numbers(db, f"SELECT group_concat(scope) FROM {some}", params)
        )
        yield keys, scopes.astype(np.int32), vectors
        params["last"] = last
