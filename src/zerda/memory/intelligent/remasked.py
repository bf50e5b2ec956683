"""What the manager does to mask what is stored already. It only orders steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..core.aio import awaitable
from ..core.model import MemoryEntry
from ..core.trust import Event, MaskReport
from ..errors import ConfigError
from ..security.masking import unmask_value
from ..upkeep.remasking import Remasking
from .arguments import text_of
from .trusted import TrustMethods


class RemaskingMethods(TrustMethods):
    """The part of `AIMemoryManager` that masks what is stored already."""

    def mask_stored(
        self,
        tenant_id: str,
        *,
        user_id: str | None = None,
        dry_run: bool = False,
        progress: Callable[[int, int], object] = lambda done, of: None,
        actor: str | None = None,
    ) -> MaskReport:
        """Mask what a tenant holds already by the rules of today: after an import, or when rules are new.

        Entries, archived ones, former versions, summaries, tags, topics, metadata, speakers and profiles
        are rewritten in their places, words and vectors with them; what a profile learnt from rewritten
        entries alone is unlearnt. When this returns, no byte of what was masked is left in the files, as
        after `forget`: the receipt and the texts may be given to `verify_erased`. It may be stopped, or
        killed, and run again. Ids of entries, users and sessions stay as they are.

        Args:
            user_id: only what is this user's own.
            dry_run: count what would be masked, and change nothing.
            progress: is called with what is done, of how many entries.
            actor: the principal who asks, who then needs ADMIN.
        """
        scope = self._gate.administer(tenant_id, actor)
        if user_id is not None:
            scope = self._gate.administer(tenant_id, actor, user_id=user_id)
        masker = self._masker_of(tenant_id)
        if masker is None:
            raise ConfigError(
                f"nothing is masked in tenant {tenant_id!r}; leave enable_privacy_masking and mask_secrets as"
                " True, or give another MaskingPolicy"
            )
        bundle = self._bundle(tenant_id)
        report = Remasking(
            bundle.store, scope, self._intake, masker, self._erasures(bundle), self._embedded,
            self._clock(), self._max_words, progress, dry_run,
        ).run()  # fmt: skip
        if report.receipt is not None:
            bundle.forget_selections()
            self._drop_cached_vectors()
            self._follow_up(scope)
        return report

    def reveal(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """A user's own entry as it was said, with what its placeholders stand for; the audit tells of it.

        Only what was saved under ``reversible_masking`` comes back, and no secret: other placeholders stay.
        A delegate needs the role of an owner. `EntryNotFound` where the entry is not the user's own.
        """
        scope = self._gate.owning(user_id, tenant_id)
        store = self._bundle(tenant_id).store
        originals = store.originals(scope, text_of(entry_id, "entry_id"))
        entry = store.get(scope, entry_id)
        self._stores.catalog.record(tenant_id, [Event("reveal", scope.actor, user_id, (entry_id,))])
        told = ("content", "tags", "topics", "metadata", "speaker", "source")
        return replace(entry, **{name: unmask_value(getattr(entry, name), originals) for name in told})

    amask_stored = awaitable(mask_stored)
    areveal = awaitable(reveal)
