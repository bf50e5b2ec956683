"""A disk that is really full: a small file system in memory, mounted for the test."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from zerda.memory import AIMemoryManager, MemoryConfig, StorageFull, doctor

KEY = b"k" * 32
ALICE = ("alice", "acme")


def _mounted(folder: Path, options: str) -> bool:
    mount = shutil.which("mount")
    if mount is None:
        return False
    done = subprocess.run(
        [mount, "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True, check=False
    )
    return done.returncode == 0


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A disk of three megabytes."""
    folder = tmp_path / "small"
    folder.mkdir()
    if not _mounted(folder, "size=3m"):
        pytest.skip("this user may not mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def _fill(memory: AIMemoryManager, kept: list[str]) -> None:
    while len(kept) < 10_000:
        kept.append(memory.remember(*ALICE, f"kite {len(kept)} {os.urandom(400).hex()}").id)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_the_first_save_that_has_no_room_raises_reads_go_on_and_room_mends_it(
    small: Path, key: bytes | None
) -> None:
    path = small / "m"
    with AIMemoryManager(MemoryConfig(persistence_path=str(path)), encryption_key=key) as memory:
        memory.grant("alice", "acme", "admin")
        kept: list[str] = []
        with pytest.raises(StorageFull, match="no room") as caught:
            _fill(memory, kept)
        assert "kite" not in str(caught.value)
        assert kept
        assert memory.recall(*ALICE, "kite 3", min_score=0)
        assert "kite" in memory.build_context(*ALICE, "kite 3").full_text
        assert memory.stats("acme")["entries"] == len(kept)
        assert _mounted(small, "remount,size=12m")
        kept.append(memory.remember(*ALICE, "there is room again").id)
    with AIMemoryManager(MemoryConfig(persistence_path=str(path)), encryption_key=key) as memory:
        assert [memory.get(*ALICE, one).id for one in kept] == kept
        assert memory.stats("acme")["entries"] == len(kept)
    assert doctor(path, encryption_key=key) == []
