"""A memory behind the application, within the process or on a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from serving_here import KeyRing, serving
from starlette.testclient import TestClient

from zerda.memory import AIMemoryManager, Client, MemoryConfig
from zerda.memory.rest.app import application
from zerda.memory.testing import HashingEmbedder, Ticking, tick

Headers = dict[str, str]


@pytest.fixture
def clock() -> Ticking:
    return tick()


@pytest.fixture
def library(clock: Ticking) -> Iterator[AIMemoryManager]:
    """The memory itself, as the server's process has it."""
    config = MemoryConfig(enable_persistence=False)
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=clock) as memory:
        yield memory


@pytest.fixture
def http(library: AIMemoryManager) -> Iterator[TestClient]:
    """Calls the application within this process."""
    with TestClient(application(library), base_url="http://localhost") as client:
        yield client


@pytest.fixture
def key(library: AIMemoryManager) -> Callable[..., Headers]:
    """Makes a key and gives the header that carries it."""

    def key(user_id: str = "alice", tenant_id: str = "acme", role: str = "owner", **more: Any) -> Headers:
        return bearer(library.create_key(user_id, tenant_id, role, **more).secret)

    return key


@pytest.fixture
def alice(key: Callable[..., Headers]) -> Headers:
    return key()


@pytest.fixture
def admin(key: Callable[..., Headers]) -> Headers:
    return key("root", role="admin")


@pytest.fixture
def memory(library: AIMemoryManager) -> Iterator[Client]:
    """The memory as a client of a server has it, with a key for each user."""
    with serving(library) as url, Client(url, KeyRing(library)) as client:
        yield client


def bearer(secret: str) -> Headers:
    return {"Authorization": f"Bearer {secret}"}
