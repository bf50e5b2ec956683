"""A tenant's tiers, on one store."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from ..after_fork import Lock
from ..core.model import Query
from ..core.rules.profile import TOPIC_HALF_LIFE_DAYS
from ..core.rules.tokens import estimate_tokens
from ..gate import whole_tenant
from ..intake import Intake
from ..profiles import UserProfileManager
from ..tiers import LongTermMemory, SemanticMemory, ShortTermMemory, WorkingMemory
from .config import MemoryConfig

if TYPE_CHECKING:
    from ..core.model import Draft, MemoryEntry, Scope
    from ..core.seams import Embedder, TokenCounter
    from ..storage.base import Store


class _TenantBundle:
    """``stm``, ``working``, ``ltm``, ``semantic`` of a tenant: the embedding program's views, of all users.

    ``profiles`` are of the same store; who does a round of upkeep holds ``upkeep``. `short_term` narrows
    short-term memory to a user. The store behind them lives on when its file is put aside for others, so a
    bundle may be kept.
    """

    def __init__(
        self,
        tenant_id: str,
        config: MemoryConfig,
        *,
        store: Store,
        intake: Intake,
        embedder: Embedder | None,
        count: TokenCounter = estimate_tokens,
    ) -> None:
        self.tenant_id = tenant_id
        self.store = store
        self._window = config.window_size
        self._intake = intake
        scope = whole_tenant(tenant_id)
        self.stm = self.short_term(scope)
        self._new_working = partial(
            WorkingMemory, config.max_working, config.max_tokens, tenant_id, count=count
        )
        self.working = self._new_working()
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

        self.profiles = UserProfileManager(
            store=store,
            tenant_id=tenant_id,
            half_life_days=TOPIC_HALF_LIFE_DAYS if config.enable_decay else None,
            clock=intake.clock,
        )
        self.upkeep = Lock()
        self._gap = config.session_gap_minutes * 60

    def keep(
        self, scope: Scope, drafts: Sequence[Draft], *, generation: int, given_ids: Sequence[str] = ()
    ) -> list[MemoryEntry]:
        """Keep drafts with the profile's boost, and let the profile learn from what is new: all or nothing.

        A clear since ``generation`` wins: then nothing is kept, as if the clear had come a moment later.
        """
        with self.store.transaction():
            if self.store.generation(scope) != generation:
                return [draft.entry for draft in drafts]
            given = Query(ids=tuple(given_ids), archived=None, limit=None)
            known = {entry.id for entry in self.store.find(scope, given)} if given_ids else set[str]()
            profile = self.store.profile(scope)
            boosted = [self._intake.boosted(draft, profile.memory_retention_boost) for draft in drafts]
            kept = self.store.put(scope, boosted, session_gap_seconds=self._gap)
            new = {entry.id: entry for entry in kept if entry.id not in known}
            self.profiles.learn(scope, new.values(), profile)
            return kept

    def forget_selections(self) -> None:
        """Empty working memory; a context that is being built loads into one of the past."""
        self.working.clear()
        self.working = self._new_working()

    def short_term(self, scope: Scope) -> ShortTermMemory:
        """The short-term memory of one scope of this tenant."""
        return ShortTermMemory(
            self._window, scope.tenant_id, store=self.store, scope=scope, intake=self._intake
        )
