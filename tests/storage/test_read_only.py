"""A memory in a folder that may not be written is read, and nothing in it changes."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from killing import started

from zerda.memory import AIMemoryManager, MemoryConfig, StorageReadOnly
from zerda.memory.testing import HashingEmbedder, tick

ALICE = ("alice", "acme")
NOBODY = 65534
KEY = bytes(32)

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="an unprivileged child needs a fork")


@pytest.fixture(autouse=True)
def reachable(tmp_path: Path) -> None:
    """Let the unprivileged child come to the folder."""
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and not folder.stat().st_mode & 0o001:
            folder.chmod(folder.stat().st_mode | 0o011)


def manager(folder: Path, key: bytes | None) -> AIMemoryManager:
    config = MemoryConfig(persistence_path=str(folder), relevance_floor=0.0)
    return AIMemoryManager(config, encryption_key=key, embedder=HashingEmbedder(), clock=tick())


def digests(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())}


def frozen(folder: Path) -> None:
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)


def by_nobody(work: Callable[[], None]) -> None:
    """Run it as a user who may read and not write."""

    def unprivileged() -> None:
        if os.getuid() == 0:
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        work()

    status = os.waitpid(started(unprivileged), 0)[1]
    assert os.waitstatus_to_exitcode(status) == 0, "the child failed; its traceback is above"


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_read_only_memory_is_read_and_not_changed(tmp_path: Path, key: bytes | None) -> None:
    folder = tmp_path / "memory"
    with manager(folder, key) as memory:
        entry = memory.remember(*ALICE, "the cello stands in the hall")
        memory.build_prompt(*ALICE, "load here what the child may not read")
    frozen(folder)
    before = digests(folder)

    def reading() -> None:
        with manager(folder, key) as memory:
            assert memory.recall(*ALICE, "the cello")[0].entry.id == entry.id
            assert "the cello stands" in memory.build_prompt(*ALICE, "where is the cello?")
            assert memory.list(*ALICE).entries[0].access_count == 1
            assert memory.stats("acme")["entries"] == 1
            for call in (
                lambda: memory.remember(*ALICE, "the harp"),
                lambda: memory.forget(*ALICE, entry.id),
                lambda: memory.grant("bob", "acme", "reader"),
            ):
                with pytest.raises(StorageReadOnly, match="may be read here and not written"):
                    call()

    by_nobody(reading)
    folder.chmod(0o755)
    assert digests(folder) == before


def test_what_stands_in_the_log_alone_is_not_passed_over(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    with manager(folder, None) as memory:
        memory.remember(*ALICE, "the cello stands in the hall")
        memory.remember(*ALICE, "no, the cello stands in the attic")
        assert (folder / "acme_ltm.db-wal").stat().st_size
        frozen(folder)

        def reading() -> None:
            with manager(folder, None) as other:
                assert len(other.recall(*ALICE, "the cello")) == 2

        by_nobody(reading)
        folder.chmod(0o755)
        for path in folder.iterdir():
            path.chmod(0o644)
