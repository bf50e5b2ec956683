"""T1, Z9: compression above 80 %, with links to the sources; a failing model changes nothing."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest

from zerda.memory import AIMemoryManager, Query
from zerda.memory.gate import whole_tenant
from zerda.memory.testing import ScriptedLLM, Ticking

ALICE = ("alice", "acme")
DAY = timedelta(days=1)
SENTENCES = [
    f"On day {n} we walked along the river {river} and saw the old bridge."
    for n, river in enumerate(["Tejo", "Douro", "Minho", "Sado", "Mondego", "Vouga", "Lima", "Ave"] * 10)
]


class Stuck:
    """A model that never answers, until it is let go."""

    def __init__(self) -> None:
        self.released = threading.Event()

    def generate(self, prompt: str, max_tokens: int = 256) -> str:
        self.released.wait(30)
        return "We walked along the river."


def fill(memory: AIMemoryManager, count: int, clock: Ticking, user: str = "alice") -> list[str]:
    notes = [{"content": text, "importance": 0.9} for text in SENTENCES[:count]]
    ids = [entry.id for entry in memory.remember_many(user, "acme", notes)]
    clock.advance(2 * DAY)
    return ids


def everything(memory: AIMemoryManager) -> list[Any]:
    return memory._bundle("acme").store.find(whole_tenant("acme"), Query(archived=None, limit=None))


@pytest.mark.parametrize(("most", "needed"), [(50, False), (49, True)])
def test_T1_only_strictly_above_80_percent(make: Any, clock: Ticking, most: int, needed: bool) -> None:
    memory = make(max_long_term=most)
    fill(memory, 40, clock)
    assert memory.run_maintenance("acme")["compression"]["needed"] is needed
    assert (memory.stats("acme")["archived"] > 0) is needed


def test_T1_without_a_model_a_summary_quotes_what_was_said(make: Any, clock: Ticking) -> None:
    memory = make(max_long_term=45)
    ids = fill(memory, 40, clock)
    report = memory.run_maintenance("acme")["compression"]
    assert (report["summaries"], report["summarised"]) == (1, 5)
    (summary,) = memory.list(*ALICE, filters=Query(kinds=("summary",))).entries
    assert (summary.origin, summary.trust, summary.user_id) == ("derived", "user", "alice")
    assert summary.sources == tuple(ids[:5])
    assert isinstance(summary.content, str)
    said = [memory.get(*ALICE, one) for one in summary.sources]
    for line in summary.content.split("\n"):
        assert any(line in entry.text for entry in said)
    for entry in said:
        assert entry.archived_because == f"summarised: {summary.id}"
    assert memory.stats("acme")["ltm"]["total_entries"] == 36
    assert summary.id in {
        hit.entry.id for hit in memory.recall(*ALICE, "Which river?", limit=50, min_score=0)
    }
    assert memory.stats("acme")["pending"] == 0


def test_T1_with_a_model_the_summary_is_the_models(make: Any, clock: Ticking) -> None:
    llm = ScriptedLLM(["We walked along the rivers Tejo and Douro and saw the old bridge."])
    memory = make(llm, max_long_term=45)
    fill(memory, 40, clock)
    assert memory.run_maintenance("acme")["compression"]["summaries"] == 1
    (summary,) = memory.list(*ALICE, filters=Query(kinds=("summary",))).entries
    assert summary.content == "We walked along the rivers Tejo and Douro and saw the old bridge."
    assert f"| {SENTENCES[0]}" in llm.prompts[0]
    assert memory.run_maintenance("acme")["compression"]["needed"] is False
    assert len(llm.prompts) == 1


@pytest.mark.parametrize(
    "answer",
    [
        OSError("down"),
        "",
        "Sure! Here is a poem about cats, as you have wished for, with many happy kittens.",
        "We walked along 99 rivers.",
        "river " * 2_000,
    ],
)
def test_T1_a_failing_or_babbling_model_changes_nothing_and_is_reported(
    make: Any, clock: Ticking, answer: Any
) -> None:
    memory = make(ScriptedLLM([answer, answer]), max_long_term=45)
    fill(memory, 40, clock)
    before = everything(memory)
    report = memory.run_maintenance("acme")
    assert everything(memory) == before
    assert len(report["failures"]) == 1
    assert "language model" in report["failures"][0]
    assert memory.run_maintenance("acme")["reasons"] == []


def test_T1_a_slow_model_changes_nothing_and_is_reported(make: Any, clock: Ticking) -> None:
    llm = Stuck()
    memory = make(llm, max_long_term=45)
    memory._compressor.time_limit_seconds = 0.01
    fill(memory, 40, clock)
    before = everything(memory)
    assert "no answer within" in memory.run_maintenance("acme")["failures"][0]
    assert everything(memory) == before
    llm.released.set()


def test_T1_near_duplicates_are_merged_with_links_and_lost_nowhere(make: Any, clock: Ticking) -> None:
    memory = make(max_long_term=10)
    first = memory.remember(*ALICE, "I like the green tea.", importance=0.8, tags=["a"])
    second = memory.remember(*ALICE, "I like green tea", importance=0.9, tags=["b"])
    other = memory.remember(*ALICE, "I don't like green tea", importance=0.8)
    bobs = memory.remember("bob", "acme", "I like green tea", importance=0.9)
    fill(memory, 8, clock)
    report = memory.run_maintenance("acme")
    assert report["compression"]["merged"] == 1
    survivor, merged = memory.get(*ALICE, second.id), memory.get(*ALICE, first.id)
    assert (survivor.sources, survivor.importance, survivor.tags) == ((first.id,), 0.9, ("b", "a"))
    assert survivor.archived_at is None
    assert merged.archived_because == f"merged: {second.id}"
    assert memory.get(*ALICE, other.id).archived_because in (None, f"summarised: {_summary_of(memory)}")
    assert memory.get("bob", "acme", bobs.id).archived_at is None
    assert memory.restore(*ALICE, first.id).content == "I like the green tea."


def _summary_of(memory: AIMemoryManager) -> str:
    found = memory.list(*ALICE, filters=Query(kinds=("summary",))).entries
    return found[0].id if found else ""


def test_T1_nobodys_entries_are_summarised_with_anothers(make: Any, clock: Ticking) -> None:
    memory = make(max_long_term=20)
    fill(memory, 20, clock)
    fill(memory, 20, clock, user="bob")
    for _ in range(6):
        memory.run_maintenance("acme")
        clock.advance(DAY)
    summaries = [entry for entry in everything(memory) if entry.kind == "summary"]
    assert len(summaries) > 2
    of = {entry.id: entry.user_id for entry in everything(memory)}
    for summary in summaries:
        assert {of[source] for source in summary.sources} == {summary.user_id}


def test_T1_sources_are_kept_as_long_as_their_summary(make: Any, clock: Ticking) -> None:
    memory = make(max_long_term=45, enable_decay=False, archive_days=10)
    ids = fill(memory, 40, clock)
    memory.run_maintenance("acme")
    (summary,) = memory.list(*ALICE, filters=Query(kinds=("summary",))).entries
    clock.advance(30 * DAY)
    assert memory.run_maintenance("acme")["ltm"]["purged"] == 0
    assert memory.get(*ALICE, ids[0]).archived_at is not None
    memory.forget(*ALICE, summary.id)
    assert {entry.id for entry in everything(memory)}.isdisjoint(ids[:5])


def test_T1_what_was_forgotten_is_in_no_summary_either(make: Any, clock: Ticking) -> None:
    memory = make(max_long_term=45)
    ids = fill(memory, 40, clock)
    memory.run_maintenance("acme")
    memory.forget(*ALICE, ids[0])
    assert not [entry for entry in everything(memory) if entry.kind == "summary"]
    assert all(memory.get(*ALICE, one).archived_at is None for one in ids[1:5])
