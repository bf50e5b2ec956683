"""``zerda why``: what made the place of one memory for a question, or what it lacked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from .. import render
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import AIMemoryManager, Hit, MemoryEntry

DEEPEST = 1_000
"""Places that are looked at; what lies behind them has none."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The entry, its place among all hits (None: it has none), its hit, and the floor it has to pass."""

    entry: MemoryEntry
    place: int | None
    hit: Hit | None
    above: Hit | None
    floor: float

    def verdict(self) -> str:
        """In one line, for people."""
        if self.entry.archived_at is not None:
            return f"not found: it is archived ({self.entry.archived_because or 'by hand'})"
        if self.hit is None:
            return "not found: neither its words nor its meaning, time or neighbours answer the question"
        if self.hit.score < self.floor:
            return f"not shown: {self.hit.score:.2f} is below the floor of {self.floor:.2f}"
        if self.place is None:
            return f"behind the first {DEEPEST:,}"
        return f"place {self.place}, {self.hit.score:.2f}"


@click.command()
@click.argument("entry_id", metavar="ID")
@click.argument("query")
@memory_command
def command(call: Call, entry_id: str, query: str) -> None:
    """Explain the place of the memory ID among what is found for QUERY.

    Exits with 4 where there is none of that ID.
    """
    with call.open(making=False) as memory:
        answer = _asked(memory, call, entry_id, query)
    if call.json:
        render.write_json(_record(answer))
        return
    render.write(answer.entry.text)
    render.write(f"\n{answer.verdict()}")
    if answer.hit is not None:
        render.write_table(("what adds to it", ""), _parts(answer.hit))
    if answer.above is not None:
        render.note(f"before it: {answer.above.entry.id}, {render.why(answer.above)}")


def _asked(memory: AIMemoryManager, call: Call, entry_id: str, query: str) -> Answer:
    from zerda.memory import Query

    entry = memory.get(call.user, call.tenant, entry_id)
    hits = memory.recall(call.user, call.tenant, query, limit=DEEPEST, min_score=0)
    place = next((n for n, hit in enumerate(hits, 1) if entry_id in (hit.entry.id, *hit.copies)), None)
    alone = memory.recall(call.user, call.tenant, query, filters=Query(ids=(entry_id,)), min_score=0)
    hit = hits[place - 1] if place is not None and hits[place - 1].entry.id == entry_id else None
    above = hits[place - 2] if place is not None and place > 1 else None
    return Answer(entry, place, hit or next(iter(alone), None), above, memory.config.relevance_floor)


def _parts(hit: Hit) -> list[tuple[str, str]]:
    parts = sorted(hit.parts.items(), key=lambda part: -abs(part[1]))
    told = [(name, f"{value:+.2f}") for name, value in parts if abs(value) >= 0.005]
    return [*told, ("proposed by", ", ".join(hit.sources))]


def _record(answer: Answer) -> dict[str, Any]:
    return {
        "place": answer.place,
        "floor": answer.floor,
        "verdict": answer.verdict(),
        "hit": answer.hit and render.hit_record(answer.hit),
        "above": answer.above and render.hit_record(answer.above),
        "entry": render.entry_record(answer.entry),
    }
