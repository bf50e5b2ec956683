"""What the manager's methods share: its parts, and the steps that several of them take."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.model import Draft, MemoryEntry, Scope, State
from ..errors import EmbeddingError, EntryNotFound
from ..gate import whole_tenant
from ..intake import with_vectors
from ..security.access import Permission
from ..upkeep.indexing import index_pending
from .arguments import text_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..context.context_builder import ContextBuilder
    from ..context.seal import Sieve
    from ..core.rules.ranking import Weights
    from ..core.seams import Clock, Embedder, EntityExtractor, Masker, Reranker
    from ..gate import Gate
    from ..intake import Intake
    from ..retrieval.selector import MemorySelector
    from ..security.access import AccessController
    from ..storage.base import Stores
    from ..upkeep.forgetting import ForgettingMechanism
    from ..upkeep.indexing import Indexer
    from ..upkeep.memory_compressor import MemoryCompressor
    from ..vault import Vault
    from .bundle import _TenantBundle
    from .config import MemoryConfig
    from .identity import Identity
    from .uses import ReadLog, UseCounter

log = logging.getLogger(__name__)


class Complaint:
    """Something that goes wrong at every call until it is mended: logged once until then."""

    def __init__(self, message: str) -> None:
        self._message = message
        self._told = False

    def because(self, error: Exception) -> None:
        """It went wrong again."""
        if not self._told:
            log.warning("%s: %s", self._message, error)
        self._told = True

    def mended(self) -> None:
        """It works; the next time is worth a line again."""
        self._told = False


class Steps:
    """The parts, as `AIMemoryManager` puts them together, and what is done with them on the way."""

    config: MemoryConfig
    _clock: Clock
    _masks_personal: bool
    _vault: Vault | None
    _stores: Stores
    _embedder: Embedder | None
    _identity: Identity
    _access: AccessController
    _gate: Gate
    _intake: Intake
    _sieve: Sieve
    _selector: MemorySelector
    _context_builder: ContextBuilder
    _forgetting: ForgettingMechanism
    _compressor: MemoryCompressor
    _weights: Callable[[str | None], Weights]
    _reranker: Reranker | None
    _extractor: EntityExtractor
    _indexer: Indexer
    _without_vectors: Complaint
    _uses: UseCounter
    _reads: ReadLog

    if TYPE_CHECKING:

        def _bundle(self, tenant_id: str) -> _TenantBundle: ...

    def _masker_of(self, tenant_id: str) -> Masker | None:
        return self._intake.masker_of(tenant_id)

    def _may(self, user_id: str, tenant_id: str, permission: Permission) -> Scope:
        return self._gate.require(user_id, tenant_id, permission)

    def _mark(self, scope: Scope, entry_id: str, state: State) -> MemoryEntry:
        store = self._bundle(scope.tenant_id).store
        if not store.mark(scope, [text_of(entry_id, "entry_id")], **state):
            raise EntryNotFound(f"no entry {entry_id!r} of this user in tenant {scope.tenant_id!r}")
        return store.get(scope, entry_id)

    @property
    def _max_words(self) -> int | None:
        return self._embedder.max_words if self._embedder else None

    def _embedded(self, drafts: Sequence[Draft]) -> Sequence[Draft]:
        """The drafts with their vectors, where those are made within the save; else as they are."""
        embedder = self._identity.to_write()
        if embedder is None or not (
            self.config.indexing == "inline" or (self.config.indexing == "auto" and embedder.fast)
        ):
            return drafts
        try:
            embedded = with_vectors(drafts, embedder)
        except EmbeddingError as error:
            self._without_vectors.because(error)
            return drafts
        self._without_vectors.mended()
        return embedded

    def _follow_up(self, scope: Scope) -> None:
        """What need not keep the caller waiting."""
        self._write_uses(scope.tenant_id, only=scope)
        embedder = self._identity.to_write()
        if embedder is not None and (self.config.indexing == "background" or not embedder.fast):
            self._indexer.nudge(scope.tenant_id)

    def _index(self, tenant_id: str) -> None:
        embedder = self._identity.to_write()
        if embedder is not None:
            index_pending(self._stores.store(tenant_id), whole_tenant(tenant_id), embedder)

    def _write_uses(self, tenant_id: str, only: Scope | None = None) -> None:
        self._uses.write(self._bundle(tenant_id).store, tenant_id, self._clock(), only=only)
