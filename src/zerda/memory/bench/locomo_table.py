"""Runs rows over LoCoMo's conversations, and gathers the figures of a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from statistics import quantiles

from .locomo import Conversation
from .measures import Answer, by_category, interval, means, share_at
from .rows import Row

ADVERSARIAL = "5"
"""The category of questions that ask about the wrong person; it is counted apart."""


@dataclass(frozen=True, slots=True)
class Figures:
    """A row's figures over categories 1 to 4, in per cent, and R@10 by category and by half."""

    row: str
    questions: int
    means: Mapping[str, float]
    interval: tuple[float, float]
    categories: Mapping[str, float]
    halves: Mapping[str, float]
    milliseconds: tuple[float, float]


def figures(
    name: str, row: Row, conversations: Iterable[Conversation], *, done: Callable[[], object] = lambda: None
) -> Figures:
    """One row over all conversations, each a memory of its own; ``done`` is called after each."""
    answers: list[Answer] = []
    seconds: list[float] = []
    halves: dict[str, list[Answer]] = {"first half": [], "second half": []}
    told = list(conversations)
    for number, conversation in enumerate(told):
        said = _answers(row, conversation, seconds)
        answers += said
        halves["first half" if 2 * number < len(told) else "second half"] += said
        done()
    counted = [answer for answer in answers if answer.category != ADVERSARIAL]
    shares = [100 * share_at(answer, 10) for answer in counted]
    cuts = quantiles([1_000 * one for one in seconds], n=20)
    return Figures(
        name,
        len(counted),
        means(counted),
        interval(shares),
        by_category(answers, lambda answer: share_at(answer, 10)),
        {
            half: means([a for a in some if a.category != ADVERSARIAL]).get("R@10", 0.0)
            for half, some in halves.items()
        },
        (cuts[9], cuts[18]),
    )


def _answers(row: Row, conversation: Conversation, seconds: list[float]) -> list[Answer]:
    session_of = conversation.session_of
    answers = []
    with row(conversation.notes) as find:
        for asked in conversation.questions:
            start = time.process_time()
            found = tuple(find(asked.text))
            seconds.append(time.process_time() - start)
            answers.append(Answer(found, asked.evidence, asked.category, conversation.name, session_of))
    return answers
