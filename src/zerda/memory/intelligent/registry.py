"""Where names become parts: one line to add another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.rules.noise import is_noise
from ..core.seams import Clock, Embedder, LLMProtocol, Reranker
from ..embedding import embedder_named
from ..embedding.rerankers import reranker_named
from ..errors import ConfigError
from ..storage.base import Stores
from ..upkeep.forgetting import ForgettingMechanism
from ..vault import EncryptionKey, Vault
from .config import MemoryConfig

if TYPE_CHECKING:
    from ..security.policy import MaskingPolicy


def stores_for(config: MemoryConfig, vault: Vault | None = None) -> Stores:
    """Where this configuration keeps its entries, encrypted with a vault. Nothing is opened yet."""
    if not config.enable_persistence:
        from ..storage.memory import InMemoryStores

        return InMemoryStores(vectors=config.semantic_backend)
    if config.storage:
        if config.semantic_backend != "auto":
            raise ConfigError(
                f"semantic_backend is {config.semantic_backend!r}, but entries are on PostgreSQL, which"
                " searches them itself with pgvector; leave it at 'auto'"
            )
        from ..storage.postgres import PostgresStores

        return PostgresStores(config.storage, connections=config.max_connections)
    from ..storage.folder import SQLiteFolder

    return SQLiteFolder(
        Path(config.persistence_path),
        connections=config.max_connections,
        durability=config.durability,
        keys=vault,
        vectors=config.semantic_backend,
    )


def vault_for(config: MemoryConfig, encryption_key: EncryptionKey | None) -> Vault | None:
    """What opens the keys of an encrypted memory; None for a plain one."""
    sealed = encryption_key is not None and config.enable_persistence and not config.storage
    if config.reversible_masking and not sealed:
        raise ConfigError(
            "reversible_masking is True, which keeps what was masked, and nothing would seal it; give an"
            " encryption_key, and a folder to keep it in"
        )
    if encryption_key is None:
        if config.hide_ids:
            raise ConfigError("hide_ids is True, but no encryption_key is given; ids are hidden by a key")
        return None
    if config.storage and config.enable_persistence:
        raise ConfigError(
            "encryption_key is given, but entries on PostgreSQL are not encrypted by this program yet; leave"
            " it out and let the server protect them: an encrypted disk, TLS (sslmode=verify-full) and roles"
        )
    return Vault(encryption_key, hide_ids=config.hide_ids)


def embedder_for(config: MemoryConfig) -> Embedder | None:
    """The embedder that this configuration names; None for "none". It is loaded when it is first used."""
    return embedder_named(config.embedding_model, cache_size=config.embedding_cache_size)


def reranker_for(config: MemoryConfig, llm: LLMProtocol | None) -> Reranker | None:
    """What judges this configuration's hits anew; None for "none". No model is loaded yet."""
    if config.reranker != "llm":
        return reranker_named(config.reranker)
    if llm is None:
        raise ConfigError("reranker is 'llm', but no llm is given; give one, or name another reranker")
    from ..llm import LLMReranker

    return LLMReranker(llm)


def forgetting_for(config: MemoryConfig, clock: Clock) -> ForgettingMechanism:
    """What this configuration lets fade."""
    rate = config.decay_rate if config.base_decay_rate is None else config.base_decay_rate
    return ForgettingMechanism(
        rate, config.min_importance, config.deletion_threshold, curve=config.decay_curve, clock=clock
    )


def policy_for(config: MemoryConfig, given: MaskingPolicy | None, *, personal: bool) -> MaskingPolicy:
    """What is masked: the given policy or all, less what the switches leave out."""
    from ..security.policy import MaskingPolicy

    policy = given or MaskingPolicy()
    policy = policy if personal else policy.without_personal()
    return policy if config.mask_secrets else policy.without_secrets()


def noise_for(config: MemoryConfig) -> Callable[[str], bool] | None:
    """What tells noise, where the configuration skips it."""
    return is_noise if config.noise == "skip" else None
