"""What the manager tells of people, places and things: the entities in a user's entries. It orders steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..core.aio import awaitable
from ..core.entities import DATE, Entity, Relation
from ..core.model import MemoryEntry, Query, Scope
from ..core.rules.filtering import query_of
from ..core.rules.naming import entities_from, key_of, relations_from, within_reach
from ..errors import EntryNotFound, InvalidInput
from ..security.access import Permission
from ..upkeep.naming import name_pending
from .arguments import text_of, whole_of
from .steps import Steps

Filters = Query | Mapping[str, Any]

DEEPEST = 6
"""Steps beyond which nearly everything is related to everything (after "six degrees of separation")."""


class EntityMethods(Steps):
    """The part of `AIMemoryManager` that tells of entities. Each sees what the user sees, and no more."""

    def entities(
        self,
        user_id: str,
        tenant_id: str,
        *,
        type: str | None = None,
        limit: int | None = None,
        filters: Filters | None = None,
    ) -> list[Entity]:
        """Whom and what the user's entries name: what most entries name first, then the latest.

        What was saved since the last time is read for names first, a fraction of a millisecond an entry.

        Args:
            type: ``person``, ``place``, ``organisation``, ``product``, ``title``, ``date``, ``other``, or
                what an application named itself. None is all but dates.
            filters: of which entries, as in `recall`.
        """
        scope, query = self._asked(user_id, tenant_id, filters)
        most = None if limit is None else whole_of(limit, "limit")
        found = entities_from(self._bundle(tenant_id).store.sightings(scope, query))
        chosen = [one for one in found if (one.type == type if type else one.type != DATE)]
        return chosen[:most]

    def entity(self, user_id: str, tenant_id: str, name: str) -> Entity:
        """What is known of one name, however it is spelt; `EntryNotFound` where no entry names it."""
        scope, query = self._asked(user_id, tenant_id, None)
        found = entities_from(self._bundle(tenant_id).store.sightings(scope, query, keys=[_key(name)]))
        if not found:
            raise EntryNotFound("no entry that this user may see names that")
        return found[0]

    def mentioning(
        self, user_id: str, tenant_id: str, name: str, *, limit: int = 20, filters: Filters | None = None
    ) -> list[MemoryEntry]:
        """The entries that name an entity, newest first; none is a normal answer."""
        scope, query = self._asked(user_id, tenant_id, filters)
        narrowed = query.only(limit=whole_of(limit, "limit"))
        return self._bundle(tenant_id).store.mentioning(scope, _key(name), narrowed)

    def related(
        self,
        user_id: str,
        tenant_id: str,
        name: str | None = None,
        *,
        depth: int = 1,
        filters: Filters | None = None,
    ) -> list[Relation]:
        """How an entity has to do with others: what most entries say first.

        Args:
            name: of whom; None tells all relations.
            depth: 1 tells what is said of it, 2 also what is said of those, and so on.
        """
        steps = _depth(depth)
        scope, query = self._asked(user_id, tenant_id, filters)
        store = self._bundle(tenant_id).store
        keys = None if name is None else [_key(name)]
        ties = store.ties(scope, query, keys=keys)
        if keys is not None and steps > 1:
            whole = store.ties(scope, query)
            near = {keys[0], *within_reach(whole, keys[0], steps - 1)}
            ties = {tie: count for tie, count in whole.items() if {tie.subject, tie.object} & near}
        ends = sorted({key for tie in ties for key in (tie.subject, tie.object)})
        known = entities_from(store.sightings(scope, query, keys=ends))
        return relations_from(ties, {one.key: one.name for one in known})

    def _asked(self, user_id: str, tenant_id: str, filters: Filters | None) -> tuple[Scope, Query]:
        """Whose entries, and which, after the names of what is new were read."""
        scope = self._may(user_id, tenant_id, Permission.READ)
        query = query_of(filters).only(now=self._clock(), limit=None)
        name_pending(self._bundle(tenant_id).store, scope, self._extractor)
        return scope, query

    aentities = awaitable(entities)
    aentity = awaitable(entity)
    amentioning = awaitable(mentioning)
    arelated = awaitable(related)


def _key(name: object) -> str:
    return key_of(text_of(name, "name"))


def _depth(depth: object) -> int:
    if whole_of(depth, "depth") > DEEPEST:
        raise InvalidInput(f"depth is {depth!r}; it is at most {DEEPEST}")
    return whole_of(depth, "depth")
