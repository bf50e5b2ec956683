"""How the manager puts aside what is not to be believed, and takes back what came in with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from ..core.aio import awaitable
from ..core.model import QUARANTINED, MemoryEntry, Origin, Query, Scope, Trust
from ..core.rules.filtering import condition
from ..core.rules.time import in_utc
from ..core.rules.trusting import host_of
from ..core.trust import Receipt
from ..errors import EntryNotFound, InvalidInput
from ..security.access import Permission
from .arguments import text_of, whole_of
from .steps import Steps

if TYPE_CHECKING:
    from ..storage.base import Store

BATCH = 500
"""Entries that are read at a time."""

Waiting = list[MemoryEntry]


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What came in from one source: how much, when, and the ids. ``source`` is None where it has no name."""

    origin: Origin
    source: str | None
    trust: Trust
    first: datetime
    last: datetime
    ids: tuple[str, ...]


class ReviewMethods(Steps):
    """The part of `AIMemoryManager` for after an incident, or before one."""

    if TYPE_CHECKING:

        def _forget(self, scope: Scope, query: Query, what: str, *, preview: bool) -> Receipt: ...

    def quarantine(
        self,
        user_id: str | None,
        tenant_id: str,
        *entry_ids: str,
        because: str = "asked",
        actor: str | None = None,
    ) -> int:
        """Put entries into quarantine: in no search, count or context, until they are released.

        They are kept, listed by `review`, exported, and never erased by upkeep. ``user_id`` None is any of
        the tenant's users, and then an admin's act. Return how many were reached.
        """
        scope = self._own_or_all(user_id, tenant_id, actor, Permission.WRITE)
        reason = QUARANTINED + " ".join(text_of(because, "because").split())[:200]
        store = self._bundle(tenant_id).store
        return store.mark(scope, entry_ids, archived_at=self._clock(), archived_because=reason)

    def review(
        self, user_id: str | None, tenant_id: str, *, limit: int = 50, actor: str | None = None
    ) -> Waiting:
        """What is in quarantine, newest first; ``archived_because`` tells why, ``flags`` what was noticed."""
        scope = self._own_or_all(user_id, tenant_id, actor, Permission.READ)
        query = Query(archived=True, quarantined=True, limit=whole_of(limit, "limit"))
        found = self._bundle(tenant_id).store.find(scope, query)
        return [entry for entry in found if user_id in (None, entry.user_id)]

    def release(self, tenant_id: str, *entry_ids: str, actor: str | None = None) -> int:
        """Take entries out of quarantine, as trusted as they were; return how many.

        It is the act of whoever answers for the tenant: of the program, or an admin. `EntryNotFound` where
        one of them is not in quarantine; then none is released.
        """
        scope = self._gate.administer(tenant_id, actor)
        store = self._bundle(tenant_id).store
        with store.transaction():
            asked = Query(ids=entry_ids, archived=True, quarantined=True, limit=None)
            found = {entry.id for entry in store.find(scope, asked)}
            if missing := [one for one in entry_ids if one not in found]:
                raise EntryNotFound(f"no entry {missing[0]!r} is in quarantine in tenant {tenant_id!r}")
            store.mark(scope, entry_ids, archived_at=None, archived_because=None)
            store.count_uses(scope, dict.fromkeys(entry_ids, 1), self._clock())
        return len(found)

    def memories_since(
        self,
        tenant_id: str,
        since: datetime,
        *,
        user_id: str | None = None,
        source: str | None = None,
        actor: str | None = None,
    ) -> tuple[Arrivals, ...]:
        """What came in since a moment, by source, most first; what is archived or in quarantine, too."""
        scope = self._own_or_all(user_id, tenant_id, actor, Permission.READ)
        query = Query(recorded_since=in_utc(since, "since"))
        grouped: dict[tuple[Origin, str | None, Trust], list[MemoryEntry]] = {}
        for entry in self._each(scope, query):
            if user_id in (None, entry.user_id) and _is_from(entry, source):
                grouped.setdefault((entry.origin, entry.source, entry.trust), []).append(entry)
        told = [
            Arrivals(
                *of,
                min(one.recorded_at for one in entries),
                max(one.recorded_at for one in entries),
                tuple(one.id for one in entries),
            )
            for of, entries in grouped.items()
        ]
        return tuple(sorted(told, key=lambda one: (-len(one.ids), one.origin, one.source or "")))

    def forget_source(
        self,
        tenant_id: str,
        source: str,
        *,
        user_id: str | None = None,
        since: datetime | None = None,
        preview: bool = False,
        actor: str | None = None,
    ) -> Receipt:
        """Erase for ever what came from a source, and what was made of it; `forget` tells how.

        ``source`` as it was given, or the host of an address, which is all of its pages. ``since`` leaves
        what was recorded before. ``preview`` counts what would go and erases nothing.
        """
        scope = self._own_or_all(user_id, tenant_id, actor, Permission.DELETE)
        query = Query(
            where=condition({"source": {"$exists": True}}),
            recorded_since=None if since is None else in_utc(since, "since"),
        )
        wanted = text_of(source, "source")
        ids = tuple(entry.id for entry in self._each(scope, query) if _is_from(entry, wanted))
        return self._forget(scope, Query(ids=ids, archived=None, limit=None), "source", preview=preview)

    def _own_or_all(self, user_id: str | None, tenant_id: str, actor: str | None, own: Permission) -> Scope:
        if user_id is None:
            return self._gate.administer(tenant_id, actor)
        if actor is None and own is Permission.DELETE:
            return self._gate.owning(user_id, tenant_id)
        if actor is None:
            return self._may(user_id, tenant_id, own)
        return self._gate.administer(tenant_id, actor, user_id=user_id, own=own)

    def _each(self, scope: Scope, query: Query) -> Iterator[MemoryEntry]:
        """Every entry that the query describes, archived or not, in order of arrival, a batch at a time."""
        store = self._bundle(scope.tenant_id).store
        after = 0
        while found := store.find(
            scope, query.only(archived=None, order="oldest", after_seq=after, limit=BATCH)
        ):
            yield from found
            after = found[-1].seq

    aquarantine = awaitable(quarantine)
    areview = awaitable(review)
    arelease = awaitable(release)
    amemories_since = awaitable(memories_since)
    aforget_source = awaitable(forget_source)


def _is_from(entry: MemoryEntry, source: str | None) -> bool:
    if source is None:
        return True
    return entry.source is not None and source in (entry.source, host_of(entry.source))


def refuse_quarantined(store: Store, scope: Scope, entry_id: str) -> None:
    """What waits for a review comes back by `release` alone."""
    query = Query(ids=(text_of(entry_id, "entry_id"),), archived=True, quarantined=True)
    if store.count(scope, query):
        raise InvalidInput(f"the entry {entry_id!r} is in quarantine; an admin releases it with release()")
