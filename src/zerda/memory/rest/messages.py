"""Messages as chat APIs write them, as notes: what was said, by whom, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .bodies import ChatMessage

INSTRUCTIONS = ("system", "developer")
TOOLS = ("tool", "function")


def notes_of(messages: Sequence[ChatMessage]) -> tuple[list[dict[str, Any]], int]:
    """The notes that a conversation makes, and how many messages say nothing to a memory.

    A question with the answer that follows it is one interaction. Any other message is one by its speaker;
    what a tool answered has the origin ``tool``. Instructions to the model and messages without words are
    left out.
    """
    said = [one for one in messages if one.role not in INSTRUCTIONS and one.text.strip()]
    notes: list[dict[str, Any]] = []
    at = 0
    while at < len(said):
        pair = said[at : at + 2]
        if [one.role for one in pair] == ["user", "assistant"] and not pair[0].name:
            notes.append({"content": {"input": pair[0].text, "output": pair[1].text}, "kind": "interaction"})
        else:
            notes.append(_message(pair[0]))
        at += 2 if notes[-1]["kind"] == "interaction" else 1
    return notes, len(messages) - len(said)


def _message(one: ChatMessage) -> dict[str, Any]:
    origin = "tool" if one.role in TOOLS else "assistant" if one.role == "assistant" else "user"
    return {"content": one.text, "kind": "message", "speaker": one.name or one.role, "origin": origin}
