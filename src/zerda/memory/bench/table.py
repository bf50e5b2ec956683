"""Runs rows over conversations, and gathers the figures of a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import quantiles

from .measures import MEASURES, Answer, by_category, difference, interval, means
from .rows import Row
from .task import Conversation

ADVERSARIAL = "5"
"""LoCoMo's category of questions that ask about the wrong person; it is counted apart."""

Measure = Callable[[Answer], float]


@dataclass(frozen=True, slots=True)
class Figures:
    """A row's figures, in per cent: ``main`` is the measure of categories, halves and intervals.

    ``above_first`` is the interval of the difference to the first row of the table, in points, over all and
    by category.
    """

    row: str
    questions: int
    main: str
    means: Mapping[str, float]
    interval: tuple[float, float]
    categories: Mapping[str, float]
    halves: Mapping[str, float]
    milliseconds: tuple[float, float]
    above_first: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Run:
    """What a row answered, conversation by conversation, and the CPU seconds of each question."""

    row: str
    answers: tuple[tuple[Answer, ...], ...]
    seconds: tuple[float, ...]

    def counted(self, *, adversarial: bool = False) -> list[Answer]:
        """The answers of the questions that count."""
        return [a for some in self.answers for a in some if adversarial or a.category != ADVERSARIAL]


def run(
    name: str, row: Row, conversations: Iterable[Conversation], *, done: Callable[[], object] = lambda: None
) -> Run:
    """One row over all conversations, each a memory of its own; ``done`` is called after each."""
    seconds: list[float] = []
    answers = []
    for conversation in conversations:
        answers.append(tuple(_answers(row, conversation, seconds)))
        done()
    return Run(name, tuple(answers), tuple(seconds))


def figures(one: Run, first: Run, measures: Mapping[str, Measure] = MEASURES, main: str = "R@10") -> Figures:
    """The figures of a run beside the first one of its table."""
    counted = one.counted()
    measure = measures[main]
    half = (len(one.answers) + 1) // 2
    parts = {"first half": one.answers[:half], "second half": one.answers[half:]}
    times = [1_000 * second for second in one.seconds]
    cuts = quantiles(times if len(times) > 1 else times * 2, n=20)
    return Figures(
        one.row,
        len(counted),
        main,
        means(counted, measures),
        interval([100 * measure(answer) for answer in counted]),
        by_category(one.counted(adversarial=True), measure),
        {
            name: means([a for some in part for a in some if a.category != ADVERSARIAL], measures).get(
                main, 0
            )
            for name, part in parts.items()
        },
        (cuts[9], cuts[18]),
        {} if one is first else _above(one, first, measure),
    )


def _above(one: Run, first: Run, measure: Measure) -> dict[str, tuple[float, float]]:
    ours, theirs = one.counted(adversarial=True), first.counted(adversarial=True)
    above = {"all": difference(one.counted(), first.counted(), measure)}
    for category in sorted({answer.category for answer in ours}):
        pairs = [(a, b) for a, b in zip(ours, theirs, strict=True) if a.category == category]
        above[category] = difference([a for a, _ in pairs], [b for _, b in pairs], measure)
    return above


def _answers(row: Row, conversation: Conversation, seconds: list[float]) -> Sequence[Answer]:
    session_of = conversation.session_of
    answers = []
    with row(conversation.notes) as find:
        for asked in conversation.questions:
            start = time.process_time()
            found = tuple(find(asked.text))
            seconds.append(time.process_time() - start)
            answers.append(Answer(found, asked.evidence, asked.category, conversation.name, session_of))
    return answers
