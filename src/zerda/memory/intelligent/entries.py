"""What the manager does with one entry that it knows by id, or with a list of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.aio import awaitable
from ..core.model import MemoryEntry, Page, Query
from ..core.rules.filtering import query_of
from ..security.access import Permission
from ..upkeep.archiving import ASKED
from .arguments import cursor_of, flag_of, text_of, whole_of
from .reviewing import refuse_quarantined
from .steps import Steps

Versions = list[MemoryEntry]  # Within the class, `list` is the method.


class EntryMethods(Steps):
    """The part of `AIMemoryManager` that reads, pins, archives and restores entries by id."""

    def get(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """The entry, archived or not; `EntryNotFound` where the user sees none of that id."""
        scope = self._may(user_id, tenant_id, Permission.READ)
        return self._bundle(tenant_id).store.get(scope, text_of(entry_id, "entry_id"))

    def list(
        self,
        user_id: str,
        tenant_id: str,
        *,
        limit: int = 50,
        cursor: str | None = None,
        filters: Query | Mapping[str, Any] | None = None,
        quarantined: bool = False,
    ) -> Page:
        """The user's entries, newest first, a page at a time; ``cursor`` is the former page's.

        With ``quarantined`` those in quarantine instead, which wait for a review.
        """
        scope = self._may(user_id, tenant_id, Permission.READ)
        query = query_of(filters).only(
            limit=whole_of(limit, "limit") + 1,
            order="newest",
            before_seq=cursor_of(cursor),
            now=self._clock(),
        )
        if quarantined:
            query = query.only(archived=True, quarantined=True)
        found = self._bundle(tenant_id).store.find(scope, query)
        more = len(found) > limit
        return Page(tuple(found[:limit]), str(found[limit - 1].seq) if more else None)

    def history(self, user_id: str, tenant_id: str, entry_id: str) -> Versions:
        """Every version of an entry, oldest first; `EntryNotFound` like `get`."""
        scope = self._may(user_id, tenant_id, Permission.READ)
        return self._bundle(tenant_id).store.history(scope, text_of(entry_id, "entry_id"))

    def pin(self, user_id: str, tenant_id: str, entry_id: str, pinned: bool = True) -> MemoryEntry:
        """Keep an entry from fading (or let it fade again)."""
        scope = self._may(user_id, tenant_id, Permission.WRITE)
        return self._mark(scope, entry_id, {"pinned": flag_of(pinned, "pinned")})

    def archive(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """Put an entry away: in no search, count or context, until it is restored."""
        scope = self._may(user_id, tenant_id, Permission.WRITE)
        refuse_quarantined(self._bundle(tenant_id).store, scope, entry_id)
        return self._mark(scope, entry_id, {"archived_at": self._clock(), "archived_because": ASKED})

    def restore(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """Take an archived entry back; it counts as used, so what had faded is strong again."""
        scope = self._may(user_id, tenant_id, Permission.WRITE)
        store = self._bundle(tenant_id).store
        with store.transaction():
            refuse_quarantined(store, scope, entry_id)
            self._mark(scope, entry_id, {"archived_at": None, "archived_because": None})
            store.count_uses(scope, {entry_id: 1}, self._clock())
        return store.get(scope, entry_id)

    aget = awaitable(get)
    alist = awaitable(list)
    ahistory = awaitable(history)
    apin = awaitable(pin)
    aarchive = awaitable(archive)
    arestore = awaitable(restore)
