"""What a write does to the tables of a SQLite file, within the transaction of its caller.

Words, vectors and counts are kept in step with the passages here and nowhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from ..core.model import Draft, MemoryEntry, Query, Scope, State
from ..core.rules.audit import state_action
from ..core.trust import Event
from ..errors import EntryNotFound, InvalidInput
from . import sqlite_audit, sqlite_erasure, words
from .driver import fetched
from .keeping import Joining, Session, as_read, conflict, halves, same
from .sql import (
    DESCRIBED,
    ENTRY_COLUMNS,
    PASSAGE_COLUMNS,
    Dialect,
    Params,
    Reach,
    Where,
    as_ids,
    described,
    entry_from,
    entry_params,
    insert,
    micros,
    moment,
    passage_params,
    selected,
    where,
)

if TYPE_CHECKING:
    from apsw import Connection

READ = (
    f"SELECT {selected('e')} FROM entries e"
    " CROSS JOIN scopes o ON o.code = e.owner CROSS JOIN sessions t ON t.code = e.session"
)

KEEP_ORIGINAL = (
    "INSERT INTO originals (entry, version, placeholder, value)"
    " VALUES (:entry, :version, :placeholder, :value) ON CONFLICT DO UPDATE SET value = excluded.value"
)

KEPT_DROPS = 10_000
"""Keys of erased vectors that are remembered; a copy in memory that missed more is loaded anew."""


class SQLiteDialect(Dialect):
    """SQLite's way to look into a JSON list."""

    def one_of(self, column: str, param: str) -> str:
        return f"{column} IN (SELECT value FROM json_each({param}))"

    def holds_any(self, column: str, param: str) -> str:
        # Within a JSON text every quote has a backslash before it, so ',"…"' is a whole item.
        items = f"',' || substr({column}, 2)"
        return f"EXISTS (SELECT 1 FROM json_each({param}) WHERE instr({items}, ',' || value))"

    def path_exists(self, column: str, path: str) -> str:
        return f"json_type({column}, {path}) IS NOT NULL"

    def path_meets(self, column: str, path: str, sign: str, param: str) -> str:
        # A path to a list leads to its items; one to a mapping to its values, which are not meant.
        numbers = "('integer', 'real')"
        return (
            f"(json_type({column}, {path}) <> 'object' AND EXISTS (SELECT 1"
            f" FROM json_each({column}, {path}) told CROSS JOIN json_each({param}) asked"
            " WHERE told.type NOT IN ('array', 'object')"
            f" AND (told.type = asked.type OR told.type IN {numbers} AND asked.type IN {numbers})"
            f" AND (told.value {sign} asked.value OR told.type = 'null')))"
        )


DIALECT: Dialect = SQLiteDialect()


def reach_of(db: Connection, scope: Scope) -> Reach:
    """The scope in the file's numbers."""
    rows = fetched(
        db,
        "SELECT shared, code FROM scopes WHERE tenant_id = :tenant AND user_id IN ('', :user)"
        " AND (shared = 1 OR user_id = :user)",
        {"tenant": scope.tenant_id, "user": scope.user_id or ""},
    )
    codes = {int(shared): int(code) for shared, code in rows}
    everyone = scope.user_id is None
    return Reach(codes.get(1, 0), 0 if everyone else codes.get(0, 0), everyone)


def next_change(db: Connection) -> int:
    """The number of a change to vectors, higher than all before."""
    sql = "UPDATE meta SET value = value + 1 WHERE name = 'change' RETURNING value"
    return int(fetched(db, sql)[0][0])


@dataclass(slots=True)
class _Piece:
    """A passage on its way in, with what its row adds to it."""

    params: Params
    words: str
    vector: bytes | None


