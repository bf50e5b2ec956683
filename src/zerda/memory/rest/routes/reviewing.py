"""For after an incident, or before one: what came from where, and what waits for somebody's look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AwareDatetime

from zerda.memory import Arrivals, MemoryEntry, Receipt

from .. import bodies
from ..answers import Answer, listed
from ..callers import Called
from ..problems import documented

router = APIRouter(prefix="/v1", tags=["review"], responses=documented(404, 507))

Limit = Annotated[int, Query(ge=1, le=1_000)]
Since = Annotated[AwareDatetime, Query()]
Source = Annotated[str | None, Query(max_length=2_000)]


@dataclass(frozen=True, slots=True)
class Reached:
    """How many entries were reached."""

    reached: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """Entries in quarantine, newest first."""

    entries: tuple[MemoryEntry, ...]


@dataclass(frozen=True, slots=True)
class Came:
    """What came in, by source: the most first."""

    arrivals: tuple[Arrivals, ...]


@router.post("/quarantine", operation_id="quarantine", response_model=Reached)
def quarantine(body: bodies.Quarantining, caller: Called) -> Answer:
    """Put entries of the caller's own into quarantine: in no search or context until somebody looked."""
    caller.names(body.tenant_id, body.user_id)
    return Answer(Reached(caller.memory.quarantine(*caller.who, *body.ids, because=body.because)))


@router.get("/quarantine", operation_id="review", response_model=Waiting)
def review(caller: Called, limit: Limit = 50) -> Answer:
    """What of the caller's waits in quarantine."""
    return listed("entries", caller.memory.review(*caller.who, limit=limit))


@router.get("/arrivals", operation_id="memories_since", response_model=Came)
def memories_since(caller: Called, since: Since, source: Source = None) -> Answer:
    """What came in of the caller's since then, by source."""
    user_id, tenant_id = caller.who
    return listed("arrivals", caller.memory.memories_since(tenant_id, since, user_id=user_id, source=source))


@router.post("/forget-source", operation_id="forget_source", response_model=Receipt)
def forget_source(body: bodies.FromSource, caller: Called) -> Answer:
    """Erase what of the caller's came from a source, for ever."""
    caller.names(body.tenant_id, body.user_id)
    user_id, tenant_id = caller.who
    with caller.span("delete_memory"):
        receipt = caller.memory.forget_source(
            tenant_id, body.source, user_id=user_id, since=body.since, preview=body.preview
        )
    return Answer(receipt)


# ── of every user of the tenant ──────────────────────────────────────────────────────────────────────


@router.post("/tenant/quarantine", operation_id="quarantine_any", response_model=Reached)
def quarantine_any(body: bodies.Quarantining, caller: Called) -> Answer:
    """Put entries of any user of the tenant into quarantine."""
    caller.names(body.tenant_id, body.user_id)
    reached = caller.memory.quarantine(None, caller.tenant_id, *body.ids, because=body.because)
    return Answer(Reached(reached))


@router.get("/tenant/quarantine", operation_id="review_all", response_model=Waiting)
def review_all(caller: Called, limit: Limit = 50) -> Answer:
    """What waits in quarantine, whoever's it is."""
    return listed("entries", caller.memory.review(None, caller.tenant_id, limit=limit))


@router.post("/tenant/release", operation_id="release", response_model=Reached)
def release(body: bodies.Ids, caller: Called) -> Answer:
    """Let entries out of quarantine."""
    caller.names(body.tenant_id, body.user_id)
    return Answer(Reached(caller.memory.release(caller.tenant_id, *body.ids)))


@router.get("/tenant/arrivals", operation_id="all_memories_since", response_model=Came)
def all_memories_since(caller: Called, since: Since, source: Source = None) -> Answer:
    """What came in since then, by source, whoever's it is."""
    return listed("arrivals", caller.memory.memories_since(caller.tenant_id, since, source=source))


@router.post("/tenant/forget-source", operation_id="forget_source_everywhere", response_model=Receipt)
def forget_source_everywhere(body: bodies.FromSource, caller: Called) -> Answer:
    """Erase what came from a source, whoever's it is, for ever."""
    caller.names(body.tenant_id, body.user_id)
    with caller.span("delete_memory"):
        receipt = caller.memory.forget_source(
            caller.tenant_id, body.source, since=body.since, preview=body.preview
        )
    return Answer(receipt)
