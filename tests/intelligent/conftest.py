"""A manager in memory, with a clock that moves when told and an embedder that needs nothing."""

from collections.abc import Iterator

import pytest

from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.testing import HashingEmbedder, Ticking, tick


@pytest.fixture
def clock() -> Ticking:
    return tick()


@pytest.fixture
def memory(clock: Ticking) -> Iterator[AIMemoryManager]:
    config = MemoryConfig(enable_persistence=False)
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=clock) as manager:
        yield manager
