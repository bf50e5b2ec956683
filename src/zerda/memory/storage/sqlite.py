"""The store in a SQLite file."""

from __future__ import annotations

import glob
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from datetime import datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ..core.model import (
    MemoryEntry,
    PendingText,
    Query,
    State,
    StoredPassage,
    StoreStats,
    VectorHits,
    WordHits,
)
from ..core.rules.bm25 import Corpus
from ..core.rules.chunking import parts
from ..core.rules.profile import UserProfile
from ..errors import EntryNotFound, InvalidInput, StorageBusy, StorageDamaged, StorageError, StoreClosed
from . import sqlite_profiles
from .driver import BUSY_SECONDS, Durability, Retired, Source, check_version, copy_of, fetched, translated
from .keeping import halves
from .pool import Lease, Pool
from .sql import (
    STORED,
    Where,
    as_ids,
    content_from,
    entry_from,
    order_of,
    selected,
    where,
)
from .sqlite_names import SQLiteNames
from .sqlite_trust import TrustStore
from .sqlite_vectors import VectorSearch
from .sqlite_words import SQLiteWordSearch
from .sqlite_writes import DIALECT, READ, Writer, reach_of
from .vector_backends import SemanticBackend, vector_backend

if TYPE_CHECKING:
    from apsw import Connection
    from numpy.typing import NDArray

    from ..core.model import Draft, Scope


