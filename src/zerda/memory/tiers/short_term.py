"""Short-term memory: what was said last."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from ..core.model import Content, Kind, MemoryEntry, Note, Query, Scope
from ..errors import ConfigError
from ..intake import Intake
from ..storage.base import Store
from ..storage.memory import InMemoryStore
from ..upkeep.forgetting import ForgettingMechanism
from .view import View


class ShortTermMemory(View):
    """The newest ``window_size`` entries by order of arrival, so no clock can empty it.

    Clearing moves a mark and deletes nothing: the entries stay in the store, only not here.
    On its own it lives in this process; a manager gives it the tenant's store.
    """

    def __init__(
        self,
        window_size: int = 20,
        tenant_id: str = "default",
        *,
        store: Store | None = None,
        scope: Scope | None = None,
        intake: Intake | None = None,
    ) -> None:
        if window_size < 1:
            raise ConfigError(f"window_size is {window_size!r}; it is at least 1")
        super().__init__(
            store or InMemoryStore(),
            tenant_id,
            scope=scope,
            intake=intake or Intake(clock=lambda: datetime.now(UTC)),
        )
        self.window_size = window_size

    def add(
        self,
        content: Content,
        *,
        importance: float = 0.5,
        tags: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
    ) -> MemoryEntry:
        """Keep a new entry; it is the newest."""
        spoken = not isinstance(content, str) and set(content) == {"input", "output"}
        kind: Kind = "interaction" if spoken else "note"
        note = Note(
            content=content, kind=kind, importance=importance, tags=tuple(tags), metadata=metadata or {}
        )
        return self._outward([self._put(note)])[0]

    def get_all(self) -> list[MemoryEntry]:
        """The window, oldest first."""
        return self.get_recent(self.window_size)

    def get_recent(self, n: int, *, session_id: str | None = None) -> list[MemoryEntry]:
        """The newest ``n`` entries of the window, oldest first; of one session where that is named."""
        query = Query(session_id=session_id, after_seq=self._watermark(), limit=min(n, self.window_size))
        return self._outward(reversed(self._store.find(self._scope, query))) if n > 0 else []

    def evict_below(self, min_importance: float, *, rate: float = 0.1) -> list[MemoryEntry]:
        """Let the oldest go, up to the first of which importance times strength is still so much.

        Strength fades by ``rate`` a day. Returns what left the window; in the store it stays.
        """
        forgetting = ForgettingMechanism(rate, min_importance, clock=self._intake.clock)
        now = self._intake.clock()
        weak = itertools.takewhile(
            lambda one: forgetting.effective_importance(one, now) < min_importance, self.get_all()
        )
        gone = list(weak)
        if gone:
            self._store.set_watermark(self._scope, gone[-1].seq)
        return gone

    def clear(self) -> None:
        """Begin anew: nothing that is there now is in this window again."""
        newest = self._store.find(self._scope, Query(archived=None, limit=1))
        if newest:
            self._store.set_watermark(self._scope, newest[0].seq)

    @property
    def size(self) -> int:
        """How many entries the window holds."""
        return len(self.get_all())

    @property
    def is_full(self) -> bool:
        """Whether the next entry pushes the oldest out."""
        return self.size == self.window_size

    def stats(self) -> dict[str, Any]:
        """Its type, tenant, window and size."""
        return {
            "type": "short_term",
            "tenant_id": self.tenant_id,
            "window_size": self.window_size,
            "current_size": self.size,
            "is_full": self.is_full,
        }

    def _watermark(self) -> int:
        """The user's mark, or the whole tenant's if that was moved later."""
        tenant = replace(self._scope, user_id=None)
        return max(self._store.watermark(self._scope), self._store.watermark(tenant))
