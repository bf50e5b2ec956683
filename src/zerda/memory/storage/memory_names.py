"""Names in the store without a disk."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from ..core.entities import Mention, Naming, Sighting, Tie
from ..core.model import MemoryEntry, Query
from ..core.rules.matching import ordered, reads
from .memory_trust import MemoryTrust

if TYPE_CHECKING:
    from ..core.model import Scope

Name = tuple[str, str]


class MemoryNames(MemoryTrust):
    """The part of the store that speaks of names."""

    def __init__(self) -> None:
        super().__init__()
        self._named: dict[Name, tuple[str, Naming]] = {}

    @abstractmethod
    def _matching(self, scope: Scope, query: Query) -> Iterator[MemoryEntry]: ...

    def unnamed(
        self,
        scope: Scope,
        rule: str,
        *,
        limit: int,
        session_id: str | None = None,
        besides: Sequence[str] = (),
    ) -> list[MemoryEntry]:
        with self._using():
            live = self._matching(scope, Query(session_id=session_id))
            lacking = (one for one in live if self._rule_of(one) not in (rule, *besides))
            return ordered(Query(order="oldest", limit=limit), lacking)

    def put_names(self, scope: Scope, rule: str, read: Sequence[tuple[MemoryEntry, Naming]]) -> int:
        kept = 0
        with self.transaction():
            for entry, naming in read:
                name = (scope.tenant_id, entry.id)
                present = self._entries.get(name)
                if present and reads(scope, present) and _same_words(present, entry):
                    self._journal.put(self._named, name, (rule, naming))
                    kept += 1
        return kept

    def sightings(self, scope: Scope, query: Query, *, keys: Sequence[str] | None = None) -> list[Sighting]:
        found: dict[tuple[str, str, str], Sighting] = {}
        with self._using():
            for entry, naming in self._namings(scope, query):
                for one in naming.mentions:
                    if keys is None or one.key in keys:
                        place = (one.key, one.name, one.type)
                        found[place] = _more(found.get(place), one, entry)
        return list(found.values())

    def ties(self, scope: Scope, query: Query, *, keys: Sequence[str] | None = None) -> Mapping[Tie, int]:
        with self._using():
            said = Counter(tie for _, naming in self._namings(scope, query) for tie in naming.ties)
        return {
            tie: count for tie, count in said.items() if keys is None or {tie.subject, tie.object} & {*keys}
        }

    def mentioning(self, scope: Scope, key: str, query: Query) -> list[MemoryEntry]:
        with self._using():
            found = (
                entry
                for entry, naming in self._namings(scope, query)
                if any(one.key == key for one in naming.mentions)
            )
            return ordered(query, found)

    def _forget_names(self, name: Name) -> None:
        self._journal.drop(self._named, name)

    def _found(self, is_erased: Callable[[str], bool], texts: Sequence[str]) -> Iterator[str]:
        yield from super()._found(is_erased, texts)
        for name, (_, naming) in self._named.items():
            if name not in self._entries:
                yield "mentions without an entry"
            told = [text for one in naming.mentions for text in (one.key, one.name, one.type)]
            told += [text for tie in naming.ties for text in (tie.subject, tie.relation, tie.object)]
            if any(text in said for text in texts for said in told):
                yield "a text in mentions"

    def _namings(self, scope: Scope, query: Query) -> Iterator[tuple[MemoryEntry, Naming]]:
        for entry in self._matching(scope, query):
            if known := self._named.get((entry.tenant_id, entry.id)):
                yield entry, known[1]

    def _rule_of(self, entry: MemoryEntry) -> str | None:
        known = self._named.get((entry.tenant_id, entry.id))
        return known[0] if known else None


def _same_words(present: MemoryEntry, read: MemoryEntry) -> bool:
    return (present.version, present.content_hash) == (read.version, read.content_hash)


def _more(known: Sighting | None, one: Mention, entry: MemoryEntry) -> Sighting:
    at = entry.occurred_at
    if known is None:
        return Sighting(one.key, one.name, one.type, one.count, one.weight, 1, at, at)
    return replace(
        known,
        count=known.count + one.count, weight=known.weight + one.weight, entries=known.entries + 1,
        first_at=min(known.first_at, at), last_at=max(known.last_at, at),
    )  # fmt: skip
