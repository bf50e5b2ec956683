"""What was erased, as keyed digests, and the erasure itself, within the transaction of the caller."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from ..core.model import MemoryEntry, Query
from ..core.rules.digests import digest_of_all
from ..core.rules.tombstones import Burials, Graves, Tombstone
from ..core.trust import Erased, Proof
from .postgres_audit import secret_of
from .sql import GRAVES, stones_from
from .traces import forms, possible_ids

if TYPE_CHECKING:
    from ..core.model import Scope
    from .postgres_driver import Link
    from .postgres_writes import Writer

_Row = tuple[int, int, str, str, str]
"""Seq, session, id, user and content hash of an entry."""

_ROW = "e.seq, e.session, e.id, o.user_id, e.content_hash"
_OWNED = "JOIN scopes o ON o.tenant_id = e.tenant_id AND o.code = e.owner"

_ORPHANS = {
    "versions without an entry": ("versions", "entry", "entries", "seq"),
    "mentions without an entry": ("mentions", "entry", "entries", "seq"),
    "ties without an entry": ("ties", "entry", "entries", "seq"),
    "passages without an entry": ("passages", "entry", "entries", "seq"),
    "vectors without a passage": ("vectors", "key", "passages", "key"),
    "words without a passage": ("words", "key", "passages", "key"),
    "sessions without an entry": ("sessions", "code", "entries", "session"),
}

_SEARCHED = {
    "entries": "id, content, tags, topics, metadata, told::text, sources, speaker, archived_because",
    "versions": "content, tags, topics, metadata, sources, speaker",
    "sessions": "session_id",
    "passages": "tokens",
    "mentions": "key, name, type",
    "ties": "subject, relation, object",
    "preferences": "name, value",
    "learnt": "value, entries",
}
"""Columns in which a user's words or an entry's id may stand; ``words`` has tokens alone."""


def erase(writer: Writer, query: Query, receipt_id: str) -> Erased:
    """Erase the scope's own entries that a query describes, and what came of them, whoever's it is."""
    db, tenant_id = writer.db, writer.scope.tenant_id
    mine = writer.mine(query.only(archived=None if query.archived is False else query.archived, limit=None))
    asked: list[_Row] = db.rows(f"SELECT {_ROW} FROM entries e {_OWNED} WHERE {mine.sql}", mine.params)
    derived = _derived(db, tenant_id, asked)
    rows = [*asked, *derived]
    counts = {
        "entries": len(rows),
        "derived": len(derived),
        **_counts(db, tenant_id, [row[0] for row in rows]),
    }
    digests = _bury(db, tenant_id, rows, receipt_id)
    writer.remove([(seq, session) for seq, session, *_ in rows])
    db.run(
        "DELETE FROM watermarks w WHERE w.tenant_id = :tenant_id AND w.user_id <> '' AND NOT EXISTS"
        " (SELECT 1 FROM scopes o WHERE o.tenant_id = :tenant_id AND o.user_id = w.user_id AND NOT o.shared)",
        {"tenant_id": tenant_id},
    )
    ids = tuple(row[2] for row in rows)
    writer.audit("erase", ids)
    return Erased(ids, counts, digest_of_all(digests))


def _derived(db: Link, tenant_id: str, rows: Sequence[_Row]) -> list[_Row]:
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


def _naming(db: Link, tenant_id: str, ids: list[str]) -> list[_Row]:
    """What was derived, now or in a former version, from entries of these ids."""
    names = (
        "{0}.tenant_id = :tenant_id AND {0}.sources <> '[]' AND {0}.origin = 'derived' AND EXISTS"
        " (SELECT 1 FROM json_array_elements_text({0}.sources::json) s (id) WHERE s.id = ANY(:ids::text[]))"
    )
    return db.rows(
        f"SELECT {_ROW} FROM entries e {_OWNED} WHERE {names.format('e')}"
        f" UNION SELECT {_ROW} FROM versions v"
        f" JOIN entries e ON e.tenant_id = v.tenant_id AND e.seq = v.entry {_OWNED}"
        f" WHERE {names.format('v')}",
        {"tenant_id": tenant_id, "ids": ids},
    )


def _counts(db: Link, tenant_id: str, seqs: list[int]) -> dict[str, int]:
    """What goes with entries."""
    ours = "tenant_id = :tenant_id AND"
    chosen = "= ANY(:seqs::bigint[])"
    ((archived, versions, passages, vectors),) = db.rows(
        f"SELECT (SELECT count(archived_at) FROM entries WHERE {ours} seq {chosen}),"
        f" (SELECT count(*) FROM versions WHERE {ours} entry {chosen}),"
        f" (SELECT count(*) FROM passages WHERE {ours} entry {chosen}),"
        " (SELECT count(*) FROM passages p JOIN vectors v ON v.tenant_id = p.tenant_id AND v.key = p.key"
        f"  WHERE p.{ours} p.entry {chosen})",
        {"tenant_id": tenant_id, "seqs": seqs},
    )
    return {"archived": archived, "versions": versions, "passages": passages, "vectors": vectors}


def _bury(db: Link, tenant_id: str, rows: Sequence[_Row], receipt_id: str) -> list[bytes]:
    """Leave tombstones of ids and contents; return the digests of the ids."""
    ids, contents = burials(db, tenant_id).tombstones((row[2], row[3], row[4]) for row in rows)
    keep(db, tenant_id, [(one, receipt_id) for one in (*contents, *ids)])
    return [one.digest for one in ids]


_REPLACE = "UPDATE SET content = excluded.content, owner = excluded.owner, receipt = excluded.receipt"


def keep(db: Link, tenant_id: str, given: Sequence[tuple[Tombstone, str]], instead: str = _REPLACE) -> None:
    """Keep tombstones, each with its receipt; ``instead`` is what becomes of one that is there."""
    db.insert(
        "tombstones",
        {"tenant_id": "text", "digest": "bytea", "content": "bytea", "owner": "bytea", "receipt": "text"},
        [
            {
                "tenant_id": tenant_id, "digest": one.digest, "content": one.content, "owner": one.owner,
                "receipt": receipt,
            }
            for one, receipt in {one.digest: (one, receipt) for one, receipt in given}.values()
        ],
        more=f"ON CONFLICT (tenant_id, digest) DO {instead}",
    )  # fmt: skip


def graves(db: Link, tenant_id: str, after: bytes, limit: int) -> Graves:
    """Tombstones by digest, with the keys that may travel."""
    rows = db.rows(GRAVES, {"tenant_id": tenant_id, "after": after, "limit": limit})
    return Graves(burials(db, tenant_id).travelling(secret_of(db)), stones_from(rows))


def bury(db: Link, tenant_id: str, given: Graves) -> None:
    """Keep tombstones of another memory, and their keys."""
    known = burials(db, tenant_id).keys
    keys = [{"tenant_id": tenant_id, "key": key} for key in given.keys if key not in known]
    db.insert("tombstone_keys", {"tenant_id": "text", "key": "bytea"}, keys)
    keep(db, tenant_id, given.stones, "NOTHING")


def burials(db: Link, tenant_id: str) -> Burials:
    """The tenant's digests, as this memory makes them and as it took them from others."""
    rows = db.rows("SELECT key FROM tombstone_keys WHERE tenant_id = :tenant_id", {"tenant_id": tenant_id})
    return Burials.of(tenant_id, secret_of(db), (key for (key,) in rows))


