"""Whom and what one user's items name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..core.entities import DATE, Entity, Relation, Tie
from ..core.model import MemoryEntry, Query
from ..core.rules.entities import RuleExtractor
from ..core.rules.naming import NAMED, entities_from, key_of, named_in, relations_from, within_reach
from ..upkeep.naming import name_pending
from .items import Items, Parts
from .memory_item import MemoryItem, item_of
from .memory_storage import storage_of

if TYPE_CHECKING:
    from ..core.seams import Embedder, EntityExtractor, Masker

CONTEXT_CHARACTERS, CONTEXTS = 100, 3
"""How much of how many items tells the context of an entity."""


class EntityMemory:
    """The people, places and things in one user's items, and how they have to do with each other.

    A view: what items name is read from them by rules (or by an ``extractor`` of your own), so it is there
    after a restart, and goes with the items. Its order is the same in every run.

    Args:
        storage: a `MemoryStorage`, a `Store` or the path of a file; None keeps it in this process.
        user_id, tenant_id: whose it is; another's items are never seen.
    """

    def __init__(
        self,
        storage: object = None,
        *,
        user_id: str = "default",
        tenant_id: str = "default",
        extractor: EntityExtractor | None = None,
        embedder: Embedder | None = None,
        masker: Masker | None = None,
    ) -> None:
        self._items = Items(Parts(storage_of(storage), tenant_id, embedder, masker), user_id)
        self._extractor: EntityExtractor = extractor or RuleExtractor()
        self.user_id = user_id

    # ── keeping ──────────────────────────────────────────────────────────────────────────────────

    def save(
        self,
        content: str,
        metadata: Mapping[str, Any] | None = None,
        entities: Sequence[str | Mapping[str, str]] | None = None,
        importance: float | None = None,
        **more: Any,
    ) -> MemoryItem:
        """Keep an item. ``entities`` names what it is about beside what its words say."""
        told = {**more, **({NAMED: [*entities]} if entities is not None else {})}
        return item_of(self._items.add(content, metadata, importance=importance, more=told))

    def delete(self, memory_id: str) -> bool:
        """Erase an item for ever, and what it alone named; whether it was there."""
        return self._items.delete([memory_id]) > 0

    def clear(self) -> None:
        """Erase all that is this user's, for ever."""
        self._items.clear()

    # ── what is known ────────────────────────────────────────────────────────────────────────────

    @property
    def entities(self) -> dict[str, dict[str, Any]]:
        """What is known of each name, those that most items name first: type, times, frequency, contexts."""
        return {one.name: self._about(one) for one in self._known()}

    @property
    def relationships(self) -> dict[str, list[tuple[str, str]]]:
        """The pairs of names that have to do with each other, by relation."""
        found: dict[str, list[tuple[str, str]]] = {}
        for one in self._relations():
            found.setdefault(one.relation, []).append((one.subject, one.object))
        return found

    @property
    def entity_mentions(self) -> dict[str, list[str]]:
        """The ids of the items that name each name, newest first."""
        return {one.name: [entry.id for entry in self._mentioning(one.key)] for one in self._known()}

    def names(self, limit: int | None = None) -> list[str]:
        """The names, those that most items name first."""
        return [one.name for one in self._known()[:limit]]

    def count_relationships(self) -> int:
        """How many pairs have to do with each other, each relation by itself."""
        return len(self._relations())

    def get_entity_info(self, name: str) -> dict[str, Any]:
        """What is known of a name, with its mentions and relationships; {} where nothing is."""
        known = [one for one in self._known() if one.key == key_of(name)]
        if not known:
            return {}
        (one,) = known
        return {
            "name": one.name,
            **self._about(one),
            "mentions": [entry.id for entry in self._mentioning(one.key)],
            "relationships": self._relationships_of(one),
        }

    def get_related_entities(self, name: str, max_depth: int = 2) -> Set[str]:
        """The names that a name has to do with, in at most ``max_depth`` steps, the nearest first."""
        relations = self._relations()
        names = {end: name for one in relations for end, name in _ends(one)}
        ties = [Tie(one.subject_key, one.relation, one.object_key) for one in relations]
        steps = within_reach(ties, key_of(name), max_depth)
        return dict.fromkeys(names[key] for key in steps).keys()

    def search(
        self, query: str, limit: int = 10, filters: Mapping[str, Any] | None = None
    ) -> list[MemoryItem]:
        """Items that name what the query names, those that name most of it first; then the newest."""
        self._read()
        asked = named_in(query, [one.key for one in self._known()])
        found: dict[str, tuple[int, MemoryEntry]] = {}
        for key in asked:
            for entry in self._mentioning(key):
                found[entry.id] = (found[entry.id][0] + 1 if entry.id in found else 1, entry)
        ranked = sorted(found.values(), key=lambda it: (-it[0], -it[1].seq))
        items = [item_of(entry, named / len(asked)) for named, entry in ranked]
        return [item for item in items if _meets(item, filters)][:limit]

    def retrieve(self, memory_id: str) -> MemoryItem | None:
        """An item by id; None where there is none."""
        entry = self._items.get(memory_id)
        return None if entry is None else item_of(entry)

    def get_statistics(self) -> dict[str, Any]:
        """How many entities, relationships and items there are, and entities by type."""
        known = self._known()
        return {
            "entities_known": len(known),
            "relationships": self.count_relationships(),
            "total_items": self._items.count(),
            "entity_types": {kind: sum(one.type == kind for one in known) for kind in _types(known)},
        }

    def __len__(self) -> int:
        return len(self._known())

    def __bool__(self) -> bool:
        return True  # An empty memory is a memory.

    def __repr__(self) -> str:
        return f"EntityMemory({len(self)} entities)"

    # ── how ──────────────────────────────────────────────────────────────────────────────────────

    def _read(self) -> None:
        name_pending(self._items.store, self._items.scope, self._extractor)

    @property
    def _live(self) -> Query:
        return Query(limit=None, now=self._items.now)

    def _known(self) -> list[Entity]:
        self._read()
        found = entities_from(self._items.store.sightings(self._items.scope, self._live))
        return [one for one in found if one.type != DATE]

    def _relations(self) -> list[Relation]:
        names = {one.key: one.name for one in self._known()}
        return relations_from(self._items.store.ties(self._items.scope, self._live), names)

    def _mentioning(self, key: str) -> list[MemoryEntry]:
        return self._items.store.mentioning(self._items.scope, key, self._live)

    def _about(self, one: Entity) -> dict[str, Any]:
        newest = self._items.store.mentioning(self._items.scope, one.key, self._live.only(limit=CONTEXTS))
        first: datetime = one.first_at
        return {
            "type": one.type,
            "first_seen": first,
            "last_seen": one.last_at,
            "frequency": one.mentions,
            "contexts": [entry.text[:CONTEXT_CHARACTERS] for entry in reversed(newest)],
        }

    def _relationships_of(self, one: Entity) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for tie in self._relations():
            if tie.subject_key == one.key:
                found.setdefault(tie.relation, []).append(tie.object)
            elif tie.object_key == one.key:
                found.setdefault(f"inverse_{tie.relation}", []).append(tie.subject)
        return found


def _ends(one: Relation) -> tuple[tuple[str, str], tuple[str, str]]:
    return (one.subject_key, one.subject), (one.object_key, one.object)


def _types(known: Sequence[Entity]) -> list[str]:
    return sorted({one.type for one in known})


def _meets(item: MemoryItem, filters: Mapping[str, Any] | None) -> bool:
    return all(item.metadata.get(name) == value for name, value in (filters or {}).items())
