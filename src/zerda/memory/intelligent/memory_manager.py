"""The memory of an application: puts the parts together; what it can do stands in the files of its verbs."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from ..after_fork import Lock
from ..context.context_builder import ContextBuilder
from ..context.counting import counter_named
from ..context.seal import Seal, Sieve
from ..core.aio import awaitable
from ..core.closing import Closing
from ..core.rules.entities import RuleExtractor
from ..core.rules.ids import valid_id
from ..core.rules.time import in_utc
from ..core.trust import Event
from ..embedding.checked import CheckedEmbedder
from ..errors import ConfigError, StoreClosed
from ..gate import Gate
from ..intake import Intake
from ..retrieval.presets import weights_for
from ..retrieval.selector import MemorySelector
from ..security.access import AccessController
from ..security.masking import SensitiveDataMasker
from ..upkeep.indexing import Indexer
from ..upkeep.memory_compressor import MemoryCompressor
from ..vault import EncryptionKey
from .api_keys import KeyMethods, Knocks
from .bundle import _TenantBundle
from .config import MemoryConfig
from .entries import EntryMethods
from .grants import KeptGrants
from .identity import Identity
from .knowing import ProfileMethods
from .named import EntityMethods
from .recalling import RecallMethods
from .registry import (
    embedder_for,
    forgetting_for,
    noise_for,
    policy_for,
    reranker_for,
    stores_for,
    vault_for,
)
from .remasked import RemaskingMethods
from .reviewing import ReviewMethods
from .saving import SavingMethods
from .steps import Complaint
from .tending import UpkeepMethods
from .threads import Threads
from .uses import ReadLog, UseCounter
from .watching import WatchMethods

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Executor

    from ..core.seams import Clock, Embedder, EntityExtractor, LLMProtocol, Masker, Reranker, TokenCounter
    from ..security.policy import MaskingPolicy


class AIMemoryManager(
    SavingMethods,
    RecallMethods,
    ReviewMethods,
    EntryMethods,
    EntityMethods,
    ProfileMethods,
    UpkeepMethods,
    RemaskingMethods,
    KeyMethods,
    WatchMethods,
    Closing,
):
    """Keeps what was said, finds the right piece of it later, and puts it before a model within a budget.

    One object serves all tenants and users of a program, and any number of threads; several processes may
    work on one ``persistence_path``. Nothing is opened before the first call. Use it as a context manager,
    or `close` it.

    Every method first asks whether the user may (`AccessDenied`, a PermissionError) and whether the values
    are sound (`InvalidInput`, a ValueError); a refused call has done nothing. Each has an awaitable twin
    with ``a`` in front: same arguments, same result, same exceptions.

    Args:
        config: how it behaves; the defaults keep everything below ``./memory_storage``.
        llm: any object with ``generate(prompt, max_tokens)``. None is needed to store, find or assemble.
        encryption_key: encrypts all that is kept: a passphrase (text), a raw key (32 bytes), or a function
            that gives one. `WrongKey`, `KeyNeeded`, `NotEncrypted` come with the first call, never later.
        enable_privacy_masking: replace personal data before anything is kept or embedded. Secrets are
            replaced without it too, unless ``config.mask_secrets`` is False.
        max_workers: threads of the awaitable twins.
        extractor: finds names in place of the built-in rules (`docs/entities.md`).
        embedder: takes the place of ``config.embedding_model``; what fails in it is an `EmbeddingError`.
        reranker: takes the place of ``config.reranker``.
        masker: takes the place of the built-in one.
        masking: what is masked, for all tenants or some (`docs/masking.md`); None is everything.
        token_counter: takes the place of ``config.token_counter``.
        noise: says of a text that nobody said it; takes the place of ``config.noise``. What is noise in all
            its parts is not kept, and `stats` counts it.
        clock: tells the time, aware and in UTC.
    """

    def __init__(
        self,
        config: MemoryConfig | None = None,
        llm: LLMProtocol | None = None,
        *,
        encryption_key: EncryptionKey | None = None,
        enable_privacy_masking: bool = True,
        max_workers: int = 4,
        extractor: EntityExtractor | None = None,
        embedder: Embedder | None = None,
        reranker: Reranker | None = None,
        masker: Masker | None = None,
        masking: MaskingPolicy | None = None,
        token_counter: TokenCounter | None = None,
        noise: Callable[[str], bool] | None = None,
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        if max_workers < 1:
            raise ConfigError(f"max_workers is {max_workers!r}; it is at least 1")
        self.config = config or MemoryConfig()
        self.llm = llm
        self._clock = clock = partial(_told_by, clock)
        policy = policy_for(self.config, masking, personal=enable_privacy_masking)
        self._masks_personal = enable_privacy_masking
        if masker is not None and masking is not None:
            raise ConfigError("masker and masking are both given; a masker of your own has its own policy")
        self._vault = vault_for(self.config, encryption_key)
        self._stores = stores_for(self.config, self._vault)
        self._embedder = embedder_for(self.config) if embedder is None else CheckedEmbedder(embedder)
        self._identity = Identity(self._embedder, self._stores.catalog)
        grants = KeptGrants(self._stores.catalog)
        self._access = AccessController(grants, policy=self.config.access_policy, clock=clock)
        self._reads = ReadLog(self._stores.catalog)
        self._knocks = Knocks(self._stores.catalog)
        read = self._reads.add if self.config.audit_reads else None
        self._gate = Gate(self._access, refused=self._refused, read=read)
        self._intake = Intake(
            clock,
            masker if masker is not None and enable_privacy_masking else policy.masker(),
            {} if masker is not None else {name: one.masker() for name, one in policy.tenants.items()},
            lambda tenant_id: policy.of(tenant_id).refuse_secret_ids,
            visibility="tenant" if self.config.sharing == "tenant" else "user",
            promote_from=self.config.importance_threshold,
            suspicious=self.config.suspicious,
            keeps_original=_no_secret if self.config.reversible_masking else None,
        )
        seal = Seal(self._context_secret)
        self._sieve = Sieve(seal, noise if noise is not None else noise_for(self.config))
        self._count = token_counter or counter_named(self.config.token_counter)
        self._selector = MemorySelector(top_k=self.config.retrieval_limit, clock=clock)
        self._context_builder = ContextBuilder(
            self.config.max_tokens,
            count=self._count,
            seal=seal,
            untrusted_share=self.config.context_untrusted_share,
        )
        self._forgetting = forgetting_for(self.config, clock)
        self._compressor = MemoryCompressor(llm, clock=clock)
        self._extractor = extractor or RuleExtractor()
        self._weights = weights_for
        self._reranker = reranker_for(self.config, llm) if reranker is None else reranker
        self._indexer = Indexer(self._index)
        self._without_vectors = Complaint("saved without vectors, to be indexed later")
        self._uses = UseCounter()
        self._bundles: dict[str, _TenantBundle] = {}
        self._lock = Lock()
        self._threads = Threads(max_workers)
        self._closed = False

    def acting_as(self, actor: str, *, strict: bool = False, at_most: str | None = None) -> AIMemoryManager:
        """This memory as a principal may use it: ``agent:planner``, or a user (``user:alice`` or ``alice``).

        What it does for another user it does by delegation, with what both may: the user has to be let in,
        and the principal granted a role ``on_behalf_of`` that user. It is for whoever holds a principal's
        call, such as a server. ``strict`` asks for a role whatever the policy; ``at_most`` is a role beyond
        which it may nothing, whatever was granted, as with an API key. Closing it does nothing.
        """
        return _Acting(self, self._gate.acting_as(actor, strict=strict, at_most=at_most))

    def close(self) -> None:
        """Finish background work and let go of files. Later calls raise `StoreClosed`; again does nothing."""
        with self._lock:
            closed, self._closed = self._closed, True
        if closed:
            return
        self._indexer.close()
        self._knocks.write()
        for tenant_id in self._uses.tenants():
            self._uses.write(self._stores.store(tenant_id), tenant_id, self._clock())
        self._reads.write()
        self._stores.close()
        self._threads.close()

    @property
    def executor(self) -> Executor:
        """The threads on which the awaitable twins run; started by the first of them."""
        return self._threads.started()

    def _bundle(self, tenant_id: str) -> _TenantBundle:
        """The tenant's tiers: made at the first touch, the same object afterwards."""
        valid_id(tenant_id, "tenant_id")
        with self._lock:
            if self._closed:
                raise StoreClosed("this memory was closed; make a new AIMemoryManager")
            if tenant_id not in self._bundles:
                self._bundles[tenant_id] = _TenantBundle(
                    tenant_id,
                    self.config,
                    store=self._stores.store(tenant_id),
                    intake=self._intake,
                    embedder=self._embedder,
                    count=self._count,
                )
            return self._bundles[tenant_id]

    def _context_secret(self) -> bytes:
        """What the marks of contexts are made with: a digest of this memory's own, under no user's name."""
        return "".join(self._stores.catalog.pseudonym(f"\0context {part}") for part in "abcd").encode()

    def _refused(self, tenant_id: str, event: Event) -> None:
        self._stores.catalog.record(tenant_id, [event])

    @property
    def _is_keyed(self) -> bool:
        return self._vault is not None

    aclose = awaitable(close)


def _no_secret(kind: str) -> bool:
    return kind not in SensitiveDataMasker.secrets()


def _told_by(clock: Clock) -> datetime:
    """The time, in UTC; `InvalidInput` where the clock tells one without a zone."""
    return in_utc(clock(), "the time that the clock tells")


class _Acting(AIMemoryManager):
    """A memory behind the gate of one principal; all else is the other's."""

    def __init__(self, memory: AIMemoryManager, gate: Gate) -> None:
        vars(self).update(vars(memory))
        self._memory = memory
        self._gate = gate

    @property
    def executor(self) -> Executor:
        return self._memory.executor

    def close(self) -> None:
        """Nothing: whoever opened the memory closes it."""

    def _bundle(self, tenant_id: str) -> _TenantBundle:
        return self._memory._bundle(tenant_id)
