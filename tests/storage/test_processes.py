"""Several processes on one file: nothing is lost, nobody is turned away, whoever is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from killing import killed

from zerda.memory.core.model import Query, Scope
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import HashingEmbedder

ALICE = Scope("acme", "alice")
EMBEDDER = HashingEmbedder(64)
SRC = Path(__file__).parents[2] / "src"

PROCESSES, WRITES = 6, int(os.environ.get("ZERDA_PROVE_WRITES", "40"))
KILLS = int(os.environ.get("ZERDA_PROVE_KILLS", "5"))

WRITER = """
import sys
from zerda.memory.core.model import Scope
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import HashingEmbedder, draft
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
embedder, scope = HashingEmbedder(64), Scope("acme", "alice")
with SQLiteStore(path) as store:
    for number in range(count):
        store.put(scope, [draft(f"kite {name} {number}", id=f"{name}-{number}", embedder=embedder)])
        print(f"{name}-{number}", flush=True)
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), name, str(count)],
        env={**os.environ, "PYTHONPATH": str(SRC)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def all_found(store: SQLiteStore, expected: set[str]) -> None:
    """Every id is there, and is found by its words and by its vector."""
    kept = {entry.id for entry in store.find(ALICE, Query(limit=None))}
    assert expected <= kept
    words = store.search_words(ALICE, [("kite",)], Query(), limit=10_000)
    assert len(words.keys) == words.passages == words.frequencies["kite"] == len(kept)
    (vector,) = EMBEDDER.embed(["kite"])
    hits = store.search_vectors(ALICE, vector, EMBEDDER.fingerprint, Query(), limit=10_000).hits
    assert {key for key, _ in hits} == set(words.keys)


def intact(store: SQLiteStore) -> None:
    with store._reader() as lease:
        assert lease.connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert lease.connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_processes_that_write_at_once_lose_nothing_and_are_never_turned_away(tmp_path: Path) -> None:
    processes = [writer(tmp_path / "m.db", f"p{number}", WRITES) for number in range(PROCESSES)]
    ends = [process.communicate(timeout=500) for process in processes]
    assert [error for _, error in ends] == [""] * PROCESSES
    with SQLiteStore(tmp_path / "m.db") as store:
        expected = {f"p{number}-{turn}" for number in range(PROCESSES) for turn in range(WRITES)}
        all_found(store, expected)
        assert store.count(ALICE, Query()) == len(expected)
        intact(store)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_what_was_acknowledged_survives_a_killed_process(tmp_path: Path) -> None:
    acknowledged: set[str] = set()
    for round_ in range(KILLS):
        processes = [writer(tmp_path / "m.db", f"r{round_}p{number}", 10**6) for number in range(2)]
        for process in processes:
            assert process.stdout is not None
            for _ in range(3 + 4 * round_ % 7):
                acknowledged.add(process.stdout.readline().strip())
        for process in processes:
            acknowledged.update(killed(process))
        with SQLiteStore(tmp_path / "m.db") as store:
            all_found(store, acknowledged)
            intact(store)
    assert len(acknowledged) > 6 * KILLS
