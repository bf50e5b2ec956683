"""One entry, or a page of them; and erasure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Header, Path, Query, Response

from zerda.memory import EntryChanged, EntryNotFound, MemoryEntry, Page, Receipt

from .. import bodies
from ..answers import Answer, entry_answer, listed, meets, tag
from ..callers import Called
from ..problems import documented

router = APIRouter(prefix="/v1", tags=["entries"], responses=documented(404, 507))

EntryId = Annotated[bodies.Id, Path(description="The id, percent-encoded.")]
TAGGED: dict[int | str, dict[str, Any]] = {200: {"headers": {"ETag": {"schema": {"type": "string"}}}}}


@dataclass(frozen=True, slots=True)
class Versions:
    """Every version of an entry, oldest first."""

    versions: tuple[MemoryEntry, ...]


@dataclass(frozen=True, slots=True)
class Allowed:
    """How many of the ids had been erased."""

    allowed: int


@router.get("/entries", operation_id="list_entries", response_model=Page)
def list_entries(
    caller: Called,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 50,
    cursor: Annotated[str | None, Query(pattern=r"^[0-9]{1,18}$")] = None,
    session_id: Annotated[bodies.Id | None, Query()] = None,
    kind: Annotated[bodies.Kind | None, Query()] = None,
    tag: Annotated[str | None, Query(max_length=1_000)] = None,
    archived: Annotated[bool, Query()] = False,
) -> Answer:
    """The caller's entries, newest first, a page at a time; ``cursor`` is the former page's."""
    narrowed = bodies.Conditions(
        session_id=session_id, kinds=[kind] if kind else [], tags=[tag] if tag else [], archived=archived
    )
    return Answer(caller.memory.list(*caller.who, limit=limit, cursor=cursor, filters=narrowed.query()))


@router.post("/list", operation_id="list_entries_by", response_model=Page)
def list_entries_by(body: bodies.Listing, caller: Called) -> Answer:
    """As `list_entries`, with filters of every kind."""
    caller.names(body.tenant_id, body.user_id)
    page = caller.memory.list(
        *caller.who,
        limit=body.limit,
        cursor=body.cursor,
        filters=body.narrowing(),
        quarantined=body.quarantined,
    )
    return Answer(page)


@router.get("/entries/{entry_id:id}", operation_id="get_entry", response_model=MemoryEntry,
            responses={**TAGGED, 304: {"description": "It is as the caller knows it"}})  # fmt: skip
def get_entry(
    entry_id: EntryId,
    caller: Called,
    known: Annotated[str | None, Header(alias="If-None-Match", max_length=4_000)] = None,
) -> Response:
    """One entry, archived or not."""
    entry = caller.memory.get(*caller.who, entry_id)
    if known is not None and meets(known, entry):
        return Response(status_code=304, headers={"ETag": tag(entry)})
    return entry_answer(entry)


@router.patch("/entries/{entry_id:id}", operation_id="update_entry", response_model=MemoryEntry,
              responses={**TAGGED, **documented(409, 412)})  # fmt: skip
def update_entry(
    entry_id: EntryId,
    body: bodies.Change,
    caller: Called,
    wanted: Annotated[str | None, Header(alias="If-Match", max_length=4_000)] = None,
) -> Answer:
    """Make a new version of an entry; what is left out stays. ``If-Match`` names the one that is meant."""
    caller.names(body.tenant_id, body.user_id)
    version = None
    if wanted is not None:
        entry = caller.memory.get(*caller.who, entry_id)
        if not meets(wanted, entry):
            raise EntryChanged("the entry is not the one that If-Match names")
        version = entry.version
    with caller.span("update_memory", record=entry_id) as span:
        revised = caller.memory.update(*caller.who, entry_id, **body.said(), if_version=version)
        span.kept([revised])
    return entry_answer(revised)


@router.delete("/entries/{entry_id:id}", operation_id="forget_entry", response_model=Receipt)
def forget_entry(entry_id: EntryId, caller: Called) -> Answer:
    """Erase an entry for ever, with its versions and all that came of it; the receipt tells what went."""
    with caller.span("delete_memory", record=entry_id):
        receipt = caller.memory.forget(*caller.who, entry_id)
    if not receipt.entries:
        raise EntryNotFound("no entry of that id")
    return Answer(receipt)


@router.get("/entries/{entry_id:id}/history", operation_id="history", response_model=Versions)
def history(entry_id: EntryId, caller: Called) -> Answer:
    """Every version of an entry, oldest first."""
    return listed("versions", caller.memory.history(*caller.who, entry_id))


@router.put("/entries/{entry_id:id}/pin", operation_id="pin", response_model=MemoryEntry, responses=TAGGED)
def pin(entry_id: EntryId, body: bodies.Pinning, caller: Called) -> Answer:
    """Keep an entry from fading, or let it fade again."""
    caller.names(body.tenant_id, body.user_id)
    return entry_answer(caller.memory.pin(*caller.who, entry_id, body.pinned))


@router.post("/entries/{entry_id:id}/archive", operation_id="archive", response_model=MemoryEntry,
             responses=TAGGED)  # fmt: skip
def archive(entry_id: EntryId, caller: Called) -> Answer:
    """Put an entry away: in no search, list or context, until it is restored."""
    return entry_answer(caller.memory.archive(*caller.who, entry_id))


@router.post("/entries/{entry_id:id}/restore", operation_id="restore", response_model=MemoryEntry,
             responses=TAGGED)  # fmt: skip
def restore(entry_id: EntryId, caller: Called) -> Answer:
    """Take an archived entry back."""
    return entry_answer(caller.memory.restore(*caller.who, entry_id))


@router.post("/entries/{entry_id:id}/reveal", operation_id="reveal", response_model=MemoryEntry)
def reveal(entry_id: EntryId, caller: Called) -> Answer:
    """An entry of one's own as it was said, where the memory masks reversibly; the audit tells of it."""
    return entry_answer(caller.memory.reveal(*caller.who, entry_id))


@router.post("/forget", operation_id="forget", response_model=Receipt)
def forget(body: bodies.Forgetting, caller: Called) -> Answer:
    """Erase entries for ever, by id; ``preview`` counts what would go and erases nothing."""
    caller.names(body.tenant_id, body.user_id)
    with caller.span("delete_memory"):
        if not body.preview:
            return Answer(caller.memory.forget(*caller.who, *body.ids))
        shown = bodies.Conditions(ids=body.ids, archived=None)
        return Answer(caller.memory.forget_where(*caller.who, shown.query(), preview=True))


@router.post("/forget-where", operation_id="forget_where", response_model=Receipt)
def forget_where(body: bodies.ForgettingWhere, caller: Called) -> Answer:
    """Erase what conditions describe, for ever; ``preview`` counts what would go and erases nothing."""
    caller.names(body.tenant_id, body.user_id)
    with caller.span("delete_memory"):
        receipt = caller.memory.forget_where(*caller.who, body.query_by.query(), preview=body.preview)
    return Answer(receipt)


@router.post("/allow-again", operation_id="allow_again", response_model=Allowed)
def allow_again(body: bodies.Ids, caller: Called) -> Answer:
    """Let erased ids be kept again."""
    caller.names(body.tenant_id, body.user_id)
    return Answer(Allowed(caller.memory.allow_again(*caller.who, *body.ids)))
