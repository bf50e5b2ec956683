"""One maintenance round of one tenant, in its documented order."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from ..core.model import MemoryEntry, Query
from ..core.rules.time import before
from ..errors import EmbeddingError, ErasureIncomplete, StorageBusy
from .archiving import (
    PutAway,
    archive_expired,
    archive_faded,
    expired_now,
    fading,
    purge,
    purgeable,
    room,
)
from .compressing import Compressed, Compression
from .indexing import index_pending

if TYPE_CHECKING:
    from ..core.model import Draft, Scope
    from ..core.seams import Embedder
    from ..storage.base import Store
    from ..tiers import ShortTermMemory, WorkingMemory
    from .forgetting import ForgettingMechanism
    from .memory_compressor import MemoryCompressor

LASTING = 5
"""Newest entries of a user that stay in short-term memory however old: what a context shows as history."""

MOST_REASONS = 1_000
"""Entries whose reasons a report lists; its numbers count all."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a round did, or would do. Numbers are entries."""

    tenant_id: str
    dry_run: bool
    evicted: int
    scanned: int
    archived: int
    waiting: int
    expired: int
    purged: int
    forgotten: int
    compressed: Compressed
    indexed: int
    named: int
    completed: int
    reasons: tuple[PutAway, ...]
    failures: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The report as plain values, a step a key, in order."""
        made = self.compressed
        return {
            "tenant_id": self.tenant_id,
            "dry_run": self.dry_run,
            "stm": {"evicted": self.evicted},
            "ltm": {
                "scanned": self.scanned,
                "archived": self.archived,
                "waiting": self.waiting,
                "expired": self.expired,
                "purged": self.purged,
            },
            "working": {"forgotten": self.forgotten},
            "compression": {
                "needed": made.needed,
                "long_term": made.long_term,
                "merged": made.merged,
                "summaries": made.summaries,
                "summarised": made.summarised,
            },
            "indexing": {"indexed": self.indexed},
            "naming": {"read": self.named},
            "erasures": {"completed": self.completed},
            "reasons": [
                {"id": one.entry_id, "because": one.because, "reason": one.reason} for one in self.reasons
            ],
            "failures": [*self.failures],
        }


@dataclass(frozen=True, slots=True)
class Round:
    """What a round works on. `run` it under the tenant's lock: one round of a tenant at a time."""

    store: Store
    scope: Scope
    short_term: Callable[[Scope], ShortTermMemory]
    working: WorkingMemory
    forgetting: ForgettingMechanism
    compressor: MemoryCompressor
    embedder: Embedder | None
    unlearn: Callable[[Scope, Collection[str]], None]
    redraft: Callable[[MemoryEntry], Draft]
    now: datetime
    finish_erasures: Callable[[str], Sequence[object]]
    max_long_term: int
    archive_days: float
    decays: bool = True
    read_names: Callable[[], int] = lambda: 0

    def run(self, *, dry_run: bool = False) -> Report:
        """Short-term decay; long-term decay; working memory; compression if nearly full; the rest.

        Nothing is an error on a tenant that is new, unread or cleared. A failing model or embedder, and a
        reader that holds the file, are named in ``failures``.
        """
        scanned = self.store.count(self.scope, Query())
        evicted = self._evict(dry_run)
        faded, waiting = self._fade(dry_run)
        expired = (expired_now if dry_run else archive_expired)(self.store, self.scope, self.now)
        purged, busy = self._purge(dry_run)
        forgotten = self._forget_in_working(dry_run)
        compression = Compression(
            self.store, self.scope, self.compressor, self.max_long_term, self.now, self.redraft
        )
        compressed = compression.plan() if dry_run else compression.run()
        indexed, lacking = (0, ()) if dry_run else self._index()
        named = 0 if dry_run else self.read_names()
        completed, held = (0, ()) if dry_run else self._finish()
        put_away = (*faded, *expired, *compressed.put_away)
        return Report(
            tenant_id=self.scope.tenant_id,
            dry_run=dry_run,
            evicted=evicted,
            scanned=scanned,
            archived=len(faded),
            waiting=waiting,
            expired=len(expired),
            purged=purged,
            forgotten=forgotten,
            compressed=compressed,
            indexed=indexed,
            named=named,
            completed=completed,
            reasons=put_away[:MOST_REASONS],
            failures=(*busy, *compressed.failures, *lacking, *held),
        )

    def _evict(self, dry_run: bool) -> int:
        """Move each user's watermark over what has slipped, oldest first, up to what still holds."""
        if not self.decays:
            return 0
        return sum(self._evict_of(user_id, dry_run) for user_id in self.store.users(self.scope.tenant_id))

    def _evict_of(self, user_id: str, dry_run: bool) -> int:
        owner = replace(self.scope, user_id=user_id)
        slipped = 0
        window = self.short_term(owner).get_all()
        for entry in window[: max(0, len(window) - LASTING)]:
            if not self.forgetting.slipped(entry, self.now):
                break
            slipped += 1
        if slipped and not dry_run:
            self.store.set_watermark(owner, window[slipped - 1].seq)
        return slipped

    def _fade(self, dry_run: bool) -> tuple[list[PutAway], int]:
        if not self.decays:
            return [], 0
        most = room(self.store, self.scope, self.now)
        chosen, faded = fading(self.store, self.scope, self.forgetting, self.now, most=most)
        if dry_run:
            told = [PutAway(one.id, "faded", self.forgetting.reason(one, self.now)) for one in chosen]
        else:
            told = archive_faded(self.store, self.scope, self.forgetting, self.now, chosen)
        return told, faded - len(told)

    def _purge(self, dry_run: bool) -> tuple[int, tuple[str, ...]]:
        until = before(self.now, timedelta(days=self.archive_days))
        if dry_run:
            return sum(1 for _ in purgeable(self.store, self.scope, until)), ()
        purged = purge(self.store, self.scope, until, self.unlearn)
        try:
            if purged:
                self.store.scrub()
        except StorageBusy as error:
            return purged, (str(error),)
        return purged, ()

    def _forget_in_working(self, dry_run: bool) -> int:
        """Drop what is not live any more: archived, expired, or erased elsewhere."""
        held = self.working.get_all()
        if not held:
            return 0
        ids = tuple(entry.id for entry in held)
        live = {entry.id for entry in self.store.find(self.scope, Query(ids=ids, now=self.now, limit=None))}
        gone = [entry_id for entry_id in ids if entry_id not in live]
        for entry_id in gone if not dry_run else ():
            self.working.remove(entry_id)
        return len(gone)

    def _index(self) -> tuple[int, tuple[str, ...]]:
        if self.embedder is None:
            return 0, ()
        try:
            return index_pending(self.store, self.scope, self.embedder), ()
        except EmbeddingError as error:
            return 0, (f"vectors: {error}",)

    def _finish(self) -> tuple[int, tuple[str, ...]]:
        """Take out of the files what an erasure had to leave there while a reader held them."""
        try:
            return len(self.finish_erasures(self.scope.tenant_id)), ()
        except ErasureIncomplete as error:
            return 0, (str(error),)
