"""LongMemEval's questions as a retrieval task: which of a question's own sessions hold its answer?

The official JSON is a list of objects with ``question_id``, ``question_type``, ``question``,
``haystack_sessions`` (lists of turns with ``role`` and ``content``), ``haystack_session_ids``,
``haystack_dates`` and ``answer_session_ids``. Each question is a memory of its own. Questions whose id ends
in ``_abs`` have no answer, and are counted only where that is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from zerda.memory import Note

from .task import Asked, Conversation


def conversations(path: Path, *, with_abstention: bool = False) -> Iterator[Conversation]:
    """A conversation for each question: 470 of the official file, or 500 with those nothing answers."""
    for one in json.loads(path.read_text("utf-8")):
        if with_abstention or not str(one["question_id"]).endswith("_abs"):
            yield _conversation(one)


def _conversation(one: Mapping[str, Any]) -> Conversation:
    sessions = zip(one["haystack_session_ids"], one["haystack_dates"], one["haystack_sessions"], strict=True)
    notes = tuple(note for number, session in enumerate(sessions) for note in _notes(number, *session))
    wanted = set(one["answer_session_ids"])
    evidence = frozenset(note.id or "" for note in notes if str(note.session_id).split("/", 1)[1] in wanted)
    asked = Asked(str(one["question"]), evidence, str(one["question_type"]))
    return Conversation(str(one["question_id"]), notes, (asked,))


def _notes(number: int, session_id: str, date: str, turns: list[Mapping[str, Any]]) -> Iterator[Note]:
    """The turns of a session; the same session may stand in a haystack twice."""
    at = _moment(date)
    for place, turn in enumerate(turns):
        yield Note(
            content=str(turn["content"]),
            kind="message",
            id=f"{number}:{place}",
            speaker=str(turn["role"]),
            origin="assistant" if turn["role"] == "assistant" else "user",
            session_id=f"{number}/{session_id}",
            occurred_at=at,
        )


def _moment(date: str) -> datetime:
    """Dates such as ``2023/05/20 (Sat) 02:21``; their zone is not told, so UTC is taken."""
    day, _, rest = date.partition(" ")
    clock = rest.rpartition(" ")[2] or "00:00"
    return datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
