"""What is known of the caller, and what is theirs as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from fastapi.responses import StreamingResponse

from zerda.memory import MemoryEntry, Receipt, UserProfile
from zerda.memory import Query as Narrowing

from .. import bodies
from ..answers import Answer
from ..callers import Called, Caller
from ..problems import documented

router = APIRouter(prefix="/v1", tags=["user"], responses=documented(507))

LOOKED_AT = 5_000
"""Entries, newest first, of which sessions are told."""

PAGE = 500
LINES = "application/x-ndjson"
STREAMED: dict[int | str, dict[str, Any]] = {
    200: {"content": {LINES: {"schema": {"type": "string"}}}, "description": "Lines of JSON"}
}


@dataclass(frozen=True, slots=True)
class Who:
    """Who the key speaks for."""

    tenant_id: str
    user_id: str
    principal: str
    role: str | None


@dataclass(frozen=True, slots=True)
class Session:
    """A conversation: when it began and ended, and how many of the entries looked at are of it."""

    session_id: str
    began: datetime
    ended: datetime
    entries: int


@dataclass(frozen=True, slots=True)
class Sessions:
    """Sessions, the last one first."""

    sessions: tuple[Session, ...]


@router.get("/whoami", operation_id="whoami", response_model=Who)
def whoami(caller: Called) -> Answer:
    """Who the key speaks for."""
    one = caller.identity
    return Answer(Who(one.tenant_id, one.user_id, one.principal, one.role))


@router.get("/profile", operation_id="profile", response_model=UserProfile)
def profile(caller: Called) -> Answer:
    """What is known of the user, with the evidence."""
    return Answer(caller.memory.profile(*caller.who))


@router.patch("/preferences", operation_id="set_preferences", response_model=UserProfile)
def set_preferences(body: bodies.Preferences, caller: Called) -> Answer:
    """State preferences, beside those stated before; a null takes its one back."""
    caller.names(body.tenant_id, body.user_id)
    return Answer(caller.memory.set_preferences(*caller.who, body.preferences))


@router.put("/retention-boost", operation_id="set_retention_boost", response_model=UserProfile)
def set_retention_boost(body: bodies.Boost, caller: Called) -> Answer:
    """Add this to the importance of all that is kept from now on."""
    caller.names(body.tenant_id, body.user_id)
    return Answer(caller.memory.set_retention_boost(*caller.who, body.boost))


@router.get("/sessions", operation_id="list_sessions", response_model=Sessions)
def list_sessions(caller: Called, limit: Annotated[int, Query(ge=1, le=1_000)] = 50) -> Answer:
    """The last conversations, as the newest 5,000 entries tell of them; their entries are `list_entries`'."""
    return Answer(Sessions(tuple(_sessions(_newest(caller)).values())[:limit]))


@router.get("/export", operation_id="export_user", response_class=StreamingResponse, responses=STREAMED)
def export_user(
    caller: Called, vectors: Annotated[bool, Query()] = False, grants: Annotated[bool, Query()] = False
) -> Response:
    """All that is the user's own, as lines of JSON."""
    lines = caller.memory.export_user(*caller.who, vectors=vectors, grants=grants)
    return StreamingResponse(lines, media_type=LINES)


@router.post("/erase", operation_id="forget_user", response_model=Receipt)
def forget_user(body: bodies.Erasing, caller: Called) -> Answer:
    """Erase all that is the user's own, their profile too; ``preview`` counts and erases nothing."""
    caller.names(body.tenant_id, body.user_id)
    with caller.span("delete_memory"):
        return Answer(caller.memory.forget_user(*caller.who, preview=body.preview))


def _newest(caller: Caller) -> list[MemoryEntry]:
    found: list[MemoryEntry] = []
    cursor: str | None = None
    while len(found) < LOOKED_AT:
        page = caller.memory.list(*caller.who, limit=PAGE, cursor=cursor, filters=Narrowing(archived=False))
        found += page.entries
        if (cursor := page.cursor) is None:
            break
    return found


def _sessions(entries: list[MemoryEntry]) -> Mapping[str, Session]:
    """Sessions of entries that come newest first."""
    found: dict[str, Session] = {}
    for entry in entries:
        if entry.session_id is None:
            continue
        at = entry.occurred_at
        known = found.get(entry.session_id) or Session(entry.session_id, at, at, 0)
        found[entry.session_id] = Session(
            known.session_id, min(known.began, at), max(known.ended, at), known.entries + 1
        )
    return found
