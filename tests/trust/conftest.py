"""A memory in a folder, one without a disk, one on a server; each with an embedder that needs nothing."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opening import Make

import postgres_server
from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.testing import HashingEmbedder, Ticking, tick


@pytest.fixture
def clock() -> Ticking:
    return tick()


@pytest.fixture
def make(tmp_path: Path, clock: Ticking) -> Iterator[Make]:
    """Opens memories on one folder, each as another process would; closes them all."""
    opened: list[AIMemoryManager] = []

    def make(*, folder: str = "m", **settings: Any) -> AIMemoryManager:
        config = MemoryConfig(persistence_path=str(tmp_path / folder), **settings)
        opened.append(AIMemoryManager(config, embedder=HashingEmbedder(), clock=clock))
        return opened[-1]

    yield make
    for memory in opened:
        memory.close()


@pytest.fixture(params=["disk", "no disk", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)])
def memory(request: pytest.FixtureRequest, make: Make) -> AIMemoryManager:
    if request.param == "postgres":
        return make(storage=request.getfixturevalue("postgres"))
    return make(enable_persistence=request.param == "disk")
