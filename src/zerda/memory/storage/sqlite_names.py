"""Names in the tables of a SQLite file, within the transaction of the caller."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from ..core.entities import Naming, Sighting, Tie
from ..core.model import MemoryEntry, Query
from .driver import fetched
from .names import KeepsNames
from .sql import (
    MENTION_COLUMNS,
    TIE_COLUMNS,
    Params,
    Where,
    as_ids,
    entry_from,
    insert,
    mention_params,
    name_as_kept,
    order_of,
    sighting_from,
    tie_from,
    tie_params,
    where,
)
from .sqlite_writes import DIALECT, READ, Writer, reach_of

if TYPE_CHECKING:
    from apsw import Connection

    from ..core.model import Scope
    from .pool import Lease

_COUNTED = (
    "m.key, m.name, m.type, sum(m.count), sum(m.weight), count(*), min(e.occurred_at), max(e.occurred_at)"
)


class SQLiteNames(KeepsNames):
    """The part of a store in a SQLite file that speaks of names."""

    @abstractmethod
    def _writing(self, scope: Scope) -> AbstractContextManager[Writer]: ...

    @abstractmethod
    def _reading(self, scope: Scope | None = None) -> AbstractContextManager[Lease]: ...

    def unnamed(
        self,
        scope: Scope,
        rule: str,
        *,
        limit: int,
        session_id: str | None = None,
        besides: Sequence[str] = (),
    ) -> list[MemoryEntry]:
        with self._reading(scope) as lease:
            db = lease.connection
            live = _where(db, scope, Query(session_id=session_id))
            params = {**live.params, "rule": rule, "besides": as_ids(list(besides)), "limit": limit}
            # Stretches of an index that holds what is not yet read, in its order: nothing is read where
            # nothing lacks, and a batch costs the same however much lacks.
            arms = " UNION ALL ".join(
                f"SELECT seq FROM (SELECT e.seq FROM entries e WHERE {arm} AND e.named {sign} :rule"
                " AND e.named NOT IN (SELECT value FROM json_each(:besides))"
                " ORDER BY e.named, e.seq LIMIT :limit)"
                for arm in live.each_arm()
                for sign in "<>"
            )
            sql = f"{READ} WHERE e.seq IN ({arms}) ORDER BY e.seq LIMIT :limit"
            return [entry_from(row) for row in fetched(db, sql, params)]

    def put_names(self, scope: Scope, rule: str, read: Sequence[tuple[MemoryEntry, Naming]]) -> int:
        with self._writing(scope) as writer:
            db = writer.db
            seqs = _unchanged(db, scope, [entry for entry, _ in read])
            known = [(seqs[entry.id], naming) for entry, naming in read if entry.id in seqs]
            _forget(db, [seq for seq, _ in known])
            db.executemany(
                insert("mentions", MENTION_COLUMNS),
                [{"entry": seq, **mention_params(one)} for seq, naming in known for one in naming.mentions],
            )
            db.executemany(
                insert("ties", TIE_COLUMNS),
                [{"entry": seq, **tie_params(one)} for seq, naming in known for one in naming.ties],
            )
            db.execute(
                "UPDATE entries SET named = :rule WHERE seq IN (SELECT value FROM json_each(:seqs))",
                {"rule": rule, "seqs": as_ids([seq for seq, _ in known])},
            )
            return len(known)

    def sightings(self, scope: Scope, query: Query, *, keys: Sequence[str] | None = None) -> list[Sighting]:
        with self._reading(scope) as lease:
            found = _where(lease.connection, scope, query)
            rows = fetched(
                lease.connection,
                f"SELECT {_COUNTED} FROM {_mentions(keys)} WHERE {found.sql} GROUP BY m.key, m.name, m.type",
                {**found.params, **_asked(keys)},
            )
            return [sighting_from(row) for row in rows]

    def ties(self, scope: Scope, query: Query, *, keys: Sequence[str] | None = None) -> Mapping[Tie, int]:
        chosen = "" if keys is None else f" AND (t.subject IN {_LISTED} OR t.object IN {_LISTED})"
        with self._reading(scope) as lease:
            found = _where(lease.connection, scope, query)
            tables = "entries e CROSS JOIN ties t ON t.entry = e.seq"
            if keys is not None:
                tables = "ties t CROSS JOIN entries e ON e.seq = t.entry"
            rows = fetched(
                lease.connection,
                f"SELECT t.subject, t.relation, t.object, count(*) FROM {tables}"
                f" WHERE {found.sql}{chosen}"
                " GROUP BY t.subject, t.relation, t.object",
                {**found.params, **_asked(keys)},
            )
            return dict(map(tie_from, rows))

    def mentioning(self, scope: Scope, key: str, query: Query) -> list[MemoryEntry]:
        with self._reading(scope) as lease:
            found = _where(lease.connection, scope, query)
            limit = -1 if query.limit is None else max(query.limit, 0)
            rows = fetched(
                lease.connection,
                f"{READ} WHERE {found.sql} AND e.seq IN (SELECT entry FROM mentions WHERE key = :key)"
                f" ORDER BY {order_of(query)} LIMIT :limit",
                {**found.params, "key": name_as_kept(key), "limit": limit},
            )
            return [entry_from(row) for row in rows]


_LISTED = "(SELECT value FROM json_each(:asked))"


def _forget(db: Connection, seqs: Sequence[int]) -> None:
    for table in ("mentions", "ties"):
        db.execute(
            f"DELETE FROM {table} WHERE entry IN (SELECT value FROM json_each(:seqs))", {"seqs": as_ids(seqs)}
        )


def _mentions(keys: Sequence[str] | None) -> str:
    """The mentions with their entries: through the scope, or through the names where few are asked for."""
    if keys is None:
        return "entries e CROSS JOIN mentions m ON m.entry = e.seq"
    return (
        "json_each(:asked) asked CROSS JOIN mentions m ON m.key = asked.value"
        " CROSS JOIN entries e ON e.seq = m.entry"
    )


def _asked(keys: Sequence[str] | None) -> Params:
    return {} if keys is None else {"asked": as_ids([name_as_kept(key) for key in dict.fromkeys(keys)])}


def _where(db: Connection, scope: Scope, query: Query) -> Where:
    return where(reach_of(db, scope), query, DIALECT)


def _unchanged(db: Connection, scope: Scope, entries: Sequence[MemoryEntry]) -> dict[str, int]:
    """The numbers of those entries that are still there as they were read, by id."""
    ids = tuple(entry.id for entry in entries)
    found = _where(db, scope, Query(ids=ids, archived=None))
    sql = f"SELECT e.id, e.seq, e.version, e.content_hash FROM entries e WHERE {found.sql}"
    read = {entry.id: [entry.version, entry.content_hash] for entry in entries}
    return {one: seq for one, seq, *state in fetched(db, sql, found.params) if read[one] == state}
