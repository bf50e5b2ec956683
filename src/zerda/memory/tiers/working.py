"""Working memory: what was chosen for this turn."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

from ..after_fork import Lock
from ..core.model import MemoryEntry
from ..core.rules.budget import Count
from ..core.rules.tokens import estimate_tokens
from ..errors import ConfigError

MOST_USERS = 1_024
"""Users whose selection is kept; beyond, the one unused for longest is dropped."""


class WorkingMemory:
    """A small selection for each user, bounded by entries and tokens; it ends with the process.

    Without a ``user_id`` a method speaks of all users together. Locked: any number of threads.
    """

    def __init__(
        self,
        capacity: int = 10,
        token_budget: int = 3_000,
        tenant_id: str = "default",
        *,
        count: Count = estimate_tokens,
    ) -> None:
        if capacity < 1 or token_budget < 1:
            raise ConfigError(
                f"capacity is {capacity!r} and token_budget {token_budget!r}; each is at least 1"
            )
        self.capacity = capacity
        self.token_budget = token_budget
        self.tenant_id = tenant_id
        self._count = count
        self._lock = Lock()
        self._chosen: OrderedDict[str | None, tuple[MemoryEntry, ...]] = OrderedDict()

    def load(self, entries: Iterable[MemoryEntry], *, user_id: str | None = None) -> list[MemoryEntry]:
        """Replace the selection by as many of the entries, in their order, as fit; return what was taken."""
        fitting = self._fitting(entries)
        with self._lock:
            self._chosen[user_id] = tuple(fitting)
            self._chosen.move_to_end(user_id)
            while len(self._chosen) > MOST_USERS:
                self._chosen.popitem(last=False)
        return fitting

    def add(self, entry: MemoryEntry, *, user_id: str | None = None) -> None:
        """Add an entry; where there is no room, what comes last gives way."""
        with self._lock:
            others = [one for one in self._chosen.get(user_id, ()) if one.id != entry.id]
            self._chosen[user_id] = tuple(self._fitting([entry, *others]))

    def remove(self, entry_id: str) -> bool:
        """Drop an entry from every selection; whether it was in one."""
        with self._lock:
            found = any(one.id == entry_id for chosen in self._chosen.values() for one in chosen)
            for user_id, chosen in self._chosen.items():
                self._chosen[user_id] = tuple(one for one in chosen if one.id != entry_id)
        return found

    def get_all(self, *, user_id: str | None = None) -> list[MemoryEntry]:
        """The selection of a user, or of all of them, each entry once."""
        with self._lock:
            chosen = [self._chosen.get(user_id, ())] if user_id is not None else list(self._chosen.values())
        return list({entry.id: entry for entries in chosen for entry in entries}.values())

    def get_as_text(self, *, user_id: str | None = None) -> str:
        """The words of the selection, an entry a paragraph."""
        return "\n\n".join(entry.text for entry in self.get_all(user_id=user_id))

    def clear(self, *, user_id: str | None = None) -> None:
        """Drop the selection of a user, or of all of them."""
        with self._lock:
            if user_id is None:
                self._chosen.clear()
            else:
                self._chosen.pop(user_id, None)

    def stats(self) -> dict[str, Any]:
        """Its type, tenant, bounds, and how many entries and tokens it holds."""
        entries = self.get_all()
        return {
            "type": "working",
            "tenant_id": self.tenant_id,
            "entries": len(entries),
            "capacity": self.capacity,
            "token_budget": self.token_budget,
            "estimated_tokens_used": sum(self._count(entry.text) for entry in entries),
        }

    def _fitting(self, entries: Iterable[MemoryEntry]) -> list[MemoryEntry]:
        fitting: list[MemoryEntry] = []
        room = self.token_budget
        for entry in entries:
            size = self._count(entry.text)
            if len(fitting) < self.capacity and size <= room:
                fitting.append(entry)
                room -= size
        return fitting
