"""Where names become parts: one line to add another."""

from __future__ import annotations

from pathlib import Path

from ..core.seams import Embedder, Masker
from ..embedding import embedder_named
from ..storage.base import Stores
from .config import MemoryConfig


def stores_for(config: MemoryConfig) -> Stores:
    """Where this configuration keeps its entries. Nothing is opened yet."""
    if not config.enable_persistence:
        from ..storage.memory import InMemoryStores

        return InMemoryStores()
    from ..storage.folder import SQLiteFolder

    return SQLiteFolder(
        Path(config.persistence_path), connections=config.max_connections, durability=config.durability
    )


def embedder_for(config: MemoryConfig) -> Embedder | None:
    """The embedder that this configuration names; None for "none". It is loaded when it is first used."""
    return embedder_named(config.embedding_model, cache_size=config.embedding_cache_size)


def masker_for() -> Masker:
    """The built-in masking of personal data and secrets."""
    from ..security.masking import SensitiveDataMasker

    return SensitiveDataMasker()
