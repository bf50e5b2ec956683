"""What one user said, short-term and long-term, with a context that steers what is found."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from ..after_fork import Lock
from ..context.render import day, quoted
from ..core.model import MemoryEntry
from ..core.rules.budget import cut
from ..core.rules.text import words
from ..errors import ConfigError, InvalidInput
from ..tiers import LongTermMemory, ShortTermMemory
from .items import Items, Parts
from .memory_item import MemoryItem, item_of
from .memory_storage import storage_of

if TYPE_CHECKING:
    from ..core.seams import Embedder, Masker

NO_CONTEXT = "No context available."

CONTEXTS, RECENT, IMPORTANT, IMPORTANT_FROM = 3, 5, 3, 0.8
"""What a summary shows: pushed contexts, newest items, most important items and from which importance."""

LONGEST_LINE = 1_000
"""Characters of an item in a summary; longer ones are cut at a sentence's end."""

RELEVANCE, CONTEXT_MATCH = 0.7, 0.3
"""Shares of a score while a context is pushed (kept from the earlier system of this shape)."""


class ContextualMemory:
    """One user's items: short-term at first, long-term once they matter or were asked for often.

    An item is promoted at ``importance_threshold`` or when it was retrieved ``promotion_threshold`` times:
    once, and nothing is copied, so it has one id for good. Nothing is lost when short-term memory is full:
    ``short_term_capacity`` is how many items the view of the newest ones has.

    Args:
        long_term_storage: a `MemoryStorage`, a `Store` or the path of a file; None keeps it in this process.
        user_id, tenant_id: whose it is; another's items are never seen.
        embedder: finds by meaning as well as by words.
        masker: replaces what must not be kept.
    """

    def __init__(
        self,
        short_term_capacity: int = 20,
        long_term_storage: object = None,
        promotion_threshold: int = 3,
        importance_threshold: float = 0.7,
        *,
        user_id: str = "default",
        tenant_id: str = "default",
        embedder: Embedder | None = None,
        masker: Masker | None = None,
    ) -> None:
        if promotion_threshold < 1:
            raise ConfigError(f"promotion_threshold is {promotion_threshold!r}; it is at least 1")
        if not 0 <= importance_threshold <= 1:
            raise ConfigError(f"importance_threshold is {importance_threshold!r}; it runs from 0 to 1")
        storage = storage_of(long_term_storage)
        self._items = Items(Parts(storage, tenant_id, embedder, masker, importance_threshold), user_id)
        self.user_id = user_id
        self.promotion_threshold = promotion_threshold
        self.importance_threshold = importance_threshold
        store, scope = self._items.store, self._items.scope
        self.short_term = ShortTermMemory(short_term_capacity, tenant_id, store=store, scope=scope)
        self.long_term = LongTermMemory("", tenant_id, store=store, scope=scope)
        self._contexts: list[dict[str, Any]] = []
        self._lock = Lock()

    # ── keeping ──────────────────────────────────────────────────────────────────────────────────

    def save(
        self,
        content: str,
        metadata: Mapping[str, Any] | None = None,
        importance: float | None = None,
        to_long_term: bool = False,
        **more: Any,
    ) -> MemoryItem:
        """Keep an item; ``more`` (``agent_id``, ``conversation_id``, …) goes among its metadata.

        ``importance`` is 0.5 where neither it nor the metadata tell. The caller's metadata stay as they are.
        A pushed context is kept with the item.
        """
        context = self.get_current_context()
        told = {**more, **({"context": context} if context else {})}
        entry = self._items.add(content, metadata, importance=importance, promoted=to_long_term, more=told)
        return item_of(entry)

    def update(
        self,
        memory_id: str,
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        importance: float | None = None,
    ) -> bool:
        """Change an item (metadata are merged); whether it is there. What is not given stays as it is."""
        return self._items.revise(memory_id, content, metadata, importance)

    def delete(self, memory_id: str | None = None, filters: Mapping[str, Any] | None = None) -> int:
        """Erase an item, or all of the user's that a filter describes, for ever; return how many."""
        if memory_id is not None:
            return self._items.delete([memory_id])
        if not filters:
            raise InvalidInput("delete was given neither an id nor a filter; clear erases all")
        return self._items.delete_all(filters)

    def clear(self) -> None:
        """Erase all that is this user's, for ever: items, preferences, what was learnt."""
        with self._lock:
            self._contexts.clear()
        self._items.clear()

    # ── finding ──────────────────────────────────────────────────────────────────────────────────

    def search(
        self,
        query: str,
        limit: int = 10,
        filters: Mapping[str, Any] | None = None,
        search_long_term: bool = True,
        min_relevance: float = 0.0,
    ) -> list[MemoryItem]:
        """The items that answer a query, most relevant first; nothing is a normal answer.

        ``filters`` are ids and metadata that an item has, or fields as in `recall`. Without
        ``search_long_term`` only what was not promoted. A pushed context lifts what speaks of it.
        """
        tier = {} if search_long_term else {"promoted": False}
        hits = self._items.search(query, limit, filters, **tier)
        about = {*words(_as_text(self.get_current_context()))}
        found = [item_of(hit.entry, _weighed(hit.score, about, hit.entry)) for hit in hits]
        ranked = sorted(found, key=lambda item: -item.relevance_score)
        return [item for item in ranked if item.relevance_score > 0 and item.relevance_score >= min_relevance]

    def retrieve(
        self, memory_id: str | None = None, filters: Mapping[str, Any] | None = None, limit: int = 10
    ) -> MemoryItem | list[MemoryItem] | None:
        """An item by id, or None; without an id the newest that a filter describes.

        To be asked for by id counts: after ``promotion_threshold`` times an item is long-term.
        """
        if memory_id is None:
            return [item_of(entry) for entry in self._items.newest(limit, filters)]
        entry = self._items.get(memory_id)
        if entry is None:
            return None
        return item_of(self._items.used(entry, promote_from=self.promotion_threshold))

    def get_recent(self, limit: int = 5) -> list[MemoryItem]:
        """The newest items, newest first."""
        return [item_of(entry) for entry in self._items.newest(limit)]

    # ── context ──────────────────────────────────────────────────────────────────────────────────

    def push_context(self, context_type: str, data: Any = None) -> None:
        """Say what it is about from now on, in this process."""
        with self._lock:
            self._contexts.append({"type": context_type, "data": json.loads(json.dumps(data, default=str))})

    def pop_context(self) -> dict[str, Any] | None:
        """End what was pushed last; None where nothing was."""
        with self._lock:
            return self._contexts.pop() if self._contexts else None

    def get_current_context(self) -> dict[str, Any] | None:
        """What was pushed last; None where nothing was."""
        with self._lock:
            return dict(self._contexts[-1]) if self._contexts else None

    def get_context_summary(self) -> str:
        """For a prompt: pushed contexts, the newest and the most important items, each line as data."""
        with self._lock:
            pushed = self._contexts[-CONTEXTS:]
        recent = self._items.newest(RECENT)
        shown = {entry.id for entry in recent}
        important = self._items.newest(RECENT + IMPORTANT, order="important", min_importance=IMPORTANT_FROM)
        sections = [
            ("Current context:", [_as_text(one) for one in pushed]),
            ("Recent:", [_line(entry) for entry in recent]),
            ("Important:", [_line(entry) for entry in important if entry.id not in shown][:IMPORTANT]),
        ]
        told = [line for title, lines in sections if lines for line in (title, *map(quoted, lines))]
        return "\n".join(told) or NO_CONTEXT

    def get_context(self, limit: int = 10, format_type: Literal["text", "json", "markdown"] = "text") -> str:
        """The newest items, oldest first, as text, JSON or a Markdown list."""
        items = self.get_recent(limit)[::-1]
        if format_type == "json":
            return json.dumps([item.to_dict() for item in items], ensure_ascii=False)
        if format_type not in ("text", "markdown"):
            raise InvalidInput(f"format_type is {format_type!r}; it is text, json or markdown")
        mark = "- " if format_type == "markdown" else ""
        return "\n".join(f"{mark}[{day(item.timestamp)}] {' '.join(item.content.split())}" for item in items)

    # ── numbers ──────────────────────────────────────────────────────────────────────────────────

    def count_short_term(self) -> int:
        """How many items were not promoted."""
        return self._items.count(promoted=False)

    def count_long_term(self) -> int:
        """How many items were promoted."""
        return self._items.count(promoted=True)

    def get_statistics(self) -> dict[str, Any]:
        """Counts of this user's items, by tier and by whose they are."""
        entries = self._items.newest(None, order="oldest")
        return {
            "total_items": len(entries),
            "max_items": None,
            "short_term": sum(entry.promoted_at is None for entry in entries),
            "long_term": sum(entry.promoted_at is not None for entry in entries),
            "unique_agents": _distinct(entries, "agent_id"),
            "unique_conversations": _distinct(entries, "conversation_id"),
            "unique_users": 1 if entries else 0,
        }

    def __len__(self) -> int:
        return self._items.count()

    def __bool__(self) -> bool:
        return True  # An empty memory is a memory.

    def __repr__(self) -> str:
        return f"ContextualMemory({len(self)} items)"


def _weighed(score: float, about: set[str], entry: MemoryEntry) -> float:
    """A score, with what a pushed context says of it."""
    if not about:
        return score
    said = {*words(entry.text), *words(_as_text(entry.metadata.get("context")))}
    return RELEVANCE * score + CONTEXT_MATCH * len(about & said) / len(about)


def _as_text(context: Any) -> str:
    if not isinstance(context, Mapping):
        return ""
    data = context.get("data")
    told = data if isinstance(data, str) else "" if data is None else json.dumps(data, ensure_ascii=False)
    return f"{context.get('type', '')}: {told}"


def _line(entry: MemoryEntry) -> str:
    said = " ".join(entry.text[: 4 * LONGEST_LINE].split())
    return f"[{day(entry.occurred_at)}] {cut(said, LONGEST_LINE, len)}"


def _distinct(entries: Sequence[MemoryEntry], name: str) -> int:
    return len({str(entry.metadata[name]) for entry in entries if entry.metadata.get(name) is not None})
