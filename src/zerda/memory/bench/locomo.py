"""LoCoMo's conversations as a retrieval task: which turns hold the evidence of an answer?"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from zerda.memory import Note
from zerda.memory.adapters.conversations import Message
from zerda.memory.adapters.locomo import read_locomo

from .task import Asked, Conversation

_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


def conversations(path: Path) -> Iterator[Conversation]:
    """The conversations of LoCoMo's file, one turn one note, with the questions whose evidence is there."""
    for sample in json.loads(path.read_text("utf-8")):
        said = [one for one in read_locomo([sample]) if isinstance(one, Message)]
        names = [_turn_id(turn["dia_id"]) for turn in _turns(sample["conversation"])]
        notes = tuple(_note(name, message) for name, message in zip(names, said, strict=True))
        questions = tuple(_questions(sample["qa"], frozenset(names)))
        yield Conversation(str(sample["sample_id"]), notes, questions)


def _turns(conversation: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    sessions = (key for key in conversation if re.fullmatch(r"session_\d+", key))
    for session in sorted(sessions, key=lambda key: int(key.split("_")[1])):
        yield from conversation[session]


def _note(name: str, message: Message) -> Note:
    return Note(
        content=message.content,
        kind="message",
        id=name,
        speaker=message.speaker,
        occurred_at=message.at,
        session_id=message.session,
    )


def _questions(asked: list[Mapping[str, Any]], known: frozenset[str]) -> Iterator[Asked]:
    """The questions with evidence; references are repaired where their form allows it, else dropped."""
    for one in asked:
        evidence = frozenset(
            _turn_id(found.group()) for found in _EVIDENCE.finditer(" ".join(one["evidence"]))
        )
        if evidence & known:
            yield Asked(str(one["question"]), evidence & known, str(one["category"]))


def _turn_id(reference: str) -> str:
    found = _EVIDENCE.fullmatch(reference)
    return f"D{int(found[1])}:{int(found[2])}" if found else reference
