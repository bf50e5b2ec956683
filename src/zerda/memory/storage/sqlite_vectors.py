"""Search by vectors in a SQLite file: a copy in memory proposes, the file decides."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ..core.model import VectorHits
from ..errors import InvalidInput, StorageDamaged
from .driver import fetched
from .pool import Lease
from .sql import Params, Reach, Where, as_ids
from .vector_index import Floats, Int64s, VectorIndex

if TYPE_CHECKING:
    from apsw import Connection
    from numpy.typing import NDArray

MIN_EXACT = 50
"""Fewest rows that are scored exactly: of these, int8 has the ten nearest in their order (.998 and more)."""

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
        tail = self._uncommitted(index, code)
        wanted = max(MIN_EXACT, 2 * self.limit)
        near = index.nearest(self.vector, self._scopes(), limit=wanted)
        hits = self._exact(code, near, tail)
        if len(hits) < self.limit and len(near) >= wanted:
            allowed = self._allowed(code)
            hits = self._exact(
                code, index.nearest(self.vector, self._scopes(), limit=wanted, among=allowed), tail
            )
        return tuple(hits[: self.limit])

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
        vectors = unpacked(b"".join(blob for _, blob in rows), len(rows)).astype(np.float32)
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
        return np.sort(_numbers(self.lease.connection, sql, {**self.conditions.params, "code": code}))

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
            return _refreshed(self.lease, code, dimensions)
        with self.reader() as reader:
            return _refreshed(reader, code, dimensions)

    def _uncommitted(self, index: VectorIndex, code: int) -> Int64s:
        """Keys that this thread's own transaction has written."""
        if not self.lease.writing:
            return np.empty(0, np.int64)
        sql = "SELECT group_concat(key) FROM vectors WHERE change > :seen AND fingerprint = :code"
        return _numbers(self.lease.connection, sql, {"seen": index.seen, "code": code})


def _refreshed(lease: Lease, code: int, dimensions: int) -> VectorIndex:
    """The file's copy, made or brought up to what the lease's connection sees."""
    copies: _Copies = lease.file.derived.setdefault(("vectors", code), _Copies())
    change, floor = _changes(lease.connection)
    with copies.refreshing:
        index = copies.index
        if index is None or (change > index.seen and (index.worn or index.seen < floor)):
            # Not emptied in place: another thread may be searching it.
            index = VectorIndex(dimensions)
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
        index.drop(_numbers(db, gone, params))
        index.drop(_numbers(db, hidden, params))
    for keys, scopes, vectors in _packed(db, code, index.seen, index.dimensions):
        index.add(keys, scopes, vectors)
    index.seen = change


def _packed(
    db: Connection, code: int, seen: int, dimensions: int
) -> Iterator[tuple[Int64s, NDArray[np.int32], NDArray[np.float16]]]:
    """Vectors that changed, thousands to a row of the database."""
    # SQLite joins blobs as bytes; the cast keeps it from looking for characters in them.
    newer = "v.change > :seen AND" if seen >= 0 else ""
    sql = (
        "SELECT group_concat(key), group_concat(scope), CAST(group_concat(vector, '') AS BLOB), max(key)"
        " FROM (SELECT v.key, v.scope, v.vector FROM vectors v"
        f" WHERE {newer} v.key > :last AND v.fingerprint = :code ORDER BY v.key LIMIT :rows)"
    )
    params = {"seen": seen, "code": code, "last": -1, "rows": LOAD_ROWS}
    while True:
        ((keys, scopes, blob, last),) = fetched(db, sql, params)
        if keys is None:
            return
        numbers = _parsed(keys)
        vectors = unpacked(blob, len(numbers))
        if vectors.shape[1] != dimensions:
            raise StorageDamaged("vectors of one model differ in length; restore the file from a backup")
        yield numbers, _parsed(scopes).astype(np.int32), vectors
        params["last"] = last


def unpacked(blob: bytes, count: int) -> NDArray[np.float16]:
    """``count`` vectors that lie one after the other."""
    if len(blob) % (2 * count):
        raise StorageDamaged("a vector is cut short; restore the file from a backup")
    return np.frombuffer(blob, "<f2").reshape(count, -1)


def _numbers(db: Connection, sql: str, params: Params) -> Int64s:
    """The numbers that a statement joins to one text."""
    ((text,),) = fetched(db, sql, params)
    return _parsed(text or "")


def _parsed(text: str) -> Int64s:
    return np.fromstring(text, np.int64, sep=",") if text else np.empty(0, np.int64)
