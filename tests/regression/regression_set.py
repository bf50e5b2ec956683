"""Our own conversations and the questions about them, asked through the public API.

Run as a program, it prints what is measured now; with ``--misses`` the questions that lack something, too;
with ``--record`` it writes ``floor.json`` anew.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from zerda.memory import AIMemoryManager, MemoryConfig, Note

HERE = Path(__file__).parent
FLOOR = HERE / "floor.json"
ASKER = ("reader", "regression")
TODAY = datetime(2026, 1, 1, tzinfo=UTC)  # After the last turn, so that ages are the same in every run.
CUTS = (5, 10)
EMBEDDERS = ("none", "auto")

SLACK = 3.0  # Points below the measured share at which a floor lies, at the least.
QUESTIONS_OF_SLACK = 1.5  # And so many questions, in groups where one question is more than that.


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the ids of the turns that answer it (none: nothing was said), and its group."""

    text: str
    evidence: frozenset[str]
    language: str
    category: str


@dataclass(frozen=True, slots=True)
class Found:
    """A question with the ids that were found for it, best first, and those above the floor of relevance."""

    asked: Asked
    ids: tuple[str, ...]
    relevant: tuple[str, ...]

    def share_at(self, k: int) -> float:
        """The share of the evidence among the first k, in per cent."""
        return 100 * len(self.asked.evidence & set(self.ids[:k])) / len(self.asked.evidence)


def turns() -> list[Note]:
    """The conversations, in order: messages of named speakers, and exchanges with an assistant."""
    return [_note(row) for row in _rows("conversations.jsonl")]


def questions() -> list[Asked]:
    """The questions, those about which nothing was said among them (category "nothing")."""
    return [
        Asked(row["text"], frozenset(row["evidence"]), row["language"], row["category"])
        for row in _rows("questions.jsonl")
    ]


def ask_all(embedder: str) -> list[Found]:
    """Every question, asked of one user's memory of all conversations."""
    with _remembering(embedder) as memory:
        return [_ask(memory, asked) for asked in questions()]


def measured(found: Sequence[Found]) -> dict[str, dict[str, float]]:
    """What the floor is compared with: shares of the evidence over all and by group, and both silences.

    "nothing" is the share of the questions without an answer that got none, "something" the share of the
    others for which evidence passed the floor of relevance: either alone could be had for nothing.
    """
    answerable = [one for one in found if one.asked.evidence]
    unanswerable = [one for one in found if not one.asked.evidence]
    figures = {f"R@{k}": _by_group(answerable, k) for k in CUTS}
    figures["floor of relevance"] = {
        "nothing": _mean([100.0 * (not one.relevant) for one in unanswerable]),
        "something": _mean([100.0 * bool(one.asked.evidence & set(one.relevant)) for one in answerable]),
    }
    return figures


def _by_group(found: Sequence[Found], k: int) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for one in found:
        for name in ("all", one.asked.language, one.asked.category):
            groups.setdefault(name, []).append(one.share_at(k))
    return {name: _mean(shares) for name, shares in groups.items()}


def floor_below(
    figures: Mapping[str, Mapping[str, float]], sizes: Mapping[str, int]
) -> dict[str, dict[str, float]]:
    """The floor that is recorded for these figures: lower by `SLACK` or by one question and a half."""
    return {
        measure: {
            group: round(max(0.0, value - max(SLACK, 100 * QUESTIONS_OF_SLACK / sizes[group])), 1)
            for group, value in values.items()
        }
        for measure, values in figures.items()
    }


def sizes() -> dict[str, int]:
    """How many questions each group has."""
    counts: dict[str, int] = {}
    for asked in questions():
        for name in ("all", asked.language, asked.category, "something") if asked.evidence else ("nothing",):
            counts[name] = counts.get(name, 0) + 1
    return counts


def _rows(name: str) -> Iterator[dict[str, Any]]:
    return map(json.loads, (HERE / name).read_text("utf-8").splitlines())


def _note(row: Mapping[str, Any]) -> Note:
    exchange = "user" in row
    return Note(
        content={"input": row["user"], "output": row["assistant"]} if exchange else row["text"],
        kind="interaction" if exchange else "message",
        id=row["id"],
        speaker=row.get("speaker"),
        session_id=row["session"],
        occurred_at=datetime.fromisoformat(row["at"]),
    )


@contextmanager
def _remembering(embedder: str) -> Iterator[AIMemoryManager]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        config = MemoryConfig(persistence_path=folder, embedding_model=embedder)
        with AIMemoryManager(config, clock=lambda: TODAY) as memory:
            memory.remember_many(*ASKER, turns())
            memory.flush()
            yield memory


def _ask(memory: AIMemoryManager, asked: Asked) -> Found:
    hits = memory.recall(*ASKER, asked.text, limit=max(CUTS), min_score=0)
    floor = memory.config.relevance_floor
    return Found(
        asked, tuple(hit.entry.id for hit in hits), tuple(hit.entry.id for hit in hits if hit.score >= floor)
    )


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 1)


def _table(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> Iterator[str]:
    counts = sizes()
    columns = [(embedder, measure) for embedder in figures for measure in figures[embedder]]
    yield (
        "| group | questions | "
        + " | ".join(f"{embedder}: {measure}" for embedder, measure in columns)
        + " |"
    )
    yield "|---" * (2 + len(columns)) + "|"
    for group, count in counts.items():
        cells = (figures[embedder][measure].get(group, "") for embedder, measure in columns)
        yield f"| {group} | {count} | " + " | ".join(str(cell) for cell in cells) + " |"


def _misses(embedder: str, found: Sequence[Found]) -> Iterator[str]:
    for one in found:
        if one.asked.evidence and one.share_at(10) < 100:
            lacking = sorted(one.asked.evidence - set(one.ids))
            yield f"{embedder}: {one.asked.text} lacks {lacking}, found {one.ids[:5]}"
        if not one.asked.evidence and one.relevant:
            yield f"{embedder}: {one.asked.text} got {one.relevant}"


def main(arguments: Sequence[str]) -> None:
    found = {embedder: ask_all(embedder) for embedder in EMBEDDERS}
    figures = {embedder: measured(answers) for embedder, answers in found.items()}
    print("\n".join(_table(figures)))
    if "--misses" in arguments:
        print("\n".join(line for embedder, answers in found.items() for line in _misses(embedder, answers)))
    if "--record" in arguments:
        floors = {embedder: floor_below(each, sizes()) for embedder, each in figures.items()}
        FLOOR.write_text(json.dumps(floors, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
