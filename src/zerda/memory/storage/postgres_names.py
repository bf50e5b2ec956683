"""Names on PostgreSQL, within the transaction of the caller."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from ..core.entities import Naming, Sighting, Tie
from ..core.model import MemoryEntry, Query
from .names import KeepsNames
from .postgres_sql import READ, as_it_is, entry_from, order_of, reach_of, where
from .sql import Params, mention_params, name_as_kept, sighting_from, tie_from, tie_params

if TYPE_CHECKING:
    from ..core.model import Scope
    from .postgres_driver import Link
    from .postgres_writes import Writer

_MENTIONS = {
    "tenant_id": "text", "entry": "bigint", "key": "text", "name": "text", "type": "text", "count": "bigint",
    "weight": "double precision",
}  # fmt: skip
_TIES = {"tenant_id": "text", "entry": "bigint", "subject": "text", "relation": "text", "object": "text"}

_COUNTED = (
    "n.key, n.name, n.type, sum(n.count), sum(n.weight), count(*), min(e.occurred_at), max(e.occurred_at)"
)
_NAMED = "entries e JOIN {0} n ON n.tenant_id = e.tenant_id AND n.entry = e.seq"


class PostgresNames(KeepsNames):
    """The part of a store on a server that speaks of names."""

    @abstractmethod
    def _writing(self, scope: Scope) -> AbstractContextManager[Writer]: ...

    @abstractmethod
    def _reading(self, scope: Scope) -> AbstractContextManager[Link]: ...

    def unnamed(
        self,
        scope: Scope,
        rule: str,
        *,
        limit: int,
        session_id: str | None = None,
        besides: Sequence[str] = (),
    ) -> list[MemoryEntry]:
        with self._reading(scope) as db:
            live = where(scope, reach_of(db, scope), Query(session_id=session_id))
            # Stretches of an index that holds what is not yet read, in its order: nothing is read where
            # nothing lacks, and a batch costs the same however much lacks.
            arms = " UNION ALL ".join(
                f"(SELECT e.seq FROM entries e WHERE {arm} AND e.named {sign} :rule"
                " AND e.named <> ALL(:besides::text[]) ORDER BY e.named, e.seq LIMIT :limit)"
                for arm in live.each_arm()
                for sign in "<>"
            )
            params = {**live.params, "rule": rule, "besides": list(besides), "limit": limit}
            of_tenant = "e.tenant_id = :tenant_id"
            rows = db.rows(
                f"{READ} WHERE {of_tenant} AND e.seq IN ({arms}) ORDER BY e.seq LIMIT :limit", params
            )
            return [entry_from(row) for row in rows]

    def put_names(self, scope: Scope, rule: str, read: Sequence[tuple[MemoryEntry, Naming]]) -> int:
        with self._writing(scope) as writer:
            db, tenant = writer.db, scope.tenant_id
            seqs = _unchanged(db, scope, [entry for entry, _ in read])
            known = [(seqs[entry.id], naming) for entry, naming in read if entry.id in seqs]
            chosen = {"tenant_id": tenant, "seqs": [seq for seq, _ in known]}
            entries = "tenant_id = :tenant_id AND {} = ANY(:seqs::bigint[])"
            for table in ("mentions", "ties"):
                db.run(f"DELETE FROM {table} WHERE {entries.format('entry')}", chosen)
            places = [({"tenant_id": tenant, "entry": seq}, naming) for seq, naming in known]
            mentions = [{**at, **mention_params(one)} for at, naming in places for one in naming.mentions]
            ties = [{**at, **tie_params(one)} for at, naming in places for one in naming.ties]
            db.insert("mentions", _MENTIONS, mentions)
            db.insert("ties", _TIES, ties)
            named = {**chosen, "rule": rule}
            db.run(f"UPDATE entries SET named = :rule WHERE {entries.format('seq')}", named)
            return len(known)

    def sightings(self, scope: Scope, query: Query, *, keys: Sequence[str] | None = None) -> list[Sighting]:
        chosen = "" if keys is None else " AND n.key = ANY(:asked::text[])"
        with self._reading(scope) as db:
            found = where(scope, reach_of(db, scope), query)
            rows = db.rows(
                f"SELECT {_COUNTED} FROM {_NAMED.format('mentions')}"
                f" WHERE {found.sql}{chosen} GROUP BY n.key, n.name, n.type",
                {**found.params, **_asked(keys)},
            )
            return [sighting_from(row, as_it_is) for row in rows]

    def ties(self, scope: Scope, query: Query, *, keys: Sequence[str] | None = None) -> Mapping[Tie, int]:
        asked = "ANY(:asked::text[])"
        chosen = "" if keys is None else f" AND (n.subject = {asked} OR n.object = {asked})"
        with self._reading(scope) as db:
            found = where(scope, reach_of(db, scope), query)
            rows = db.rows(
                f"SELECT n.subject, n.relation, n.object, count(*) FROM {_NAMED.format('ties')}"
                f" WHERE {found.sql}{chosen} GROUP BY n.subject, n.relation, n.object",
                {**found.params, **_asked(keys)},
            )
            return dict(map(tie_from, rows))

    def mentioning(self, scope: Scope, key: str, query: Query) -> list[MemoryEntry]:
        with self._reading(scope) as db:
            found = where(scope, reach_of(db, scope), query)
            limit = None if query.limit is None else max(query.limit, 0)
            rows = db.rows(
                f"{READ} WHERE {found.sql} AND e.seq IN"
                " (SELECT entry FROM mentions WHERE tenant_id = :tenant_id AND key = :key)"
                f" ORDER BY {order_of(query)} LIMIT :limit",
                {**found.params, "key": name_as_kept(key), "limit": limit},
            )
            return [entry_from(row) for row in rows]


def _asked(keys: Sequence[str] | None) -> Params:
    return {} if keys is None else {"asked": [name_as_kept(key) for key in keys]}


def _unchanged(db: Link, scope: Scope, entries: Sequence[MemoryEntry]) -> dict[str, int]:
    """The numbers of those entries that are still there as they were read, by id."""
    ids = tuple(entry.id for entry in entries)
    found = where(scope, reach_of(db, scope), Query(ids=ids, archived=None))
    sql = f"SELECT e.id, e.seq, e.version, e.content_hash FROM entries e WHERE {found.sql}"
    read = {entry.id: [entry.version, entry.content_hash] for entry in entries}
    return {one: seq for one, seq, *state in db.rows(sql, found.params) if read[one] == state}
