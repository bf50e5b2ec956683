"""What the manager does for a memory as a whole: statistics, upkeep, indexing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from ..core.aio import awaitable
from ..core.model import Query
from ..core.rules.ids import valid_id
from ..core.rules.time import in_utc
from ..errors import ConfigError
from ..gate import whole_tenant
from ..intake import draft_of
from ..upkeep.indexing import reindex
from ..upkeep.naming import name_pending
from ..upkeep.round import Round
from .arguments import flag_of
from .trusted import TrustMethods

if TYPE_CHECKING:
    from .bundle import _TenantBundle


class UpkeepMethods(TrustMethods):
    """The part of `AIMemoryManager` that keeps a memory in shape, and tells its state."""

    if TYPE_CHECKING:
        _bundles: dict[str, _TenantBundle]

    def stats(self, tenant_id: str, *, actor: str | None = None) -> dict[str, Any]:
        """What a tenant holds, tier by tier, and how it is searched and guarded.

        Args:
            actor: the principal who asks, who then needs ADMIN; None is the program itself.
        """
        self._gate.administer(tenant_id, actor)
        bundle = self._bundle(tenant_id)
        counts = bundle.store.stats(whole_tenant(tenant_id), self._identity.recorded)
        _, lacking = self._identity.to_read()
        return {
            "stm": bundle.stm.stats(),
            "working": bundle.working.stats(),
            "ltm": bundle.ltm.stats(),
            "semantic": {**bundle.semantic.stats(), "degraded": [*lacking]},
            "profile_manager": bundle.profiles.aggregate_stats(),
            "entries": counts.entries,
            "archived": counts.archived,
            "pinned": counts.pinned,
            "sessions": counts.sessions,
            "users": counts.users,
            "pending": counts.pending,
            "bytes_on_disk": counts.bytes_on_disk,
            "embedder": self._identity.recorded,
            "embedder_here": self._identity.fingerprint,
            "quarantined": bundle.store.count(
                whole_tenant(tenant_id), Query(archived=True, quarantined=True)
            ),
            "not_kept": self._sieve.counts(),
            "encryption_active": self._vault is not None,
            "privacy_masking_active": self._masks_personal,
        }

    def run_maintenance(
        self, tenant_id: str, *, dry_run: bool = False, actor: str | None = None
    ) -> dict[str, Any]:
        """One round of upkeep; the report tells what it did, step by step, and why.

        In order: what has slipped leaves short-term memory; what has faded is archived, at most 20 % of the
        tenant in a day, the weakest first, nothing younger than a day or pinned; what has expired is
        archived; what was archived ``archive_days`` ago is erased; working memory lets go of what is not
        live; long-term memory is compressed if it holds more than 80 % of ``max_long_term``; vectors that
        are pending are made, names that are pending are read; erasures that a reader held up are completed.
        Twice in a row is once. Never an error on a new, unread or cleared tenant; one round of a tenant at
        a time.

        Args:
            dry_run: change nothing; tell what would be put away, and why.
            actor: the user who asks, who then needs ADMIN; None is the program itself.
        """
        self._gate.administer(tenant_id, actor)
        bundle = self._bundle(tenant_id)
        with bundle.upkeep, bundle.store.alone(tenant_id):
            self._write_uses(tenant_id)
            report = self._round(bundle).run(dry_run=flag_of(dry_run, "dry_run")).as_dict()
        if not dry_run:
            self._stores.tend()
        return report

    def claim_maintenance(self, before: datetime) -> str | None:
        """The tenant that waits longest for its upkeep, if nobody has claimed it since then; else None.

        For programs that tend all tenants, such as `zerda worker`: of any number that ask at once, on any
        number of machines, each gets another tenant. A claim is a time and no lock: where who claimed it
        ended before its upkeep did, the tenant is due again like any other. For the program itself.
        """
        self._gate.only_the_program("claim tenants")
        return self._stores.claim_upkeep(in_utc(before, "before"), self._clock())

    def tenants(self) -> tuple[str, ...]:
        """Every tenant that was ever touched, sorted; for the program itself, such as a worker's rounds."""
        self._gate.only_the_program("list the tenants")
        return self._stores.tenants()

    def flush(self, tenant_id: str | None = None) -> None:
        """Wait until no vector, name or use is pending, in one tenant or all touched; raise what failed.

        Where a principal acts, it names a tenant in which it has ADMIN.
        """
        if tenant_id is None:
            self._gate.only_the_program("flush every tenant")
        else:
            self._gate.administer(tenant_id)
        for name in (tenant_id,) if tenant_id is not None else tuple(self._bundles):
            self._index(name)
            self._name(name)
            self._write_uses(name)
            self._reads.write(name)

    def reindex(
        self, tenant_id: str | None = None, *, progress: Callable[[int, int], object] = lambda done, of: None
    ) -> int:
        """Bring a memory to this object's embedder, one tenant or all; return how many vectors were made.

        The only way to change a memory's embedder: it is recorded when no tenant lacks a vector of it, and
        until then other processes go on with the former one. May be stopped, or killed, and run again.
        ``progress`` is called with what is done, of how many. `ConfigError` without an embedder. Only the
        embedding program may; a memory that acts as a principal is refused.
        """
        self._gate.only_the_program("reindex")
        if self._embedder is None:
            raise ConfigError("this memory was opened without an embedder; name one to index with")
        tenants = self._stores.tenants() if tenant_id is None else (valid_id(tenant_id, "tenant_id"),)
        return reindex(self._stores, self._embedder, tenants, progress)

    def _name(self, tenant_id: str) -> int:
        return name_pending(self._stores.store(tenant_id), whole_tenant(tenant_id), self._extractor)

    def _round(self, bundle: _TenantBundle) -> Round:
        return Round(
            bundle.store,
            whole_tenant(bundle.tenant_id),
            bundle.short_term,
            bundle.working,
            self._forgetting,
            self._compressor,
            self._identity.to_write(),
            bundle.profiles.unlearn,
            partial(draft_of, max_words=self._max_words),
            self._clock(),
            self._erasures(bundle).finish,
            max_long_term=self.config.max_long_term,
            archive_days=self.config.archive_days,
            decays=self.config.enable_decay,
            read_names=partial(self._name, bundle.tenant_id),
        )

    astats = awaitable(stats)
    arun_maintenance = awaitable(run_maintenance)
    aclaim_maintenance = awaitable(claim_maintenance)
    atenants = awaitable(tenants)
    aflush = awaitable(flush)
    areindex = awaitable(reindex)
