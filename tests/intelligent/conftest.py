"""A manager on either kind of backend, its clock moves when told, its embedder needs nothing."""

from collections.abc import Iterator

import pytest

import postgres_server
from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.testing import HashingEmbedder, Ticking, tick


@pytest.fixture
def clock() -> Ticking:
    return tick()


@pytest.fixture(params=["in memory", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)])
def memory(request: pytest.FixtureRequest, clock: Ticking) -> Iterator[AIMemoryManager]:
    config = MemoryConfig(enable_persistence=False)
    if request.param == "postgres":
        config = MemoryConfig(storage=request.getfixturevalue("postgres"))
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=clock) as manager:
        yield manager
