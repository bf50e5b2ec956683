"""The memory of an application: this class only orders the steps."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from ..after_fork import Lock, renew_in_child
from ..context.context_builder import DEFAULT_INSTRUCTION, BuiltContext, ContextBuilder, Document, Fate
from ..context.counting import counter_named
from ..core.aio import awaitable
from ..core.model import (
    Content,
    Draft,
    Hit,
    Kind,
    MemoryEntry,
    Note,
    Origin,
    Page,
    Query,
    Scope,
    State,
    Visibility,
)
from ..core.rules.filtering import query_of
from ..core.rules.ids import valid_id
from ..core.rules.matching import matches
from ..core.rules.notes import note_of
from ..core.rules.time import in_utc
from ..core.trust import Event
from ..embedding.checked import CheckedEmbedder
from ..errors import ConfigError, EmbeddingError, EntryNotFound, InvalidInput, StoreClosed
from ..gate import Gate, whole_tenant
from ..intake import Intake, draft_of, with_vectors
from ..retrieval.pipeline import Ranking, find_hits
from ..retrieval.presets import FINDING, weights_for
from ..retrieval.recall import ask
from ..retrieval.selector import MemorySelector
from ..security.access import AccessController, Permission
from ..upkeep.archiving import ASKED
from ..upkeep.indexing import Indexer, index_newest, index_pending, reindex
from ..upkeep.memory_compressor import MemoryCompressor
from ..upkeep.round import Round
from ..vault import EncryptionKey
from .bundle import _TenantBundle
from .config import MemoryConfig
from .identity import Identity
from .registry import embedder_for, forgetting_for, masker_for, stores_for, vault_for
from .trusted import TrustMethods
from .uses import ReadLog, UseCounter

if TYPE_CHECKING:
    from ..core.rules.profile import UserProfile
    from ..core.seams import Clock, Embedder, LLMProtocol, Masker, TokenCounter

BATCH = 1_000
"""Entries in one transaction of the ``…_many`` methods."""

MOST = 10**18 - 1
"""A limit above it asks for no more: the largest of its digits that a database's 64 bits can count."""

HISTORY = 5
"""Entries of short-term memory that a context shows as the recent conversation."""

Given = TypeVar("Given")

Entries = list[MemoryEntry]  # `AIMemoryManager.list` takes the name within the class.
Hits = list[Hit]

log = logging.getLogger(__name__)