def refuse_erased(db: Link, tenant_id: str, users: Mapping[str, str | None]) -> None:
    """Raise where one of these ids, which are to be these users', was erased."""
    some = "SELECT 1 FROM tombstones WHERE tenant_id = :tenant_id LIMIT 1"
    if not users or not db.rows(some, {"tenant_id": tenant_id}):
        return
    known = burials(db, tenant_id)
    told = known.ids(users)
    known.refuse({told[digest]: owner for digest, owner in _found(db, tenant_id, told)}, users)


def buried(db: Link, tenant_id: str, entries: Sequence[MemoryEntry]) -> set[str]:
    """The ids of those entries that were erased, by id or by content."""
    told = burials(db, tenant_id).entries(entries)
    return {entry_id for digest, _ in _found(db, tenant_id, told) for entry_id in told[digest]}


def exhume(db: Link, scope: Scope, ids: Sequence[str]) -> list[str]:
    """Forget that the user's entries were erased, with what they said; return the ids of those that were."""
    tenant_id = scope.tenant_id
    known = burials(db, tenant_id)
    told = known.ids(ids)
    found = [one for one, owner in _found(db, tenant_id, told) if known.owned(owner, scope.user_id)]
    db.run(
        "DELETE FROM tombstones t WHERE t.tenant_id = :tenant_id AND (t.digest = ANY(:digests::bytea[])"
        " OR t.digest IN (SELECT n.content FROM tombstones n"
        "  WHERE n.tenant_id = :tenant_id AND n.digest = ANY(:digests::bytea[])))",
        {"tenant_id": tenant_id, "digests": found},
    )
    return list(dict.fromkeys(told[one] for one in found))


