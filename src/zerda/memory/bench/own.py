"""A user's own questions, asked of their own memory."""

from __future__ import annotations

import json
import time
from pathlib import Path

from zerda.memory import AIMemoryManager, InvalidInput

from .measures import Answer
from .rows import DEPTH
from .table import Run
from .task import Asked


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


def asked_of(memory: AIMemoryManager, user: str, tenant: str, asked: tuple[Asked, ...]) -> Run:
    """What the memory answers, its floor off."""
    answers, seconds = [], []
    for one in asked:
        start = time.process_time()
        hits = memory.recall(user, tenant, one.text, limit=DEPTH, min_score=0.0)
        seconds.append(time.process_time() - start)
        sessions = {hit.entry.id: hit.entry.session_id or "" for hit in hits}
        found = tuple(hit.entry.id for hit in hits)
        answers.append(Answer(found, one.evidence, one.category, tenant, sessions))
    return Run("this memory", (tuple(answers),), tuple(seconds))