class AIMemoryManager(TrustMethods):
    """Keeps what was said, finds the right piece of it later, and puts it before a model within a budget.

    One object serves all tenants and users of a program, and any number of threads; several processes may
    work on one ``persistence_path``. Nothing is opened before the first call. Use it as a context manager,
    or `close` it.

    Every method first asks whether the user may (`AccessDenied`, a PermissionError) and whether the values
    are sound (`InvalidInput`, a ValueError); a refused call has done nothing. Each has an awaitable twin
    with ``a`` in front: same arguments, same result, same exceptions.

    Args:
        config: how it behaves; the defaults keep everything below ``./memory_storage``.
        llm: any object with ``generate(prompt, max_tokens)``. None is needed to store, find or assemble.
        encryption_key: encrypts all that is kept: a passphrase (text), a raw key (32 bytes), or a function
            that gives one. `WrongKey`, `KeyNeeded`, `NotEncrypted` come with the first call, never later.
        enable_privacy_masking: replace personal data and secrets before anything is kept or embedded.
        max_workers: threads of the awaitable twins.
        embedder: takes the place of ``config.embedding_model``; what fails in it is an `EmbeddingError`.
        masker: takes the place of the built-in one.
        token_counter: takes the place of ``config.token_counter``.
        clock: tells the time, aware and in UTC.
    """

    def __init__(
        self,
        config: MemoryConfig | None = None,
        llm: LLMProtocol | None = None,
        *,
        encryption_key: EncryptionKey | None = None,
        enable_privacy_masking: bool = True,
        max_workers: int = 4,
        embedder: Embedder | None = None,
        masker: Masker | None = None,
        token_counter: TokenCounter | None = None,
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        if max_workers < 1:
            raise ConfigError(f"max_workers is {max_workers!r}; it is at least 1")
        self.config = config or MemoryConfig()
        self.llm = llm
        self._clock = clock
        self._masker = (masker or masker_for()) if enable_privacy_masking else None
        self._vault = vault_for(self.config, encryption_key)
        self._stores = stores_for(self.config, self._vault)
        self._embedder = embedder_for(self.config) if embedder is None else CheckedEmbedder(embedder)
        self._identity = Identity(self._embedder, self._stores.catalog)
        self._access = AccessController(self._stores.catalog, policy=self.config.access_policy, clock=clock)
        self._reads = ReadLog(self._stores.catalog)
        read = self._reads.add if self.config.audit_reads else None
        self._gate = Gate(self._access, refused=self._refused, read=read)
        self._intake = Intake(
            clock,
            self._masker,
            visibility="tenant" if self.config.sharing == "tenant" else "user",
            promote_from=self.config.importance_threshold,
        )
        self._count = token_counter or counter_named(self.config.token_counter)
        self._selector = MemorySelector(top_k=self.config.retrieval_limit, clock=clock)
        self._context_builder = ContextBuilder(self.config.max_tokens, count=self._count)
        self._forgetting = forgetting_for(self.config, clock)
        self._compressor = MemoryCompressor(llm, clock=clock)
        self._weights = weights_for
        self._indexer = Indexer(self._index)
        self._uses = UseCounter()
        self._bundles: dict[str, _TenantBundle] = {}
        self._lock = Lock()
        self._threads = _Threads(max_workers)
        self._closed = False

    # ── who may ──────────────────────────────────────────────────────────────────────────────────

    def acting_as(self, actor: str, *, strict: bool = False) -> AIMemoryManager:
        """This memory as a principal may use it: ``agent:planner``, or a user (``user:alice`` or ``alice``).

        What it does for another user it does by delegation, with what both may: the user has to be let in,
        and the principal granted a role ``on_behalf_of`` that user. It is for whoever holds a principal's
        call, such as a server. ``strict`` asks for a role whatever the policy. Closing it does nothing.
        """
        return _Acting(self, self._gate.acting_as(actor, strict=strict))

    # ── saving ───────────────────────────────────────────────────────────────────────────────────

    def save_interaction(
        self,
        user_id: str,
        tenant_id: str,
        user_input: str,
        assistant_output: str,
        *,
        importance: float = 0.5,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        topics: Sequence[str] | None = None,
        session_id: str | None = None,
        occurred_at: datetime | None = None,
        visibility: Visibility | None = None,
        id: str | None = None,
    ) -> MemoryEntry:
        """Keep one exchange between a user and the assistant; durable when this returns.

        Without ``session_id`` it joins the user's running session; a pause begins a new one. The same
        ``id`` with the same content again changes nothing; with other content it is an `EntryConflict`.

        With an encryption key the entry that is returned holds ``{"encrypted": <text>}`` and says so in its
        metadata; `get`, `recall`, contexts and prompts have the plain words for whoever may read them.
        """
        note = Note(
            content={
                "input": _text(user_input, "user_input"),
                "output": _text(assistant_output, "assistant_output"),
            },
            kind="interaction",
            id=id,
            importance=importance,
            tags=tags or (),  # type: ignore[arg-type]  # `sound` checks and turns it into a tuple
            topics=topics or (),  # type: ignore[arg-type]
            metadata=metadata or {},
            session_id=session_id,
            occurred_at=occurred_at,
            visibility=visibility,
        )
        return self._handed_out(self._save(self._may(user_id, tenant_id, Permission.WRITE), [note])[0])

    def remember(
        self,
        user_id: str,
        tenant_id: str,
        content: Content,
        *,
        kind: Kind = "note",
        speaker: str | None = None,
        origin: Origin = "user",
        importance: float = 0.5,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        topics: Sequence[str] | None = None,
        session_id: str | None = None,
        occurred_at: datetime | None = None,
        expires_at: datetime | None = None,
        visibility: Visibility | None = None,
        id: str | None = None,
    ) -> MemoryEntry:
        """Keep a note, a message of a named speaker, a fact or a document; else as `save_interaction`."""
        note = Note(
            content=content,
            kind=kind,
            id=id,
            speaker=speaker,
            origin=origin,
            importance=importance,
            tags=tags or (),  # type: ignore[arg-type]
            topics=topics or (),  # type: ignore[arg-type]
            metadata=metadata or {},
            session_id=session_id,
            occurred_at=occurred_at,
            expires_at=expires_at,
            visibility=visibility,
        )
        return self._save(self._may(user_id, tenant_id, Permission.WRITE), [note])[0]

    def save_many(
        self, user_id: str, tenant_id: str, interactions: Iterable[tuple[str, str] | Mapping[str, Any]]
    ) -> Entries:
        """Keep many exchanges: (user_input, assistant_output) pairs, or mappings that also hold the other
        arguments of `save_interaction`. Transactions of at most 1,000; those before a bad one stay kept.
        """
        return self.remember_many(user_id, tenant_id, map(_interaction, interactions))

    def remember_many(
        self, user_id: str, tenant_id: str, notes: Iterable[Note | Mapping[str, Any] | str]
    ) -> Entries:
        """Keep many notes: texts, `Note`s, or mappings of ``content`` and the other arguments of `remember`.

        In transactions of at most 1,000; those before a bad note stay kept.
        """
        scope = self._may(user_id, tenant_id, Permission.WRITE)
        return [entry for batch in _batches(notes, BATCH) for entry in self._save(scope, map(note_of, batch))]

    def update(
        self,
        user_id: str,
        tenant_id: str,
        entry_id: str,
        *,
        content: Content | None = None,
        importance: float | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        topics: Sequence[str] | None = None,
        visibility: Visibility | None = None,
        expires_at: datetime | None = None,
    ) -> MemoryEntry:
        """Make a new version of an entry of the user's own; what is None stays. `history` has the former."""
        scope = self._may(user_id, tenant_id, Permission.WRITE)
        store = self._bundle(tenant_id).store
        with store.transaction():
            entry = store.get(scope, entry_id)
            if entry.user_id != scope.user_id:
                raise EntryNotFound(
                    f"no entry {entry_id!r} of this user; another's shared entry is read only"
                )
            changes = {
                "content": content,
                "importance": importance,
                "tags": tags,
                "metadata": metadata,
                "topics": topics,
                "visibility": visibility,
                "expires_at": expires_at,
            }
            note = _note_again(entry, {name: value for name, value in changes.items() if value is not None})
            draft = self._intake.revised(entry, note, scope, max_words=self._max_words)
            revised = store.revise(scope, self._embedded([draft])[0])
            # A revision leaves the state as it is kept.
            if state := _state_after(revised, draft.entry):
                revised = self._mark(scope, entry_id, state)
        self._follow_up(scope)
        return revised

    # ── finding ──────────────────────────────────────────────────────────────────────────────────

    def recall(
        self,
        user_id: str,
        tenant_id: str,
        query: str,
        *,
        limit: int | None = None,
        session_id: str | None = None,
        min_score: float | None = None,
        filters: Query | Mapping[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> Hits:
        """The entries that answer the query, best first; nothing is a normal answer.

        Args:
            limit: hits at the most (``config.retrieval_limit``).
            session_id: only what was said in this session.
            min_score: probability of relevance from which a hit counts (``config.relevance_floor``).
            filters: conditions that entries meet, such as ``{"tags": "work"}`` (`docs/filters.md`); they
                narrow what the user may see, never widen it.
            as_of: ask as of a moment: what was recorded later is not seen, and ages and "yesterday" are
                counted from then. What was changed since is seen as it is now.
        """
        scope = self._may(user_id, tenant_id, Permission.READ)
        floor = _score(min_score, "min_score", self.config.relevance_floor)
        most = _whole(self.config.retrieval_limit if limit is None else limit, "limit")
        narrowed = _narrowed(filters, as_of)
        if session_id is not None:
            narrowed = narrowed.only(session_id=session_id)
        ranking = self._find(scope, _text(query, "query"), narrowed, most)
        return [hit for hit in ranking.hits if hit.score >= floor]

    def build_context(
        self,
        user_id: str,
        tenant_id: str,
        query: str,
        *,
        documents: Iterable[Document | Mapping[str, Any] | str] | None = None,
        top_k_semantic: int = 8,
        top_k_ltm: int = 10,
        include_profile: bool = True,
        session_id: str | None = None,
        token_budget: int | None = None,
        min_score: float | None = None,
        filters: Query | Mapping[str, Any] | None = None,
        as_of: datetime | None = None,
    ) -> BuiltContext:
        """What to put before a model for this query, within ``token_budget`` (``config.max_tokens``).

        What words and meaning find must pass the relevance floor; the most important and the newest
        entries compete with it for their places. The chosen ones become the user's working memory.

        Args:
            documents: texts, dicts with ``page_content``, or `Document`s, for this context alone.
            top_k_semantic: entries that words and meaning may propose.
            top_k_ltm: promoted entries that importance may propose.
            include_profile: say what is known of the user: language, manner, interests, preferences.
            session_id: the running conversation, whose last turns are shown.
            min_score: cosine from which meaning proposes (``config.min_score``).
            filters, as_of: as in `recall`; they hold for all that is remembered.
        """
        scope = self._may(user_id, tenant_id, Permission.READ)
        narrowed = _narrowed(filters, as_of)
        budget = _whole(self.config.max_tokens if token_budget is None else token_budget, "token_budget")
        bundle = self._bundle(tenant_id)
        working = bundle.working
        most_found = _whole(top_k_semantic, "top_k_semantic", least=0)
        most_important = _whole(top_k_ltm, "top_k_ltm", least=0)
        cosine = _score(min_score, "min_score", self.config.min_score)
        ranking = self._find(scope, _text(query, "query"), narrowed, most_found, cosine)
        proposed = ranking.hits[:most_found]
        found = [hit for hit in proposed if hit.score >= self.config.relevance_floor]
        important = self._most_important(bundle, scope, narrowed, most_important)
        window = bundle.short_term(scope)
        hits = {hit.entry.id: hit for hit in found}
        recent = [entry for entry in _running(window.get_all()) if matches(narrowed, entry)]
        candidates = [*(hit.entry for hit in found), *important, *recent]
        chosen = self._selector.select_entries(
            query, candidates, {one: hit.score for one, hit in hits.items()}
        )
        chosen = working.load(chosen, user_id=scope.user_id)
        context = self._context_builder.build(
            documents,
            [hits.get(entry.id, entry) for entry in chosen],
            _spoken(window.get_recent(HISTORY, session_id=session_id)),
            bundle.profiles.to_context_string(user_id) if include_profile else None,
            query=query,
            token_budget=budget,
            trace=_fates(proposed, candidates, {entry.id for entry in chosen}, self.config.relevance_floor),
            degraded=ranking.degraded,
        )
        self._uses.add(scope, [entry.id for entry in context.entries])
        return context

    def build_prompt(
        self,
        user_id: str,
        tenant_id: str,
        query: str,
        *,
        documents: Iterable[Document | Mapping[str, Any] | str] | None = None,
        system_instruction: str = DEFAULT_INSTRUCTION,
        include_profile: bool = True,
        session_id: str | None = None,
        token_budget: int | None = None,
    ) -> str:
        """One prompt: the instruction, the context, the header ``=== Current Query ===``, the query."""
        context = self.build_context(
            user_id,
            tenant_id,
            query,
            documents=documents,
            include_profile=include_profile,
            session_id=session_id,
            token_budget=token_budget,
        )
        return self._context_builder.build_prompt(query, context, system_instruction=system_instruction)

    # ── what is known of a user ──────────────────────────────────────────────────────────────────

    def profile(self, user_id: str, tenant_id: str) -> UserProfile:
        """What is known of the user in this tenant, with the evidence; blank where nothing is."""
        self._may(user_id, tenant_id, Permission.READ)
        return self._bundle(tenant_id).profiles.get_or_create(user_id)

    def set_preferences(self, user_id: str, tenant_id: str, preferences: Mapping[str, Any]) -> UserProfile:
        """State preferences of the user, beside those stated before; a value of None takes its one back.

        They are masked like all that is kept.
        """
        self._may(user_id, tenant_id, Permission.WRITE)
        masked = self._masker.mask_value(dict(preferences))[0] if self._masker else preferences
        return self._bundle(tenant_id).profiles.set_preferences(user_id, masked)

    def set_retention_boost(self, user_id: str, tenant_id: str, boost: float) -> UserProfile:
        """Add this, 0 to 0.5, to the importance of all that the user saves from now on."""
        self._may(user_id, tenant_id, Permission.WRITE)
        return self._bundle(tenant_id).profiles.update_retention_boost(user_id, boost)

    # ── one entry, or a list ─────────────────────────────────────────────────────────────────────

    def get(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """The entry, archived or not; `EntryNotFound` where the user sees none of that id."""
        scope = self._may(user_id, tenant_id, Permission.READ)
        return self._bundle(tenant_id).store.get(scope, entry_id)

    def list(
        self,
        user_id: str,
        tenant_id: str,
        *,
        limit: int = 50,
        cursor: str | None = None,
        filters: Query | Mapping[str, Any] | None = None,
    ) -> Page:
        """The user's entries, newest first, a page at a time; ``cursor`` is the former page's."""
        scope = self._may(user_id, tenant_id, Permission.READ)
        query = query_of(filters).only(
            limit=_whole(limit, "limit") + 1, order="newest", before_seq=_cursor(cursor), now=self._clock()
        )
        found = self._bundle(tenant_id).store.find(scope, query)
        more = len(found) > limit
        return Page(tuple(found[:limit]), str(found[limit - 1].seq) if more else None)

    def history(self, user_id: str, tenant_id: str, entry_id: str) -> Entries:
        """Every version of an entry, oldest first."""
        scope = self._may(user_id, tenant_id, Permission.READ)
        return self._bundle(tenant_id).store.history(scope, entry_id)

    def pin(self, user_id: str, tenant_id: str, entry_id: str, pinned: bool = True) -> MemoryEntry:
        """Keep an entry from fading (or let it fade again)."""
        scope = self._may(user_id, tenant_id, Permission.WRITE)
        return self._mark(scope, entry_id, {"pinned": pinned})

    def archive(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """Put an entry away: in no search, count or context, until it is restored."""
        scope = self._may(user_id, tenant_id, Permission.WRITE)
        return self._mark(scope, entry_id, {"archived_at": self._clock(), "archived_because": ASKED})

    def restore(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """Take an archived entry back; it counts as used, so what had faded is strong again."""
        scope = self._may(user_id, tenant_id, Permission.WRITE)
        store = self._bundle(tenant_id).store
        with store.transaction():
            self._mark(scope, entry_id, {"archived_at": None, "archived_because": None})
            store.count_uses(scope, {entry_id: 1}, self._clock())
        return store.get(scope, entry_id)

    # ── the whole ────────────────────────────────────────────────────────────────────────────────

    def stats(self, tenant_id: str, *, actor: str | None = None) -> dict[str, Any]:
        """What a tenant holds, tier by tier, and how it is searched and guarded.

        Args:
            actor: the principal who asks, who then needs ADMIN; None is the program itself.
        """
        self._gate.administer(tenant_id, actor)
        bundle = self._bundle(tenant_id)
        counts = bundle.store.stats(whole_tenant(tenant_id), self._identity.recorded)
        _, lacking = self._identity.to_read()
        return {
            "stm": bundle.stm.stats(),
            "working": bundle.working.stats(),
            "ltm": bundle.ltm.stats(),
            "semantic": {**bundle.semantic.stats(), "degraded": [*lacking]},
            "profile_manager": bundle.profiles.aggregate_stats(),
            "entries": counts.entries,
            "archived": counts.archived,
            "pinned": counts.pinned,
            "sessions": counts.sessions,
            "users": counts.users,
            "pending": counts.pending,
            "bytes_on_disk": counts.bytes_on_disk,
            "embedder": self._identity.recorded,
            "embedder_here": self._identity.fingerprint,
            "encryption_active": self._vault is not None,
            "privacy_masking_active": self._masker is not None,
        }

    def run_maintenance(
        self, tenant_id: str, *, dry_run: bool = False, actor: str | None = None
    ) -> dict[str, Any]:
        """One round of upkeep; the report tells what it did, step by step, and why.

        In order: what has slipped leaves short-term memory; what has faded is archived, at most 20 % of the
        tenant in a day, the weakest first, nothing younger than a day or pinned; what has expired is
        archived; what was archived ``archive_days`` ago is erased; working memory lets go of what is not
        live; long-term memory is compressed if it holds more than 80 % of ``max_long_term``; vectors that
        are pending are made; erasures that a reader held up are completed. Twice in a row is once. Never an
        error on a new, unread or cleared tenant; one round of a tenant at a time.

        Args:
            dry_run: change nothing; tell what would be put away, and why.
            actor: the user who asks, who then needs ADMIN; None is the program itself.
        """
        self._gate.administer(tenant_id, actor)
        bundle = self._bundle(tenant_id)
        with bundle.upkeep, bundle.store.alone(tenant_id):
            self._write_uses(tenant_id)
            report = self._round(bundle).run(dry_run=dry_run).as_dict()
        if not dry_run:
            self._stores.tend()
        return report

    def tenants(self) -> tuple[str, ...]:
        """Every tenant that was ever touched, sorted; for the program itself, such as a worker's rounds."""
        self._gate.only_the_program("list the tenants")
        return self._stores.tenants()

    def flush(self, tenant_id: str | None = None) -> None:
        """Wait until nothing is pending, in one tenant or all that this object touched; raise what failed."""
        for name in (tenant_id,) if tenant_id is not None else tuple(self._bundles):
            self._index(name)
            self._write_uses(name)
            self._reads.write(name)

    def reindex(
        self, tenant_id: str | None = None, *, progress: Callable[[int, int], object] = lambda done, of: None
    ) -> int:
        """Bring a memory to this object's embedder, one tenant or all; return how many vectors were made.

        The only way to change a memory's embedder: it is recorded when no tenant lacks a vector of it, and
        until then other processes go on with the former one. May be stopped, or killed, and run again.
        ``progress`` is called with what is done, of how many. `ConfigError` without an embedder. Only the
        embedding program may; a memory that acts as a principal is refused.
        """
        self._gate.only_the_program("reindex")
        if self._embedder is None:
            raise ConfigError("this memory was opened without an embedder; name one to index with")
        tenants = self._stores.tenants() if tenant_id is None else (valid_id(tenant_id, "tenant_id"),)
        return reindex(self._stores, self._embedder, tenants, progress)

    def close(self) -> None:
        """Finish background work and let go of files. Later calls raise `StoreClosed`; again does nothing."""
        with self._lock:
            closed, self._closed = self._closed, True
        if closed:
            return
        self._indexer.close()
        for tenant_id in self._uses.tenants():
            self._uses.write(self._stores.store(tenant_id), tenant_id, self._clock())
        self._reads.write()
        self._stores.close()
        self._threads.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def executor(self) -> Executor:
        """The threads on which the awaitable twins run; started by the first of them."""
        return self._threads.started()

    # ── the steps ────────────────────────────────────────────────────────────────────────────────

    def _may(self, user_id: str, tenant_id: str, permission: Permission) -> Scope:
        return self._gate.require(user_id, tenant_id, permission)

    def _refused(self, tenant_id: str, event: Event) -> None:
        self._stores.catalog.record(tenant_id, [event])

    @property
    def _is_keyed(self) -> bool:
        return self._vault is not None

    def _bundle(self, tenant_id: str) -> _TenantBundle:
        """The tenant's tiers: made at the first touch, the same object afterwards."""
        valid_id(tenant_id, "tenant_id")
        with self._lock:
            if self._closed:
                raise StoreClosed("this memory was closed; make a new AIMemoryManager")
            if tenant_id not in self._bundles:
                self._bundles[tenant_id] = _TenantBundle(
                    tenant_id,
                    self.config,
                    store=self._stores.store(tenant_id),
                    intake=self._intake,
                    embedder=self._embedder,
                    count=self._count,
                )
            return self._bundles[tenant_id]

    def _save(self, scope: Scope, notes: Iterable[Note]) -> Entries:
        given = tuple(notes)
        drafts = [self._intake.draft(scope, note, max_words=self._max_words) for note in given]
        bundle = self._bundle(scope.tenant_id)
        generation = bundle.store.generation(scope)
        entries = bundle.keep(
            scope,
            self._embedded(drafts),
            generation=generation,
            given_ids=[note.id for note in given if note.id is not None],
        )
        self._follow_up(scope)
        return entries

    @property
    def _max_words(self) -> int | None:
        return self._embedder.max_words if self._embedder else None

    def _embedded(self, drafts: Sequence[Draft]) -> Sequence[Draft]:
        """The drafts with their vectors, where those are made within the save; else as they are."""
        embedder = self._identity.to_write()
        if embedder is None or not (
            self.config.indexing == "inline" or (self.config.indexing == "auto" and embedder.fast)
        ):
            return drafts
        try:
            return with_vectors(drafts, embedder)
        except EmbeddingError as error:
            log.warning("saved without vectors, to be indexed later: %s", error)
            return drafts

    def _follow_up(self, scope: Scope) -> None:
        """What need not keep the caller waiting."""
        self._write_uses(scope.tenant_id, only=scope)
        embedder = self._identity.to_write()
        if embedder is not None and (self.config.indexing == "background" or not embedder.fast):
            self._indexer.nudge(scope.tenant_id)

    def _index(self, tenant_id: str) -> None:
        embedder = self._identity.to_write()
        if embedder is not None:
            index_pending(self._stores.store(tenant_id), whole_tenant(tenant_id), embedder)

    def _round(self, bundle: _TenantBundle) -> Round:
        return Round(
            bundle.store,
            whole_tenant(bundle.tenant_id),
            bundle.short_term,
            bundle.working,
            self._forgetting,
            self._compressor,
            self._identity.to_write(),
            bundle.profiles.unlearn,
            partial(draft_of, max_words=self._max_words),
            self._clock(),
            self._erasures(bundle).finish,
            max_long_term=self.config.max_long_term,
            archive_days=self.config.archive_days,
            decays=self.config.enable_decay,
        )

    def _write_uses(self, tenant_id: str, only: Scope | None = None) -> None:
        self._uses.write(self._bundle(tenant_id).store, tenant_id, self._clock(), only=only)

    def _find(
        self, scope: Scope, query: str, filters: Query, limit: int, min_score: float | None = None
    ) -> Ranking:
        """Ask, after giving vectors to what was said just now."""
        store = self._bundle(scope.tenant_id).store
        now = filters.as_of or self._clock()
        embedder, lacking = self._identity.to_read()
        if embedder is not None:
            lacking += index_newest(store, scope, embedder)
        recall = ask(
            store,
            scope,
            self._masked(query),
            query=filters.only(now=now),
            now=now,
            limit=self.config.candidate_limit,
            min_score=self.config.min_score if min_score is None else min_score,
            embedder=embedder,
            degraded=lacking,
        )
        rate = self.config.decay_rate if self.config.enable_decay else 0.0
        weights = self._weights(recall.fingerprint)
        return find_hits(recall, FINDING, weights, decay_rate=rate, limit=max(limit, 1))

    def _masked(self, query: str) -> str:
        return str(self._masker.mask_value(query)[0]) if self._masker else query

    def _most_important(self, bundle: _TenantBundle, scope: Scope, filters: Query, limit: int) -> Entries:
        query = filters.only(
            promoted=True,
            order="important",
            min_importance=self.config.min_importance,
            limit=limit,
            now=self._clock(),
        )
        return bundle.store.find(scope, query) if limit > 0 else []

    def _handed_out(self, entry: MemoryEntry) -> MemoryEntry:
        """A saved entry, sealed where there is a key, so that it may be logged or passed on."""
        if self._vault is None:
            return entry
        metadata = {**entry.metadata, "encrypted": True}
        return replace(entry, content=self._vault.wrapper(entry), metadata=metadata)

    def _mark(self, scope: Scope, entry_id: str, state: State) -> MemoryEntry:
        store = self._bundle(scope.tenant_id).store
        if not store.mark(scope, [entry_id], **state):
            raise EntryNotFound(f"no entry {entry_id!r} of this user in tenant {scope.tenant_id!r}")
        return store.get(scope, entry_id)

    asave_interaction = awaitable(save_interaction)
    aremember = awaitable(remember)
    asave_many = awaitable(save_many)
    aremember_many = awaitable(remember_many)
    aupdate = awaitable(update)
    arecall = awaitable(recall)
    abuild_context = awaitable(build_context)
    abuild_prompt = awaitable(build_prompt)
    aprofile = awaitable(profile)
    aset_preferences = awaitable(set_preferences)
    aset_retention_boost = awaitable(set_retention_boost)
    aget = awaitable(get)
    alist = awaitable(list)
    ahistory = awaitable(history)
    apin = awaitable(pin)
    aarchive = awaitable(archive)
    arestore = awaitable(restore)
    astats = awaitable(stats)
    arun_maintenance = awaitable(run_maintenance)
    atenants = awaitable(tenants)
    aflush = awaitable(flush)
    areindex = awaitable(reindex)
    aclose = awaitable(close)


class _Threads:
    """The threads of the awaitable twins, started when they are needed; a forked child starts its own."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """Have none yet."""
        self._executor: Executor | None = None

    def started(self) -> Executor:
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self._most, thread_name_prefix="zerda")
            return self._executor

    def close(self) -> None:
        if self._executor is not None:
            self._executor.shutdown()


class _Acting(AIMemoryManager):
    """A memory behind the gate of one principal; all else is the other's."""

    def __init__(self, memory: AIMemoryManager, gate: Gate) -> None:
        vars(self).update(vars(memory))
        self._memory = memory
        self._gate = gate

    @property
    def executor(self) -> Executor:
        return self._memory.executor

    def close(self) -> None:
        """Nothing: whoever opened the memory closes it."""

    def _bundle(self, tenant_id: str) -> _TenantBundle:
        return self._memory._bundle(tenant_id)


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is a {type(value).__name__}; it is text")
    return value


def _narrowed(filters: Query | Mapping[str, Any] | None, as_of: datetime | None) -> Query:
    """What a caller's filters ask for, as of a moment."""
    query = query_of(filters)
    return query if as_of is None else query.only(as_of=in_utc(as_of, "as_of"))


def _whole(value: object, what: str, *, least: int = 1) -> int:
    """A whole number; one that no memory can hold means all."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidInput(f"{what} is {value!r}; it is a whole number from {least}")
    return min(value, MOST)


def _score(value: object, what: str, default: float) -> float:
    """A number that scores are held against, not NaN, which is above and below nothing."""
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        raise InvalidInput(f"{what} is {value!r}; it is a number")
    return value


def _cursor(cursor: object) -> int | None:
    if cursor is None:
        return None
    if not isinstance(cursor, str) or not cursor.isdecimal() or len(cursor) > len(str(MOST)):
        raise InvalidInput(f"cursor is {str(cursor)[:40]!r}; give the one of the page before")
    return int(cursor)


def _interaction(given: object) -> Note:
    """A note out of a pair, or of a mapping of the arguments of `save_interaction`."""
    if isinstance(given, Mapping):
        rest = {key: value for key, value in given.items() if key not in ("user_input", "assistant_output")}
        said, answered = given.get("user_input"), given.get("assistant_output")
    elif isinstance(given, (tuple, list)) and len(given) == 2:
        rest, (said, answered) = {}, given
    else:
        raise InvalidInput(f"an interaction is a {type(given).__name__}; it is a pair of texts, or a mapping")
    content = {"input": _text(said, "user_input"), "output": _text(answered, "assistant_output")}
    return note_of({**rest, "content": content, "kind": "interaction"})


def _note_again(entry: MemoryEntry, changes: Mapping[str, Any]) -> Note:
    """What an entry says, as a note with some of it changed."""
    kept = ("content", "kind", "importance", "tags", "topics", "metadata", "visibility", "expires_at")
    said: dict[str, Any] = {name: getattr(entry, name) for name in kept}
    return Note(**{**said, **changes})


def _state_after(kept: MemoryEntry, wanted: MemoryEntry) -> State:
    """What a change of importance or of the end makes of an entry's state."""
    state: State = {}
    if kept.promoted_at != wanted.promoted_at:
        state["promoted_at"] = wanted.promoted_at
    if kept.expires_at != wanted.expires_at:
        state["expires_at"] = wanted.expires_at
    return state


def _batches(items: Iterable[Given], size: int) -> Iterator[tuple[Given, ...]]:
    """The items in tuples of ``size`` (``itertools.batched`` comes with Python 3.12)."""
    left = iter(items)
    while batch := tuple(itertools.islice(left, size)):
        yield batch


def _running(window: Entries) -> Entries:
    """What was said in the running session: the end of a conversation that is over is not recent."""
    return [entry for entry in window if entry.session_id == window[-1].session_id]


def _spoken(entries: Iterable[MemoryEntry]) -> Entries:
    return [entry for entry in entries if entry.kind in ("interaction", "message")]


def _fates(
    hits: Iterable[Hit], candidates: Sequence[MemoryEntry], chosen: set[str], floor: float
) -> list[Fate]:
    """Why each candidate was put up for the context, or was not: what was found first, best first."""
    found = {hit.entry.id: hit for hit in hits}
    proposed = dict.fromkeys(entry.id for entry in candidates)
    fates = []
    for entry_id in dict.fromkeys([*found, *proposed]):
        hit = found.get(entry_id)
        fate = "selected" if entry_id in chosen else "others weighed more"
        if entry_id not in proposed:
            fate = f"below the floor {floor:g}"
        sources, parts = (hit.sources, hit.parts) if hit else (("recent or important",), {})
        fates.append(Fate(entry_id, fate, sources, hit.score if hit else None, parts))
    return fates
