"""What a write does to the tables on PostgreSQL, within the transaction of its caller.

The caller has locked the tenant, so no other process writes to it meanwhile. Words, vectors and counts are
kept in step with the passages here and nowhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from ..core.model import Draft, MemoryEntry, Query, Scope, State
from ..core.rules.audit import state_action
from ..core.trust import Event
from ..errors import EntryNotFound, InvalidInput
from . import postgres_audit, postgres_erasure
from .keeping import Joining, Session, as_read, conflict, halves, same
from .postgres_driver import Link, halfvec
from .postgres_sql import (
    ENTRY_TYPES,
    PASSAGE_TYPES,
    READ,
    VERSION_TYPES,
    as_it_is,
    entry_from,
    reach_of,
    readable,
    where,
)
from .sql import DESCRIBED, Params, Where, described, entry_params, passage_params
from .words import final

if TYPE_CHECKING:
    from numpy.typing import NDArray

_VECTORS = {
    "tenant_id": "text",
    "key": "bigint",
    "fingerprint": "bigint",
    "scope": "bigint",
    "vector": "halfvec",
}
_WORDS = {"tenant_id": "text", "token": "text", "scope": "bigint", "key": "bigint"}

_SAID = (
    "SELECT DISTINCT p.key, CASE WHEN p.live THEN p.scope ELSE -p.scope END AS scope, t.token"
    " FROM passages p CROSS JOIN LATERAL unnest(string_to_array(p.tokens, ' ')) t (token)"
    " WHERE p.tenant_id = :tenant_id AND p.key = ANY(:keys::bigint[])"
)
"""The rows of words that passages have."""


@dataclass(slots=True)
class _Piece:
    """A passage on its way in, with its words and its vector."""

    params: Params
    words: Iterable[str]
    vector: NDArray[Any] | None


@dataclass
class Writer(Joining):
    """The changes of one call on behalf of one scope."""

    db: Link
    scope: Scope
    _codes: dict[tuple[str, bool], int] = field(default_factory=dict)
    _sessions: dict[tuple[int, str], Session] = field(default_factory=dict)
    _current: dict[int, Session] = field(default_factory=dict)
    _counts: Counter[int] = field(default_factory=Counter)
    _words: Counter[int] = field(default_factory=Counter)

    def _of(self, **params: Any) -> Params:
        """Parameters of a statement about the scope's tenant."""
        return {"tenant_id": self.scope.tenant_id, **params}

    # ── put ──────────────────────────────────────────────────────────────────────────────────────

    def put(self, drafts: Sequence[Draft], gap: timedelta) -> list[MemoryEntry]:
        """Keep what is new; return all as they are kept."""
        kept = self._kept([draft.entry.id for draft in drafts])
        results: list[MemoryEntry] = []
        fresh: list[Params] = []
        users: dict[str, str | None] = {}
        pieces: list[_Piece] = []
        seq = self._last("seq")
        for draft in drafts:
            entry = self._owned(draft.entry)
            if (twin := kept.get(entry.id)) is None:
                seq += 1
                twin, params = self._arrive(entry, seq, gap)
                fresh.append(params)
                users[entry.id] = entry.user_id
                positions = self._sessions[params["owner"], str(twin.session_id)].take(len(draft.passages))
                pieces += self._pieces(draft, params, positions)
                kept[entry.id] = twin
            elif not same(self.scope, twin, entry):
                raise conflict(self.scope, twin)
            results.append(twin)
        postgres_erasure.refuse_erased(self.db, self.scope.tenant_id, users)
        self.db.insert("entries", ENTRY_TYPES, fresh)
        self._insert(pieces)
        self._save_last("seq", seq)
        self._save_sessions()
        self._save_counts()
        self.audit("save", [params["id"] for params in fresh])
        return results

    def audit(self, action: str, ids: Sequence[str]) -> None:
        """Record what was done to entries, if it was done to any."""
        if ids:
            event = Event(action, self.scope.actor, self.scope.user_id, tuple(ids))
            postgres_audit.append(self.db, self.scope.tenant_id, postgres_audit.MEMORY, event)

    def _kept(self, ids: list[str]) -> dict[str, MemoryEntry]:
        """Those entries of the tenant that are there, whoever's they are."""
        rows = self.db.rows(
            f"{READ} WHERE e.tenant_id = :tenant_id AND e.id = ANY(:ids::text[])", self._of(ids=ids)
        )
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
        params = self._of(**entry_params(entry, tenant, owner, visible, session.code, as_it_is))
        params |= {"seq": seq, "told": readable(params["metadata"])}
        return replace(entry, seq=seq, session_id=session.session_id, **as_read(entry, params)), params

    def _last(self, number: str) -> int:
        """The highest number that the tenant ever gave: none is given twice."""
        return self.db.number(f"SELECT {number} FROM numbers WHERE tenant_id = :tenant_id", self._of())

    def _save_last(self, number: str, last: int) -> None:
        self.db.run(f"UPDATE numbers SET {number} = :last WHERE tenant_id = :tenant_id", self._of(last=last))

    def _code(self, user_id: str, *, shared: bool = False) -> int:
        if (user_id, shared) not in self._codes:
            params = self._of(user=user_id, shared=shared)
            known = (
                "SELECT code FROM scopes"
                " WHERE tenant_id = :tenant_id AND user_id = :user AND shared = :shared"
            )
            rows = self.db.rows(known, params) or self.db.rows(
                "INSERT INTO scopes (tenant_id, user_id, shared) VALUES (:tenant_id, :user, :shared)"
                " RETURNING code",
                params,
            )
            self._codes[user_id, shared] = rows[0][0]
        return self._codes[user_id, shared]

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────

    def _running(self, owner: int) -> Session | None:
        return self._stored("s.owner = :owner AND s.current", owner=owner)

    def _known(self, owner: int, session_id: str) -> Session | None:
        return self._stored("s.owner = :owner AND s.session_id = :id", owner=owner, id=session_id)

    def _stored(self, condition: str, **params: Any) -> Session | None:
        """A session, with the time of its last entry by order of arrival."""
        sql = (
            "SELECT s.code, s.session_id, s.next_position, (SELECT e.occurred_at FROM entries e"
            " WHERE e.tenant_id = s.tenant_id AND e.session = s.code ORDER BY e.seq DESC LIMIT 1)"
            f" FROM sessions s WHERE s.tenant_id = :tenant_id AND {condition}"
        )
        for row in self.db.rows(sql, self._of(**params)):
            return Session(*row)
        return None

    def _begin(self, owner: int, session_id: str, derived: bool) -> Session:
        code = self.db.number(
            "INSERT INTO sessions (tenant_id, owner, session_id, derived, current, next_position)"
            " VALUES (:tenant_id, :owner, :session_id, :derived, false, 0) RETURNING code",
            self._of(owner=owner, session_id=session_id, derived=derived),
        )
        return Session(code, session_id, 0, None)

    def _make_current(self, owner: int, session: Session) -> None:
        self.db.run(
            "UPDATE sessions SET current = (code = :code)"
            " WHERE tenant_id = :tenant_id AND owner = :owner AND (current OR code = :code)",
            self._of(owner=owner, code=session.code),
        )

    def _save_sessions(self) -> None:
        sessions = list(self._sessions.values())
        self.db.run(
            "UPDATE sessions s SET next_position = n.position"
            " FROM unnest(:codes::bigint[], :positions::bigint[]) n (code, position)"
            " WHERE s.tenant_id = :tenant_id AND s.code = n.code",
            self._of(codes=[one.code for one in sessions], positions=[one.next_position for one in sessions]),
        )

    # ── passages ─────────────────────────────────────────────────────────────────────────────────

    def _pieces(self, draft: Draft, entry: Params, positions: Iterable[int]) -> Iterator[_Piece]:
        fingerprint, vectors = self._vectors(draft)
        place = self._of(
            entry=entry["seq"], scope=entry["visible"], live=entry["archived_at"] is None,
            session=entry["session"], embedded=fingerprint,
        )  # fmt: skip
        for passage, position, vector in zip(draft.passages, positions, vectors, strict=True):
            params = {**passage_params(passage), **place, "position": position}
            yield _Piece(params, dict.fromkeys(filter(final, passage.tokens)), vector)

    def _vectors(self, draft: Draft) -> tuple[int, Sequence[NDArray[Any] | None]]:
        if draft.vectors is None or draft.fingerprint is None:
            return 0, [None] * len(draft.passages)
        vectors = halves(draft.vectors, len(draft.passages))
        return self.fingerprint(draft.fingerprint, vectors.shape[1]), list(vectors)

    def fingerprint(self, name: str, dimensions: int) -> int:
        """The number of a fingerprint; its vectors are all of one length."""
        sql = "SELECT code, dimensions FROM fingerprints WHERE name = :name"
        params = {"name": name, "dimensions": dimensions}
        if not self.db.rows(sql, params):
            self.db.run(
                "INSERT INTO fingerprints (name, dimensions) VALUES (:name, :dimensions)"
                " ON CONFLICT (name) DO NOTHING",
                params,
            )
        ((code, known),) = self.db.rows(sql, params)
        if known != dimensions:
            raise InvalidInput(f"vectors of {name!r} have {known} dimensions, these have {dimensions}")
        return int(code)

    def _insert(self, pieces: list[_Piece]) -> None:
        if not pieces:
            return
        last = self._last("key")
        for key, piece in enumerate(pieces, last + 1):
            piece.params["key"] = key
        rows = [piece.params for piece in pieces]
        self.db.insert("passages", PASSAGE_TYPES, rows)
        self._save_last("key", last + len(pieces))
        signed = [row["scope"] if row["live"] else -row["scope"] for row in rows]
        self.db.insert(
            "words",
            _WORDS,
            [
                self._of(token=token, scope=scope, key=piece.params["key"])
                for piece, scope in zip(pieces, signed, strict=True)
                for token in piece.words
            ],
        )
        self._count([(row["scope"], row["length"]) for row in rows if row["live"]], 1)
        self.set_vectors(
            (row["key"], scope, row["embedded"], piece.vector)
            for row, scope, piece in zip(rows, signed, pieces, strict=True)
            if piece.vector is not None
        )

    def _count(self, lengths: Iterable[tuple[int, int]], sign: int) -> None:
        for scope, length in lengths:
            self._counts[scope] += sign
            self._words[scope] += sign * length

    def _save_counts(self) -> None:
        for code, count in self._counts.items():
            self.db.run(
                "UPDATE scopes SET passages = passages + :passages, words = words + :words"
                " WHERE tenant_id = :tenant_id AND code = :code",
                self._of(code=code, passages=count, words=self._words[code]),
            )
        self._counts.clear()
        self._words.clear()

    def set_vectors(self, rows: Iterable[tuple[int, int, int, NDArray[Any]]]) -> None:
        """Keep vectors: key, scope (negative: archived), fingerprint, vector."""
        given = [
            self._of(key=key, scope=scope, fingerprint=code, vector=halfvec(vector))
            for key, scope, code, vector in rows
        ]
        self.db.insert(
            "vectors",
            _VECTORS,
            given,
            more="ON CONFLICT (tenant_id, key) DO UPDATE SET scope = excluded.scope,"
            " fingerprint = excluded.fingerprint, vector = excluded.vector",
        )

    # ── revise ───────────────────────────────────────────────────────────────────────────────────

    def revise(self, draft: Draft) -> MemoryEntry:
        """A new version in place of the present one, which is kept."""
        seq, tenant, owner, session = self._place(draft.entry.id)
        columns = ", ".join(DESCRIBED)
        one = "tenant_id = :tenant_id AND seq = :seq"
        self.db.run(
            f"INSERT INTO versions (tenant_id, entry, {columns})"
            f" SELECT tenant_id, seq, {columns} FROM entries WHERE {one}",
            self._of(seq=seq),
        )
        kept = self._replaced(draft, seq, tenant, owner, session, versions=1)
        self.audit("update", [kept.id])
        return kept

    def rewrite(self, draft: Draft, former: Sequence[MemoryEntry]) -> MemoryEntry:
        """The same version with other words, and other former versions in place of those that were."""
        seq, tenant, owner, session = self._place(draft.entry.id)
        kept = self._replaced(draft, seq, tenant, owner, session, versions=0)
        self.db.run("DELETE FROM versions WHERE tenant_id = :tenant_id AND entry = :seq", self._of(seq=seq))
        self.add_versions(seq, tenant, owner, former)
        self.audit("rewrite", [kept.id])
        return kept

    def add_versions(self, seq: int, tenant: int, owner: int, former: Sequence[MemoryEntry]) -> None:
        """Keep former versions of an entry."""
        self.db.insert(
            "versions",
            VERSION_TYPES,
            [
                self._of(
                    **described(version, tenant if version.visibility == "tenant" else owner, as_it_is),
                    entry=seq,
                )
                for version in former
            ],
        )

    def _replaced(
        self, draft: Draft, seq: int, tenant: int, owner: int, session: int, *, versions: int
    ) -> MemoryEntry:
        """The draft's content, descriptions and passages in the place of an entry's."""
        one = "tenant_id = :tenant_id AND seq = :seq"
        visible = tenant if draft.entry.visibility == "tenant" else owner
        told = described(draft.entry, visible, as_it_is)
        changed = ", ".join(f"{name} = :{name}" for name in DESCRIBED if name != "version")
        self.db.run(
            f"UPDATE entries SET {changed}, told = :told::jsonb, version = version + :versions::integer"
            f" WHERE {one}",
            self._of(**told, told=readable(told["metadata"]), seq=seq, versions=versions),
        )
        self._forget_names(seq)
        kept = entry_from(
            self.db.rows(f"{READ} WHERE e.tenant_id = :tenant_id AND e.seq = :seq", self._of(seq=seq))[0]
        )
        positions = self._remove_passages([seq])
        entry = entry_params(kept, tenant, owner, visible, session, as_it_is)
        self._insert(
            list(self._pieces(draft, entry, self._continued(positions, len(draft.passages), session)))
        )
        self._save_sessions()
        self._save_counts()
        return kept

    def _forget_names(self, seq: int) -> None:
        """What the former version named is read anew."""
        for table in ("mentions", "ties"):
            self.db.run(
                f"DELETE FROM {table} WHERE tenant_id = :tenant_id AND entry = :seq", self._of(seq=seq)
            )
        self.db.run(
            "UPDATE entries SET named = '' WHERE tenant_id = :tenant_id AND seq = :seq", self._of(seq=seq)
        )

    def _place(self, entry_id: str) -> tuple[int, int, int, int]:
        found = self.mine(Query(ids=(entry_id,), archived=None))
        sql = f"SELECT e.seq, e.tenant, e.owner, e.session FROM entries e WHERE {found.sql}"
        for seq, tenant, owner, session in self.db.rows(sql, found.params):
            return seq, tenant, owner, session
        raise EntryNotFound(f"no entry {entry_id!r} that this user may change")

    def mine(self, query: Query) -> Where:
        """What is the scope's own, of what a query describes."""
        return where(self.scope, reach_of(self.db, self.scope), query, to_change=True)

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
        rows = self.db.rows(sql, found.params)
        seqs = [seq for seq, _, _ in rows]
        if seqs and state:
            self._set(seqs, state)
        if "archived_at" in state:
            archived = state["archived_at"] is not None
            self._shelve([seq for seq, live, _ in rows if live == archived], live=not archived)
        self._save_counts()
        self.audit(state_action(state), [entry_id for _, _, entry_id in rows])
        return len(rows)

    def _set(self, seqs: list[int], state: State) -> None:
        unknown = state.keys() - State.__annotations__.keys()
        if unknown:
            raise InvalidInput(f"{sorted(unknown)} is no state of an entry")
        self.db.run(
            f"UPDATE entries SET {', '.join(f'{name} = :{name}' for name in state)}"
            " WHERE tenant_id = :tenant_id AND seq = ANY(:seqs::bigint[])",
            self._of(**state, seqs=seqs),
        )

    def _shelve(self, seqs: list[int], *, live: bool) -> None:
        """Move the words and vectors of entries between what is live and what is archived."""
        rows = self.db.rows(
            "SELECT p.key, p.scope, p.length FROM passages p"
            " WHERE p.tenant_id = :tenant_id AND p.entry = ANY(:seqs::bigint[]) AND p.live <> :live",
            self._of(seqs=seqs, live=live),
        )
        if not rows:
            return
        params = self._of(keys=[row[0] for row in rows], live=live)
        self.db.run(
            f"UPDATE words w SET scope = -w.scope FROM ({_SAID}) said"
            " WHERE w.tenant_id = :tenant_id AND w.token = said.token AND w.scope = said.scope"
            " AND w.key = said.key",
            params,
        )
        chosen = "tenant_id = :tenant_id AND key = ANY(:keys::bigint[])"
        self.db.run(f"UPDATE passages SET live = :live WHERE {chosen}", params)
        self.db.run(f"UPDATE vectors SET scope = -scope WHERE {chosen}", params)
        self._count([(scope, length) for _, scope, length in rows], 1 if live else -1)

    def count_uses(self, uses: Mapping[str, int], at: datetime) -> None:
        """Add to the access counts."""
        mine = self.mine(Query(ids=tuple(uses), archived=None))
        self.db.run(
            "UPDATE entries e SET access_count = access_count + used.times,"
            " last_access = greatest(last_access, :at::timestamptz)"
            " FROM unnest(:used::text[], :times::bigint[]) used (id, times)"
            f" WHERE e.id = used.id AND {mine.sql}",
            {**mine.params, "used": list(uses), "times": list(uses.values()), "at": at},
        )

    # ── delete ───────────────────────────────────────────────────────────────────────────────────

    def delete(self, ids: Sequence[str]) -> int:
        """Erase entries and all that came of them; sessions and users without entries go too."""
        mine = self.mine(Query(ids=tuple(ids), archived=None))
        rows = self.db.rows(f"SELECT e.seq, e.session, e.id FROM entries e WHERE {mine.sql}", mine.params)
        self.remove([(seq, session) for seq, session, _ in rows])
        self.audit("delete", [entry_id for _, _, entry_id in rows])
        return len(rows)

    def remove(self, rows: Sequence[tuple[int, int]]) -> None:
        """Erase entries, given with their sessions; whose they are was asked before."""
        seqs = [seq for seq, _ in rows]
        self._remove_passages(seqs)
        self._save_counts()
        self.db.run(
            "DELETE FROM entries WHERE tenant_id = :tenant_id AND seq = ANY(:seqs::bigint[])",
            self._of(seqs=seqs),
        )
        self._remove_empty(sorted({session for _, session in rows}))

    def clear(self) -> int:
        """Erase every entry that the scope owns, and its watermarks; a clear of the tenant is counted."""
        erased = 0
        while ids := self._some_of_mine():
            erased += self.delete(ids)
        self.db.run(
            "DELETE FROM watermarks"
            " WHERE tenant_id = :tenant_id AND (:user::text IS NULL OR user_id = :user)",
            self._of(user=self.scope.user_id),
        )
        if self.scope.user_id is None:
            self.db.run("UPDATE numbers SET cleared = cleared + 1 WHERE tenant_id = :tenant_id", self._of())
        return erased

    def _some_of_mine(self) -> list[str]:
        mine = self.mine(Query(archived=None))
        rows = self.db.rows(f"SELECT e.id FROM entries e WHERE {mine.sql} LIMIT 1000", mine.params)
        return [entry_id for (entry_id,) in rows]

    def _remove_empty(self, sessions: list[int]) -> None:
        gone = self.db.rows(
            "DELETE FROM sessions s WHERE s.tenant_id = :tenant_id AND s.code = ANY(:codes::bigint[])"
            " AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.tenant_id = :tenant_id AND e.session = s.code)"
            " RETURNING s.owner",
            self._of(codes=sessions),
        )
        owners = self._of(codes=sorted({owner for (owner,) in gone}))
        self.db.run(
            "UPDATE sessions s SET current = true"
            " WHERE s.tenant_id = :tenant_id AND s.owner = ANY(:codes::bigint[])"
            " AND s.code = (SELECT max(n.code) FROM sessions n"
            "  WHERE n.tenant_id = :tenant_id AND n.owner = s.owner AND n.derived)"
            " AND NOT EXISTS (SELECT 1 FROM sessions n"
            "  WHERE n.tenant_id = :tenant_id AND n.owner = s.owner AND n.current)",
            owners,
        )
        self.db.run(
            "DELETE FROM scopes o WHERE o.tenant_id = :tenant_id AND o.code = ANY(:codes::bigint[])"
            " AND NOT o.shared AND NOT EXISTS (SELECT 1 FROM sessions s"
            "  WHERE s.tenant_id = :tenant_id AND s.owner = o.code)",
            owners,
        )

    def _remove_passages(self, seqs: list[int]) -> list[int]:
        """Erase the passages of entries with their words and vectors; return their positions in order."""
        rows = self.db.rows(
            "SELECT p.key, p.scope, p.length, p.live, p.position FROM passages p"
            " WHERE p.tenant_id = :tenant_id AND p.entry = ANY(:seqs::bigint[]) ORDER BY p.key",
            self._of(seqs=seqs),
        )
        params = self._of(keys=[row[0] for row in rows])
        if rows:
            self.db.run(
                f"DELETE FROM words w USING ({_SAID}) said WHERE w.tenant_id = :tenant_id"
                " AND w.token = said.token AND w.scope = said.scope AND w.key = said.key",
                params,
            )
            for table in ("vectors", "passages"):
                self.db.run(
                    f"DELETE FROM {table} WHERE tenant_id = :tenant_id AND key = ANY(:keys::bigint[])", params
                )
        self._count([(scope, length) for _, scope, length, live, _ in rows if live], -1)
        return [row[4] for row in rows]
