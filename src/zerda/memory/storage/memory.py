"""A store without a disk: dictionaries, one lock, exact searches.

It is what `MemoryConfig(enable_persistence=False)` uses, and the oracle that other backends are held
against: what it does slowly and simply, they have to do as well.
"""

from __future__ import annotations

import copy
import json
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import numpy as np

from ..after_fork import Lock, renew_in_child
from ..core.model import (
    Draft,
    MemoryEntry,
    Passage,
    PendingText,
    Query,
    Scope,
    State,
    StoredPassage,
    StoreStats,
    VectorHits,
    WordHits,
    micros,
    spans_as_text,
)
from ..core.rules.audit import state_action
from ..core.rules.bm25 import Corpus, Term, bm25
from ..core.rules.hashing import as_json
from ..core.rules.matching import awake, matches, ordered, owns, reads
from ..core.rules.passages import text_of
from ..core.rules.profile import UserProfile
from ..core.rules.speakers import speaker_of
from ..core.rules.time import new_session
from ..errors import EntryNotFound, InvalidInput, StoreClosed
from .base import Catalog, Store, Stores
from .keeping import conflict, derived_session_id, same
from .memory_catalog import InMemoryCatalog
from .memory_names import MemoryNames
from .vector_backends import SemanticBackend, vector_backend

if TYPE_CHECKING:
    from numpy.typing import NDArray

K = TypeVar("K")
V = TypeVar("V")

Name = tuple[str, str]
"""Tenant and id: what names an entry in a store."""

Owner = tuple[str, str | None]
"""Tenant and user."""


@dataclass(frozen=True, slots=True)
class _Session:
    """A user's session: where its next passage goes, and its newest entry."""

    number: int
    owner: Owner
    name: str
    derived: bool
    newest: Name
    end: int = 0


@dataclass(frozen=True, slots=True)
class _Row:
    """A passage in its place. ``counts`` tells how often it holds each token."""

    key: int
    entry: Name
    session: int
    position: int
    passage: Passage
    counts: Mapping[str, int]
    vector: NDArray[Any] | None = None
    fingerprint: str | None = None


class _Journal:
    """Changes dictionaries so that the changes can be undone."""

    def __init__(self) -> None:
        self._undo: list[Callable[[], object]] = []

    def put(self, table: dict[K, V], key: K, value: V) -> None:
        if key in table:
            before = table[key]
            self._undo.append(lambda: table.__setitem__(key, before))
        else:
            self._undo.append(lambda: table.pop(key, None))
        table[key] = value

    def drop(self, table: dict[K, V], key: K) -> None:
        if key in table:
            before = table[key]
            self._undo.append(lambda: table.__setitem__(key, before))
            del table[key]

    def mark(self) -> int:
        return len(self._undo)

    def undo(self, mark: int) -> None:
        while len(self._undo) > mark:
            self._undo.pop()()

    def commit(self) -> None:
        self._undo.clear()