def _found(db: Link, tenant_id: str, digests: Iterable[bytes]) -> list[tuple[bytes, bytes | None]]:
    """Those digests that are kept, with their owners."""
    return db.rows(
        "SELECT digest, owner FROM tombstones WHERE tenant_id = :tenant_id"
        " AND digest = ANY(:digests::bytea[])",
        {"tenant_id": tenant_id, "digests": list(digests)},
    )


# ── what is left ─────────────────────────────────────────────────────────────────────────────────────


def proof(db: Link, tenant_id: str, receipt_id: str, texts: Sequence[str]) -> Proof:
    """What the tenant's tables still hold of a receipt's entries, and of the texts.

    The server's files are not ours to read: what was deleted stays in them until it is vacuumed.
    """
    traces = [*_left_alone(db, tenant_id), *_in_tables(db, tenant_id, receipt_id, texts)]
    return Proof(tuple(dict.fromkeys(traces)), ("tables",))


def _left_alone(db: Link, tenant_id: str) -> Iterator[str]:
    for what, (table, column, other, key) in _ORPHANS.items():
        sql = (
            f"SELECT 1 FROM {table} a WHERE a.tenant_id = :tenant_id AND NOT EXISTS"
            f" (SELECT 1 FROM {other} b WHERE b.tenant_id = :tenant_id AND b.{key} = a.{column}) LIMIT 1"
        )
        if db.rows(sql, {"tenant_id": tenant_id}):
            yield what


def _in_tables(db: Link, tenant_id: str, receipt_id: str, texts: Sequence[str]) -> Iterator[str]:
    ours = {"tenant_id": tenant_id}
    known = burials(db, tenant_id)
    sql = (
        "SELECT digest FROM tombstones"
        " WHERE tenant_id = :tenant_id AND receipt = :receipt AND content IS NOT NULL"
    )
    erased = {digest for (digest,) in db.rows(sql, {**ours, "receipt": receipt_id})}
    told: dict[str, bool] = {}

    def is_erased(text: str) -> bool:
        if text not in told:
            told[text] = not erased.isdisjoint(known.ids([text]))
        return told[text]

    for table, columns in _SEARCHED.items():
        for row in db.rows(f"SELECT {columns} FROM {table} WHERE tenant_id = :tenant_id", ours):
            for value in row:
                if isinstance(value, str):
                    if any(is_erased(word) for word in possible_ids(value)):
                        yield f"an erased id in {table}"
                    if any(form in value for text in texts for form in forms(text)):
                        yield f"a text in {table}"
