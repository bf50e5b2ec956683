"""The five tools of the profile ``core``: remember, recall, context, update, forget."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from mcp_types import ToolAnnotations
from pydantic import Field

from .callers import Whose
from .profile import Offer
from .shapes import Context, Forgotten, Ids, Importance, Kind, Limit, Recalled, Remembered, Words

_Session = Annotated[str | None, Field(description="The conversation; without one the running session.")]
_Tags = Annotated[list[str] | None, Field(max_length=50, description="Labels to filter by.")]
_Budget = Annotated[int, Field(ge=50, le=100_000, description="Tokens that the text may take.")]


@dataclass(frozen=True, slots=True)
class CoreTools:
    """Small on purpose: a long list of tools costs every conversation its tokens."""

    whose: Whose

    def offers(self) -> Iterator[Offer]:
        """Each tool with its name, its title, and what it does to the memory."""
        reading = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        adding = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
        erasing = ToolAnnotations(
            read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False
        )
        yield Offer("memory_remember", "Remember", self.remember, adding)
        yield Offer("memory_recall", "Recall", self.recall, reading)
        yield Offer("memory_context", "Context for a question", self.context, reading)
        yield Offer("memory_update", "Correct a memory", self.update, adding)
        yield Offer("memory_forget", "Forget for ever", self.forget, erasing)

    async def remember(
        self,
        text: Words,
        importance: Importance = 0.5,
        tags: _Tags = None,
        kind: Kind = "note",
        session_id: _Session = None,
    ) -> Remembered:
        """Keep something for later, in a sentence that stands alone: a fact, a wish, a decision.

        Personal data and secrets in it are masked before it is kept.
        """
        caller = self.whose()
        entry = await caller.memory.aremember(
            *caller.who,
            text,
            importance=importance,
            tags=tags,
            kind=kind,
            session_id=session_id,
            origin="assistant",
        )
        return Remembered.of(entry)

    async def recall(
        self, query: Words, limit: Limit = 5, tags: _Tags = None, session_id: _Session = None
    ) -> Recalled:
        """Find what is remembered about a question, best first. Ask before you say that you do not know."""
        caller = self.whose()
        hits = await caller.memory.arecall(
            *caller.who,
            query,
            limit=limit,
            session_id=session_id,
            filters={"tags": {"$in": tags}} if tags else None,
        )
        return Recalled.of(hits)

    async def context(self, query: Words, token_budget: _Budget = 1_000) -> Context:
        """What to know before answering a question: profile, memories and recent talk within a budget."""
        caller = self.whose()
        built = await caller.memory.abuild_context(*caller.who, query, token_budget=token_budget)
        return Context(text=built.full_text, tokens=built.tokens, lacking=list(built.degraded))

    async def update(
        self,
        id: str,
        text: Annotated[Words | None, Field(description="What it says from now on.")] = None,
        importance: Annotated[Importance | None, Field(description="How much it matters.")] = None,
        tags: _Tags = None,
    ) -> Remembered:
        """Correct a memory; the former version stays in its history. What is left out stays as it is."""
        caller = self.whose()
        changes: dict[str, Any] = {"content": text, "importance": importance, "tags": tags}
        entry = await caller.memory.aupdate(*caller.who, id, **changes)
        return Remembered.of(entry)

    async def forget(self, ids: Ids) -> Forgotten:
        """Erase memories for ever, with their history. Only when the user asks for it."""
        caller = self.whose()
        receipt = await caller.memory.aforget(*caller.who, *ids)
        return Forgotten(entries=receipt.entries, receipt=receipt.id, complete=receipt.complete)