class InMemoryStore(MemoryNames):
    """Keeps everything in this process, until it is closed.

    One lock serves all: a transaction keeps other threads waiting until it ends, so nothing in it may
    wait for another thread that uses the store. Every search reads all of the scope.
    """

    def __init__(self, *, vectors: SemanticBackend = "auto") -> None:
        super().__init__()
        self._vectors = vector_backend(vectors)
        self._lock = threading.RLock()
        renew_in_child(self)
        self._closed = False
        self._journal = _Journal()
        self._depth = 0
        self._numbers: dict[str, int] = {}
        self._entries: dict[Name, MemoryEntry] = {}
        self._former: dict[Name, tuple[MemoryEntry, ...]] = {}
        self._keys: dict[Name, tuple[int, ...]] = {}
        self._rows: dict[int, _Row] = {}
        self._places: dict[tuple[int, int], int] = {}
        self._sessions: dict[tuple[Owner, str], _Session] = {}
        self._derived: dict[Owner, str] = {}
        self._watermarks: dict[Owner, int] = {}
        self._profiles: dict[Owner, UserProfile] = {}
        self._generations: dict[str, int] = {}

    def renew(self) -> None:
        """In a forked child: what another thread was amid is taken back."""
        if self._lock.acquire(blocking=False):
            self._lock.release()
            return
        self._lock = threading.RLock()
        self._journal.undo(0)
        self._depth = 0

    # ── keeping ──────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def transaction(self) -> Generator[None]:
        with self._using():
            mark = self._journal.mark()
            self._depth += 1
            try:
                yield
            except BaseException:
                self._journal.undo(mark)
                raise
            finally:
                self._depth -= 1
                if not self._depth:
                    self._journal.commit()

    def put(
        self, scope: Scope, drafts: Sequence[Draft], *, session_gap_seconds: float = 1800.0
    ) -> list[MemoryEntry]:
        gap = timedelta(seconds=session_gap_seconds)
        with self.transaction():
            before = self._numbers.get("seq", 0)
            kept = [self._keep(scope, draft, gap) for draft in drafts]
            self._note(scope, "save", (entry.id for entry in kept if entry.seq > before))
            return [_handed_out(entry) for entry in kept]

    def revise(self, scope: Scope, draft: Draft) -> MemoryEntry:
        with self.transaction():
            kept = self._own(scope, draft.entry.id)
            if kept is None:
                raise _not_found()
            name = _name(kept)
            entry = _next_version(kept, draft.entry)
            self._journal.put(self._former, name, (*self._former.get(name, ()), kept))
            self._journal.put(self._entries, name, entry)
            self._index(entry, draft, places=self._vacated(name))
            self._forget_names(name)
            self._note(scope, "update", [entry.id])
            return _handed_out(entry)

    def rewrite(self, scope: Scope, draft: Draft, former: Sequence[MemoryEntry] = ()) -> MemoryEntry:
        with self.transaction():
            kept = self._own(scope, draft.entry.id)
            if kept is None:
                raise _not_found()
            name = _name(kept)
            entry = replace(_next_version(kept, draft.entry), version=kept.version)
            if former:
                self._journal.put(self._former, name, tuple(map(_json_copy, former)))
            else:
                self._journal.drop(self._former, name)
            self._journal.put(self._entries, name, entry)
            self._index(entry, draft, places=self._vacated(name))
            self._forget_names(name)
            self._note(scope, "rewrite", [entry.id])
            return _handed_out(entry)

    def mark(self, scope: Scope, ids: Sequence[str], **state: Unpack[State]) -> int:
        with self.transaction():
            reached = list(self._own_of(scope, ids))
            for entry in reached:
                self._journal.put(self._entries, _name(entry), replace(entry, **state))
            self._note(scope, state_action(state), (entry.id for entry in reached))
            return len(reached)

    def count_uses(self, scope: Scope, uses: Mapping[str, int], at: datetime) -> None:
        with self.transaction():
            for entry in self._own_of(scope, uses):
                used = replace(
                    entry,
                    access_count=entry.access_count + uses[entry.id],
                    last_access=max(entry.last_access or at, at),
                )
                self._journal.put(self._entries, _name(entry), used)

    def delete(self, scope: Scope, ids: Sequence[str]) -> int:
        with self.transaction():
            gone = list(self._own_of(scope, ids))
            self._remove(gone)
            self._note(scope, "delete", (entry.id for entry in gone))
            return len(gone)

    def scrub(self, *, timeout_seconds: float = 10.0) -> None:
        with self._using():
            pass  # Nothing outlives its last reference here.

    # ── finding ──────────────────────────────────────────────────────────────────────────────────

    def get(self, scope: Scope, entry_id: str) -> MemoryEntry:
        with self._using():
            entry = self._entries.get((scope.tenant_id, entry_id))
            if entry is None or not reads(scope, entry):
                raise _not_found()
            return _handed_out(entry)

    def find(self, scope: Scope, query: Query) -> list[MemoryEntry]:
        with self._using():
            return [_handed_out(entry) for entry in ordered(query, self._matching(scope, query))]

    def count(self, scope: Scope, query: Query) -> int:
        with self._using():
            return sum(1 for _ in self._matching(scope, query))

    def history(self, scope: Scope, entry_id: str) -> list[MemoryEntry]:
        with self._using():
            present = self.get(scope, entry_id)
            former = self._former.get(_name(present), ())
            return [*(_as_it_stands(_handed_out(version), present) for version in former), present]

    def speakers(self, scope: Scope, *, limit: int = 64) -> tuple[str, ...]:
        with self._using():
            names = {entry.speaker for entry in self._matching(scope, Query()) if entry.speaker}
            return tuple(sorted(names)[:limit])

    def users(self, tenant_id: str) -> tuple[str, ...]:
        with self._using():
            named = (entry.user_id for entry in self._matching(Scope(tenant_id), Query(archived=None)))
            return tuple(sorted({user for user in named if user is not None}))

    # ── searching ────────────────────────────────────────────────────────────────────────────────

    def search_words(
        self,
        scope: Scope,
        terms: Sequence[tuple[str, ...]],
        query: Query,
        *,
        limit: int,
        budget: int = 50_000,
    ) -> WordHits:
        with self._using():
            live = [row for row, _ in self._matching_rows(scope, Query())]
            held = [row for row, _ in self._matching_rows(scope, query) if _holds(row, terms)]
        corpus = Corpus(len(live), sum(row.passage.length for row in live) / len(live) if live else 0.0)
        wanted = [Term(tokens, sum(_holds(row, [tokens]) for row in live)) for tokens in terms]
        scores = {row.key: bm25(wanted, corpus, row.counts, row.passage.length) for row in held}
        best = sorted(scores, key=lambda key: (-scores[key], key))
        tokens = dict.fromkeys(token for tokens in terms for token in tokens)
        return WordHits(
            keys=tuple(best[:limit]),
            passages=corpus.passages,
            mean_length=corpus.mean_length,
            frequencies={token: sum(token in row.counts for row in live) for token in tokens},
        )

    def search_vectors(
        self, scope: Scope, vector: NDArray[Any], fingerprint: str, query: Query, *, limit: int
    ) -> VectorHits:
        with self._using():
            live = _having(fingerprint, self._matching_rows(scope, Query()))
            near = _having(fingerprint, self._matching_rows(scope, query))
        cosines = self._cosines(near, vector)
        nearest = sorted(cosines.items(), key=lambda hit: (-hit[1], hit[0]))
        background = np.fromiter(self._cosines(live, vector).values(), np.float64)
        if not background.size:
            return VectorHits(tuple(nearest[:limit]))
        return VectorHits(tuple(nearest[:limit]), float(background.mean()), float(background.std()))

    @property
    def vector_backend(self) -> str:
        return self._vectors.name

    def _cosines(self, rows: Sequence[_Row], vector: NDArray[Any]) -> dict[int, float]:
        """By key."""
        if not rows:
            return {}
        matrix = np.stack([row.vector for row in rows if row.vector is not None])
        cosines = self._vectors.cosines(matrix, vector)
        return {row.key: float(cosine) for row, cosine in zip(rows, cosines, strict=True)}

    def passages(
        self,
        scope: Scope,
        keys: Sequence[int],
        query: Query,
        *,
        before: int = 0,
        after: int = 0,
        fingerprint: str | None = None,
    ) -> list[StoredPassage]:
        with self._using():
            asked = [row for key in keys if (row := self._visible(scope, key, query))]
            places = {
                (row.session, row.position + step) for row in asked for step in range(-before, after + 1)
            }
            found = [self._visible(scope, self._places.get(place), query) for place in sorted(places)]
            return [self._stored(row, query, fingerprint) for row in found if row]

    def passages_of(self, scope: Scope, entry_ids: Sequence[str]) -> list[int]:
        with self._using():
            live = self._matching(scope, Query(ids=tuple(entry_ids)))
            return [key for entry in live for key in self._keys[_name(entry)]]

    # ── vectors ──────────────────────────────────────────────────────────────────────────────────

    def pending(self, scope: Scope, fingerprint: str, *, limit: int) -> list[PendingText]:
        with self._using():
            live = self._matching_rows(scope, Query())
            bare = [(entry.seq, row.key, row, entry) for row, entry in live if row.fingerprint != fingerprint]
            newest = sorted(bare, key=lambda it: it[:2], reverse=True)[:limit]
            return [PendingText(key, text_of(entry.content, row.passage)) for _, key, row, entry in newest]

    def put_vectors(self, scope: Scope, fingerprint: str, keys: Sequence[int], vectors: NDArray[Any]) -> int:
        _check_shape(vectors, len(keys))
        there = 0
        with self.transaction():
            for key, vector in zip(keys, vectors, strict=True):
                row = self._rows.get(key)
                if row and reads(scope, self._entries[row.entry]):
                    there += 1
                    self._journal.put(
                        self._rows, key, replace(row, vector=_kept_vector(vector), fingerprint=fingerprint)
                    )
        return there

    # ── profiles ─────────────────────────────────────────────────────────────────────────────────

    def profile(self, scope: Scope) -> UserProfile:
        with self._using():
            kept = self._profiles.get((scope.tenant_id, _user(scope)))
            return _own_copy(kept or UserProfile(tenant_id=scope.tenant_id, user_id=_user(scope)))

    def put_profile(self, scope: Scope, profile: UserProfile, *, known: UserProfile | None = None) -> None:
        with self.transaction():
            kept = replace(_own_copy(profile), tenant_id=scope.tenant_id, user_id=_user(scope))
            self._journal.put(self._profiles, (scope.tenant_id, _user(scope)), kept)

    def profiles(self, scope: Scope) -> list[UserProfile]:
        with self._using():
            within = [it for owner, it in self._profiles.items() if _covers(scope, owner)]
            return [_own_copy(it) for it in sorted(within, key=lambda it: it.user_id)]

    def delete_profiles(self, scope: Scope) -> int:
        with self.transaction():
            gone = [owner for owner in self._profiles if _covers(scope, owner)]
            for owner in gone:
                self._journal.drop(self._profiles, owner)
            return len(gone)

    # ── the whole ────────────────────────────────────────────────────────────────────────────────

    def clear(self, scope: Scope) -> int:
        with self.transaction():
            erased = self.delete(
                scope, [name[1] for name, entry in self._entries.items() if owns(scope, entry)]
            )
            self.delete_profiles(scope)
            for owner in [owner for owner in self._watermarks if _covers(scope, owner)]:
                self._journal.drop(self._watermarks, owner)
            if scope.user_id is None:
                self._journal.put(self._generations, scope.tenant_id, self.generation(scope) + 1)
            return erased

    def generation(self, scope: Scope) -> int:
        with self._using():
            return self._generations.get(scope.tenant_id, 0)

    # ── tiers and numbers ────────────────────────────────────────────────────────────────────────

    def watermark(self, scope: Scope) -> int:
        with self._using():
            return self._watermarks.get((scope.tenant_id, scope.user_id), 0)

    def set_watermark(self, scope: Scope, seq: int) -> None:
        with self.transaction():
            self._journal.put(
                self._watermarks, (scope.tenant_id, scope.user_id), max(seq, self.watermark(scope))
            )

    def stats(self, scope: Scope, fingerprint: str | None = None) -> StoreStats:
        with self._using():
            live = list(self._matching(scope, Query()))
            rows = [row for row, _ in self._matching_rows(scope, Query())]
            return StoreStats(
                entries=len(live),
                archived=self.count(scope, Query(archived=True)),
                promoted=sum(entry.promoted_at is not None for entry in live),
                pinned=sum(entry.pinned for entry in live),
                passages=len(rows),
                pending=sum(row.fingerprint != fingerprint for row in rows) if fingerprint else 0,
                sessions=len({(_owner(entry), entry.session_id) for entry in live}),
                users=len({entry.user_id for entry in live if entry.user_id is not None}),
            )

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._entries, self._former, self._keys, self._rows, self._places = {}, {}, {}, {}, {}
            self._profiles, self._named = {}, {}

    # ── how ──────────────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _using(self) -> Generator[None]:
        with self._lock:
            if self._closed:
                raise StoreClosed("the store was closed; open it again")
            yield

    def _next(self, what: str) -> int:
        """The next number, which no rollback takes back: what was seen within one may not come again."""
        self._numbers[what] = self._numbers.get(what, 0) + 1
        return self._numbers[what]

    def _matching(self, scope: Scope, query: Query) -> Iterator[MemoryEntry]:
        return (entry for entry in self._entries.values() if reads(scope, entry) and matches(query, entry))

    def _matching_rows(self, scope: Scope, query: Query) -> Iterator[tuple[_Row, MemoryEntry]]:
        for entry in self._matching(scope, query):
            for key in self._keys[_name(entry)]:
                yield self._rows[key], entry

    def _own(self, scope: Scope, entry_id: str) -> MemoryEntry | None:
        entry = self._entries.get((scope.tenant_id, entry_id))
        return entry if entry and owns(scope, entry) else None

    def _own_of(self, scope: Scope, ids: Iterable[str]) -> Iterator[MemoryEntry]:
        return (entry for entry_id in dict.fromkeys(ids) if (entry := self._own(scope, entry_id)))

    def _remove(self, entries: Sequence[MemoryEntry]) -> None:
        for entry in entries:
            self._vacated(_name(entry))
            self._journal.drop(self._keys, _name(entry))
            self._journal.drop(self._former, _name(entry))
            self._forget_names(_name(entry))
            self._journal.drop(self._entries, _name(entry))
        for owner in {_owner(entry) for entry in entries}:
            self._settle_sessions(owner)

    def _keep(self, scope: Scope, draft: Draft, gap: timedelta) -> MemoryEntry:
        given = draft.entry
        kept = self._entries.get((scope.tenant_id, given.id))
        if kept is not None:
            if not same(scope, kept, given):
                raise conflict(scope, kept)
            return kept
        entry = replace(given, tenant_id=scope.tenant_id, user_id=scope.user_id or given.user_id)
        self._refuse_erased(entry)
        session = self._join(entry, gap)
        entry = replace(_json_copy(entry), seq=self._next("seq"), session_id=session.name)
        self._journal.put(self._entries, _name(entry), entry)
        self._index(entry, draft, places=())
        return entry

    def _join(self, entry: MemoryEntry, gap: timedelta) -> _Session:
        """The session that an entry says it belongs to, or else the one that it falls into."""
        owner, derived = _owner(entry), entry.session_id is None
        name = self._derived_name(entry, gap) if entry.session_id is None else entry.session_id
        found = self._sessions.get((owner, name))
        session = found or _Session(self._next("session"), owner, name, derived, _name(entry))
        self._journal.put(self._sessions, (owner, name), replace(session, newest=_name(entry)))
        if derived:
            self._journal.put(self._derived, owner, name)
        return session

    def _derived_name(self, entry: MemoryEntry, gap: timedelta) -> str:
        name = self._derived.get(_owner(entry))
        if name is not None:
            last = self._entries[self._sessions[_owner(entry), name].newest]
            if not new_session(last.occurred_at, entry.occurred_at, gap):
                return name
        return derived_session_id(entry)

    def _settle_sessions(self, owner: Owner) -> None:
        """After a deletion: a session without entries is gone; in others the newest entry may be another."""
        newest: dict[str | None, MemoryEntry] = {}
        for entry in ordered(Query(order="oldest", limit=None), self._entries.values()):
            if _owner(entry) == owner:
                newest[entry.session_id] = entry
        for session in [it for it in self._sessions.values() if it.owner == owner]:
            place = owner, session.name
            if left := newest.get(session.name):
                self._journal.put(self._sessions, place, replace(session, newest=_name(left)))
            else:
                self._journal.drop(self._sessions, place)
        self._settle_derived(owner)

    def _settle_derived(self, owner: Owner) -> None:
        derived = [it for it in self._sessions.values() if it.owner == owner and it.derived]
        if derived:
            self._journal.put(self._derived, owner, max(derived, key=lambda session: session.number).name)
        else:
            self._journal.drop(self._derived, owner)

    def _index(self, entry: MemoryEntry, draft: Draft, *, places: Sequence[int]) -> None:
        """Put a draft's passages into these positions of its session, and what is left at its end."""
        session = self._sessions[_owner(entry), str(entry.session_id)]
        extra = max(0, len(draft.passages) - len(places))
        positions = [*places, *range(session.end, session.end + extra)]
        self._journal.put(
            self._sessions, (session.owner, session.name), replace(session, end=session.end + extra)
        )
        vectors = _vectors_of(draft)
        rows = [
            _Row(
                self._next("key"), _name(entry), session.number, position, passage,
                Counter(passage.tokens), vector, draft.fingerprint if vector is not None else None,
            )
            for passage, position, vector in zip(draft.passages, positions, vectors, strict=False)
        ]  # fmt: skip
        for row in rows:
            self._journal.put(self._rows, row.key, row)
            self._journal.put(self._places, (row.session, row.position), row.key)
        self._journal.put(self._keys, _name(entry), tuple(row.key for row in rows))

    def _vacated(self, name: Name) -> list[int]:
        """Take an entry's passages away; their positions.

        A key is never used again, so that a vector that was made from the former words cannot come
        to stand beside the new ones.
        """
        rows = [self._rows[key] for key in self._keys[name]]
        for row in rows:
            self._journal.drop(self._rows, row.key)
            self._journal.drop(self._places, (row.session, row.position))
        return [row.position for row in rows]

    def _visible(self, scope: Scope, key: int | None, query: Query) -> _Row | None:
        row = self._rows.get(key) if key is not None else None
        if row is None:
            return None
        entry = self._entries[row.entry]
        return row if reads(scope, entry) and awake(query, entry) else None

    def _stored(self, row: _Row, query: Query, fingerprint: str | None) -> StoredPassage:
        entry = self._entries[row.entry]
        asked = fingerprint is not None and row.fingerprint == fingerprint
        passage = row.passage
        return StoredPassage(
            key=row.key,
            entry_id=entry.id,
            seq=entry.seq,
            session=row.session,
            position=row.position,
            role=passage.role,
            start=passage.start,
            end=passage.end,
            language=passage.language,
            question=passage.question,
            times=spans_as_text(passage.times),
            length=passage.length,
            tokens=" ".join(passage.tokens),
            said_at=micros(entry.occurred_at),
            used_at=micros(entry.last_access) if entry.last_access else None,
            importance=entry.importance,
            speaker=speaker_of(passage.role, entry.speaker),
            access_count=entry.access_count,
            trust=entry.trust,
            matching=matches(query, entry),
            halves=row.vector.astype("<f2").tobytes() if asked and row.vector is not None else None,
        )


