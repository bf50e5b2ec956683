"""What was erased, as keyed digests, and the erasure itself, within the transaction of the caller."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from ..core.model import MemoryEntry, Query
from ..core.rules.digests import digest_of_all
from ..core.rules.tombstones import Burials, Graves, Tombstone
from ..core.trust import Erased
from .driver import fetched
from .sql import GRAVES, as_ids, stones_from
from .sqlite_audit import secret_of

if TYPE_CHECKING:
    from apsw import Connection

    from ..core.model import Scope
    from .sqlite_writes import Writer

_Row = tuple[int, int, str, str, str]
"""Seq, session, id, user and content hash of an entry."""

_ROW = "e.seq, e.session, e.id, o.user_id, e.content_hash"


def erase(writer: Writer, query: Query, receipt_id: str) -> Erased:
    """Erase the scope's own entries that a query describes, and what came of them, whoever's it is."""
    db = writer.db
    mine = writer.mine(query.only(archived=None if query.archived is False else query.archived, limit=None))
    asked: list[_Row] = fetched(
        db,
        f"SELECT {_ROW} FROM entries e CROSS JOIN scopes o ON o.code = e.owner WHERE {mine.sql}",
        mine.params,
    )
    derived = _derived(db, writer.scope.tenant_id, asked)
    rows = [*asked, *derived]
    counts = {"entries": len(rows), "derived": len(derived), **_counts(db, [row[0] for row in rows])}
    digests = _bury(db, writer.scope.tenant_id, rows, receipt_id)
    writer.remove([(seq, session) for seq, session, *_ in rows])
    db.execute(
        "DELETE FROM watermarks WHERE tenant_id = :tenant AND user_id <> '' AND user_id NOT IN"
        " (SELECT user_id FROM scopes WHERE tenant_id = :tenant AND shared = 0)",
        {"tenant": writer.scope.tenant_id},
    )
    ids = tuple(row[2] for row in rows)
    writer.audit("erase", ids)
    return Erased(ids, counts, digest_of_all(digests))


def _derived(db: Connection, tenant_id: str, rows: Sequence[_Row]) -> list[_Row]:
    """What came of these entries, and of that, and so on."""
    found: dict[int, _Row] = {}
    known = {row[0] for row in rows}
    ids = [row[2] for row in rows]
    while ids:
        fresh = [row for row in _naming(db, tenant_id, ids) if row[0] not in known]
        known |= {row[0] for row in fresh}
        found.update((row[0], row) for row in fresh)
        ids = [row[2] for row in fresh]
    return list(found.values())


def _naming(db: Connection, tenant_id: str, ids: list[str]) -> list[_Row]:
    """What was derived, now or in a former version, from entries of these ids."""
    names = (
        "EXISTS (SELECT 1 FROM json_each({0}.sources) s WHERE s.value IN (SELECT value FROM json_each(:ids)))"
    )
    tenant = "e.tenant = (SELECT code FROM scopes WHERE tenant_id = :tenant AND shared = 1)"
    return fetched(
        db,
        f"SELECT {_ROW} FROM entries e CROSS JOIN scopes o ON o.code = e.owner"
        f" WHERE {tenant} AND e.sources <> '[]' AND e.origin = 'derived' AND {names.format('e')}"
        f" UNION SELECT {_ROW} FROM versions v CROSS JOIN entries e ON e.seq = v.entry"
        " CROSS JOIN scopes o ON o.code = e.owner"
        f" WHERE {tenant} AND v.sources <> '[]' AND v.origin = 'derived' AND {names.format('v')}",
        {"tenant": tenant_id, "ids": as_ids(ids)},
    )


def _counts(db: Connection, seqs: list[int]) -> dict[str, int]:
    """What goes with entries."""
    chosen = "IN (SELECT value FROM json_each(:seqs))"
    ((archived, versions, passages, vectors),) = fetched(
        db,
        f"SELECT (SELECT count(archived_at) FROM entries WHERE seq {chosen}),"
        f" (SELECT count(*) FROM versions WHERE entry {chosen}),"
        f" (SELECT count(*) FROM passages WHERE entry {chosen}),"
        f" (SELECT count(*) FROM passages p CROSS JOIN vectors v ON v.key = p.key WHERE p.entry {chosen})",
        {"seqs": as_ids(seqs)},
    )
    return {"archived": archived, "versions": versions, "passages": passages, "vectors": vectors}


def _bury(db: Connection, tenant_id: str, rows: Sequence[_Row], receipt_id: str) -> list[bytes]:
    """Leave tombstones of ids and contents; return the digests of the ids."""
    ids, contents = burials(db, tenant_id).tombstones((row[2], row[3], row[4]) for row in rows)
    keep(db, tenant_id, ((one, receipt_id) for one in (*contents, *ids)))
    return [one.digest for one in ids]


def keep(
    db: Connection, tenant_id: str, given: Iterable[tuple[Tombstone, str]], instead: str = "REPLACE"
) -> None:
    """Keep tombstones, each with its receipt; ``instead`` is what becomes of one that is there."""
    db.executemany(
        f"INSERT OR {instead} INTO tombstones (tenant_id, digest, content, owner, receipt)"
        " VALUES (?, ?, ?, ?, ?)",
        ((tenant_id, one.digest, one.content, one.owner, receipt) for one, receipt in given),
    )


def graves(db: Connection, tenant_id: str, after: bytes, limit: int) -> Graves:
    """Tombstones by digest, with the keys that may travel."""
    rows = fetched(db, GRAVES, {"tenant_id": tenant_id, "after": after, "limit": limit})
    return Graves(burials(db, tenant_id).travelling(secret_of(db)), stones_from(rows))


def bury(db: Connection, tenant_id: str, given: Graves) -> None:
    """Keep tombstones of another memory, and their keys."""
    known = burials(db, tenant_id).keys
    keys = [(tenant_id, key) for key in given.keys if key not in known]
    db.executemany("INSERT INTO tombstone_keys (tenant_id, key) VALUES (?, ?)", keys)
    keep(db, tenant_id, given.stones, "IGNORE")


def burials(db: Connection, tenant_id: str) -> Burials:
    """The tenant's digests, as this file makes them and as it took them from others."""
    rows = fetched(db, "SELECT key FROM tombstone_keys WHERE tenant_id = :tenant", {"tenant": tenant_id})
    return Burials.of(tenant_id, secret_of(db), (key for (key,) in rows))