class SQLiteStore(SQLiteNames, TrustStore):
    """Entries in one SQLite file, for any number of threads and processes on one machine.

    The file is made at the first call. ``durability="relaxed"`` does not wait for the disk at each write:
    what was acknowledged survives a killed process, but the last writes may be lost with the power.
    With a ``key`` of 32 bytes the whole file is ciphertext, its WAL too. ``vectors`` scans them: "numpy"
    ("auto"), or "faiss".
    Stores that share a ``pool`` share its bound on connections; without one the store has its own. A store
    lives on when the pool closes its file, and opens it again when it is called.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        pool: Pool | None = None,
        *,
        durability: Durability = "full",
        key: bytes | None = None,
        vectors: SemanticBackend = "auto",
    ) -> None:
        if durability not in ("full", "relaxed"):
            raise InvalidInput(f"durability is {durability!r}; it is 'full' or 'relaxed'")
        self._given_path = Path(path)
        self._durability: Durability = durability
        self._key = key
        self._vectors = vector_backend(vectors)
        self._pool = pool or Pool()
        self._own_pool = pool is None
        self._closed = False
        self._opened: Source | None = None

    @property
    def vector_backend(self) -> str:
        return self._vectors.name

    @property
    def path(self) -> Path:
        """The file."""
        return self._source.path

    @property
    def _source(self) -> Source:
        if self._opened is None:
            self._opened = self._locate()
        return self._opened

    def _locate(self, retired: Source | None = None) -> Source:
        """The file; asked again where another has taken its place, or it cannot be read with its key."""
        return Source(Path(os.path.realpath(self._given_path)), durability=self._durability, key=self._key)

    @contextmanager
    def _lease(self, opening: Callable[[Source], AbstractContextManager[Lease]]) -> Iterator[Lease]:
        """A lease of the file, or of the one that has taken its place since it was located.

        A successor may have been replaced too by the time it is opened, so this looks until it is the last.
        """
        with ExitStack() as stack:
            yield self._followed(opening, stack)

    def _followed(
        self, opening: Callable[[Source], AbstractContextManager[Lease]], stack: ExitStack
    ) -> Lease:
        source = self._ready()
        while True:
            try:
                return stack.enter_context(opening(source))
            except (Retired, StorageDamaged) as error:
                self._opened = self._locate(retired=source if isinstance(error, Retired) else None)
                if self._opened == source:
                    raise
                self._pool.unpool(source)
                source = self._opened

    # ── transactions ─────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._begin():
            yield

    @contextmanager
    def _writing(self, scope: Scope) -> Iterator[Writer]:
        """A call that writes: in a transaction of its own, or as one step of the thread's."""
        self._check(scope)
        with translated(self._source.path), self._begin() as lease:
            yield Writer(lease.connection, scope)

    @contextmanager
    def _begin(self) -> Iterator[Lease]:
        source = self._ready()
        if joined := self._pool.joined(source):
            with translated(source.path), joined.connection:  # A savepoint: a failed step leaves no traces.
                yield joined
            return
        with self._lease(self._written) as lease:
            try:
                yield lease
                self._end(lease, "COMMIT")
            except BaseException:
                self._end(lease, "ROLLBACK")
                raise

    @contextmanager
    def _written(self, source: Source) -> Iterator[Lease]:
        """The writer, with the file's lock; whoever is given it ends the transaction."""
        with self._pool.writing(source) as lease:
            with translated(source.path):
                lease.connection.execute("BEGIN IMMEDIATE")
            try:
                with translated(source.path):
                    check_version(lease.connection, source)
            except BaseException:
                self._end(lease, "ROLLBACK")
                raise
            yield lease

    def _end(self, lease: Lease, how: str) -> None:
        if lease.file.abandoned:
            raise StorageError("a transaction that was begun before a fork belongs to the parent process")
        if lease.connection.in_transaction:  # A full disk may have rolled it back already.
            with translated(lease.file.source.path):
                lease.connection.execute(how)
        elif how == "COMMIT":
            raise StorageError(f"{lease.file.source.path} lost the transaction; nothing was written")

    @contextmanager
    def _reading(self, scope: Scope | None = None) -> Iterator[Lease]:
        """A call that reads: one state of the file, with what this thread has written in a transaction."""
        if scope is not None:
            self._check(scope)
        source = self._ready()
        with translated(source.path):
            if joined := self._pool.joined(source):
                yield joined
                return
            with self._reader() as lease:
                yield lease

    @contextmanager
    def _reader(self) -> Iterator[Lease]:
        with self._lease(self._read) as lease:
            yield lease

    @contextmanager
    def _read(self, source: Source) -> Iterator[Lease]:
        with translated(source.path), self._pool.reading(source) as lease:
            lease.connection.execute("BEGIN")
            try:
                check_version(lease.connection, source)
                yield lease
            finally:
                lease.connection.execute("ROLLBACK")

    def _ready(self) -> Source:
        if self._closed:
            raise StoreClosed(f"the store of {self._given_path.name} was closed; open another")
        return self._source

    def _check(self, scope: Scope) -> None:
        if not scope.tenant_id or scope.user_id == "":
            raise InvalidInput("a scope has a tenant, and a user or None; neither is empty")

    # ── keeping ──────────────────────────────────────────────────────────────────────────────────

    def put(
        self, scope: Scope, drafts: Sequence[Draft], *, session_gap_seconds: float = 1800.0
    ) -> list[MemoryEntry]:
        with self._writing(scope) as writer:
            return writer.put(drafts, timedelta(seconds=session_gap_seconds))

    def revise(self, scope: Scope, draft: Draft) -> MemoryEntry:
        with self._writing(scope) as writer:
            return writer.revise(draft)

    def originals(self, scope: Scope, entry_id: str) -> Mapping[str, str]:
        with self._reading(scope) as lease:
            db = lease.connection
            mine = where(reach_of(db, scope), Query(ids=(entry_id,), archived=None), DIALECT, to_change=True)
            sql = f"SELECT e.seq, e.version FROM entries e WHERE {mine.sql}"
            for seq, version in fetched(db, sql, mine.params):
                kept = "SELECT placeholder, value FROM originals WHERE entry = :seq AND version = :version"
                return dict(fetched(db, kept, {"seq": seq, "version": version}))
        raise EntryNotFound(f"no entry {entry_id!r} of this user's own")

    def rewrite(self, scope: Scope, draft: Draft, former: Sequence[MemoryEntry] = ()) -> MemoryEntry:
        with self._writing(scope) as writer:
            return writer.rewrite(draft, former)

    def mark(self, scope: Scope, ids: Sequence[str], **state: Unpack[State]) -> int:
        with self._writing(scope) as writer:
            return writer.mark(ids, state)

    def count_uses(self, scope: Scope, uses: Mapping[str, int], at: datetime) -> None:
        with self._writing(scope) as writer:
            writer.count_uses(uses.items(), at)

    def delete(self, scope: Scope, ids: Sequence[str]) -> int:
        with self._writing(scope) as writer:
            return writer.delete(ids)

    def scrub(self, *, timeout_seconds: float = 10.0) -> None:
        """Freed pages are overwritten as they are freed; words wait for the index to be packed, and all of
        it for the WAL to be emptied, which a reader of an older state holds up."""
        source = self._ready()
        if self._pool.joined(source):
            raise StorageError("scrub within a transaction; end it first")
        with self._begin() as lease, translated(source.path):
            lease.connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        with self._pool.writing(source) as lease, translated(source.path):
            self._empty_wal(lease.connection, timeout_seconds)
        for copy in source.path.parent.glob(glob.escape(copy_of(source.path, "").name) + "*"):
            copy.unlink(missing_ok=True)  # Of a migration that a crash cut short.

    def _empty_wal(self, db: Connection, timeout_seconds: float) -> None:
        deadline = time.monotonic() + timeout_seconds
        try:
            db.set_busy_timeout(max(1, int(timeout_seconds * 1000)))
            while fetched(db, "PRAGMA wal_checkpoint(TRUNCATE)")[0][0]:
                if time.monotonic() >= deadline:
                    raise StorageBusy(
                        f"a reader held {self.path.name} for {timeout_seconds:g} s;"
                        " deleted words may still be in its WAL; scrub again"
                    )
        finally:
            db.set_busy_timeout(int(BUSY_SECONDS * 1000))

    # ── finding ──────────────────────────────────────────────────────────────────────────────────

    def get(self, scope: Scope, entry_id: str) -> MemoryEntry:
        found = self.find(scope, Query(ids=(entry_id,), archived=None))
        if not found:
            raise EntryNotFound(f"no entry {entry_id!r} within this scope")
        return found[0]

    def find(self, scope: Scope, query: Query) -> list[MemoryEntry]:
        with self._reading(scope) as lease:
            conditions = _where(lease, scope, query)
            arms = " UNION ALL ".join(f"{READ} WHERE {arm}" for arm in conditions.each_arm())
            limit = -1 if query.limit is None else max(query.limit, 0)
            sql = f"{arms} ORDER BY {order_of(query)} LIMIT :limit"
            rows = fetched(lease.connection, sql, {**conditions.params, "limit": limit})
            return [entry_from(row) for row in rows]

    def count(self, scope: Scope, query: Query) -> int:
        with self._reading(scope) as lease:
            conditions = _where(lease, scope, query)
            sql = f"SELECT count(*) FROM entries e WHERE {conditions.sql}"
            return _number(lease.connection, sql, conditions.params)

    def history(self, scope: Scope, entry_id: str) -> list[MemoryEntry]:
        with self._reading(scope) as lease:
            conditions = _where(lease, scope, Query(ids=(entry_id,), archived=None))
            former = (
                f"SELECT {selected('v')} FROM entries e CROSS JOIN versions v ON v.entry = e.seq"
                " CROSS JOIN scopes o ON o.code = e.owner CROSS JOIN sessions t ON t.code = e.session"
                f" WHERE {conditions.sql} ORDER BY v.version"
            )
            now = f"{READ} WHERE {conditions.sql}"
            rows = [fetched(lease.connection, sql, conditions.params) for sql in (former, now)]
            if not rows[1]:
                raise EntryNotFound(f"no entry {entry_id!r} within this scope")
            return [entry_from(row) for row in (*rows[0], *rows[1])]

    def speakers(self, scope: Scope, *, limit: int = 64) -> tuple[str, ...]:
        # Each step jumps to the next name in an index, so it reads names and not entries.
        following = (
            "(SELECT min(e.speaker) FROM entries e WHERE e.archived_at IS NULL AND e.speaker IS NOT NULL"
            " AND e.visible = {} AND e.speaker > {})"
        )
        sql = f"""
            WITH RECURSIVE names (scope, name) AS (
              SELECT value, {following.format("value", "''")} FROM json_each(:scopes)
              UNION
              SELECT scope, {following.format("scope", "name")} FROM names WHERE name IS NOT NULL
              ORDER BY 2 LIMIT :steps
            ) SELECT DISTINCT name FROM names WHERE name IS NOT NULL ORDER BY name LIMIT :limit"""
        with self._reading(scope) as lease:
            scopes = _scopes(lease.connection, scope)
            params = {"scopes": as_ids(scopes), "limit": limit, "steps": (limit + 1) * max(len(scopes), 1)}
            return tuple(name for (name,) in fetched(lease.connection, sql, params))

    def users(self, tenant_id: str) -> tuple[str, ...]:
        with self._reading() as lease:
            rows = fetched(
                lease.connection,
                "SELECT user_id FROM scopes o WHERE tenant_id = :tenant AND shared = 0 AND user_id <> ''"
                " AND EXISTS (SELECT 1 FROM entries e WHERE e.owner = o.code) ORDER BY user_id",
                {"tenant": tenant_id},
            )
            return tuple(user_id for (user_id,) in rows)

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
        with self._reading(scope) as lease:
            db, reach = lease.connection, reach_of(lease.connection, scope)
            passages, length = _corpus(db, scope)
            return SQLiteWordSearch(
                reach,
                tuple(terms),
                where(reach, query, DIALECT),
                query.archived,
                Corpus(passages, length / passages if passages else 0.0),
                limit,
                budget,
                db,
            ).run()

    def search_vectors(
        self, scope: Scope, vector: NDArray[Any], fingerprint: str, query: Query, *, limit: int
    ) -> VectorHits:
        with self._reading(scope) as lease:
            reach = reach_of(lease.connection, scope)
            return VectorSearch(
                lease,
                reach,
                np.asarray(vector, np.float32),
                fingerprint,
                where(reach, query, DIALECT),
                query.archived,
                limit,
                self._reader,
                self._vectors.index,
            ).run()

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
        with self._reading(scope) as lease:
            conditions = _where(lease, scope, query)
            sql = f"""
                WITH wanted AS MATERIALIZED (
                  SELECT p.session, p.position FROM json_each(:keys) j
                  CROSS JOIN passages p ON p.key = j.value CROSS JOIN entries e ON e.seq = p.entry
                  WHERE {conditions.seen}
                ), places AS MATERIALIZED (
                  SELECT DISTINCT n.key FROM wanted w CROSS JOIN passages n ON n.session = w.session
                  AND n.position BETWEEN w.position - :before AND w.position + :after
                )
                SELECT {STORED}, ({conditions.matching}) IS TRUE, v.vector
                FROM places n CROSS JOIN passages p ON p.key = n.key CROSS JOIN entries e ON e.seq = p.entry
                LEFT JOIN vectors v ON v.key = p.key
                 AND v.fingerprint = (SELECT code FROM fingerprints WHERE name = :fingerprint)
                WHERE {conditions.seen}"""
            around = {"keys": as_ids(keys), "before": before, "after": after, "fingerprint": fingerprint}
            rows = fetched(lease.connection, sql, {**conditions.params, **around})
            # Python sorts them in a fourth of the time that the database takes to carry whole rows about.
            return sorted(map(StoredPassage._make, rows), key=_by_place)

    def passages_of(self, scope: Scope, entry_ids: Sequence[str]) -> list[int]:
        with self._reading(scope) as lease:
            conditions = _where(lease, scope, Query(ids=tuple(entry_ids)))
            sql = (
                "SELECT p.key FROM entries e CROSS JOIN passages p ON p.entry = e.seq"
                f" WHERE {conditions.sql} ORDER BY e.seq, p.key"
            )
            return [key for (key,) in fetched(lease.connection, sql, conditions.params)]

    # ── vectors ──────────────────────────────────────────────────────────────────────────────────

    def pending(self, scope: Scope, fingerprint: str, *, limit: int) -> list[PendingText]:
        # Two stretches of an index that holds what is not yet embedded: nothing is read where nothing lacks.
        lacking = (
            "SELECT p.key AS key, p.entry AS entry FROM json_each(:scopes) j CROSS JOIN passages p"
            " ON p.live = 1 AND p.scope = j.value AND p.embedded {} :code"
        )
        sql = (
            "SELECT p.key, p.entry, p.role, p.start_at, p.end_at FROM"
            f" ({lacking.format('<')} UNION ALL {lacking.format('>')}"
            " ORDER BY entry DESC, key DESC LIMIT :limit) n"
            " CROSS JOIN passages p ON p.key = n.key ORDER BY p.entry DESC, p.key DESC"
        )
        with self._reading(scope) as lease:
            db = lease.connection
            params = {"scopes": as_ids(_scopes(db, scope)), "code": _code(db, fingerprint), "limit": limit}
            rows = fetched(db, sql, params)
            texts = _texts(db, {row[1] for row in rows})
            return [PendingText(key, texts[seq][role][start:end]) for key, seq, role, start, end in rows]

    def put_vectors(self, scope: Scope, fingerprint: str, keys: Sequence[int], vectors: NDArray[Any]) -> int:
        rows = dict(zip(keys, halves(vectors, len(keys)), strict=True))
        with self._writing(scope) as writer:
            db = writer.db
            conditions = where(reach_of(db, scope), Query(archived=None), DIALECT)
            found = fetched(
                db,
                "SELECT p.key, CASE WHEN p.live THEN p.scope ELSE -p.scope END FROM json_each(:keys) j"
                " CROSS JOIN passages p ON p.key = j.value CROSS JOIN entries e ON e.seq = p.entry"
                f" WHERE {conditions.sql}",
                {**conditions.params, "keys": as_ids(list(rows))},
            )
            if not found:
                return 0
            code = writer.fingerprint(fingerprint, vectors.shape[1])
            writer.set_vectors((key, visible, code, rows[key].tobytes()) for key, visible in found)
            db.execute(
                "UPDATE passages SET embedded = :code WHERE key IN (SELECT value FROM json_each(:keys))",
                {"code": code, "keys": as_ids([key for key, _ in found])},
            )
            return len(found)

    # ── profiles ─────────────────────────────────────────────────────────────────────────────────

    def profile(self, scope: Scope) -> UserProfile:
        blank = UserProfile(tenant_id=scope.tenant_id, user_id=sqlite_profiles.user_of(scope))
        return next(iter(self.profiles(scope)), blank)

    def put_profile(self, scope: Scope, profile: UserProfile, *, known: UserProfile | None = None) -> None:
        with self._writing(scope) as writer:
            sqlite_profiles.write(writer.db, scope, profile, known)

    def profiles(self, scope: Scope) -> list[UserProfile]:
        with self._reading(scope) as lease:
            return sqlite_profiles.read(lease.connection, scope)

    def delete_profiles(self, scope: Scope) -> int:
        with self._writing(scope) as writer:
            return sqlite_profiles.delete(writer.db, scope)

    # ── the whole ────────────────────────────────────────────────────────────────────────────────

    def clear(self, scope: Scope) -> int:
        with self._writing(scope) as writer:
            sqlite_profiles.delete(writer.db, scope)
            return writer.clear()

    def generation(self, scope: Scope) -> int:
        with self._reading(scope) as lease:
            return _number(
                lease.connection,
                "SELECT coalesce(max(number), 0) FROM generations WHERE tenant_id = :tenant",
                {"tenant": scope.tenant_id},
            )

    # ── tiers and numbers ────────────────────────────────────────────────────────────────────────

    def watermark(self, scope: Scope) -> int:
        with self._reading(scope) as lease:
            return _number(
                lease.connection,
                "SELECT coalesce(max(seq), 0) FROM watermarks WHERE tenant_id = :tenant AND user_id = :user",
                {"tenant": scope.tenant_id, "user": scope.user_id or ""},
            )

    def set_watermark(self, scope: Scope, seq: int) -> None:
        with self._writing(scope) as writer:
            writer.db.execute(
                "INSERT INTO watermarks (tenant_id, user_id, seq) VALUES (:tenant, :user, :seq)"
                " ON CONFLICT DO UPDATE SET seq = max(seq, :seq)",
                {"tenant": scope.tenant_id, "user": scope.user_id or "", "seq": seq},
            )

    def stats(self, scope: Scope, fingerprint: str | None = None) -> StoreStats:
        with self._reading(scope) as lease:
            db = lease.connection
            conditions = _where(lease, scope, Query(archived=None))
            live = "FILTER (WHERE e.archived_at IS NULL)"
            ((entries, archived, promoted, pinned, sessions, users),) = fetched(
                db,
                f"SELECT count(*) {live}, count(e.archived_at), count(e.promoted_at) {live},"
                f" coalesce(sum(e.pinned) {live}, 0), count(DISTINCT e.session) {live},"
                f" count(DISTINCT nullif(o.user_id, '')) {live}"
                f" FROM entries e CROSS JOIN scopes o ON o.code = e.owner WHERE {conditions.sql}",
                conditions.params,
            )
            passages, _ = _corpus(db, scope)
            pending = 0 if fingerprint is None else _number(
                db,
                "SELECT count(*) FROM json_each(:scopes) j CROSS JOIN passages p"
                " ON p.live = 1 AND p.scope = j.value AND p.embedded <> :code",
                {"scopes": as_ids(_scopes(db, scope)), "code": _code(db, fingerprint)},
            )  # fmt: skip
        return StoreStats(
            entries, archived, promoted, pinned, passages, pending, sessions, users, self._bytes_on_disk()
        )

    def _bytes_on_disk(self) -> int:
        files = (Path(f"{self.path}{ending}") for ending in ("", "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._own_pool:
            self._pool.close()
        elif self._opened is not None:
            self._pool.unpool(self._opened)


_by_place = attrgetter("session", "position")


def _where(lease: Lease, scope: Scope, query: Query) -> Where:
    return where(reach_of(lease.connection, scope), query, DIALECT)


def _number(db: Connection, sql: str, params: dict[str, Any]) -> int:
    return int(fetched(db, sql, params)[0][0])


def _scopes(db: Connection, scope: Scope) -> list[int]:
    """The numbers of all that the scope may see."""
    if scope.user_id is not None:
        return [code for code in reach_of(db, scope).visible if code]
    rows = fetched(db, "SELECT code FROM scopes WHERE tenant_id = :tenant", {"tenant": scope.tenant_id})
    return [code for (code,) in rows]


def _corpus(db: Connection, scope: Scope) -> tuple[int, int]:
    """How many live passages the scope may see, and how many words they have."""
    sql = (
        "SELECT coalesce(sum(passages), 0), coalesce(sum(words), 0) FROM scopes"
        " WHERE code IN (SELECT value FROM json_each(:scopes))"
    )
    ((passages, length),) = fetched(db, sql, {"scopes": as_ids(_scopes(db, scope))})
    return passages, length


def _code(db: Connection, fingerprint: str) -> int:
    """The number of a fingerprint; -1 where no vector has it."""
    sql = "SELECT coalesce(max(code), -1) FROM fingerprints WHERE name = :name"
    return _number(db, sql, {"name": fingerprint})


def _texts(db: Connection, seqs: set[int]) -> dict[int, dict[str, str]]:
    """The parts of entries, by role."""
    rows = fetched(
        db,
        "SELECT seq, content FROM entries WHERE seq IN (SELECT value FROM json_each(:seqs))",
        {"seqs": as_ids(sorted(seqs))},
    )
    return {seq: dict(parts(content_from(content))) for seq, content in rows}