_NEVER = datetime.min.replace(tzinfo=UTC)


class InMemoryStores(Stores):
    """A store in memory for each tenant, and a catalog beside them."""

    def __init__(self, *, vectors: SemanticBackend = "auto") -> None:
        vector_backend(vectors)  # What is lacking is told now, not at the first search.
        self._vectors: SemanticBackend = vectors
        self._lock = Lock()
        self._closed = False
        self._catalog = InMemoryCatalog()
        self._stores: dict[str, InMemoryStore] = {}
        self._tended: dict[str, datetime] = {}

    @property
    def catalog(self) -> Catalog:
        return self._catalog

    def store(self, tenant_id: str) -> Store:
        with self._lock:
            if self._closed:
                raise StoreClosed("the stores were closed; open others")
            return self._stores.setdefault(tenant_id, InMemoryStore(vectors=self._vectors))

    def tenants(self) -> tuple[str, ...]:
        with self._lock:
            return tuple(sorted(self._stores))

    def claim_upkeep(self, before: datetime, now: datetime) -> str | None:
        with self._lock:
            begun = ((self._tended.get(one, _NEVER), one) for one in self._stores)
            due = min((one for one in begun if one[0] < before), default=None)
            if due is None:
                return None
            self._tended[due[1]] = now
            return due[1]

    def close(self) -> None:
        with self._lock:
            self._closed = True
            for store in self._stores.values():
                store.close()


