"""The turns of one conversation, in a store: in this process, or wherever a store keeps them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..core.model import MemoryEntry, Note, Query
from ..core.rules.ids import valid_id
from ..errors import InvalidInput
from ..gate import scope_of
from ..intake import Intake
from ..storage.memory import InMemoryStore

if TYPE_CHECKING:
    from ..core.seams import Clock
    from ..storage.base import Store

PAGE = 500
FOLDED = "folded"
NOBODY = "default"
"""Whose a conversation is, where nobody is named: one user beside the others, not all of them."""


class Turns:
    """Keeps the turns of a session as interactions; the last thing said is the last of them.

    Args:
        store: where they are kept; None keeps them in this process.
        tenant_id, user_id: whose they are, None is a user named "default"; a store shared with an
            `AIMemoryManager` has them among its own.
        session_id: which conversation; another object with the same one continues it.
    """

    def __init__(
        self,
        store: Store | None = None,
        *,
        tenant_id: str = "default",
        user_id: str | None = None,
        session_id: str = "conversation",
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        self.store: Store = store or InMemoryStore()
        self.scope = scope_of(tenant_id, NOBODY if user_id is None else user_id)
        self.session_id = valid_id(session_id, "session_id")
        self._intake = Intake(clock)

    def add(self, said: str, answered: str) -> MemoryEntry:
        """Keep a turn; durable when this returns, where the store is."""
        return self._put(Note(content={"input": said, "output": answered}, kind="interaction"))

    def add_summary(self, text: str, folded: int) -> MemoryEntry:
        """Keep a summary of the turns up to the ``seq`` ``folded``."""
        return self._put(Note(content=text, kind="summary", origin="derived", metadata={FOLDED: folded}))

    def folded(self) -> int:
        """The ``seq`` up to which turns are in the summary; 0 before there is one."""
        summary = self.summary()
        return int(summary.metadata[FOLDED]) if summary else 0

    def all(self, *, after: int = 0) -> list[MemoryEntry]:
        """Every turn behind a ``seq``, oldest first."""
        return [*self._pages(Query(kinds=("interaction",), after_seq=after, order="oldest", limit=PAGE))]

    def newest(self, count: int) -> list[MemoryEntry]:
        """The last turns, oldest first."""
        query = Query(kinds=("interaction",), session_id=self.session_id, limit=count)
        return self.store.find(self.scope, query)[::-1] if count > 0 else []

    def summary(self) -> MemoryEntry | None:
        """The newest summary."""
        found = self.store.find(self.scope, Query(kinds=("summary",), session_id=self.session_id, limit=1))
        return found[0] if found else None

    def count(self) -> int:
        """How many turns there are."""
        return self.store.count(self.scope, Query(kinds=("interaction",), session_id=self.session_id))

    def clear(self) -> None:
        """Erase the conversation: turns and summaries. What others share in it stays."""
        query = Query(session_id=self.session_id, archived=None, order="oldest", limit=PAGE)
        erased = 0
        while batch := self.store.find(self.scope, query):
            erased += self.store.delete(self.scope, [entry.id for entry in batch])
            query = query.only(after_seq=batch[-1].seq)
        if erased:
            self.store.scrub()

    def _put(self, note: Note) -> MemoryEntry:
        draft = self._intake.draft(self.scope, replace(note, session_id=self.session_id))
        return self.store.put(self.scope, [draft])[0]

    def _pages(self, query: Query) -> Iterator[MemoryEntry]:
        query = query.only(session_id=self.session_id)
        while page := self.store.find(self.scope, query):
            yield from page
            query = query.only(after_seq=page[-1].seq)


def picked(values: Mapping[str, Any], key: str | None, what: str) -> str:
    """The text of a turn: under ``key``, or under the only key where that is None."""
    if key is None and len(values) != 1:
        raise InvalidInput(f"{what} has {len(values)} keys; name the one to keep with {what[:-1]}_key")
    name = next(iter(values)) if key is None else key
    if name not in values:
        raise InvalidInput(f"{what} has no key {name!r}; it has {', '.join(map(repr, values)) or 'none'}")
    if not isinstance(values[name], str):
        raise InvalidInput(f"{what}[{name!r}] is a {type(values[name]).__name__}; it is text")
    return str(values[name])
