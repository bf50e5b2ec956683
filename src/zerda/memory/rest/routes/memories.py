"""Keeping what was said, and finding it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter

from zerda.memory import BuiltContext, Hit, MemoryEntry

from .. import bodies
from ..answers import Answer, Repeatable, entry_answer, identified
from ..callers import Called, Caller
from ..messages import notes_of
from ..problems import documented

router = APIRouter(prefix="/v1", tags=["memories"], responses=documented(409, 507))


@dataclass(frozen=True, slots=True)
class Kept:
    """What was kept, in order."""

    entries: tuple[MemoryEntry, ...]


@dataclass(frozen=True, slots=True)
class KeptMessages:
    """What was kept of a conversation, and how many messages said nothing to a memory."""

    entries: tuple[MemoryEntry, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class Found:
    """Hits, best first; none is a normal answer. ``degraded`` names what could not be asked."""

    hits: tuple[Hit, ...]
    degraded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Prompt:
    """Instruction, context and question as one text."""

    prompt: str


LINKS = {
    name: {"operationId": name, "parameters": {"entry_id": "$response.body#/id"}}
    for name in ("get_entry", "update_entry", "forget_entry", "history", "pin", "archive", "restore")
}
CREATED: dict[int | str, dict[str, Any]] = {
    201: {"links": LINKS, "headers": {"ETag": {"schema": {"type": "string"}}}}
}


@router.post("/interactions", operation_id="save_interaction", status_code=201, response_model=MemoryEntry,
             responses=CREATED)  # fmt: skip
def save_interaction(body: bodies.NewInteraction, caller: Called, key: Repeatable = None) -> Answer:
    """Keep an exchange between a user and the assistant; durable when this is answered."""
    caller.names(body.tenant_id, body.user_id)
    said: dict[str, Any] = body.said() | {"id": identified(body.id, key, caller)}
    with caller.span("create_memory") as span:
        entry = caller.memory.save_interaction(*caller.who, **said)
        span.kept([entry])
    return entry_answer(entry, 201)


@router.post("/memories", operation_id="remember", status_code=201, response_model=MemoryEntry,
             responses=CREATED)  # fmt: skip
def remember(body: bodies.NewNote, caller: Called, key: Repeatable = None) -> Answer:
    """Keep a note, a message of a named speaker, a fact; durable when this is answered."""
    caller.names(body.tenant_id, body.user_id)
    said: dict[str, Any] = body.said() | {"id": identified(body.id, key, caller)}
    return entry_answer(_remembered(caller, said), 201)


@router.post("/documents", operation_id="add_document", status_code=201, response_model=MemoryEntry,
             responses=CREATED)  # fmt: skip
def add_document(body: bodies.NewDocument, caller: Called, key: Repeatable = None) -> Answer:
    """Keep a document; ``source`` is where it is from."""
    caller.names(body.tenant_id, body.user_id)
    said = {"origin": body.origin, **body.said(), "kind": "document"}
    return entry_answer(_remembered(caller, said | {"id": identified(body.id, key, caller)}), 201)


@router.post("/memories/batch", operation_id="remember_many", status_code=201, response_model=Kept)
def remember_many(body: bodies.NewNotes, caller: Called, key: Repeatable = None) -> Answer:
    """Keep many notes and exchanges, together or not at all."""
    caller.names(body.tenant_id, body.user_id)
    notes = [_note(one, caller, key, ordinal) for ordinal, one in enumerate(body.notes)]
    return Answer(Kept(_all_remembered(caller, notes)), 201)


@router.post("/messages", operation_id="save_messages", status_code=201, response_model=KeptMessages)
def save_messages(body: bodies.NewMessages, caller: Called, key: Repeatable = None) -> Answer:
    """Keep a conversation as chat APIs write it. A question and its answer become one interaction."""
    caller.names(body.tenant_id, body.user_id)
    notes, left_out = notes_of(body.messages)
    common = body.said("messages")
    given = [
        {**common, **one, "id": identified(None, key, caller, ordinal)} for ordinal, one in enumerate(notes)
    ]
    return Answer(KeptMessages(_all_remembered(caller, given), left_out), 201)


@router.post("/recall", operation_id="recall", response_model=Found)
def recall(body: bodies.Recall, caller: Called) -> Answer:
    """The entries that answer a question, best first, each with the probability that it is relevant."""
    caller.names(body.tenant_id, body.user_id)
    with caller.span("search_memory", query=body.query) as span:
        hits = caller.memory.recall(*caller.who, **body.said("filters", "query_by"), filters=body.narrowing())
        span.found(hits)
    return Answer(Found(tuple(hits), hits.degraded))


@router.post("/context", operation_id="build_context", response_model=BuiltContext)
def build_context(body: bodies.ContextFor, caller: Called) -> Answer:
    """What to put before a model for a question, within a budget of tokens, and why."""
    caller.names(body.tenant_id, body.user_id)
    said = body.said("filters", "query_by", "documents")
    with caller.span("search_memory", query=body.query) as span:
        context = caller.memory.build_context(
            *caller.who, **said, documents=_documents(body.documents), filters=body.narrowing()
        )
        span.kept(context.entries)
    return Answer(context)


@router.post("/prompt", operation_id="build_prompt", response_model=Prompt)
def build_prompt(body: bodies.PromptFor, caller: Called) -> Answer:
    """Instruction, context and question as one text, for a model that takes one."""
    caller.names(body.tenant_id, body.user_id)
    said = body.said("documents")
    with caller.span("search_memory", query=body.query):
        prompt = caller.memory.build_prompt(*caller.who, **said, documents=_documents(body.documents))
    return Answer(Prompt(prompt))


def _remembered(caller: Caller, said: dict[str, Any]) -> MemoryEntry:
    with caller.span("create_memory") as span:
        entry = caller.memory.remember(*caller.who, **said)
        span.kept([entry])
    return entry


def _all_remembered(caller: Caller, notes: list[dict[str, Any]]) -> tuple[MemoryEntry, ...]:
    with caller.span("create_memory") as span:
        entries = caller.memory.remember_many(*caller.who, notes)
        span.kept(entries)
    return tuple(entries)


def _note(
    one: bodies.NewNote | bodies.NewInteraction | str, caller: Caller, key: str | None, ordinal: int
) -> dict[str, Any]:
    """A note as the memory takes it."""
    if isinstance(one, str):
        return {"content": one, "id": identified(None, key, caller, ordinal)}
    caller.names(one.tenant_id, one.user_id)
    said = one.said("user_input", "assistant_output")
    if isinstance(one, bodies.NewInteraction):
        content = {"input": one.user_input, "output": one.assistant_output}
        said |= {"content": content, "kind": "interaction"}
    return said | {"id": identified(one.id, key, caller, ordinal)}


def _documents(given: list[bodies.GivenDocument | str]) -> list[dict[str, Any] | str]:
    return [one if isinstance(one, str) else one.model_dump() for one in given]