def _name(entry: MemoryEntry) -> Name:
    return entry.tenant_id, entry.id


def _owner(entry: MemoryEntry) -> Owner:
    return entry.tenant_id, entry.user_id


def _covers(scope: Scope, owner: Owner) -> bool:
    """Whether what belongs to this owner lies within the scope."""
    return owner[0] == scope.tenant_id and scope.user_id in (None, owner[1])


def _user(scope: Scope) -> str:
    if scope.user_id is None:
        raise InvalidInput("a profile is one user's; this scope is the whole tenant")
    return scope.user_id


def _own_copy(profile: UserProfile) -> UserProfile:
    """The profile with preferences that are nobody else's."""
    preferences = json.loads(as_json(profile.explicit_preferences, "preferences"))
    return replace(profile, explicit_preferences=preferences)


def _not_found() -> EntryNotFound:
    return EntryNotFound("the scope has no entry of that id")


def _next_version(kept: MemoryEntry, given: MemoryEntry) -> MemoryEntry:
    """The new content and descriptions in the place of the old."""
    given = replace(_json_copy(given), version=kept.version + 1, recorded_at=kept.recorded_at)
    return _as_it_stands(given, kept)


def _as_it_stands(version: MemoryEntry, present: MemoryEntry) -> MemoryEntry:
    """A version with what is the entry's and no version's: owner, place, state and use."""
    return replace(
        version,
        tenant_id=present.tenant_id,
        user_id=present.user_id,
        session_id=present.session_id,
        seq=present.seq,
        promoted_at=present.promoted_at,
        archived_at=present.archived_at,
        archived_because=present.archived_because,
        expires_at=present.expires_at,
        pinned=present.pinned,
        access_count=present.access_count,
        last_access=present.last_access,
    )


