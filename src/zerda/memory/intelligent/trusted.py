"""What the manager does for trust: who may, erasure, export and import, the audit. It only orders steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from ..core.aio import awaitable
from ..core.model import TRUSTS, Query, Scope, Trust
from ..core.rules.ids import valid_id
from ..core.rules.time import in_utc
from ..core.trust import AuditRecord, AuditReport, Event, Grant, Proof, Receipt
from ..embedding.cached import CachedEmbedder
from ..embedding.checked import CheckedEmbedder
from ..errors import InvalidInput
from ..security.access import Permission
from ..transfer import Import, ImportReport, exported
from ..upkeep.receipts import SCRUB_SECONDS, Erasures
from .steps import Steps

if TYPE_CHECKING:
    from ..storage.base import Audited
    from .bundle import _TenantBundle

REMOVED_SINGLY = 64
"""Erased entries that are taken out of selections one by one; beyond, all selections are dropped."""

CHAINS = ("memory", "access")
"""A tenant's audit: what was done to its memories, and what concerns access to them."""

Grants = list[Grant]
Records = list[AuditRecord]


class TrustMethods(Steps):
    """The part of `AIMemoryManager` that concerns trust. ``actor`` None is the embedding program itself;
    any other principal needs ADMIN where nothing else is said."""

    _scrub_seconds: float = SCRUB_SECONDS

    # ── who may ──────────────────────────────────────────────────────────────────────────────────

    def grant(
        self,
        user_id: str,
        tenant_id: str,
        role: str = "writer",
        *,
        until: datetime | None = None,
        on_behalf_of: str | None = None,
        actor: str | None = None,
    ) -> None:
        """Give a principal a role in a tenant: reader, writer, owner, admin. Holds at once in every process.

        ``user_id`` may be an agent (``agent:planner``). ``on_behalf_of`` a user, it may act for that user,
        with what both may (see `acting_as`). ``until`` ends it.
        """
        by = self._gate.administer(tenant_id, actor).actor
        self._access.assign_role(
            valid_id(user_id, "user_id"),
            tenant_id,
            role,
            until=None if until is None else in_utc(until, "until"),
            on_behalf_of=None if on_behalf_of is None else valid_id(on_behalf_of, "on_behalf_of"),
            by=by,
        )

    def revoke(
        self,
        user_id: str,
        tenant_id: str,
        role: str,
        *,
        on_behalf_of: str | None = None,
        actor: str | None = None,
    ) -> None:
        """Take a role back. A user who lost the last one is refused, whatever the policy."""
        by = self._gate.administer(tenant_id, actor).actor
        self._access.revoke_role(
            valid_id(user_id, "user_id"), tenant_id, role, on_behalf_of=on_behalf_of, by=by
        )

    def list_grants(self, tenant_id: str, *, actor: str | None = None) -> Grants:
        """Every grant of a tenant, by principal: those that were revoked or have ended, too."""
        self._gate.administer(tenant_id, actor)
        return list(self._stores.catalog.grants(tenant_id))

    def set_access_policy(self, policy: Literal["open", "strict"]) -> None:
        """Change the policy of this memory in every process: the only way from strict back to open.

        Only the embedding program may; a memory that acts as a principal is refused.
        """
        self._gate.only_the_program("change the policy")
        self._access.set_policy(policy)

    # ── erasure ──────────────────────────────────────────────────────────────────────────────────

    def forget(self, user_id: str, tenant_id: str, *entry_ids: str) -> Receipt:
        """Erase entries of the user's own for ever, with versions, words and vectors.

        What was merged into them goes too, and summaries that hold their words. When this returns, no byte
        of them is left in the files. A later save of the same id is refused (`EntryErased`).
        """
        scope = self._gate.owning(user_id, tenant_id)
        return self._forget(scope, Query(ids=_named_ids(entry_ids), archived=None), "ids", preview=False)

    def forget_where(
        self,
        user_id: str | None,
        tenant_id: str,
        filters: Query,
        *,
        preview: bool = False,
        actor: str | None = None,
    ) -> Receipt:
        """Erase what the filters describe: by source (``origins``, ``speakers``), by time, by tag, and so on.

        Archived entries are erased too. ``user_id`` None is every user of the tenant. ``preview`` counts
        what would go and erases nothing.
        """
        if user_id is None:
            scope = self._gate.administer(tenant_id, actor)
        elif actor is None:
            scope = self._gate.owning(user_id, tenant_id)
        else:
            scope = self._gate.administer(tenant_id, actor, user_id=user_id, own=Permission.WRITE)
        return self._forget(scope, filters, "filters", preview=preview)

    def forget_user(
        self, user_id: str, tenant_id: str, *, preview: bool = False, actor: str | None = None
    ) -> Receipt:
        """Erase all that is a user's own in a tenant, their profile too.

        Grants stay, since a revocation has to outlive the user. ``actor``: the user with DELETE, or an admin.
        """
        scope = self._gate.administer(tenant_id, actor, user_id=user_id, own=Permission.DELETE)
        bundle = self._bundle(tenant_id)
        erasures = self._erasures(bundle)
        receipt, erased = erasures.everything(scope, what="user", now=self._clock(), preview=preview)
        if not preview:
            bundle.working.clear(user_id=user_id)
            self._let_go(bundle, erased.ids)
        return receipt

    def clear_tenant(self, tenant_id: str, *, actor: str | None = None) -> None:
        """Erase all of a tenant for ever: entries, versions, archive, words, vectors, profiles, selections.

        A save that began before and ends later keeps nothing; other tenants are untouched. No byte is left
        in the files, or `ErasureIncomplete` says that a reader holds some. `receipts` has the receipt.
        """
        scope = self._gate.administer(tenant_id, actor)
        bundle = self._bundle(tenant_id)
        try:
            self._erasures(bundle).everything(scope, what="tenant", now=self._clock())
        finally:
            bundle.forget_selections()
            self._uses.drop(tenant_id)
            self._drop_cached_vectors()

    def allow_again(self, user_id: str, tenant_id: str, *entry_ids: str) -> int:
        """Let erased ids, and what they said, be saved or imported again; return how many were erased.

        Nothing comes back by it: it is the door of a later import that is opened. What another user erased
        stays so.
        """
        scope = self._gate.owning(user_id, tenant_id)
        return self._bundle(tenant_id).store.exhume(scope, _named_ids(entry_ids))

    def receipts(self, tenant_id: str, *, actor: str | None = None) -> tuple[Receipt, ...]:
        """The receipts of a tenant's erasures, oldest first."""
        self._gate.administer(tenant_id, actor)
        return self._bundle(tenant_id).store.receipts(tenant_id)

    def verify_erased(
        self, receipt: Receipt, texts: Sequence[str] = (), *, actor: str | None = None
    ) -> Proof:
        """Search for what a receipt took: ids in every table and index, freed pages, the write-ahead log.

        ``texts`` are looked for byte by byte in the tenant's files. An erasure that was incomplete is
        finished first. Reads everything: seconds for 100,000 entries.
        """
        self._gate.administer(receipt.tenant_id, actor)
        return self._erasures(self._bundle(receipt.tenant_id)).proof(receipt, texts)

    # ── export and import ────────────────────────────────────────────────────────────────────────

    def export_user(
        self,
        user_id: str,
        tenant_id: str,
        *,
        vectors: bool = False,
        grants: bool = False,
        progress: Callable[[int], None] | None = None,
        actor: str | None = None,
    ) -> Iterator[str]:
        """All that is a user's own, as lines of JSON: ``file.writelines(memory.export_user(…))``.

        ``actor``: the user, with READ, or an admin. Entries are read as the lines are taken.
        """
        scope = self._gate.administer(tenant_id, actor, user_id=user_id, own=Permission.READ)
        return self._export(scope, vectors=vectors, grants=grants, progress=progress)

    def export_tenant(
        self,
        tenant_id: str,
        *,
        vectors: bool = False,
        grants: bool = False,
        erasures: bool = False,
        progress: Callable[[int], None] | None = None,
        actor: str | None = None,
    ) -> Iterator[str]:
        """All of a tenant, as lines of JSON; `import_` makes the same tenant of it anywhere.

        ``erasures`` adds receipts and tombstones, so that what was erased stays so there. Whoever has such
        a file can try whether an id that they guess was erased.
        """
        scope = self._gate.administer(tenant_id, actor)
        return self._export(scope, vectors=vectors, grants=grants, erasures=erasures, progress=progress)

    def import_(
        self,
        lines: Iterable[str | bytes],
        tenant_id: str,
        *,
        grants: bool = False,
        erasures: bool = False,
        bring_back: bool = False,
        max_trust: Trust = "user",
        progress: Callable[[int], None] | None = None,
        actor: str | None = None,
    ) -> ImportReport:
        """Keep what an export tells: ids, texts, times, versions, origins, state, sessions and places.

        What is there already stays as it is, so it may be run again. Lines that cannot be used are told
        and left out. What was erased here stays so, unless ``bring_back``. ``grants`` are kept if asked,
        and so are ``erasures``: receipts, and tombstones of what was erased where the lines come from.
        Entries are trusted as the lines say, and at most as ``max_trust``.
        """
        scope = self._gate.administer(tenant_id, actor)
        if max_trust not in TRUSTS:
            raise InvalidInput(f"max_trust is {max_trust!r}; it is one of {', '.join(TRUSTS)}")
        store = self._bundle(tenant_id).store
        arriving = Import(
            store, self._stores.catalog, scope, self._max_words,
            with_grants=grants, with_erasures=erasures, bring_back=bring_back, progress=progress,
            max_trust=max_trust,
        )  # fmt: skip
        report = arriving.run(lines)
        store.record(tenant_id, [Event("import", scope.actor, count=report.saved)])
        return report

    # ── the audit ────────────────────────────────────────────────────────────────────────────────

    def audit(
        self, tenant_id: str, *, user_id: str | None = None, limit: int = 1_000, actor: str | None = None
    ) -> Records:
        """What was done in a tenant and what was refused, by time: the newest ``limit`` records.

        It names who acted, to whom and how many entries, and none of their words. Users who are known here
        are named; of others the digest is told. ``user_id``: only what that user did or was done to.
        """
        self._gate.administer(tenant_id, actor)
        self._reads.write(tenant_id)
        found = [one for chain in self._chains(tenant_id) for one in self._named(chain, tenant_id, user_id)]
        return sorted(found, key=lambda one: (one.at, one.chain, one.number))[-limit:]

    def verify_audit(
        self, tenant_id: str, heads: Sequence[str] = (), *, actor: str | None = None
    ) -> AuditReport:
        """Whether the audit is whole: no record changed, taken out, or cut off behind a kept head."""
        self._gate.administer(tenant_id, actor)
        records, faults = 0, []
        for name, chain in zip(CHAINS, self._chains(tenant_id), strict=True):
            kept = [_head(one) for one in heads if one.startswith(f"{name}:")]
            count, found = chain.check_audit(tenant_id, kept)
            records += count
            faults += [f"{name}: {fault}" for fault in found]
        return AuditReport(records, tuple(faults), self._heads(tenant_id), keyed=self._is_keyed)

    def audit_head(self, tenant_id: str, *, actor: str | None = None) -> tuple[str, ...]:
        """The ends of the tenant's chains; keep them elsewhere, and `verify_audit` misses no later cut."""
        self._gate.administer(tenant_id, actor)
        return self._heads(tenant_id)

    def record_refusal(self, user_id: str, tenant_id: str, action: str) -> None:
        """For a door: put a call that it refused on behalf of nobody's rule but its own into the audit.

        ``action`` tells what was asked, in words of the door's and never of the caller's.
        """
        valid_id(tenant_id, "tenant_id")
        event = Event(action, self._gate.actor, valid_id(user_id, "user_id"), result="refused")
        self._stores.catalog.record(tenant_id, [event])

    # ── the steps ────────────────────────────────────────────────────────────────────────────────

    def _forget(self, scope: Scope, query: Query, what: str, *, preview: bool) -> Receipt:
        bundle = self._bundle(scope.tenant_id)
        receipt, erased = self._erasures(bundle).entries(
            scope, query, what=what, now=self._clock(), preview=preview
        )
        if not preview:
            self._let_go(bundle, erased.ids)
        return receipt

    def _erasures(self, bundle: _TenantBundle) -> Erasures:
        return Erasures(bundle.store, bundle.profiles.unlearn, self._scrub_seconds)

    def _let_go(self, bundle: _TenantBundle, ids: Sequence[str]) -> None:
        """Take what was erased out of what this process has at hand."""
        if len(ids) > REMOVED_SINGLY:
            bundle.working.clear()
        for entry_id in ids[:REMOVED_SINGLY]:
            bundle.working.remove(entry_id)
        if ids:
            self._drop_cached_vectors()

    def _drop_cached_vectors(self) -> None:
        if isinstance(self._embedder, (CachedEmbedder, CheckedEmbedder)):
            self._embedder.clear()

    def _export(
        self,
        scope: Scope,
        *,
        vectors: bool,
        grants: bool,
        erasures: bool = False,
        progress: Callable[[int], None] | None,
    ) -> Iterator[str]:
        store = self._bundle(scope.tenant_id).store
        told = [
            grant
            for grant in (self._stores.catalog.grants(scope.tenant_id) if grants else ())
            if scope.user_id in (None, grant.principal, grant.on_behalf_of)
        ]
        store.record(scope.tenant_id, [Event("export", scope.actor, scope.user_id, count=0)])
        return exported(
            store, scope, self._clock(), vectors=vectors, grants=told, erasures=erasures, progress=progress
        )

    def _chains(self, tenant_id: str) -> tuple[Audited, Audited]:
        return self._bundle(tenant_id).store, self._stores.catalog

    def _heads(self, tenant_id: str) -> tuple[str, ...]:
        ends = [chain.audit_head(tenant_id) for chain in self._chains(tenant_id)]
        return tuple(f"{name}:{number}:{mac}" for name, (number, mac) in zip(CHAINS, ends, strict=True))

    def _named(self, chain: Audited, tenant_id: str, user_id: str | None) -> Iterator[AuditRecord]:
        users = self._bundle(tenant_id).store.users(tenant_id)
        granted = {grant.principal for grant in self._stores.catalog.grants(tenant_id)}
        names = {chain.pseudonym(one): one for one in {*users, *granted}}
        wanted = None if user_id is None else chain.pseudonym(user_id)
        after = 0
        while batch := chain.audit(tenant_id, after=after):
            after = batch[-1].number
            for one in batch:
                if wanted in (None, one.actor, one.subject):
                    yield replace(
                        one,
                        actor=names.get(one.actor, one.actor),
                        subject=names.get(one.subject, one.subject),
                    )

    @property
    def _is_keyed(self) -> bool:
        return False

    agrant = awaitable(grant)
    arevoke = awaitable(revoke)
    alist_grants = awaitable(list_grants)
    aset_access_policy = awaitable(set_access_policy)
    aforget = awaitable(forget)
    aforget_where = awaitable(forget_where)
    aforget_user = awaitable(forget_user)
    aclear_tenant = awaitable(clear_tenant)
    aallow_again = awaitable(allow_again)
    areceipts = awaitable(receipts)
    averify_erased = awaitable(verify_erased)
    aexport_user = awaitable(export_user)
    aexport_tenant = awaitable(export_tenant)
    aimport_ = awaitable(import_)
    aaudit = awaitable(audit)
    averify_audit = awaitable(verify_audit)
    aaudit_head = awaitable(audit_head)
    arecord_refusal = awaitable(record_refusal)


def _named_ids(entry_ids: Sequence[str]) -> tuple[str, ...]:
    """The ids, of which there is at least one; a receipt of nothing should not pass for an erasure."""
    if not entry_ids:
        raise InvalidInput("no entry id was given; name at least one, as text")
    return tuple(valid_id(one, "an entry id") for one in entry_ids)


def _head(text: str) -> tuple[int, str]:
    """Number and seal of a head that was kept."""
    _, number, mac = (*text.split(":"), "", "")[:3]
    if not number.isdecimal():
        raise InvalidInput("a head is what audit_head gave, such as 'memory:12:…'")
    return int(number), mac
