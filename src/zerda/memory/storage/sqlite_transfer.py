"""Entries on their way out of a SQLite file, and into one, with versions and places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.model import MemoryEntry, Query
from ..core.transfer import Carried, Place
from .driver import fetched
from .sql import Reach, as_ids, entry_from, selected, where
from .sqlite_writes import DIALECT, READ, Writer

if TYPE_CHECKING:
    from apsw import Connection

BATCH = 500
"""Entries that are read at a time."""


def carried(db: Connection, reach: Reach, after: int, *, vectors: bool) -> list[Carried]:
    """The next entries of a scope's own, in order of arrival."""
    own = where(reach, Query(archived=None, after_seq=after), DIALECT, to_change=True)
    sql = f"{READ} WHERE {own.sql} ORDER BY e.seq LIMIT :limit"
    entries = [entry_from(row) for row in fetched(db, sql, {**own.params, "limit": BATCH})]
    seqs = {"seqs": as_ids([entry.seq for entry in entries])}
    former = _former(db, seqs)
    places = _places(db, seqs, vectors)
    sessions = dict(_sessions(db, seqs))
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


def _former(db: Connection, seqs: dict[str, Any]) -> dict[int, list[MemoryEntry]]:
    rows = fetched(
        db,
        f"SELECT {selected('v')} FROM json_each(:seqs) j CROSS JOIN versions v ON v.entry = j.value"
        " CROSS JOIN entries e ON e.seq = v.entry CROSS JOIN scopes o ON o.code = e.owner"
        " CROSS JOIN sessions t ON t.code = e.session ORDER BY v.entry, v.version",
        seqs,
    )
    former: dict[int, list[MemoryEntry]] = {}
    for version in map(entry_from, rows):
        former.setdefault(version.seq, []).append(version)
    return former


def _places(db: Connection, seqs: dict[str, Any], vectors: bool) -> dict[int, list[tuple[Any, ...]]]:
    vector = "f.name, v.vector" if vectors else "NULL, NULL"
    joined = (
        " LEFT JOIN vectors v ON v.key = p.key LEFT JOIN fingerprints f ON f.code = v.fingerprint"
        if vectors
        else ""
    )
    rows = fetched(
        db,
        f"SELECT p.entry, p.role, p.start_at, p.end_at, p.position, {vector}"
        f" FROM json_each(:seqs) j CROSS JOIN passages p ON p.entry = j.value{joined} ORDER BY p.key",
        seqs,
    )
    places: dict[int, list[tuple[Any, ...]]] = {}
    for seq, *row in rows:
        places.setdefault(seq, []).append(tuple(row))
    return places


def _sessions(db: Connection, seqs: dict[str, Any]) -> Iterator[tuple[int, tuple[bool, bool]]]:
    rows = fetched(
        db,
        "SELECT e.seq, t.derived, t.current FROM json_each(:seqs) j CROSS JOIN entries e ON e.seq = j.value"
        " CROSS JOIN sessions t ON t.code = e.session",
        seqs,
    )
    return ((seq, (bool(derived), bool(current))) for seq, derived, current in rows)


def carry_in(writer: Writer, given: Sequence[Carried]) -> list[MemoryEntry]:
    """Keep what travelled; what is there already stays as it is."""
    db = writer.db
    before = _last_seq(db)
    drafted = [one for one in given if one.draft is not None]
    kept = writer.put([one.draft for one in drafted if one.draft is not None], timedelta(0))
    arrived = [(one, entry.seq) for one, entry in zip(drafted, kept, strict=True) if entry.seq > before]
    for one, seq in arrived:
        _add_versions(writer, seq, one)
        _restore_session(db, seq, one)
    _restore_places(db, {seq: one.places for one, seq in arrived})
    return kept


def _last_seq(db: Connection) -> int:
    rows = fetched(db, "SELECT seq FROM sqlite_sequence WHERE name = 'entries'")
    return next((int(seq) for (seq,) in rows), 0)


def _add_versions(writer: Writer, seq: int, one: Carried) -> None:
    if one.former:
        sql = "SELECT tenant, owner FROM entries WHERE seq = :seq"
        ((tenant, owner),) = fetched(writer.db, sql, {"seq": seq})
        writer.add_versions(seq, tenant, owner, one.former)


def _restore_places(db: Connection, places: Mapping[int, Sequence[Place]]) -> None:
    """Give passages the positions that they had, session by session, where none is another's by now."""
    rows = fetched(
        db,
        "SELECT p.session, p.entry, p.key, p.role, p.start_at, p.end_at FROM json_each(:seqs) j"
        " CROSS JOIN passages p ON p.entry = j.value ORDER BY p.session, p.entry, p.key",
        {"seqs": as_ids(list(places))},
    )
    for session, members in groupby(rows, key=lambda row: row[0]):
        found = list(members)
        seqs = dict.fromkeys(row[1] for row in found)
        wanted = [(seq, place.role, place.start, place.end) for seq in seqs for place in places[seq]]
        positions = [place.position for seq in seqs for place in places[seq]]
        if wanted == [(row[1], *row[3:]) for row in found] and not _taken(db, session, seqs, positions):
            pairs = zip(positions, (row[2] for row in found), strict=True)
            db.executemany("UPDATE passages SET position = ? WHERE key = ?", pairs)
            db.execute(
                "UPDATE sessions SET next_position ="
                " (SELECT max(position) + 1 FROM passages WHERE session = code) WHERE code = :session",
                {"session": session},
            )


def _taken(db: Connection, session: int, seqs: Iterable[int], positions: Sequence[int]) -> bool:
    """Whether others in the session have one of the positions."""
    sql = (
        "SELECT 1 FROM passages WHERE session = :session"
        " AND position IN (SELECT value FROM json_each(:positions))"
        " AND entry NOT IN (SELECT value FROM json_each(:seqs)) LIMIT 1"
    )
    asked = {"session": session, "positions": as_ids(positions), "seqs": as_ids(list(seqs))}
    return bool(fetched(db, sql, asked))


def _restore_session(db: Connection, seq: int, one: Carried) -> None:
    """Say of a session that we named it, if that is so, and that it is the one to be joined."""
    if not one.derived_session:
        return
    chosen = "code = (SELECT session FROM entries WHERE seq = :seq)"
    db.execute(f"UPDATE sessions SET derived = 1 WHERE {chosen}", {"seq": seq})
    if one.current_session:
        db.execute(
            "UPDATE sessions SET current = (code = (SELECT session FROM entries WHERE seq = :seq))"
            f" WHERE owner = (SELECT owner FROM sessions WHERE {chosen})",
            {"seq": seq},
        )