def _json_copy(entry: MemoryEntry) -> MemoryEntry:
    """The entry with its dictionaries as they would come back from a text column: nobody else's."""
    return replace(
        entry,
        content=json.loads(as_json(entry.content, "content")),
        metadata=json.loads(as_json(entry.metadata, "metadata")),
        masked=json.loads(as_json(entry.masked, "masked")),
    )


def _handed_out(entry: MemoryEntry) -> MemoryEntry:
    """A copy whose dictionaries a caller may change without changing what is kept."""
    if isinstance(entry.content, str) and not entry.metadata and not entry.masked:
        return replace(entry, metadata={}, masked={})
    return copy.deepcopy(entry)


def _holds(row: _Row, terms: Iterable[tuple[str, ...]]) -> bool:
    return any(token in row.counts for tokens in terms for token in tokens)


def _having(fingerprint: str, rows: Iterable[tuple[_Row, MemoryEntry]]) -> list[_Row]:
    return [row for row, _ in rows if row.fingerprint == fingerprint]


def _vectors_of(draft: Draft) -> Sequence[NDArray[Any] | None]:
    if draft.vectors is None or draft.fingerprint is None:
        return [None] * len(draft.passages)
    _check_shape(draft.vectors, len(draft.passages))
    return [_kept_vector(row) for row in draft.vectors]


def _check_shape(vectors: NDArray[Any], rows: int) -> None:
    if len(vectors) != rows:
        raise InvalidInput(f"{len(vectors)} vectors came for {rows} passages; there is one for each")


def _kept_vector(vector: NDArray[Any]) -> NDArray[Any]:
    kept = np.array(vector, np.float32)
    kept.flags.writeable = False
    return kept
