"""What a store on PostgreSQL does for trust: its audit, erasures with proof, transfers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from ..core.model import Scope
from ..core.rules.digests import who
from ..core.trust import AuditRecord, Erased, Event, Proof, Receipt
from . import postgres_audit, postgres_erasure, postgres_transfer
from .base import Store
from .postgres_audit import MEMORY
from .sql import RECEIPTS, insert, receipt_from, receipt_params

if TYPE_CHECKING:
    from ..core.model import MemoryEntry, Query
    from ..core.rules.tombstones import Graves
    from ..core.transfer import Carried
    from .postgres_driver import Link
    from .postgres_writes import Writer


class PostgresTrust(Store):
    """The part of a store that speaks of trust."""

    @abstractmethod
    def _writing(self, scope: Scope) -> AbstractContextManager[Writer]: ...

    @abstractmethod
    def _reading(self, scope: Scope) -> AbstractContextManager[Link]: ...

    # ── the audit ────────────────────────────────────────────────────────────────────────────────

    def record(self, tenant_id: str, events: Sequence[Event]) -> None:
        with self._writing(Scope(tenant_id)) as writer:
            for event in events:
                postgres_audit.append(writer.db, tenant_id, MEMORY, event)

    def audit(self, tenant_id: str, *, after: int = 0, limit: int = 1_000) -> list[AuditRecord]:
        with self._reading(Scope(tenant_id)) as db:
            return postgres_audit.records(db, tenant_id, MEMORY, after=after, limit=limit)

    def check_audit(self, tenant_id: str, heads: Sequence[tuple[int, str]] = ()) -> tuple[int, list[str]]:
        with self._reading(Scope(tenant_id)) as db:
            return postgres_audit.checked(db, tenant_id, MEMORY, heads)

    def audit_head(self, tenant_id: str) -> tuple[int, str]:
        with self._reading(Scope(tenant_id)) as db:
            return postgres_audit.head(db, tenant_id, MEMORY)

    def pseudonym(self, principal: str) -> str:
        with self._reading(Scope("*")) as db:
            return who(postgres_audit.secret_of(db), principal)

    # ── erasure ──────────────────────────────────────────────────────────────────────────────────

    def erase(self, scope: Scope, query: Query, receipt_id: str) -> Erased:
        with self._writing(scope) as writer:
            return postgres_erasure.erase(writer, query, receipt_id)

    def buried(self, scope: Scope, entries: Sequence[MemoryEntry]) -> set[str]:
        with self._reading(scope) as db:
            return postgres_erasure.buried(db, scope.tenant_id, entries)

    def exhume(self, scope: Scope, ids: Sequence[str]) -> int:
        with self._writing(scope) as writer:
            found = postgres_erasure.exhume(writer.db, scope, ids)
            writer.audit("allow again", found)
            return len(found)

    def graves(self, tenant_id: str, *, after: bytes = b"", limit: int = 500) -> Graves:
        with self._reading(Scope(tenant_id)) as db:
            return postgres_erasure.graves(db, tenant_id, after, limit)

    def bury(self, tenant_id: str, graves: Graves) -> None:
        with self._writing(Scope(tenant_id)) as writer:
            postgres_erasure.bury(writer.db, tenant_id, graves)

    def put_receipt(self, receipt: Receipt) -> None:
        row = receipt_params(receipt, receipt.at)
        changed = ", ".join(f"{name} = excluded.{name}" for name in row if name not in ("tenant_id", "id"))
        sql = f"{insert('receipts', row)} ON CONFLICT (tenant_id, id) DO UPDATE SET {changed}"
        with self._writing(Scope(receipt.tenant_id)) as writer:
            writer.db.run(sql, row)

    def receipts(self, tenant_id: str) -> tuple[Receipt, ...]:
        with self._reading(Scope(tenant_id)) as db:
            rows = db.rows(RECEIPTS, {"tenant_id": tenant_id})
        return tuple(receipt_from(tenant_id, at, *told) for at, *told in rows)

    def traces(self, tenant_id: str, receipt_id: str, texts: Sequence[str]) -> Proof:
        with self._reading(Scope(tenant_id)) as db:
            return postgres_erasure.proof(db, tenant_id, receipt_id, texts)

    # ── transfer ─────────────────────────────────────────────────────────────────────────────────

    def carried(self, scope: Scope, *, vectors: bool = False) -> Iterator[Carried]:
        after = 0
        while True:
            with self._reading(scope) as db:
                batch = postgres_transfer.carried(db, scope, after, vectors=vectors)
            if not batch:
                return
            yield from batch
            after = batch[-1].entry.seq

    def carry_in(self, scope: Scope, entries: Sequence[Carried]) -> list[MemoryEntry]:
        with self._writing(scope) as writer:
            return postgres_transfer.carry_in(writer, entries)
