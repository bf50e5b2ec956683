"""Puts away what has faded or expired, and erases what was put away long ago. In batches, without a bound."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from ..core.model import MemoryEntry, Query
from ..core.rules.time import before

if TYPE_CHECKING:
    from ..core.model import Scope
    from ..storage.base import Store
    from .forgetting import ForgettingMechanism

BATCH = 1_000
"""Entries that one transaction touches."""

MOST_SHARE = 0.2
"""Share of a tenant that may be put away in a day: a wrong setting or clock does bounded, visible harm."""

FADED, EXPIRED, ASKED, MERGED, SUMMARISED = "faded", "expired", "asked", "merged", "summarised"
"""Why an entry was archived; after the last two stands the entry that took its place: ``merged: <id>``."""

_WINDOW = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class PutAway:
    """An entry that was archived, or would be, and why in numbers."""

    entry_id: str
    because: str
    reason: str


def successor(entry: MemoryEntry) -> str | None:
    """The entry that stands for this archived one: what it was merged into, or the summary of it."""
    kind, _, entry_id = (entry.archived_because or "").partition(": ")
    return entry_id if kind in (MERGED, SUMMARISED) else None


def room(store: Store, scope: Scope, now: datetime) -> int:
    """How many entries of a tenant may be put away now: 20 % of it in a day, one at least.

    A round twice in a row finds the room already used, so that twice is once.
    """
    recent = store.find(scope, Query(archived=True, archived_since=before(now, _WINDOW), limit=None))
    used = [one for one in recent if one.archived_at and one.archived_at <= now and _by_upkeep(one)]
    total = store.count(scope, Query()) + len(used)
    return max(0, max(1, int(total * MOST_SHARE)) - len(used))


def fading(
    store: Store, scope: Scope, forgetting: ForgettingMechanism, now: datetime, *, most: int
) -> tuple[list[MemoryEntry], int]:
    """The weakest ``most`` of what has faded, weakest first, and how many had faded in all."""
    weakest: list[tuple[float, int, MemoryEntry]] = []
    faded = 0
    for entry in each(store, scope, Query(pinned=False)):
        if forgetting.faded(entry, now):
            faded += 1
            heapq.heappush(weakest, (-forgetting.score_retention(entry, now), -entry.seq, entry))
            if len(weakest) > most:
                heapq.heappop(weakest)
    return [entry for *_, entry in sorted(weakest, key=lambda it: it[:2], reverse=True)], faded


def archive_faded(
    store: Store, scope: Scope, forgetting: ForgettingMechanism, now: datetime, entries: Sequence[MemoryEntry]
) -> list[PutAway]:
    """Archive entries that have still faded when it comes to it, as many as there is room for."""

    def still(entry: MemoryEntry) -> bool:
        return forgetting.faded(entry, now)

    return [
        PutAway(entry.id, FADED, forgetting.reason(entry, now))
        for entry in _archive(store, scope, entries, now, FADED, still, bounded=True)
    ]


def archive_expired(store: Store, scope: Scope, now: datetime) -> list[PutAway]:
    """Archive what has expired, however much; pinned entries stay, though nothing shows them any more."""
    expired = Query(pinned=False, expired_by=now)
    told: list[PutAway] = []
    for batch in batches(list(each(store, scope, expired))):
        gone = _archive(store, scope, batch, now, EXPIRED, lambda one: _has_expired(one, now), bounded=False)
        told += (PutAway(entry.id, EXPIRED, _expiry(entry)) for entry in gone)
    return told


def expired_now(store: Store, scope: Scope, now: datetime) -> list[PutAway]:
    """What `archive_expired` would archive."""
    found = each(store, scope, Query(pinned=False, expired_by=now))
    return [PutAway(entry.id, EXPIRED, _expiry(entry)) for entry in found]


def purgeable(store: Store, scope: Scope, until: datetime) -> Iterator[MemoryEntry]:
    """What was archived before then, unless it is pinned or in quarantine, or what was made of it stays."""
    for batch in batches(
        each(store, scope, Query(archived=True, archived_before=until, pinned=False, quarantined=False))
    ):
        standing = {one for entry in batch if (one := successor(entry))}
        query = Query(ids=tuple(standing), archived=None, limit=None)
        kept = {entry.id for entry in store.find(scope, query)} if standing else set[str]()
        yield from (entry for entry in batch if successor(entry) not in kept)


def purge(
    store: Store,
    scope: Scope,
    until: datetime,
    unlearn: Callable[[Scope, Collection[str]], None],
) -> int:
    """Erase what is `purgeable`, and what profiles learnt from it alone; return how many entries."""
    erased = 0
    for batch in batches(list(purgeable(store, scope, until))):
        with store.transaction():
            ids = [entry.id for entry in batch]
            still = {
                entry.id for entry in store.find(scope, Query(ids=tuple(ids), archived=True, limit=None))
            }
            erased += store.delete(scope, sorted(still))
            for user_id in {entry.user_id for entry in batch if entry.user_id is not None}:
                unlearn(replace(scope, user_id=user_id), still)
    return erased


def each(store: Store, scope: Scope, query: Query) -> Iterator[MemoryEntry]:
    """All entries that the query describes, oldest first, read a batch at a time."""
    last = 0
    while found := store.find(scope, query.only(order="oldest", after_seq=last, limit=BATCH)):
        yield from found
        last = found[-1].seq


def batches(entries: Iterable[MemoryEntry], size: int = BATCH) -> Iterator[list[MemoryEntry]]:
    """The entries in lists of at most ``size``."""
    batch: list[MemoryEntry] = []
    for entry in entries:
        batch.append(entry)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def _archive(
    store: Store,
    scope: Scope,
    entries: Sequence[MemoryEntry],
    now: datetime,
    because: str,
    still: Callable[[MemoryEntry], bool],
    *,
    bounded: bool,
) -> list[MemoryEntry]:
    gone: list[MemoryEntry] = []
    for batch in batches(entries):
        with store.transaction():
            fresh = store.find(scope, Query(ids=tuple(entry.id for entry in batch), limit=None))
            by_id = {entry.id: entry for entry in fresh if still(entry)}
            chosen = [by_id[entry.id] for entry in batch if entry.id in by_id]
            if bounded:
                chosen = chosen[: room(store, scope, now)]
            if chosen:
                store.mark(scope, [one.id for one in chosen], archived_at=now, archived_because=because)
        gone += chosen
    return gone


def _by_upkeep(entry: MemoryEntry) -> bool:
    return entry.archived_because not in (None, ASKED, EXPIRED)


def _has_expired(entry: MemoryEntry, now: datetime) -> bool:
    return entry.expires_at is not None and entry.expires_at <= now and not entry.pinned


def _expiry(entry: MemoryEntry) -> str:
    return f"expired at {entry.expires_at.isoformat()}" if entry.expires_at else "expired"
