"""Entries on their way out of a PostgreSQL database, and into one, with versions and places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.model import MemoryEntry, Query
from ..core.transfer import Carried, Place
from .postgres_sql import (
    JOINED,
    READ,
    entry_from,
    reach_of,
    where,
)
from .sql import selected

if TYPE_CHECKING:
    from ..core.model import Scope
    from .postgres_driver import Link
    from .postgres_writes import Writer
    from .sql import Params

BATCH = 500
"""Entries that are read at a time."""


def carried(db: Link, scope: Scope, after: int, *, vectors: bool) -> list[Carried]:
    """The next entries of a scope's own, in order of arrival."""
    own = where(scope, reach_of(db, scope), Query(archived=None, after_seq=after), to_change=True)
    sql = f"{READ} WHERE {own.sql} ORDER BY e.seq LIMIT :limit"
    entries = [entry_from(row) for row in db.rows(sql, {**own.params, "limit": BATCH})]
    params = {"tenant_id": scope.tenant_id, "seqs": [entry.seq for entry in entries]}
    former = _former(db, params)
    places = _places(db, params, vectors)
    sessions = _sessions(db, params)
    return [
        _carried(entry, tuple(former.get(entry.seq, ())), places.get(entry.seq, []), sessions[entry.seq])
        for entry in entries
    ]


def _carried(
    entry: MemoryEntry,
    former: tuple[MemoryEntry, ...],
    rows: list[tuple[Any, ...]],
    session: tuple[bool, bool],
) -> Carried:
    places = tuple(Place(*row[:4]) for row in rows)
    fingerprints = {row[4] for row in rows}
    (fingerprint,) = fingerprints if len(fingerprints) == 1 else (None,)
    stacked = None
    if fingerprint is not None:
        stacked = np.stack([np.frombuffer(row[5], "<f2") for row in rows]).astype(np.float32)
    return Carried(entry, former, places, *session, stacked, fingerprint)


def _former(db: Link, params: Params) -> dict[int, list[MemoryEntry]]:
    rows = db.rows(
        f"SELECT {selected('v')} FROM versions v"
        f" JOIN entries e ON e.tenant_id = v.tenant_id AND e.seq = v.entry{JOINED}"
        " WHERE v.tenant_id = :tenant_id AND v.entry = ANY(:seqs::bigint[]) ORDER BY v.entry, v.version",
        params,
    )
    former: dict[int, list[MemoryEntry]] = {}
    for version in map(entry_from, rows):
        former.setdefault(version.seq, []).append(version)
    return former


def _places(db: Link, params: Params, vectors: bool) -> dict[int, list[tuple[Any, ...]]]:
    vector = "f.name, v.vector" if vectors else "NULL::text, NULL::text"
    joined = (
        " LEFT JOIN vectors v ON v.tenant_id = p.tenant_id AND v.key = p.key"
        " LEFT JOIN fingerprints f ON f.code = v.fingerprint"
        if vectors
        else ""
    )
    rows = db.rows(
        f"SELECT p.entry, p.role, p.start_at, p.end_at, p.position, {vector} FROM passages p{joined}"
        " WHERE p.tenant_id = :tenant_id AND p.entry = ANY(:seqs::bigint[]) ORDER BY p.key",
        params,
    )
    places: dict[int, list[tuple[Any, ...]]] = {}
    for seq, *row in rows:
        places.setdefault(seq, []).append(tuple(row))
    return places


def _sessions(db: Link, params: Params) -> dict[int, tuple[bool, bool]]:
    rows = db.rows(
        "SELECT e.seq, t.derived, t.current FROM entries e"
        " JOIN sessions t ON t.tenant_id = e.tenant_id AND t.code = e.session"
        " WHERE e.tenant_id = :tenant_id AND e.seq = ANY(:seqs::bigint[])",
        params,
    )
    return {seq: (derived, current) for seq, derived, current in rows}


