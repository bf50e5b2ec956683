"""An entry as the memories of one user show it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any

from ..core.model import MemoryEntry
from ..errors import InvalidInput

IDS = ("agent_id", "task_id", "conversation_id")
"""Whose an item is beside its user's; they are kept among an entry's metadata."""


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """One thing remembered of a user: a value, so changing it changes nothing that is kept.

    ``memory_type`` is ``long_term`` once it was promoted, else ``short_term``; ``relevance_score`` runs from
    0 to 1 and is that of the search that found it. ``id`` and ``importance`` go by both names.
    """

    content: str
    memory_type: str = "general"
    timestamp: datetime = field(default_factory=lambda: datetime.now(UTC))
    metadata: Mapping[str, Any] = field(default_factory=dict)
    agent_id: str | None = None
    task_id: str | None = None
    conversation_id: str | None = None
    user_id: str | None = None
    relevance_score: float = 1.0
    access_count: int = 0
    last_accessed: datetime | None = None
    embedding: None = None
    memory_id: str = field(default_factory=lambda: str(uuid.uuid4()))

    @property
    def id(self) -> str:
        """The same as ``memory_id``."""
        return self.memory_id

    @property
    def importance(self) -> float:
        """How much it matters, 0 to 1."""
        return float(self.metadata.get("importance", 0.5))

    def to_dict(self) -> dict[str, Any]:
        """As plain values: times as ISO 8601, no embedding."""
        told = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "embedding"}
        last = self.last_accessed
        return {
            **told,
            "metadata": dict(self.metadata),
            "timestamp": self.timestamp.isoformat(),
            "last_accessed": last.isoformat() if last else None,
        }

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> MemoryItem:
        """What `to_dict` told; `InvalidInput` for a field that there is not."""
        known = {one.name for one in fields(cls)}
        if unknown := sorted(given.keys() - known):
            raise InvalidInput(f"an item has no field {unknown[0]!r}; it has {', '.join(sorted(known))}")
        values = dict(given)
        for name in ("timestamp", "last_accessed"):
            if isinstance(values.get(name), str):
                values[name] = datetime.fromisoformat(values[name])
        return cls(**values)


def item_of(entry: MemoryEntry, score: float = 1.0) -> MemoryItem:
    """The item that an entry is."""
    told = {name: value for name, value in entry.metadata.items() if name != "tenant_id"}
    if entry.user_id is not None:
        told["user_id"] = entry.user_id
    return MemoryItem(
        content=entry.text,
        memory_type="short_term" if entry.promoted_at is None else "long_term",
        timestamp=entry.occurred_at,
        metadata={**told, "importance": entry.importance},
        agent_id=told.get("agent_id"),
        task_id=told.get("task_id"),
        conversation_id=told.get("conversation_id"),
        user_id=entry.user_id,
        relevance_score=score,
        access_count=entry.access_count,
        last_accessed=entry.last_access,
        memory_id=entry.id,
    )
