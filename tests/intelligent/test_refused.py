"""A refused call has done nothing."""

from collections.abc import Callable
from pathlib import Path

import pytest

from zerda.memory import AccessDenied, AIMemoryManager, MemoryConfig

ON_AN_ENTRY: dict[str, Callable[[AIMemoryManager], object]] = {
    "get": lambda memory: memory.get("eve", "acme", "id"),
    "history": lambda memory: memory.history("eve", "acme", "id"),
    "update": lambda memory: memory.update("eve", "acme", "id", importance=1),
    "pin": lambda memory: memory.pin("eve", "acme", "id"),
    "archive": lambda memory: memory.archive("eve", "acme", "id"),
    "restore": lambda memory: memory.restore("eve", "acme", "id"),
    "forget": lambda memory: memory.forget("eve", "acme", "id"),
    "list": lambda memory: memory.list("eve", "acme"),
    "recall": lambda memory: memory.recall("eve", "acme", "who?"),
    "build_context": lambda memory: memory.build_context("eve", "acme", "who?"),
    "remember": lambda memory: memory.remember("eve", "acme", "a"),
    "profile": lambda memory: memory.profile("eve", "acme"),
}


@pytest.mark.parametrize("method", ON_AN_ENTRY)
def test_a_stranger_makes_no_tenant(method: str, tmp_path: Path) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path), access_policy="strict")
    with AIMemoryManager(config) as memory:
        with pytest.raises(AccessDenied):
            ON_AN_ENTRY[method](memory)
        assert not [*tmp_path.glob("acme*")]


def test_a_principal_may_not_reindex() -> None:
    with AIMemoryManager(MemoryConfig(enable_persistence=False)) as memory:
        memory.grant("bob", "acme", "admin")
        with pytest.raises(AccessDenied, match="may not reindex"):
            memory.acting_as("bob").reindex()
