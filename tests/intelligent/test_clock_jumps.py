"""The clock jumps ten years, either way, and back: nothing said is lost, and the memory goes on."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

import postgres_server
from zerda.memory import AIMemoryManager, MemoryConfig, Query
from zerda.memory.testing import START, HashingEmbedder

ALICE = ("alice", "acme")
DECADE = timedelta(days=3_652)


class Wrong:
    """A clock that says what it is told."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.mark.parametrize("ahead", [True, False], ids=["forward", "back"])
@pytest.mark.parametrize("store", ["sqlite", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)])
def test_nothing_is_lost_by_a_clock_that_jumps(
    store: str, ahead: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    storage = request.getfixturevalue("postgres") if store == "postgres" else ""
    clock = Wrong()
    config = MemoryConfig(persistence_path=str(tmp_path / "memory"), storage=storage)
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=clock) as memory:
        for number in range(5):
            memory.save_interaction(
                *ALICE, f"the cello of hall {number} is brown", "Noted.", id=f"before-{number}"
            )
        clock.now += DECADE if ahead else -DECADE
        for number in range(5):
            memory.save_interaction(
                *ALICE, f"the harp of hall {number} is gold", "Noted.", id=f"wrong-{number}"
            )
        report = memory.run_maintenance("acme")
        assert report["failures"] == []
        assert report["ltm"]["purged"] == 0
        assert memory.recall(*ALICE, "which harp is gold", min_score=0)[0].entry.id.startswith("wrong-")
        assert "harp" in memory.build_context(*ALICE, "which harp is gold").full_text
        clock.now = START + timedelta(days=1)
        memory.save_interaction(*ALICE, "the flute of the hall is silver", "Noted.", id="after")
        assert memory.run_maintenance("acme")["failures"] == []
        kept = {entry.id for entry in memory.list(*ALICE, limit=100).entries}
        put_away = {
            entry.id for entry in memory.list(*ALICE, limit=100, filters=Query(archived=True)).entries
        }
        assert len(kept | put_away) == 11
        for gone in put_away:
            memory.restore(*ALICE, gone)
        texts = " ".join(line for line in memory.export_user(*ALICE))
        assert all(f"{what}-{number}" in texts for what in ("before", "wrong") for number in range(5))
        assert memory.recall(*ALICE, "which flute is silver", min_score=0)[0].entry.id == "after"
        assert memory.verify_audit("acme").faults == ()
