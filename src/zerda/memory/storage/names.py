"""What a store keeps of the names in its entries, and what every backend promises of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..core.entities import Naming, Sighting, Tie
    from ..core.model import MemoryEntry, Query, Scope


class KeepsNames(ABC):
    """Names are derived: what was read from an entry by a rule, in the place of what was read before.

    They follow their entry: whoever sees it sees what it names, an entry that is archived, expired or
    outside the scope names nothing, and one that is erased or revised takes its names with it. So an entity
    is gone with the last entry that names it. An export leaves them out; an import reads them anew.
    """

    @abstractmethod
    def unnamed(
        self,
        scope: Scope,
        rule: str,
        *,
        limit: int,
        session_id: str | None = None,
        besides: Sequence[str] = (),
    ) -> list[MemoryEntry]:
        """Live entries that were read neither by this rule nor by one of ``besides``, oldest first.

        Of one session, where that is named. Of those that lack it the limit takes what the same rule read
        before, and of these the oldest.
        """

    @abstractmethod
    def put_names(self, scope: Scope, rule: str, read: Sequence[tuple[MemoryEntry, Naming]]) -> int:
        """Keep what a rule read from entries; return of how many.

        An entry that is gone meanwhile, or has another version or other words by now, is passed over.
        """

    @abstractmethod
    def sightings(self, scope: Scope, query: Query, *, keys: Sequence[str] | None = None) -> list[Sighting]:
        """The mentions in the entries that the query describes, counted by key, name and type.

        ``keys``: of these entities alone. The query's limit does not count.
        """

    @abstractmethod
    def ties(self, scope: Scope, query: Query, *, keys: Sequence[str] | None = None) -> Mapping[Tie, int]:
        """The ties in the entries that the query describes, with how many entries say each.

        ``keys``: with one of these at an end. The query's limit does not count.
        """

    @abstractmethod
    def mentioning(self, scope: Scope, key: str, query: Query) -> list[MemoryEntry]:
        """The entries that the query describes and that mention an entity, in the query's order."""