def carry_in(writer: Writer, given: Sequence[Carried]) -> list[MemoryEntry]:
    """Keep what travelled; what is there already stays as it is."""
    db, ours = writer.db, {"tenant_id": writer.scope.tenant_id}
    before = db.number("SELECT seq FROM numbers WHERE tenant_id = :tenant_id", ours)
    drafted = [one for one in given if one.draft is not None]
    kept = writer.put([one.draft for one in drafted if one.draft is not None], timedelta(0))
    arrived = [(one, entry.seq) for one, entry in zip(drafted, kept, strict=True) if entry.seq > before]
    for one, seq in arrived:
        _add_versions(writer, {**ours, "seq": seq}, one)
        _restore_session(db, {**ours, "seq": seq}, one)
    _restore_places(db, ours, {seq: one.places for one, seq in arrived})
    return kept


def _add_versions(writer: Writer, which: Params, one: Carried) -> None:
    if one.former:
        sql = "SELECT tenant, owner FROM entries WHERE tenant_id = :tenant_id AND seq = :seq"
        ((tenant, owner),) = writer.db.rows(sql, which)
        writer.add_versions(which["seq"], tenant, owner, one.former)


def _restore_places(db: Link, ours: Params, places: Mapping[int, Sequence[Place]]) -> None:
    """Give passages the positions that they had, session by session, where none is another's by now."""
    rows = db.rows(
        "SELECT p.session, p.entry, p.key, p.role, p.start_at, p.end_at FROM passages p"
        " WHERE p.tenant_id = :tenant_id AND p.entry = ANY(:seqs::bigint[])"
        " ORDER BY p.session, p.entry, p.key",
        {**ours, "seqs": list(places)},
    )
    for session, members in groupby(rows, key=lambda row: row[0]):
        found = list(members)
        seqs = dict.fromkeys(row[1] for row in found)
        wanted = [(seq, place.role, place.start, place.end) for seq in seqs for place in places[seq]]
        positions = [place.position for seq in seqs for place in places[seq]]
        which = {**ours, "session": session, "positions": positions, "seqs": list(seqs)}
        if wanted == [(row[1], *row[3:]) for row in found] and not _taken(db, which):
            _move(db, {**which, "keys": [row[2] for row in found]})


def _taken(db: Link, which: Params) -> bool:
    """Whether others in the session have one of the positions."""
    sql = (
        "SELECT 1 FROM passages WHERE tenant_id = :tenant_id AND session = :session"
        " AND position = ANY(:positions::bigint[]) AND entry <> ALL(:seqs::bigint[]) LIMIT 1"
    )
    return bool(db.rows(sql, which))


def _move(db: Link, which: Params) -> None:
    db.run(
        "UPDATE passages p SET position = n.position"
        " FROM unnest(:keys::bigint[], :positions::bigint[]) n (key, position)"
        " WHERE p.tenant_id = :tenant_id AND p.key = n.key",
        which,
    )
    db.run(
        "UPDATE sessions s SET next_position = (SELECT max(p.position) + 1 FROM passages p"
        "  WHERE p.tenant_id = :tenant_id AND p.session = s.code)"
        " WHERE s.tenant_id = :tenant_id AND s.code = :session",
        which,
    )


def _restore_session(db: Link, which: Params, one: Carried) -> None:
    """Say of a session that we named it, if that is so, and that it is the one to be joined."""
    if not one.derived_session:
        return
    chosen = "(SELECT session FROM entries WHERE tenant_id = :tenant_id AND seq = :seq)"
    ours = "UPDATE sessions SET {} WHERE tenant_id = :tenant_id AND"
    db.run(f"{ours.format('derived = true')} code = {chosen}", which)
    if one.current_session:
        db.run(
            f"{ours.format(f'current = (code = {chosen})')}"
            f" owner = (SELECT owner FROM sessions WHERE tenant_id = :tenant_id AND code = {chosen})",
            which,
        )
