"""What to do after an incident, on the command line."""

from pathlib import Path

import pytest
from command_runs import Run

from zerda.memory import AIMemoryManager, MemoryConfig


@pytest.fixture
def ids(folder: Path) -> list[str]:
    """Two pages of one host, and what the user said."""
    config = MemoryConfig(persistence_path=str(folder), embedding_model="none")
    me = ("me", "local")
    with AIMemoryManager(config) as memory:
        pages = [
            memory.remember(*me, f"the fennec of page {n}", origin="web", source=f"https://evil.example/{n}")
            for n in range(2)
        ]
        return [*(page.id for page in pages), memory.remember(*me, "the fennec of mine").id]


def test_a_page_is_put_aside_reviewed_and_released(run: Run, ids: list[str]) -> None:
    assert run("quarantine", ids[0], "--because", "odd").out == "in quarantine: 1 of 1\n"
    assert [one["entry"]["id"] for one in run("recall", "fennec", "--json").records].count(ids[0]) == 0
    waiting = run("review", "--json").record
    assert (waiting["id"], waiting["archived_because"]) == (ids[0], "quarantined: odd")
    assert "odd" in run("review", "--everyone").out
    assert run("release", ids[0]).out == "released: 1\n"
    assert run("review").out == ""
    assert run("release", ids[0]).code == 4
    assert run("quarantine", "unknown").code == 4


def test_what_came_in_is_told_by_source_and_forgotten(run: Run, ids: list[str]) -> None:
    came = run("since", "2020-01-01", "--source", "evil.example", "--json").records
    assert sorted(one for record in came for one in record["ids"]) == sorted(ids[:2])
    assert run("forget", "--source", "evil.example", "--yes").out == "forgotten: 2 from evil.example\n"
    assert run("forget", "--source", "evil.example", "--yes").code == 4
    assert [one["id"] for one in run("list", "--json").records] == [ids[2]]
    assert run("forget", ids[2], "--source", "evil.example", "--yes").code == 2


def test_a_recall_asks_for_trust(run: Run, ids: list[str]) -> None:
    found = run("recall", "fennec", "--min-trust", "user", "--json").records
    assert [one["entry"]["id"] for one in found] == [ids[2]]
    assert "page" not in run("prompt", "fennec", "--min-trust", "user").out
    assert "page" not in run("context", "fennec", "--min-trust", "user").out
