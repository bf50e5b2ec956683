"""What is remembered of each user, apart from every other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..after_fork import Lock
from ..core.aio import awaitable
from ..core.closing import Closing
from ..core.rules.hashing import as_json
from ..core.rules.ids import valid_id
from ..embedding import embedder_named
from ..gate import scope_of
from ..security.masking import SensitiveDataMasker
from .contextual_memory import ContextualMemory
from .entity_memory import EntityMemory
from .memory_item import MemoryItem
from .memory_storage import storage_of

if TYPE_CHECKING:
    from ..core.seams import Embedder, EntityExtractor, Masker

DEFAULTS: Mapping[str, Any] = {
    "response_style": "balanced",
    "verbosity": "normal",
    "technical_level": "intermediate",
    "language": "en",
    "timezone": "UTC",
    "memory_enabled": True,
    "max_context_items": 10,
}
"""What is assumed of a user who has stated nothing."""

NAMES_SHOWN = 10
"""Names of entities in a context."""


class UserMemory(Closing):
    """Each user's memories, entities and preferences, apart from every other user's.

    What was said is kept once: the contextual memory and the entity memory of a user are two views of it.
    With a storage that lasts, everything is back after a restart, at a user's first touch. Users are told
    apart by their id, byte for byte; nothing of one is ever found for another. Any number of threads.

    Args:
        storage: a `MemoryStorage`, a `Store` or the path of a SQLite file; None keeps it in this process.
        tenant_id: under which the users are kept, where a store has several.
        enable_privacy_masking: replace personal data and secrets before anything is kept.
        embedder: finds by meaning as well as by words; None takes the best that is installed.
        extractor: finds names in place of the built-in rules.
    """

    def __init__(
        self,
        storage: Any | None = None,
        *,
        tenant_id: str = "default",
        enable_privacy_masking: bool = True,
        embedder: Embedder | None = None,
        extractor: EntityExtractor | None = None,
        masker: Masker | None = None,
    ) -> None:
        self.storage = storage_of(storage)
        self.user_memories: dict[str, ContextualMemory] = {}
        self.user_entities: dict[str, EntityMemory] = {}
        self.user_preferences: dict[str, dict[str, Any]] = {}
        self._owns_storage = self.storage is not storage
        self._tenant_id = valid_id(tenant_id, "tenant_id")
        self._embedder = embedder or embedder_named("auto", cache_size=1_000)
        self._masker = (masker or SensitiveDataMasker()) if enable_privacy_masking else None
        self._extractor = extractor
        self._lock = Lock(again=True)

    # ── users ────────────────────────────────────────────────────────────────────────────────────

    def get_or_create_user_memory(self, user_id: str) -> ContextualMemory:
        """The user's contextual memory: made at the first call, the same object afterwards."""
        valid_id(user_id, "user_id")
        with self._lock:
            if user_id not in self.user_memories:
                self.user_memories[user_id] = self._contextual(user_id)
                self.user_entities[user_id] = self._entities(user_id)
                self.user_preferences[user_id] = self._stated(user_id)
            return self.user_memories[user_id]

    def clear_user_memory(self, user_id: str) -> None:
        """Erase all of a user for ever; afterwards they are unknown, and start with defaults.

        Nothing of any other user changes.
        """
        valid_id(user_id, "user_id")
        with self._lock:
            memory = self.user_memories.pop(user_id, None) or self._contextual(user_id)
            self.user_entities.pop(user_id, None)
            self.user_preferences.pop(user_id, None)
            memory.clear()

    # ── what was said ────────────────────────────────────────────────────────────────────────────

    def save_memory(
        self, /, user_id: str, content: str, metadata: Mapping[str, Any] | None = None, **more: Any
    ) -> MemoryItem:
        """Keep something of a user; durable when this returns, where the storage lasts.

        ``more`` is handed on: ``importance``, ``to_long_term``, ``entities``, ``agent_id``, and whatever else
        is to stand among the metadata. ``user_id`` is there without being said.
        """
        return self.get_or_create_user_memory(user_id).save(content, metadata, **more)

    def search_user_memory(
        self, /, user_id: str, query: str, limit: int = 10, **more: Any
    ) -> list[MemoryItem]:
        """The user's items that answer a query, short-term and long-term, most relevant first.

        ``more`` is handed on to `ContextualMemory.search`.
        """
        return self.get_or_create_user_memory(user_id).search(query, limit, **more)

    def get_user_context(self, user_id: str) -> str:
        """What to tell a model of a user: preferences, recent and important items, known names.

        What was said stands behind ``| ``: it is data, and can forge no line of ours.
        """
        memory = self.get_or_create_user_memory(user_id)
        preferences = json.dumps(self.get_user_preferences(user_id), ensure_ascii=False, default=str)
        sections = [f"User preferences: {preferences}", memory.get_context_summary()]
        if names := self.user_entities[user_id].names(NAMES_SHOWN):
            sections.append(f"Known entities: {', '.join(' '.join(name.split()) for name in names)}")
        return "\n\n".join(sections)

    # ── preferences ──────────────────────────────────────────────────────────────────────────────

    def get_user_preferences(self, user_id: str) -> dict[str, Any]:
        """The user's preferences, a copy; fresh defaults for a user of whom nothing is known."""
        stated = self._stated(valid_id(user_id, "user_id"))
        with self._lock:
            if user_id in self.user_preferences:
                self.user_preferences[user_id] = deepcopy(stated)
        return stated

    def update_user_preferences(self, user_id: str, preferences: Mapping[str, Any]) -> None:
        """State preferences: those that were stated are overwritten, new ones added, all of them kept.

        Names are visible text, as ids are, and values JSON (else `InvalidInput`); they are masked like all
        that is kept.
        """
        for name in preferences:
            valid_id(name, "the name of a preference")
        self.get_or_create_user_memory(user_id)
        as_json(dict(preferences), "preferences")
        given = dict(preferences)
        masked: dict[str, Any] = self._masker.mask_value(given)[0] if self._masker else given
        scope, store = scope_of(self._tenant_id, user_id), self.storage.store
        with self._lock, store.transaction():
            profile = store.profile(scope)
            merged = {**DEFAULTS, **profile.explicit_preferences, **masked}
            store.put_profile(scope, replace(profile, explicit_preferences=merged), known=profile)
            self.user_preferences[user_id] = self._stated(user_id)

    # ── numbers ──────────────────────────────────────────────────────────────────────────────────

    def get_user_statistics(self, user_id: str) -> dict[str, Any]:
        """Counts of a user's items, by tier, of entities and relationships, and the preferences."""
        valid_id(user_id, "user_id")
        with self._lock:
            memory = self.user_memories.get(user_id)
            entities = self.user_entities.get(user_id)
        memory = self._contextual(user_id) if memory is None else memory
        entities = self._entities(user_id) if entities is None else entities
        short, long = memory.count_short_term(), memory.count_long_term()
        return {
            "user_id": user_id,
            "total_memories": short + long,
            "short_term_memories": short,
            "long_term_memories": long,
            "entities_known": len(entities),
            "relationships": entities.count_relationships(),
            "preferences": self.get_user_preferences(user_id),
        }

    def close(self) -> None:
        """Close the file, where it was opened here."""
        if self._owns_storage:
            self.storage.close()

    # ── how ──────────────────────────────────────────────────────────────────────────────────────

    def _contextual(self, user_id: str) -> ContextualMemory:
        return ContextualMemory(
            long_term_storage=self.storage,
            user_id=user_id,
            tenant_id=self._tenant_id,
            embedder=self._embedder,
            masker=self._masker,
        )

    def _entities(self, user_id: str) -> EntityMemory:
        return EntityMemory(
            self.storage,
            user_id=user_id,
            tenant_id=self._tenant_id,
            extractor=self._extractor,
            embedder=self._embedder,
            masker=self._masker,
        )

    def _stated(self, user_id: str) -> dict[str, Any]:
        """The defaults, and what the user stated; nobody else's to change."""
        profile = self.storage.store.profile(scope_of(self._tenant_id, user_id))
        return {**deepcopy(dict(DEFAULTS)), **profile.explicit_preferences}

    asave_memory = awaitable(save_memory)
    asearch_user_memory = awaitable(search_user_memory)
    aget_user_context = awaitable(get_user_context)
    aget_user_preferences = awaitable(get_user_preferences)
    aupdate_user_preferences = awaitable(update_user_preferences)
    aget_user_statistics = awaitable(get_user_statistics)
    aclear_user_memory = awaitable(clear_user_memory)
