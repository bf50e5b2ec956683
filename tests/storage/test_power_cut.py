"""The power fails: what was acknowledged is there, whatever of the rest the disk had kept."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from zerda.memory import AIMemoryManager, MemoryConfig, doctor

HERE = Path(__file__).parent
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the disk is simulated on Linux's VFS")


def saved(folder: Path, durability: str, seed: int, key: str = "") -> list[int]:
    """Save on the disk that forgets; how often it was synced by each save."""
    program = [sys.executable, HERE / "volatile.py", folder / "memory", folder / "images"]
    done = subprocess.run(
        [*program, durability, str(seed), key],
        env={**os.environ, "PYTHONPATH": str(HERE.parents[1] / "src")},
        capture_output=True,
        check=True,
        timeout=300,
    )
    return [int(line) for line in done.stdout.split()]


def images(folder: Path, durability: str, seed: int) -> Iterator[tuple[Path, set[str]]]:
    """What the disk held at several moments, and what had been acknowledged by then."""
    saved(folder, durability, seed)
    for image in sorted((folder / "images").iterdir()):
        acknowledged = image / "acknowledged"
        ids = set(json.loads(acknowledged.read_text()))
        acknowledged.unlink()
        yield image, ids


def kept(image: Path) -> set[str]:
    config = MemoryConfig(persistence_path=str(image), embedding_model="none")
    with AIMemoryManager(config) as memory:
        ids = {entry.id for entry in memory.list("alice", "acme", limit=100).entries}
        found = memory.recall("alice", "acme", "red kite harbour", limit=100, min_score=0) if ids else []
        assert {hit.entry.id for hit in found} <= ids
        memory.remember("alice", "acme", "and it goes on", id="later")
    assert [one for one in doctor(image) if one.serious] == []
    return ids


@pytest.mark.parametrize("seed", [1, 2])
def test_every_acknowledged_save_is_there_after_a_power_cut(tmp_path: Path, seed: int) -> None:
    tried = 0
    for image, acknowledged in images(tmp_path, "full", seed):
        if acknowledged:
            tried += 1
            assert acknowledged <= kept(image)
        shutil.rmtree(image)
    assert tried >= 15


def test_without_a_sync_for_each_save_some_would_be_gone(tmp_path: Path) -> None:
    """So that the disk above is one that forgets: "relaxed" survives a killed process, not this."""
    lost = [
        acknowledged - kept(image) for image, acknowledged in images(tmp_path, "relaxed", 2) if acknowledged
    ]
    assert any(lost)


@pytest.mark.parametrize("key", ["", "6b" * 32], ids=["plain", "encrypted"])
def test_each_save_is_synced_before_it_is_acknowledged(tmp_path: Path, key: str) -> None:
    full, relaxed = (saved(tmp_path / name, name, 1, key) for name in ("full", "relaxed"))
    assert min(full) >= 1
    assert min(relaxed) == 0
