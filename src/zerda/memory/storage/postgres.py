"""The store on a PostgreSQL server, for any number of machines."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from ..after_fork import Lock
from ..core.model import (
    MemoryEntry,
    PendingText,
    Query,
    Scope,
    State,
    StoredPassage,
    StoreStats,
    VectorHits,
    WordHits,
)
from ..core.rules.bm25 import Corpus
from ..core.rules.chunking import parts
from ..core.rules.ids import valid_id
from ..core.rules.profile import UserProfile
from ..errors import EntryNotFound, InvalidInput, StorageError, StoreClosed
from . import postgres_profiles
from .base import Stores
from .keeping import halves
from .postgres_catalog import PostgresCatalog
from .postgres_driver import MOST_CONNECTIONS, Database, Link
from .postgres_names import PostgresNames
from .postgres_sql import (
    JOINED,
    READ,
    STORED_HERE,
    codes_of,
    entry_from,
    order_of,
    reach_of,
    stored_from,
    where,
)
from .postgres_trust import PostgresTrust
from .postgres_vectors import INDEX_FROM, MOST_DIMENSIONS, VectorSearch, index_name, near_index
from .postgres_words import PostgresWordSearch
from .postgres_writes import Writer
from .sql import content_from, selected

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.model import Draft

CLAIM_SECONDS = 120
"""For how long a process has passages to itself to embed them; a batch takes seconds on a slow machine."""


class _Thread(threading.local):
    """The transaction that a thread has begun."""

    link: Link | None = None


class PostgresStore(PostgresNames, PostgresTrust):
    """Entries of any number of tenants in one database, for any number of threads, processes and machines.

    ``database`` is an address (``postgresql://user@host/name``) or a `Database` to share. With a
    ``tenant_id`` it is that tenant's alone: another's scope finds nothing in it. Writers of one tenant take
    turns, so that numbers, sessions and counts are as exact as in a file of its own; tenants
    do not wait for each other. Reads see one state and wait for nobody.

    The server's own tools protect the data at rest, and what was deleted lies in its files until they are
    vacuumed: `scrub` cannot hurry that.
    """

    def __init__(self, database: Database | str, tenant_id: str | None = None) -> None:
        self._tenant_id = tenant_id
        self._own_database = isinstance(database, str)
        self._database = Database(database) if isinstance(database, str) else database
        self._closed = False
        self._thread = _Thread()

    # ── transactions ─────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._begin():
            yield

    @contextmanager
    def _writing(self, scope: Scope) -> Iterator[Writer]:
        """A call that writes: in a transaction of its own, or as one step of the thread's."""
        self._check(scope)
        if self._tenant_id not in (None, scope.tenant_id):
            raise InvalidInput(f"this store keeps the tenant {self._tenant_id!r} alone")
        with self._begin() as link:
            self._enter(link, scope.tenant_id)
            yield Writer(link, scope)

    @contextmanager
    def _begin(self) -> Iterator[Link]:
        self._ready()
        if (held := self._thread.link) is not None:
            with self._database.step(held):  # A savepoint: a failed step leaves no traces.
                yield held
            return
        with self._database.link(reading=False) as link:
            self._thread.link = link
            try:
                yield link
            finally:
                self._thread.link = None

    @contextmanager
    def _reading(self, scope: Scope) -> Iterator[Link]:
        """A call that reads: one state of the tenant, with what this thread has written in a transaction."""
        self._check(scope)
        self._ready()
        if (held := self._thread.link) is not None:
            with self._database.step(held):
                self._enter(held, self._tenant_id or scope.tenant_id)
                yield held
            return
        with self._database.link(reading=True) as link:
            self._database.enter(link, self._tenant_id or scope.tenant_id)
            yield link

    def _enter(self, link: Link, tenant_id: str) -> None:
        """Take the tenant for this transaction: whoever else would write to it waits until it ends.

        What a transaction reads, it may write upon; so a read takes it too, and a new tenant is made first.
        """
        self._database.enter(link, tenant_id)
        with self._database.translated():
            params = {"tenant_id": tenant_id}
            take = "SELECT 1 FROM numbers WHERE tenant_id = :tenant_id FOR UPDATE"
            if link.rows(take, params):
                return
            for table in ("tenants", "numbers"):
                link.run(
                    f"INSERT INTO {table} (tenant_id) VALUES (:tenant_id) ON CONFLICT (tenant_id) DO NOTHING",
                    params,
                )
            link.rows(take, params)

    def _ready(self) -> None:
        if self._closed:
            raise StoreClosed(f"the store on {self._database.name} was closed; open another")
        self._database.check_open()

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

    def rewrite(self, scope: Scope, draft: Draft, former: Sequence[MemoryEntry] = ()) -> MemoryEntry:
        with self._writing(scope) as writer:
            return writer.rewrite(draft, former)

    def mark(self, scope: Scope, ids: Sequence[str], **state: Unpack[State]) -> int:
        with self._writing(scope) as writer:
            return writer.mark(ids, state)

    def count_uses(self, scope: Scope, uses: Mapping[str, int], at: datetime) -> None:
        with self._writing(scope) as writer:
            writer.count_uses(uses, at)

    def delete(self, scope: Scope, ids: Sequence[str]) -> int:
        with self._writing(scope) as writer:
            return writer.delete(ids)

    def scrub(self, *, timeout_seconds: float = 10.0) -> None:
        """Nothing to be done from here: the server overwrites what was deleted when it vacuums."""
        self._ready()
        if self._thread.link is not None:
            raise StorageError("scrub within a transaction; end it first")

    # ── finding ──────────────────────────────────────────────────────────────────────────────────

    def get(self, scope: Scope, entry_id: str) -> MemoryEntry:
        found = self.find(scope, Query(ids=(entry_id,), archived=None))
        if not found:
            raise EntryNotFound(f"no entry {entry_id!r} within this scope")
        return found[0]

    def find(self, scope: Scope, query: Query) -> list[MemoryEntry]:
        with self._reading(scope) as db:
            conditions = where(scope, reach_of(db, scope), query)
            # Each arm is a stretch of an index in the query's order.
            order = f"ORDER BY {order_of(query)} LIMIT :limit"
            arms = " UNION ALL ".join(f"({READ} WHERE {arm} {order})" for arm in conditions.each_arm())
            limit = None if query.limit is None else max(query.limit, 0)
            rows = db.rows(f"SELECT * FROM ({arms}) found {order}", {**conditions.params, "limit": limit})
            return [entry_from(row) for row in rows]

    def count(self, scope: Scope, query: Query) -> int:
        with self._reading(scope) as db:
            conditions = where(scope, reach_of(db, scope), query)
            return db.number(f"SELECT count(*) FROM entries e WHERE {conditions.sql}", conditions.params)

    @property
    def vector_backend(self) -> str:
        return "pgvector"

    def history(self, scope: Scope, entry_id: str) -> list[MemoryEntry]:
        with self._reading(scope) as db:
            conditions = where(scope, reach_of(db, scope), Query(ids=(entry_id,), archived=None))
            former = (
                f"SELECT {selected('v')} FROM entries e"
                f" JOIN versions v ON v.tenant_id = e.tenant_id AND v.entry = e.seq{JOINED}"
                f" WHERE {conditions.sql} ORDER BY v.version"
            )
            now = f"{READ} WHERE {conditions.sql}"
            rows = [db.rows(sql, conditions.params) for sql in (former, now)]
            if not rows[1]:
                raise EntryNotFound(f"no entry {entry_id!r} within this scope")
            return [entry_from(row) for row in (*rows[0], *rows[1])]

    def speakers(self, scope: Scope, *, limit: int = 64) -> tuple[str, ...]:
        # Each step jumps to the next name in an index, so it reads names and not entries.
        following = (
            "(SELECT min(e.speaker) FROM entries e WHERE e.tenant_id = :tenant_id AND e.archived_at IS NULL"
            " AND e.speaker IS NOT NULL AND e.visible = {} AND e.speaker > {})"
        )
        sql = f"""
            WITH RECURSIVE names (scope, step, name) AS (
              SELECT s.code, 1, {following.format("s.code", "''")} FROM unnest(:codes::bigint[]) s (code)
              UNION ALL
              SELECT n.scope, n.step + 1, {following.format("n.scope", "n.name")} FROM names n
              WHERE n.name IS NOT NULL AND n.step < :limit
            ) SELECT DISTINCT name FROM names WHERE name IS NOT NULL ORDER BY name LIMIT :limit"""
        with self._reading(scope) as db:
            params = {"tenant_id": scope.tenant_id, "codes": codes_of(db, scope), "limit": limit}
            return tuple(name for (name,) in db.rows(sql, params))

    def users(self, tenant_id: str) -> tuple[str, ...]:
        with self._reading(Scope(tenant_id)) as db:
            rows = db.rows(
                "SELECT o.user_id FROM scopes o WHERE o.tenant_id = :tenant_id AND NOT o.shared"
                " AND o.user_id <> '' AND EXISTS (SELECT 1 FROM entries e"
                "  WHERE e.tenant_id = o.tenant_id AND e.owner = o.code) ORDER BY o.user_id",
                {"tenant_id": tenant_id},
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
        with self._reading(scope) as db:
            reach = reach_of(db, scope)
            passages, length = _corpus(db, scope)
            return PostgresWordSearch(
                reach,
                tuple(terms),
                where(scope, reach, query),
                query.archived,
                Corpus(passages, length / passages if passages else 0.0),
                limit,
                budget,
                db,
                codes_of(db, scope),
            ).run()

    def search_vectors(
        self, scope: Scope, vector: NDArray[Any], fingerprint: str, query: Query, *, limit: int
    ) -> VectorHits:
        with self._reading(scope) as db:
            reach = reach_of(db, scope)
            return VectorSearch(
                db,
                reach,
                codes_of(db, scope),
                np.asarray(vector, np.float32),
                fingerprint,
                where(scope, reach, query),
                query.archived,
                limit,
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
        with self._reading(scope) as db:
            conditions = where(scope, reach_of(db, scope), query)
            code = "SELECT code FROM fingerprints WHERE name = :fingerprint"
            vector = f"CASE WHEN v.fingerprint = ({code}) THEN v.vector END"
            # Step by step from what is wanted: a free planner reads the tenant, or compares whole sessions.
            sql = f"""
                WITH wanted AS MATERIALIZED (
                  SELECT p.session, p.position FROM unnest(:keys::bigint[]) w (key),
                   {_each("passages", "p", "p.key = w.key")}, {_each("entries", "e", "e.seq = p.entry")}
                  WHERE {conditions.seen}
                ), places AS MATERIALIZED (
                  SELECT DISTINCT w.session, w.position + step AS position
                  FROM wanted w, generate_series(-:before::bigint, :after::bigint) step
                )
                SELECT {STORED_HERE}, ({conditions.matching}) IS TRUE, {vector}
                FROM places n, {_each("passages", "p", "p.session = n.session AND p.position = n.position")},
                 {_each("entries", "e", "e.seq = p.entry")}
                LEFT JOIN {_each("vectors", "v", "v.key = p.key")} ON true
                WHERE {conditions.seen} ORDER BY p.session, p.position"""
            around = {"keys": list(keys), "before": before, "after": after, "fingerprint": fingerprint}
            return [stored_from(row) for row in db.rows(sql, {**conditions.params, **around})]

    def passages_of(self, scope: Scope, entry_ids: Sequence[str]) -> list[int]:
        with self._reading(scope) as db:
            conditions = where(scope, reach_of(db, scope), Query(ids=tuple(entry_ids)))
            sql = (
                "SELECT p.key FROM entries e JOIN passages p ON p.tenant_id = e.tenant_id AND p.entry = e.seq"
                f" WHERE {conditions.sql} ORDER BY e.seq, p.key"
            )
            return [key for (key,) in db.rows(sql, conditions.params)]

    # ── vectors ──────────────────────────────────────────────────────────────────────────────────

    def pending(self, scope: Scope, fingerprint: str, *, limit: int) -> list[PendingText]:
        # Two stretches of an index that holds what is not yet embedded: nothing is read where nothing lacks.
        arms = " UNION ALL ".join(
            f"(SELECT p.key, p.entry, p.role, p.start_at, p.end_at FROM passages p"
            f" WHERE {_LACKING.format(sign)} ORDER BY p.entry DESC, p.key DESC LIMIT :limit)"
            for sign in "<>"
        )
        with self._reading(scope) as db:
            params = {**_lacking(db, scope, fingerprint), "limit": limit}
            rows = db.rows(f"{arms} ORDER BY entry DESC, key DESC LIMIT :limit", params)
            return _texts(db, scope, rows)

    def claim_pending(self, scope: Scope, fingerprint: str, *, limit: int) -> list[PendingText]:
        arm = (
            "(SELECT p.key FROM passages p WHERE {0} AND (p.claimed_until IS NULL OR p.claimed_until < now())"
            " ORDER BY p.entry DESC, p.key DESC LIMIT {1} FOR UPDATE SKIP LOCKED)"
        )
        first = arm.format(_LACKING.format("<"), ":limit")
        second = arm.format(_LACKING.format(">"), ":limit - (SELECT count(*) FROM never)")
        sql = (
            f"WITH never AS MATERIALIZED {first}, otherwise AS MATERIALIZED {second},"
            " mine AS (SELECT key FROM never UNION ALL SELECT key FROM otherwise)"
            " UPDATE passages p SET claimed_until = now() + :seconds * interval '1 second' FROM mine"
            " WHERE p.tenant_id = :tenant_id AND p.key = mine.key"
            " RETURNING p.key, p.entry, p.role, p.start_at, p.end_at"
        )
        self._check(scope)
        with self._begin() as db:
            self._database.enter(db, scope.tenant_id)
            with self._database.translated():
                params = {**_lacking(db, scope, fingerprint), "limit": limit, "seconds": CLAIM_SECONDS}
                rows = db.rows(sql, params)
                return _texts(db, scope, sorted(rows, key=lambda row: (-row[1], -row[0])))

    def release(self, scope: Scope, keys: Sequence[int]) -> None:
        self._check(scope)
        with self._begin() as db:
            self._database.enter(db, scope.tenant_id)
            with self._database.translated():
                db.run(
                    "UPDATE passages SET claimed_until = NULL"
                    " WHERE tenant_id = :tenant_id AND key = ANY(:keys::bigint[])",
                    {"tenant_id": scope.tenant_id, "keys": list(keys)},
                )

    def put_vectors(self, scope: Scope, fingerprint: str, keys: Sequence[int], vectors: NDArray[Any]) -> int:
        rows = dict(zip(keys, halves(vectors, len(keys)), strict=True))
        with self._writing(scope) as writer:
            db = writer.db
            conditions = where(scope, reach_of(db, scope), Query(archived=None))
            found = db.rows(
                "SELECT p.key, CASE WHEN p.live THEN p.scope ELSE -p.scope END FROM passages p"
                " JOIN entries e ON e.tenant_id = p.tenant_id AND e.seq = p.entry"
                f" WHERE p.tenant_id = :tenant_id AND p.key = ANY(:keys::bigint[]) AND {conditions.sql}",
                {**conditions.params, "keys": list(rows)},
            )
            if not found:
                return 0
            code = writer.fingerprint(fingerprint, vectors.shape[1])
            writer.set_vectors((key, visible, code, rows[key]) for key, visible in found)
            db.run(
                "UPDATE passages SET embedded = :code, claimed_until = NULL"
                " WHERE tenant_id = :tenant_id AND key = ANY(:keys::bigint[])",
                {"tenant_id": scope.tenant_id, "code": code, "keys": [key for key, _ in found]},
            )
            return len(found)

    # ── profiles ─────────────────────────────────────────────────────────────────────────────────

    def profile(self, scope: Scope) -> UserProfile:
        blank = UserProfile(tenant_id=scope.tenant_id, user_id=postgres_profiles.user_of(scope))
        return next(iter(self.profiles(scope)), blank)

    def put_profile(self, scope: Scope, profile: UserProfile, *, known: UserProfile | None = None) -> None:
        with self._writing(scope) as writer:
            postgres_profiles.write(writer.db, scope, profile, known)

    def profiles(self, scope: Scope) -> list[UserProfile]:
        with self._reading(scope) as db:
            return postgres_profiles.read(db, scope)

    def delete_profiles(self, scope: Scope) -> int:
        with self._writing(scope) as writer:
            return postgres_profiles.delete(writer.db, scope)

    # ── the whole ────────────────────────────────────────────────────────────────────────────────

    def clear(self, scope: Scope) -> int:
        with self._writing(scope) as writer:
            postgres_profiles.delete(writer.db, scope)
            return writer.clear()

    def generation(self, scope: Scope) -> int:
        with self._reading(scope) as db:
            return db.number(
                "SELECT coalesce(max(cleared), 0) FROM numbers WHERE tenant_id = :tenant_id",
                {"tenant_id": scope.tenant_id},
            )

    # ── tiers and numbers ────────────────────────────────────────────────────────────────────────

    def watermark(self, scope: Scope) -> int:
        with self._reading(scope) as db:
            return db.number(
                "SELECT coalesce(max(seq), 0) FROM watermarks WHERE tenant_id = :tenant AND user_id = :user",
                {"tenant": scope.tenant_id, "user": scope.user_id or ""},
            )

    def set_watermark(self, scope: Scope, seq: int) -> None:
        with self._writing(scope) as writer:
            writer.db.run(
                "INSERT INTO watermarks AS w (tenant_id, user_id, seq) VALUES (:tenant, :user, :seq)"
                " ON CONFLICT (tenant_id, user_id) DO UPDATE SET seq = greatest(w.seq, excluded.seq)",
                {"tenant": scope.tenant_id, "user": scope.user_id or "", "seq": seq},
            )

    def stats(self, scope: Scope, fingerprint: str | None = None) -> StoreStats:
        """Bytes are 0: the tables are shared, and the server's to measure."""
        with self._reading(scope) as db:
            conditions = where(scope, reach_of(db, scope), Query(archived=None))
            live = "FILTER (WHERE e.archived_at IS NULL)"
            ((entries, archived, promoted, pinned, sessions, users),) = db.rows(
                f"SELECT count(*) {live}, count(e.archived_at), count(e.promoted_at) {live},"
                " count(*) FILTER (WHERE e.archived_at IS NULL AND e.pinned),"
                f" count(DISTINCT e.session) {live},"
                f" count(DISTINCT nullif(o.user_id, '')) {live} FROM entries e"
                f" JOIN scopes o ON o.tenant_id = e.tenant_id AND o.code = e.owner WHERE {conditions.sql}",
                conditions.params,
            )
            passages, _ = _corpus(db, scope)
            pending = 0 if fingerprint is None else sum(
                db.number(
                    f"SELECT count(*) FROM passages p WHERE {_LACKING.format(sign)}",
                    _lacking(db, scope, fingerprint),
                )
                for sign in "<>"
            )  # fmt: skip
        return StoreStats(entries, archived, promoted, pinned, passages, pending, sessions, users)

    def alone(self, tenant_id: str) -> AbstractContextManager[object]:
        return self._database.alone(f"upkeep {tenant_id}")

    def close(self) -> None:
        self._closed = True
        if self._own_database:
            self._database.close()


class PostgresStores(Stores):
    """All tenants of one memory in one database; this process has at most 16 connections to it."""

    def __init__(self, url: str, *, connections: int = MOST_CONNECTIONS) -> None:
        self._database = Database(url, connections=min(connections, MOST_CONNECTIONS))
        self._catalog = PostgresCatalog(self._database)
        self._stores: dict[str, PostgresStore] = {}
        self._lock = Lock()

    @property
    def catalog(self) -> PostgresCatalog:
        return self._catalog

    def store(self, tenant_id: str) -> PostgresStore:
        self._database.check_open()
        store = self._stores.get(tenant_id)
        if store is None:
            valid_id(tenant_id, "tenant_id")
            with self._lock:
                store = self._stores.setdefault(tenant_id, PostgresStore(self._database, tenant_id))
        return store

    def tenants(self) -> tuple[str, ...]:
        return self._catalog.tenants()

    def claim_upkeep(self, before: datetime, now: datetime) -> str | None:
        return self._catalog.claim_upkeep(before, now)

    def tend(self) -> None:
        """Make the index of neighbours for each embedder, once there are many vectors.

        Only the tables' owner may; whoever else runs this leaves it to them.
        """
        lacking = self._lacking_indexes()
        if not lacking:
            return
        with self._database.alone("tend"):
            for code, dimensions in self._lacking_indexes():
                # One that was not finished is there, and good for nothing.
                self._database.outside(
                    f"DROP INDEX CONCURRENTLY IF EXISTS {index_name(code)}", near_index(code, dimensions)
                )

    def _lacking_indexes(self) -> list[tuple[int, int]]:
        with self._database.link(reading=True) as db:
            rows = db.rows(
                "SELECT f.code, f.dimensions FROM fingerprints f, pg_class c"
                " WHERE c.oid = 'vectors'::regclass AND c.reltuples >= :rows AND f.dimensions <= :most"
                " AND pg_has_role(session_user, c.relowner, 'MEMBER') AND NOT EXISTS"
                "  (SELECT 1 FROM pg_index i JOIN pg_class n ON n.oid = i.indexrelid"
                "   WHERE i.indrelid = c.oid AND i.indisvalid AND n.relname = :prefix || f.code)",
                {"rows": INDEX_FROM, "most": MOST_DIMENSIONS, "prefix": index_name("")},
            )
        return [(code, dimensions) for code, dimensions in rows]

    def close(self) -> None:
        for store in list(self._stores.values()):
            store.close()
        self._database.close()


def _corpus(db: Link, scope: Scope) -> tuple[int, int]:
    """How many live passages the scope may see, and how many words they have."""
    ((passages, length),) = db.rows(
        "SELECT coalesce(sum(passages), 0)::bigint, coalesce(sum(words), 0)::bigint FROM scopes"
        " WHERE tenant_id = :tenant AND (shared OR :user::text IS NULL OR user_id = :user)",
        {"tenant": scope.tenant_id, "user": scope.user_id},
    )
    return passages, length


_LACKING = "p.tenant_id = :tenant_id AND p.live AND p.embedded {} :code AND p.scope = ANY(:codes::bigint[])"


def _each(table: str, alias: str, condition: str) -> str:
    """The rows of a table that go with each row before it, looked up in an index and in no other way."""
    rows = f"SELECT {alias}.* FROM {table} {alias} WHERE {alias}.tenant_id = :tenant_id AND {condition}"
    return f"LATERAL ({rows} OFFSET 0) {alias}"


def _lacking(db: Link, scope: Scope, fingerprint: str) -> dict[str, Any]:
    """The parameters of `_LACKING`; no passage has the code -1, where no vector has the fingerprint."""
    sql = "SELECT coalesce(max(code), -1) FROM fingerprints WHERE name = :name"
    code = db.number(sql, {"name": fingerprint})
    return {"tenant_id": scope.tenant_id, "code": code, "codes": codes_of(db, scope)}


def _texts(db: Link, scope: Scope, rows: Sequence[tuple[Any, ...]]) -> list[PendingText]:
    """What passages say, given by key, entry, role, start and end."""
    contents = db.rows(
        "SELECT seq, content FROM entries WHERE tenant_id = :tenant_id AND seq = ANY(:seqs::bigint[])",
        {"tenant_id": scope.tenant_id, "seqs": sorted({row[1] for row in rows})},
    )
    texts = {seq: dict(parts(content_from(content))) for seq, content in contents}
    return [PendingText(key, texts[seq][role][start:end]) for key, seq, role, start, end in rows]
