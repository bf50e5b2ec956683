"""A user's own questions, asked of their own memory, and of other ways to find the same entries."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from zerda.memory import AIMemoryManager, InvalidInput, MemoryEntry, Note

from .rows import DEPTH, Find, MeaningAlone, Row, plain_fts5
from .task import Asked, Conversation

PAGE = 1_000


def questions(path: Path) -> tuple[Asked, ...]:
    """JSON Lines of ``{"question": …, "ids": […]}``: the entries that should be found."""
    asked = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if line.strip():
            asked.append(_asked(line, number))
    if not asked:
        raise InvalidInput(f"{path.name} holds no question; write a line for each")
    return tuple(asked)


def _asked(line: str, number: int) -> Asked:
    try:
        one = json.loads(line)
        return Asked(str(one["question"]), frozenset(map(str, one["ids"])), str(one.get("category", "")))
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(f'line {number} is no {{"question": …, "ids": […]}}') from error


def conversation(memory: AIMemoryManager, user: str, tenant: str, asked: tuple[Asked, ...]) -> Conversation:
    """All that the user may see, as notes, and the questions; `InvalidInput` for an id that is not there."""
    notes = tuple(_note(entry) for entry in _entries(memory, user, tenant))
    known = {note.id for note in notes}
    if unknown := sorted({one for question in asked for one in question.evidence} - known):
        raise InvalidInput(f"no entry has the id {unknown[0]!r}, which should be found")
    return Conversation(tenant, notes, asked)


def rows(memory: AIMemoryManager, user: str, tenant: str) -> Mapping[str, Row]:
    """Plain full-text search, meaning alone where there is an embedder, and this memory."""
    found: dict[str, Row] = {"plain FTS5": plain_fts5}
    if memory.config.embedding_model != "none":
        elsewhere = replace(memory.config, storage="", enable_persistence=True, hide_ids=False)
        found["meaning alone"] = MeaningAlone(elsewhere)
    return {**found, "this memory": _This(memory, user, tenant)}


@dataclass(frozen=True, slots=True)
class _This:
    """The memory as it is, its floor off."""

    memory: AIMemoryManager
    user: str
    tenant: str

    @contextmanager
    def __call__(self, notes: Sequence[Note]) -> Iterator[Find]:
        def find(question: str) -> list[str]:
            hits = self.memory.recall(self.user, self.tenant, question, limit=DEPTH, min_score=0.0)
            return [hit.entry.id for hit in hits]

        yield find


def _entries(memory: AIMemoryManager, user: str, tenant: str) -> Iterator[MemoryEntry]:
    page = memory.list(user, tenant, limit=PAGE)
    yield from page.entries
    while page.cursor is not None:
        page = memory.list(user, tenant, limit=PAGE, cursor=page.cursor)
        yield from page.entries


def _note(entry: MemoryEntry) -> Note:
    return Note(
        content=entry.content,
        kind=entry.kind,
        id=entry.id,
        speaker=entry.speaker,
        session_id=entry.session_id,
        occurred_at=entry.occurred_at,
    )
