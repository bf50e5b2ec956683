"""Whom and what the caller's entries name."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter

from zerda.memory import Entity, MemoryEntry, Relation

from .. import bodies
from ..answers import Answer, listed
from ..callers import Called
from ..problems import documented

router = APIRouter(prefix="/v1/entities", tags=["entities"], responses=documented(404))


@dataclass(frozen=True, slots=True)
class Entities:
    """What most entries name first."""

    entities: tuple[Entity, ...]


@dataclass(frozen=True, slots=True)
class Relations:
    """What most entries say first."""

    relations: tuple[Relation, ...]


@dataclass(frozen=True, slots=True)
class Naming:
    """Entries that name it, newest first."""

    entries: tuple[MemoryEntry, ...]


@router.post("/list", operation_id="entities", response_model=Entities)
def entities(body: bodies.EntitiesOf, caller: Called) -> Answer:
    """The people, places and things that the caller's entries name."""
    caller.names(body.tenant_id, body.user_id)
    said = body.said("filters", "query_by")
    return listed("entities", caller.memory.entities(*caller.who, **said, filters=body.narrowing()))


@router.post("/get", operation_id="entity", response_model=Entity)
def entity(body: bodies.Named, caller: Called) -> Answer:
    """What is known of one name, however it is spelt."""
    caller.names(body.tenant_id, body.user_id)
    return Answer(caller.memory.entity(*caller.who, body.name))


@router.post("/mentioning", operation_id="mentioning", response_model=Naming)
def mentioning(body: bodies.Mentioning, caller: Called) -> Answer:
    """The entries that name an entity, newest first."""
    caller.names(body.tenant_id, body.user_id)
    found = caller.memory.mentioning(*caller.who, body.name, limit=body.limit, filters=body.narrowing())
    return listed("entries", found)


@router.post("/related", operation_id="related", response_model=Relations)
def related(body: bodies.RelatedTo, caller: Called) -> Answer:
    """How an entity has to do with others; without a name, all relations."""
    caller.names(body.tenant_id, body.user_id)
    found = caller.memory.related(*caller.who, body.name, depth=body.depth, filters=body.narrowing())
    return listed("relations", found)
