"""What every backend promises, and what it gets for it.

A backend keeps the contract of `zerda.memory.testing.StoreContract`; that is its whole test.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import TYPE_CHECKING, Any, Unpack

from ..core.closing import Closing
from .names import KeepsNames

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.model import (
        Draft,
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
    from ..core.rules.profile import UserProfile
    from ..core.rules.tombstones import Graves
    from ..core.transfer import Carried
    from ..core.trust import ApiKey, AuditRecord, Erased, Event, Grant, Proof, Receipt

WHOLE_STORE = ""
"""Stands for a tenant in the audit of what concerns them all."""


class Audited(ABC):
    """Keeps an audit: a chain of records for each tenant, without content. Every change is in its chain."""

    @abstractmethod
    def record(self, tenant_id: str, events: Sequence[Event]) -> None:
        """Add to a tenant's chain."""

    @abstractmethod
    def audit(self, tenant_id: str, *, after: int = 0, limit: int = 1_000) -> list[AuditRecord]:
        """A tenant's records, oldest first; ``after`` a record's number."""

    @abstractmethod
    def check_audit(self, tenant_id: str, heads: Sequence[tuple[int, str]] = ()) -> tuple[int, list[str]]:
        """How many records there are, and what is wrong with them; ``heads`` are ends that were kept."""

    @abstractmethod
    def audit_head(self, tenant_id: str) -> tuple[int, str]:
        """Number and seal of the last record; (0, "") without one."""

    @abstractmethod
    def pseudonym(self, principal: str) -> str:
        """What stands for a principal in these records."""


