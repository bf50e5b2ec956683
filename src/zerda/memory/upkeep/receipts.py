"""An erasure as a whole: in one transaction, then out of the files, with a receipt."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from ..core.model import Query
from ..core.trust import Erased, Proof, Receipt
from ..errors import ErasureIncomplete, StorageBusy
from ..intake import time_ordered_id
from .erasure import erase

if TYPE_CHECKING:
    from ..core.model import Scope
    from ..storage.base import Store

SCRUB_SECONDS = 10.0
"""How long an erasure waits for readers to let go of the log before it is `ErasureIncomplete`."""


class _Undone(Exception):  # Carries a preview out of the transaction that it takes back.
    def __init__(self, receipt: Receipt, erased: Erased) -> None:
        self.receipt = receipt
        self.erased = erased


@dataclass(frozen=True, slots=True)
class Erasures:
    """The erasures of one tenant."""

    store: Store
    unlearn: Callable[[Scope, Collection[str]], None]
    scrub_seconds: float = SCRUB_SECONDS

    def entries(
        self, scope: Scope, query: Query, *, what: str, now: datetime, preview: bool = False
    ) -> tuple[Receipt, Erased]:
        """Erase what is the scope's own and the query describes. A preview is the same, taken back."""

        def step(receipt_id: str) -> Erased:
            if not self.store.count(scope, Query(archived=True)):  # Nothing was merged or summarised.
                erased = self.store.erase(scope, query, receipt_id)
                self.unlearn(scope, erased.ids)
                return erased
            return self._with_relations(scope, query, receipt_id)

        return self._done(scope, step, what=what, now=now, preview=preview)

    def everything(
        self, scope: Scope, *, what: str, now: datetime, preview: bool = False
    ) -> tuple[Receipt, Erased]:
        """Erase all that is the scope's own, profiles too; of a whole tenant, saves under way as well."""

        def step(receipt_id: str) -> Erased:
            erased = self.store.erase(scope, Query(archived=None), receipt_id)
            profiles = self.store.delete_profiles(scope)
            self.unlearn(scope, erased.ids)
            if scope.user_id is None:
                self.store.clear(scope)
            return replace(erased, counts={**erased.counts, "profiles": profiles})

        return self._done(scope, step, what=what, now=now, preview=preview)

    def finish(self, tenant_id: str) -> tuple[Receipt, ...]:
        """Take out of the files what earlier erasures had to leave there; return their receipts."""
        if left := tuple(self._incomplete(tenant_id)):
            self.complete(left[0])
        return left

    def proof(self, receipt: Receipt, texts: Sequence[str]) -> Proof:
        """Search for what the receipt took, after finishing it where it is not complete."""
        self.finish(receipt.tenant_id)
        return self.store.traces(receipt.tenant_id, receipt.id, texts)

    def _with_relations(self, scope: Scope, query: Query, receipt_id: str) -> Erased:
        described = query.only(archived=None if query.archived is False else query.archived, limit=None)
        ids = [entry.id for entry in self.store.find(scope, described)]
        erased: list[Erased] = []

        def delete(found: Sequence[str]) -> Collection[str]:
            chosen = Query(ids=tuple(found), archived=None)
            erased.append(self.store.erase(scope, chosen, receipt_id))
            return erased[0].ids

        erase(self.store, scope, ids, self.unlearn, delete)
        return erased[0]

    def _done(
        self, scope: Scope, step: Callable[[str], Erased], *, what: str, now: datetime, preview: bool
    ) -> tuple[Receipt, Erased]:
        blank = Receipt(id=time_ordered_id(now), tenant_id=scope.tenant_id, what=what, at=now)
        try:
            with self.store.transaction():
                erased = step(blank.id)
                receipt = replace(
                    blank, counts=erased.counts, digest=erased.digest, preview=preview,
                    complete=not any(erased.counts.values()),
                )  # fmt: skip
                if preview:
                    raise _Undone(receipt, erased)
                if not receipt.complete:  # With the erasure or not at all: a crash leaves no erasure without.
                    self.store.put_receipt(receipt)
        except _Undone as undone:
            return undone.receipt, undone.erased
        if receipt.complete:
            return receipt, erased
        self.complete(receipt)
        return replace(receipt, complete=True), erased

    def complete(self, receipt: Receipt) -> None:
        """Leave no byte in the files of what was erased by now, and complete the receipts of that."""
        left = self._incomplete(receipt.tenant_id)
        try:
            self.store.scrub(timeout_seconds=self.scrub_seconds)
        except StorageBusy as error:
            raise ErasureIncomplete(
                f"erased, but {error}; receipt {receipt.id} is complete once that is done", receipt
            ) from error
        for one in left:
            self.store.put_receipt(replace(one, complete=True))

    def _incomplete(self, tenant_id: str) -> list[Receipt]:
        return [receipt for receipt in self.store.receipts(tenant_id) if not receipt.complete]