@dataclass
class Writer(Joining):
    """The changes of one call on behalf of one scope."""

    db: Connection
    scope: Scope
    _codes: dict[tuple[str, bool], int] = field(default_factory=dict)
    _sessions: dict[tuple[int, str], Session] = field(default_factory=dict)
    _current: dict[int, Session] = field(default_factory=dict)
    _counts: Counter[int] = field(default_factory=Counter)
    _words: Counter[int] = field(default_factory=Counter)
    _change: int = 0

    # ── put ──────────────────────────────────────────────────────────────────────────────────────

    def put(self, drafts: Sequence[Draft], gap: timedelta) -> list[MemoryEntry]:
        """Keep what is new; return all as they are kept."""
        kept = self._kept([draft.entry.id for draft in drafts])
        results: list[MemoryEntry] = []
        fresh: list[Params] = []
        users: dict[str, str | None] = {}
        pieces: list[_Piece] = []
        originals: list[Params] = []
        seq = self._last("entries")
        for draft in drafts:
            entry = self._owned(draft.entry)
            if (twin := kept.get(entry.id)) is None:
                seq += 1
                twin, params = self._arrive(entry, seq, gap)
                fresh.append(params)
                users[entry.id] = entry.user_id
                originals += _originals(seq, twin.version, draft)
                positions = self._sessions[params["owner"], str(twin.session_id)].take(len(draft.passages))
                pieces += self._pieces(draft, params, positions)
                kept[entry.id] = twin
            elif not same(self.scope, twin, entry):
                raise conflict(self.scope, twin)
            results.append(twin)
        sqlite_erasure.refuse_erased(self.db, self.scope.tenant_id, users)
        self.db.executemany(insert("entries", ENTRY_COLUMNS), fresh)
        self.db.executemany(KEEP_ORIGINAL, originals)
        self._insert(pieces)
        self._save_sessions()
        self._save_counts()
        self.audit("save", [params["id"] for params in fresh])
        return results

    def audit(self, action: str, ids: Sequence[str]) -> None:
        """Record what was done to entries, if it was done to any."""
        if ids:
            event = Event(action, self.scope.actor, self.scope.user_id, tuple(ids))
            sqlite_audit.append(self.db, sqlite_audit.secret_of(self.db), self.scope.tenant_id, event)

    def _kept(self, ids: list[str]) -> dict[str, MemoryEntry]:
        """Those entries of the tenant that are there, whoever's they are."""
        whole_tenant = reach_of(self.db, Scope(self.scope.tenant_id))
        conditions = where(whole_tenant, Query(ids=tuple(ids), archived=None), DIALECT)
        rows = fetched(self.db, f"{READ} WHERE {conditions.sql}", conditions.params)
        return {entry.id: entry for entry in map(entry_from, rows)}

    def _owned(self, entry: MemoryEntry) -> MemoryEntry:
        user_id = entry.user_id if self.scope.user_id is None else self.scope.user_id
        if entry.tenant_id == self.scope.tenant_id and entry.user_id == user_id:
            return entry
        return replace(entry, tenant_id=self.scope.tenant_id, user_id=user_id)

    def _arrive(self, entry: MemoryEntry, seq: int, gap: timedelta) -> tuple[MemoryEntry, Params]:
        tenant, owner = self._code("", shared=True), self._code(entry.user_id or "")
        session = self._session(owner, entry, gap)
        visible = tenant if entry.visibility == "tenant" else owner
        params = entry_params(entry, tenant, owner, visible, session.code)
        params["seq"] = seq
        return replace(entry, seq=seq, session_id=session.session_id, **as_read(entry, params)), params

    def _last(self, table: str) -> int:
        """The highest number that the table ever gave: none is given twice."""
        rows = fetched(self.db, "SELECT seq FROM sqlite_sequence WHERE name = :table", {"table": table})
        return next((int(seq) for (seq,) in rows), 0)

    def _code(self, user_id: str, *, shared: bool = False) -> int:
        if (user_id, shared) not in self._codes:
            params = {"tenant": self.scope.tenant_id, "user": user_id, "shared": shared}
            self.db.execute(
                "INSERT OR IGNORE INTO scopes (tenant_id, user_id, shared) VALUES (:tenant, :user, :shared)",
                params,
            )
            rows = fetched(
                self.db,
                "SELECT code FROM scopes WHERE tenant_id = :tenant AND user_id = :user AND shared = :shared",
                params,
            )
            self._codes[user_id, shared] = rows[0][0]
        return self._codes[user_id, shared]

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────

    def _running(self, owner: int) -> Session | None:
        return self._stored("s.owner = :owner AND s.current = 1", owner=owner)

    def _known(self, owner: int, session_id: str) -> Session | None:
        return self._stored("s.owner = :owner AND s.session_id = :id", owner=owner, id=session_id)

    def _stored(self, condition: str, **params: Any) -> Session | None:
        """A session, with the time of its last entry by order of arrival."""
        sql = (
            "SELECT s.code, s.session_id, s.next_position,"
            " (SELECT e.occurred_at FROM entries e WHERE e.session = s.code ORDER BY e.seq DESC LIMIT 1)"
            f" FROM sessions s WHERE {condition}"
        )
        for code, session_id, position, last_at in fetched(self.db, sql, params):
            return Session(code, session_id, position, moment(last_at))
        return None

    def _begin(self, owner: int, session_id: str, derived: bool) -> Session:
        rows = fetched(
            self.db,
            "INSERT INTO sessions (tenant, owner, session_id, derived, current, next_position)"
            " VALUES (:tenant, :owner, :session_id, :derived, 0, 0) RETURNING code",
            {
                "tenant": self._code("", shared=True),
                "owner": owner,
                "session_id": session_id,
                "derived": derived,
            },
        )
        return Session(rows[0][0], session_id, 0, None)

    def _make_current(self, owner: int, session: Session) -> None:
        self.db.execute(
            "UPDATE sessions SET current = (code = :code)"
            " WHERE owner = :owner AND (current = 1 OR code = :code)",
            {"owner": owner, "code": session.code},
        )

    def _save_sessions(self) -> None:
        self.db.executemany(
            "UPDATE sessions SET next_position = :position WHERE code = :code",
            [{"code": one.code, "position": one.next_position} for one in self._sessions.values()],
        )

    # ── passages ─────────────────────────────────────────────────────────────────────────────────

    def _pieces(self, draft: Draft, entry: Params, positions: Iterable[int]) -> Iterator[_Piece]:
        fingerprint, vectors = self._vectors(draft)
        live = entry["archived_at"] is None
        mark = words.suffix(entry["tenant"], entry["visible"], live=live)
        place = {
            "entry": entry["seq"], "scope": entry["visible"], "live": live,
            "session": entry["session"], "embedded": fingerprint,
        }  # fmt: skip
        for passage, position, vector in zip(draft.passages, positions, vectors, strict=True):
            params = {**passage_params(passage), **place, "position": position}
            yield _Piece(params, words.indexed(passage.tokens, mark), vector)

    def _vectors(self, draft: Draft) -> tuple[int, list[bytes] | list[None]]:
        if draft.vectors is None or draft.fingerprint is None:
            return 0, [None] * len(draft.passages)
        vectors = halves(draft.vectors, len(draft.passages))
        return self.fingerprint(draft.fingerprint, vectors.shape[1]), [row.tobytes() for row in vectors]

    def fingerprint(self, name: str, dimensions: int) -> int:
        """The number of a fingerprint; its vectors are all of one length."""
        self.db.execute(
            "INSERT OR IGNORE INTO fingerprints (name, dimensions) VALUES (:name, :dimensions)",
            {"name": name, "dimensions": dimensions},
        )
        sql = "SELECT code, dimensions FROM fingerprints WHERE name = :name"
        ((code, known),) = fetched(self.db, sql, {"name": name})
        if known != dimensions:
            raise InvalidInput(f"vectors of {name!r} have {known} dimensions, these have {dimensions}")
        return int(code)

    def _insert(self, pieces: list[_Piece]) -> None:
        for key, piece in enumerate(pieces, self._last("passages") + 1):
            piece.params["key"] = key
        rows = [piece.params for piece in pieces]
        self.db.executemany(insert("passages", PASSAGE_COLUMNS), rows)
        self._add_words((piece.params["key"], piece.words) for piece in pieces)
        self._count([(row["scope"], row["length"]) for row in rows if row["live"]], 1)
        self.set_vectors(
            (row["key"], row["scope"] if row["live"] else -row["scope"], row["embedded"], piece.vector)
            for row, piece in zip(rows, pieces, strict=True)
            if piece.vector is not None
        )

    def _add_words(self, texts: Iterable[tuple[int, str]]) -> None:
        self.db.executemany("INSERT INTO words (rowid, tokens) VALUES (?, ?)", texts)

    def _count(self, lengths: Iterable[tuple[int, int]], sign: int) -> None:
        for scope, length in lengths:
            self._counts[scope] += sign
            self._words[scope] += sign * length

    def _save_counts(self) -> None:
        self.db.executemany(
            "UPDATE scopes SET passages = passages + :passages, words = words + :words WHERE code = :code",
            [
                {"code": code, "passages": count, "words": self._words[code]}
                for code, count in self._counts.items()
            ],
        )
        self._counts.clear()
        self._words.clear()

    # ── vectors ──────────────────────────────────────────────────────────────────────────────────

    def change(self) -> int:
        """The number of this call's change."""
        self._change = self._change or next_change(self.db)
        return self._change

    def set_vectors(self, rows: Iterable[tuple[int, int, int, bytes | None]]) -> None:
        """Keep vectors: key, scope (negative: archived), fingerprint, bytes."""
        given = [(*row, self.change()) for row in rows]
        self.db.executemany(
            "INSERT INTO vectors (key, scope, fingerprint, vector, change) VALUES (?1, ?2, ?3, ?4, ?5)"
            " ON CONFLICT (key) DO UPDATE SET scope = ?2, fingerprint = ?3, vector = ?4, change = ?5",
            given,
        )

    def _drop_vectors(self, keys: list[int]) -> None:
        gone = fetched(
            self.db,
            "DELETE FROM vectors WHERE key IN (SELECT value FROM json_each(:keys)) RETURNING key",
            {"keys": as_ids(keys)},
        )
        if gone:
            change = self.change()
            self.db.executemany("INSERT INTO dropped VALUES (?, ?)", [(change, key) for (key,) in gone])
            self._trim_drops(change)

    def _trim_drops(self, change: int) -> None:
        """Forget the oldest drops when there are many, and say up to where."""
        kept = fetched(self.db, "SELECT count(*) FROM dropped")[0][0]
        if kept > KEPT_DROPS:
            self.db.execute("DELETE FROM dropped")
            self.db.execute(
                "UPDATE meta SET value = :change WHERE name = 'dropped_floor'", {"change": change}
            )

    # ── revise ───────────────────────────────────────────────────────────────────────────────────

    def revise(self, draft: Draft) -> MemoryEntry:
        """A new version in place of the present one, which is kept."""
        seq, tenant, owner, session = self._place(draft.entry.id)
        self.db.execute(
            f"INSERT INTO versions (entry, {', '.join(DESCRIBED)})"
            f" SELECT seq, {', '.join(DESCRIBED)} FROM entries WHERE seq = :seq",
            {"seq": seq},
        )
        kept = self._replaced(draft, seq, tenant, owner, session, versions=1)
        self._keep_originals(seq, kept.version, draft)
        self.audit("update", [kept.id])
        return kept

    def _keep_originals(self, seq: int, version: int, draft: Draft) -> None:
        """What the version's placeholders stand for; those that it kept of the former one's, too."""
        self.db.execute(
            "INSERT INTO originals SELECT entry, :version, placeholder, value FROM originals"
            " WHERE entry = :entry AND version = :version - 1",
            {"entry": seq, "version": version},
        )
        self.db.executemany(KEEP_ORIGINAL, _originals(seq, version, draft))

    def rewrite(self, draft: Draft, former: Sequence[MemoryEntry]) -> MemoryEntry:
        """The same version with other words, and other former versions in place of those that were."""
        seq, tenant, owner, session = self._place(draft.entry.id)
        kept = self._replaced(draft, seq, tenant, owner, session, versions=0)
        self.db.execute("DELETE FROM versions WHERE entry = :seq", {"seq": seq})
        self.add_versions(seq, tenant, owner, former)
        self.audit("rewrite", [kept.id])
        return kept

    def add_versions(self, seq: int, tenant: int, owner: int, former: Sequence[MemoryEntry]) -> None:
        """Keep former versions of an entry."""
        self.db.executemany(
            insert("versions", ("entry", *DESCRIBED)),
            [
                {**described(version, tenant if version.visibility == "tenant" else owner), "entry": seq}
                for version in former
            ],
        )

    def _replaced(
        self, draft: Draft, seq: int, tenant: int, owner: int, session: int, *, versions: int
    ) -> MemoryEntry:
        """The draft's content, descriptions and passages in the place of an entry's."""
        visible = tenant if draft.entry.visibility == "tenant" else owner
        self.db.execute(
            f"UPDATE entries SET {', '.join(f'{name} = :{name}' for name in DESCRIBED if name != 'version')},"
            " version = version + :versions WHERE seq = :seq",
            {**described(draft.entry, visible), "seq": seq, "versions": versions},
        )
        self._forget_names(seq)
        kept = entry_from(fetched(self.db, f"{READ} WHERE e.seq = :seq", {"seq": seq})[0])
        positions = self._remove_passages([seq])
        entry = entry_params(kept, tenant, owner, visible, session)
        self._insert(
            list(self._pieces(draft, entry, self._continued(positions, len(draft.passages), session)))
        )
        self._save_sessions()
        self._save_counts()
        return kept

    def _forget_names(self, seq: int) -> None:
        """What the former version named is read anew."""
        for table in ("mentions", "ties"):
            self.db.execute(f"DELETE FROM {table} WHERE entry = :seq", {"seq": seq})
        self.db.execute("UPDATE entries SET named = '' WHERE seq = :seq", {"seq": seq})

    def _place(self, entry_id: str) -> tuple[int, int, int, int]:
        found = self.mine(Query(ids=(entry_id,), archived=None))
        sql = f"SELECT e.seq, e.tenant, e.owner, e.session FROM entries e WHERE {found.sql}"
        for seq, tenant, owner, session in fetched(self.db, sql, found.params):
            return seq, tenant, owner, session
        raise EntryNotFound(f"no entry {entry_id!r} that this user may change")

    def mine(self, query: Query) -> Where:
        """What is the scope's own, of what a query describes."""
        return where(reach_of(self.db, self.scope), query, DIALECT, to_change=True)

    def _continued(self, positions: list[int], count: int, session: int) -> list[int]:
        """The first ``count`` positions: those that were, then new ones at the session's end."""
        more = count - len(positions)
        if more <= 0:
            return positions[:count]
        stored = self._stored("s.code = :code", code=session)
        assert stored is not None  # The entry refers to it.
        self._sessions[0, stored.session_id] = stored
        return [*positions, *stored.take(more)]

    # ── state ────────────────────────────────────────────────────────────────────────────────────

    def mark(self, ids: Sequence[str], state: State) -> int:
        """Change states; words, vectors and counts follow what is archived or restored."""
        found = self.mine(Query(ids=tuple(ids), archived=None))
        sql = f"SELECT e.seq, e.archived_at IS NULL, e.id FROM entries e WHERE {found.sql}"
        rows = fetched(self.db, sql, found.params)
        seqs = [seq for seq, _, _ in rows]
        if seqs and state:
            self._set(seqs, state)
        if "archived_at" in state:
            archived = state["archived_at"] is not None
            self._shelve([seq for seq, live, _ in rows if bool(live) == archived], live=not archived)
        self._save_counts()
        self.audit(state_action(state), [entry_id for _, _, entry_id in rows])
        return len(rows)

    def _set(self, seqs: list[int], state: State) -> None:
        unknown = state.keys() - State.__annotations__.keys()
        if unknown:
            raise InvalidInput(f"{sorted(unknown)} is no state of an entry")
        values = {name: micros(v) if isinstance(v, datetime) else v for name, v in state.items()}
        self.db.execute(
            f"UPDATE entries SET {', '.join(f'{name} = :{name}' for name in state)}"
            " WHERE seq IN (SELECT value FROM json_each(:seqs))",
            {**values, "seqs": as_ids(seqs)},
        )

    def _shelve(self, seqs: list[int], *, live: bool) -> None:
        """Move the words and vectors of entries between what is live and what is archived."""
        rows = fetched(
            self.db,
            "SELECT p.key, p.scope, p.length, p.tokens, e.tenant FROM json_each(:seqs) j"
            " CROSS JOIN passages p ON p.entry = j.value CROSS JOIN entries e ON e.seq = p.entry"
            " WHERE p.live <> :live",
            {"seqs": as_ids(seqs), "live": live},
        )
        if not rows:
            return
        keys = [row[0] for row in rows]
        self._remove_words(keys)
        self._add_words(
            (key, words.indexed(tokens.split(" "), words.suffix(tenant, scope, live=live)))
            for key, scope, _, tokens, tenant in rows
        )
        self._count([(scope, length) for _, scope, length, _, _ in rows], 1 if live else -1)
        params = {"keys": as_ids(keys), "live": live}
        chosen = "key IN (SELECT value FROM json_each(:keys))"
        self.db.execute(f"UPDATE passages SET live = :live WHERE {chosen}", params)
        self.db.execute(
            f"UPDATE vectors SET scope = -scope, change = :change WHERE {chosen}",
            {"keys": params["keys"], "change": self.change()},
        )

    def count_uses(self, uses: Iterable[tuple[str, int]], at: datetime) -> None:
        """Add to the access counts."""
        reach = reach_of(self.db, self.scope)
        for entry_id, count in uses:
            mine = where(reach, Query(ids=(entry_id,), archived=None), DIALECT, to_change=True)
            self.db.execute(
                "UPDATE entries AS e SET access_count = access_count + :count,"
                f" last_access = max(coalesce(last_access, :at), :at) WHERE {mine.sql}",
                {**mine.params, "count": count, "at": micros(at)},
            )

    # ── delete ───────────────────────────────────────────────────────────────────────────────────

    def delete(self, ids: Sequence[str]) -> int:
        """Erase entries and all that came of them; sessions and users without entries go too."""
        mine = self.mine(Query(ids=tuple(ids), archived=None))
        sql = f"SELECT e.seq, e.session, e.id FROM entries e WHERE {mine.sql}"
        rows = fetched(self.db, sql, mine.params)
        self.remove([(seq, session) for seq, session, _ in rows])
        self.audit("delete", [entry_id for _, _, entry_id in rows])
        return len(rows)

    def remove(self, rows: Sequence[tuple[int, int]]) -> None:
        """Erase entries, given with their sessions; whose they are was asked before."""
        seqs = [seq for seq, _ in rows]
        self._remove_passages(seqs)
        self._save_counts()
        self.db.execute(
            "DELETE FROM entries WHERE seq IN (SELECT value FROM json_each(:seqs))", {"seqs": as_ids(seqs)}
        )
        self._remove_empty(sorted({session for _, session in rows}))

    def clear(self) -> int:
        """Erase every entry that the scope owns, and its watermarks; a clear of the tenant is counted."""
        erased = 0
        while ids := self._some_of_mine():
            erased += self.delete(ids)
        owner = {"tenant": self.scope.tenant_id, "user": self.scope.user_id}
        self.db.execute(
            "DELETE FROM watermarks WHERE tenant_id = :tenant AND (:user IS NULL OR user_id = :user)", owner
        )
        if self.scope.user_id is None:
            self.db.execute(
                "INSERT INTO generations (tenant_id, number) VALUES (:tenant, 1)"
                " ON CONFLICT DO UPDATE SET number = number + 1",
                {"tenant": self.scope.tenant_id},
            )
        return erased

    def _some_of_mine(self) -> list[str]:
        mine = self.mine(Query(archived=None))
        rows = fetched(self.db, f"SELECT e.id FROM entries e WHERE {mine.sql} LIMIT 1000", mine.params)
        return [entry_id for (entry_id,) in rows]

    def _remove_empty(self, sessions: list[int]) -> None:
        gone = fetched(
            self.db,
            "DELETE FROM sessions WHERE code IN (SELECT value FROM json_each(:codes))"
            " AND NOT EXISTS (SELECT 1 FROM entries WHERE session = sessions.code) RETURNING owner",
            {"codes": as_ids(sessions)},
        )
        owners = {"codes": as_ids(sorted({owner for (owner,) in gone}))}
        self.db.execute(
            "UPDATE sessions AS s SET current = 1 WHERE owner IN (SELECT value FROM json_each(:codes))"
            " AND code = (SELECT max(code) FROM sessions WHERE owner = s.owner AND derived = 1)"
            " AND NOT EXISTS (SELECT 1 FROM sessions WHERE owner = s.owner AND current = 1)",
            owners,
        )
        self.db.execute(
            "DELETE FROM scopes WHERE code IN (SELECT value FROM json_each(:codes)) AND shared = 0"
            " AND NOT EXISTS (SELECT 1 FROM sessions WHERE owner = scopes.code)",
            owners,
        )

    def _remove_passages(self, seqs: list[int]) -> list[int]:
        """Erase the passages of entries with their words and vectors; return their positions in order."""
        rows = fetched(
            self.db,
            "SELECT p.key, p.scope, p.length, p.live, p.position FROM json_each(:seqs) j"
            " CROSS JOIN passages p ON p.entry = j.value ORDER BY p.key",
            {"seqs": as_ids(seqs)},
        )
        keys = [row[0] for row in rows]
        self._remove_words(keys)
        self._count([(scope, length) for _, scope, length, live, _ in rows if live], -1)
        self._drop_vectors(keys)
        self.db.execute(
            "DELETE FROM passages WHERE key IN (SELECT value FROM json_each(:keys))", {"keys": as_ids(keys)}
        )
        return [row[4] for row in rows]

    def _remove_words(self, keys: list[int]) -> None:
        self.db.execute(
            "DELETE FROM words WHERE rowid IN (SELECT value FROM json_each(:keys))", {"keys": as_ids(keys)}
        )


def _originals(seq: int, version: int, draft: Draft) -> list[Params]:
    return [
        {"entry": seq, "version": version, "placeholder": placeholder, "value": value}
        for placeholder, value in draft.originals.items()
    ]