class Store(Audited, KeepsNames, Closing):
    """Keeps entries and their passages, and finds them by scope, words and vectors.

    Every call takes a `Scope` first and reaches nothing outside it: with a user, what is theirs and what
    others share with the tenant (``visibility="tenant"``); without one, the whole tenant. Calls that
    change something (``revise``, ``mark``, ``delete``, ``count_uses``) reach only what is the user's own.

    Calls are atomic and durable when they return; within ``transaction()`` they become so together at
    its end, and an exception undoes them all. A store is used by any number of threads, and where its
    data lie in a file or on a server by any number of processes; what one acknowledged, the others find.
    Driver errors become `StorageError`s.
    """

    # ── keeping ──────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Write all or nothing. Joins a transaction that this thread has already begun."""

    @abstractmethod
    def put(
        self, scope: Scope, drafts: Sequence[Draft], *, session_gap_seconds: float = 1800.0
    ) -> list[MemoryEntry]:
        """Keep new entries, in order; return them with their ``seq`` and session.

        The entries' tenant and user are the scope's (a scope without a user keeps any user's).
        An id that is there already with the same ``content_hash`` is a no-op that returns what is kept;
        with another hash, or outside the scope's reach, it is an `EntryConflict` and nothing is kept.
        An entry without a session joins the scope user's last derived session, or begins a new one after
        a pause of more than ``session_gap_seconds`` between the two ``occurred_at``.
        Passages take the next positions of their session.
        """

    @abstractmethod
    def revise(self, scope: Scope, draft: Draft) -> MemoryEntry:
        """Replace an entry's content and descriptions, one version on; the former version is kept.

        ``seq``, session, ``recorded_at`` of the first version, state and use stay as they are kept.
        Its words and vectors are replaced by the draft's, in the same positions as far as they go.
        `EntryNotFound` where the scope has none of that id.
        """

    @abstractmethod
    def rewrite(self, scope: Scope, draft: Draft, former: Sequence[MemoryEntry] = ()) -> MemoryEntry:
        """As `revise`, but no version is added: ``former`` takes the place of the former versions.

        Nothing of what was there before is kept; `scrub` takes its bytes out of the files.
        """

    @abstractmethod
    def mark(self, scope: Scope, ids: Sequence[str], **state: Unpack[State]) -> int:
        """Change the state of entries; return how many were reached.

        An archived entry is in no search, count or list that does not ask for it; restored, it is back
        in all of them.
        """

    @abstractmethod
    def count_uses(self, scope: Scope, uses: Mapping[str, int], at: datetime) -> None:
        """Add to the access counts of entries, and set their last access to ``at`` if that is later."""

    @abstractmethod
    def delete(self, scope: Scope, ids: Sequence[str]) -> int:
        """Erase entries with their versions, passages, words and vectors; return how many were there."""

    @abstractmethod
    def scrub(self, *, timeout_seconds: float = 10.0) -> None:
        """Leave no byte of what was deleted in the files; `StorageBusy` if a reader held them too long."""

    # ── finding ──────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def get(self, scope: Scope, entry_id: str) -> MemoryEntry:
        """The entry, archived or not; `EntryNotFound` where the scope has none of that id."""

    @abstractmethod
    def find(self, scope: Scope, query: Query) -> list[MemoryEntry]:
        """The entries that the query describes, in its order (ties: newest first)."""

    @abstractmethod
    def count(self, scope: Scope, query: Query) -> int:
        """How many entries the query describes; its limit does not count."""

    @property
    def vector_backend(self) -> str:
        """What scans the vectors: ``numpy``, ``faiss``, ``pgvector``, or a word of the backend's own."""
        return "numpy"

    @abstractmethod
    def history(self, scope: Scope, entry_id: str) -> list[MemoryEntry]:
        """Every version of an entry, oldest first, the present one last; `EntryNotFound` like `get`."""

    @abstractmethod
    def speakers(self, scope: Scope, *, limit: int = 64) -> tuple[str, ...]:
        """The names under which live entries were said, sorted; at most ``limit`` of them."""

    @abstractmethod
    def users(self, tenant_id: str) -> tuple[str, ...]:
        """The users of a tenant that have an entry, sorted."""

    # ── searching ────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def search_words(
        self,
        scope: Scope,
        terms: Sequence[tuple[str, ...]],
        query: Query,
        *,
        limit: int,
        budget: int = 50_000,
    ) -> WordHits:
        """The best passages that hold any of the terms (each: the tokens that would match it).

        At most ``limit`` keys, best first by the backend's own measure. To bound the work, common terms
        count only for passages that hold a rarer one too, once postings reach ``budget``; the commonest
        not at all. The query's conditions are applied before the limit. Statistics are of the scope,
        whatever the query says.
        """

    @abstractmethod
    def search_vectors(
        self, scope: Scope, vector: NDArray[Any], fingerprint: str, query: Query, *, limit: int
    ) -> VectorHits:
        """The passages nearest to a unit vector, among those with a vector of the same fingerprint."""

    @abstractmethod
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
        """Passages by key with their live neighbours, ``before`` and ``after`` positions in their session.

        Sorted by session and position, each once. Neighbours are of the same user as the passage that
        they stand beside and within the scope; one that the query leaves out has ``matching=False``.
        Vectors come along where ``fingerprint`` is given. Keys that are gone are passed over.
        """

    @abstractmethod
    def passages_of(self, scope: Scope, entry_ids: Sequence[str]) -> list[int]:
        """The keys of the passages of live entries."""

    # ── vectors ──────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def pending(self, scope: Scope, fingerprint: str, *, limit: int) -> list[PendingText]:
        """Live passages that lack a vector of this fingerprint, newest first."""

    @abstractmethod
    def put_vectors(self, scope: Scope, fingerprint: str, keys: Sequence[int], vectors: NDArray[Any]) -> int:
        """Give passages their vectors (replacing others); return how many were still there."""

    def claim_pending(self, scope: Scope, fingerprint: str, *, limit: int) -> list[PendingText]:
        """As `pending`, to embed them: where several machines share a store, each passage is given to one.

        What came of nothing (`put_vectors` or `release`) is given to another one after some minutes.
        """
        return self.pending(scope, fingerprint, limit=limit)

    def release(self, scope: Scope, keys: Sequence[int]) -> None:
        """Give back what was claimed and could not be embedded."""

    def originals(self, scope: Scope, entry_id: str) -> Mapping[str, str]:
        """What the placeholders of an entry's present version stand for, where this store kept it.

        Only of the scope's own entries (`EntryNotFound`). A store that does not encrypt keeps none.
        """
        self.get(scope, entry_id)
        return {}

    # ── profiles ─────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def profile(self, scope: Scope) -> UserProfile:
        """What is known of the scope's user; a blank profile of an unknown one, which stays unkept.

        `InvalidInput` for a scope without a user.
        """

    @abstractmethod
    def put_profile(self, scope: Scope, profile: UserProfile, *, known: UserProfile | None = None) -> None:
        """Keep the profile in place of the user's former one; its tenant and user are the scope's.

        ``known`` is the former one, read in this transaction: then only what differs need be written.
        Preferences are JSON values (else `InvalidInput`); each learnt value keeps its evidence.
        """

    @abstractmethod
    def profiles(self, scope: Scope) -> list[UserProfile]:
        """The profiles within the scope, by user id: the user's own, or all of the tenant."""

    @abstractmethod
    def delete_profiles(self, scope: Scope) -> int:
        """Erase the profiles within the scope; return how many there were."""

    # ── the whole ────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def clear(self, scope: Scope) -> int:
        """Erase all that the scope owns: entries, archived ones, profiles, watermarks; return the entries.

        Of a whole tenant it raises the `generation`. What others share with a user stays.
        """

    @abstractmethod
    def generation(self, scope: Scope) -> int:
        """How often the tenant was cleared as a whole: a clear of one user ends no other's write.

        A write that began before reads it again in its own transaction, and does not undo a clear.
        """

    # ── tiers and numbers ────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def watermark(self, scope: Scope) -> int:
        """The ``seq`` up to which the scope's short-term memory was cleared or evicted; 0 at first."""

    @abstractmethod
    def set_watermark(self, scope: Scope, seq: int) -> None:
        """Raise the watermark; a lower ``seq`` changes nothing."""

    @abstractmethod
    def stats(self, scope: Scope, fingerprint: str | None = None) -> StoreStats:
        """Counts within the scope; ``pending`` is 0 without a fingerprint."""

    def alone(self, tenant_id: str) -> AbstractContextManager[object]:
        """One at a time, over all processes: the tenant's upkeep. Whoever comes second waits."""
        return nullcontext()

    # ── erasure and transfer ─────────────────────────────────────────────────────────────────────

    @abstractmethod
    def erase(self, scope: Scope, query: Query, receipt_id: str) -> Erased:
        """Erase what is the scope's own and the query describes, archived or not, and all that came of it.

        As `delete`, and with it go derived entries whose ``sources``, now or in a former version, name
        one of them, whoever's they are, and the watermarks of users who have no entry left. Keyed digests
        of ids and contents stay, so that `put` refuses the ids (`EntryErased`) and `buried` knows the
        contents. The query's limit does not count.
        """

    @abstractmethod
    def buried(self, scope: Scope, entries: Sequence[MemoryEntry]) -> set[str]:
        """The ids of those entries that were erased, by id or, for their user, by content."""

    @abstractmethod
    def exhume(self, scope: Scope, ids: Sequence[str]) -> int:
        """Forget that these were erased, so that they may be kept again; return how many were.

        Only what was the scope's user's own; nobody's, where the scope has no user.
        """

    @abstractmethod
    def graves(self, tenant_id: str, *, after: bytes = b"", limit: int = 500) -> Graves:
        """Tombstones by digest, ``after`` one, and the keys by which another store knows them again."""

    @abstractmethod
    def bury(self, tenant_id: str, graves: Graves) -> None:
        """Keep tombstones of another store beside its own; one that is there already stays as it is."""

    @abstractmethod
    def put_receipt(self, receipt: Receipt) -> None:
        """Keep a receipt, within the transaction of its erasure; one of the same id is replaced."""

    @abstractmethod
    def receipts(self, tenant_id: str) -> tuple[Receipt, ...]:
        """The receipts of a tenant's erasures, oldest first."""

    @abstractmethod
    def traces(self, tenant_id: str, receipt_id: str, texts: Sequence[str]) -> Proof:
        """Search tables, indexes, freed pages and files for what an erasure took, and for these texts."""

    @abstractmethod
    def carried(self, scope: Scope, *, vectors: bool = False) -> Iterator[Carried]:
        """All that is the scope's own, with versions and places, in order of arrival: an export reads it."""

    @abstractmethod
    def carry_in(self, scope: Scope, entries: Sequence[Carried]) -> list[MemoryEntry]:
        """Keep entries as they were carried: versions, state, session and places too. As `put` otherwise.

        A place that is taken, in a session that has others by now, gives way to the session's end.
        """

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections. Later calls raise `StoreClosed`; closing again does nothing."""


class KeyCatalog(ABC):
    """Keeps the keys of programs that call a server: never a secret, only what stands for it.

    A revocation holds at the next call in every process. Every change is in the audit of access.
    """

    @abstractmethod
    def put_api_key(self, key: ApiKey, digest: bytes) -> None:
        """Keep a new key and the digest of its secret."""

    @abstractmethod
    def api_key(self, key_id: str) -> tuple[ApiKey, bytes] | None:
        """A key, revoked and ended ones too, with the digest of its secret; None where there is none."""

    @abstractmethod
    def api_keys(self, tenant_id: str | None = None) -> tuple[ApiKey, ...]:
        """Every key of a tenant, or of all, oldest first; those that were revoked or have ended, too."""

    @abstractmethod
    def revoke_api_key(self, tenant_id: str, key_id: str, *, at: datetime, by: str | None = None) -> bool:
        """Revoke a key of a tenant, for ever; whether there is one."""


class Catalog(Audited, KeyCatalog):
    """What a memory knows of itself: grants, the embedder. It holds nothing that was said.

    Every process reads it anew at each call, so a revocation holds at once everywhere.
    """

    @abstractmethod
    def embedder(self) -> str | None:
        """The fingerprint of the embedder that makes this memory's vectors; None until one was recorded."""

    @abstractmethod
    def record_embedder(self, fingerprint: str) -> str:
        """Record the embedder if none is, and return the recorded one: the first process decides."""

    @abstractmethod
    def replace_embedder(self, fingerprint: str) -> None:
        """Record another embedder; only re-indexing does this."""

    @abstractmethod
    def standing(self, tenant_id: str, *principals: str) -> tuple[str | None, tuple[Grant, ...]]:
        """The recorded access policy, and every grant of these in the tenant, revoked ones too."""

    @abstractmethod
    def grants(self, tenant_id: str) -> tuple[Grant, ...]:
        """Every grant of a tenant, revoked and ended ones too, by principal."""

    @abstractmethod
    def keep_grant(self, grant: Grant) -> None:
        """Keep a grant or revocation in the place of what was said of that role before, and record it."""

    @abstractmethod
    def set_policy(self, policy: str, *, at: datetime, by: str | None = None) -> None:
        """Record the access policy."""


class Stores(ABC):
    """All tenants' stores of one memory, and its catalog."""

    @property
    @abstractmethod
    def catalog(self) -> Catalog: ...

    @abstractmethod
    def store(self, tenant_id: str) -> Store:
        """The store that keeps the tenant; made at the first call, the same object afterwards."""

    @abstractmethod
    def tenants(self) -> tuple[str, ...]:
        """Every tenant that was ever touched, sorted."""

    @abstractmethod
    def claim_upkeep(self, before: datetime, now: datetime) -> str | None:
        """The tenant whose upkeep was begun longest ago, if that was before then; None if there is none.

        It counts as begun ``now``: of any number of processes that ask at once, each gets another tenant.
        """

    def tend(self) -> None:  # noqa: B027 - most backends need nothing
        """What searches of all tenants need once there is much to search."""

    @abstractmethod
    def close(self) -> None:
        """Close every store and the catalog."""