def refuse_erased(db: Connection, tenant_id: str, users: Mapping[str, str | None]) -> None:
    """Raise where one of these ids, which are to be these users', was erased."""
    if not users or not fetched(db, "SELECT 1 FROM tombstones LIMIT 1"):
        return
    known = burials(db, tenant_id)
    told = known.ids(users)
    known.refuse({told[digest]: owner for digest, owner in _found(db, tenant_id, told)}, users)


def buried(db: Connection, tenant_id: str, entries: Sequence[MemoryEntry]) -> set[str]:
    """The ids of those entries that were erased, by id or by content."""
    told = burials(db, tenant_id).entries(entries)
    return {entry_id for digest, _ in _found(db, tenant_id, told) for entry_id in told[digest]}


def exhume(db: Connection, scope: Scope, ids: Sequence[str]) -> list[str]:
    """Forget that the user's entries were erased, with what they said; return the ids of those that were."""
    tenant_id = scope.tenant_id
    known = burials(db, tenant_id)
    told = known.ids(ids)
    found = [one for one, owner in _found(db, tenant_id, told) if known.owned(owner, scope.user_id)]
    params = [(tenant_id, one) for one in found]
    db.executemany(
        "DELETE FROM tombstones WHERE tenant_id = ?1 AND digest ="
        " (SELECT content FROM tombstones WHERE tenant_id = ?1 AND digest = ?2)",
        params,
    )
    db.executemany("DELETE FROM tombstones WHERE tenant_id = ? AND digest = ?", params)
    return list(dict.fromkeys(told[one] for one in found))


def _found(db: Connection, tenant_id: str, digests: Iterable[bytes]) -> list[tuple[bytes, bytes | None]]:
    """Those digests that are kept, with their owners."""
    return fetched(
        db,
        "SELECT t.digest, t.owner FROM json_each(:digests) j CROSS JOIN tombstones t"
        " ON t.tenant_id = :tenant AND t.digest = unhex(j.value)",
        {"tenant": tenant_id, "digests": as_ids([one.hex() for one in digests])},
    )
