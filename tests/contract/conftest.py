"""The checklist is proved on every backend: the fixture `memory` comes once of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import postgres_server
from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.testing import HashingEmbedder, Ticking, tick

Making = Callable[..., AIMemoryManager]


@pytest.fixture
def clock() -> Ticking:
    return tick()


@pytest.fixture(params=["in memory", "sqlite", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)])
def make(request: pytest.FixtureRequest, tmp_path: Path, clock: Ticking) -> Iterator[Making]:
    """Makes managers of one backend; those of SQLite share a folder, those of PostgreSQL a schema.

    Closed after the test.
    """
    made: list[AIMemoryManager] = []
    storage = request.getfixturevalue("postgres") if request.param == "postgres" else ""

    def making(llm: Any = None, **settings: Any) -> AIMemoryManager:
        config = MemoryConfig(
            persistence_path=str(tmp_path / "memory"),
            enable_persistence=request.param != "in memory",
            storage=storage,
            durability="relaxed",
            **settings,
        )
        made.append(AIMemoryManager(config, llm, embedder=HashingEmbedder(), clock=clock))
        return made[-1]

    yield making
    for memory in made:
        memory.close()


@pytest.fixture
def memory(make: Making) -> AIMemoryManager:
    return make()
