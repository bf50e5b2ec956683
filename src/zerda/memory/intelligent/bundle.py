"""A tenant's tiers, on one store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..gate import whole_tenant
from ..intake import Intake
from ..tiers import LongTermMemory, SemanticMemory, ShortTermMemory, WorkingMemory
from .config import MemoryConfig

if TYPE_CHECKING:
    from ..core.model import Scope
    from ..core.seams import Embedder
    from ..storage.base import Store


class _TenantBundle:
    """``stm``, ``working``, ``ltm``, ``semantic`` of a tenant: the embedding program's views, of all users.

    `short_term` narrows short-term memory to a user. The store behind them lives on when its file is
    put aside for others, so a bundle may be kept.
    """

    def __init__(
        self, tenant_id: str, config: MemoryConfig, *, store: Store, intake: Intake, embedder: Embedder | None
    ) -> None:
        self.tenant_id = tenant_id
        self.store = store
        self._window = config.window_size
        self._intake = intake
        scope = whole_tenant(tenant_id)
        self.stm = self.short_term(scope)
        self.working = WorkingMemory(config.max_working, config.max_tokens, tenant_id)
        self.ltm = LongTermMemory(
            f"{config.persistence_path}/{tenant_id}_ltm.db",
            tenant_id,
            store=store,
            scope=scope,
            intake=intake,
        )
        self.semantic = SemanticMemory(
            config.embedding_model,
            config.embedding_cache_size,
            tenant_id,
            store=store,
            scope=scope,
            intake=intake,
            embedder=embedder,
        )

    def short_term(self, scope: Scope) -> ShortTermMemory:
        """The short-term memory of one scope of this tenant."""
        return ShortTermMemory(
            self._window, scope.tenant_id, store=self.store, scope=scope, intake=self._intake
        )
