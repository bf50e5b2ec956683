"""Does it know when it knows nothing? Questions of one conversation, put to another's memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean

from .measures import Answer, share_at
from .rows import Ours
from .table import ADVERSARIAL
from .task import Conversation


@dataclass(frozen=True, slots=True)
class Abstention:
    """In per cent: strangers' questions that got nothing, and R@10 of its own, with the floor and without.

    ``precision`` is the share of what passed the floor, for its own questions, that is evidence.
    """

    row: str
    silent: float
    with_floor: float
    without_floor: float
    precision: float


def abstention(
    name: str, row: Ours, conversations: Sequence[Conversation], *, done: Callable[[], object] = lambda: None
) -> Abstention:
    """Ask each conversation's memory its own questions and those of the next one."""
    silent: list[bool] = []
    floored: list[Answer] = []
    free: list[Answer] = []
    following = [*conversations[1:], conversations[0]]
    for conversation, other in zip(conversations, following, strict=True):
        with row.memory(conversation.notes) as ask:
            silent += [not ask(asked.text, None) for asked in other.questions]
            for asked in conversation.questions:
                if asked.category != ADVERSARIAL:
                    told = (asked.evidence, asked.category, conversation.name, conversation.session_of)
                    floored.append(Answer(tuple(ask(asked.text, None)), *told))
                    free.append(Answer(tuple(ask(asked.text, 0.0)), *told))
        done()
    relevant = [found in answer.evidence for answer in floored for found in answer.found[:10]]
    return Abstention(
        name,
        100 * fmean(silent),
        100 * fmean(share_at(answer, 10) for answer in floored),
        100 * fmean(share_at(answer, 10) for answer in free),
        100 * fmean(relevant) if relevant else 0.0,
    )
