"""What a store in a SQLite file does for trust: its audit, erasures with proof, transfers."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from ..core.rules.digests import who
from ..core.trust import AuditRecord, Erased, Event, Proof, Receipt
from . import sqlite_audit, sqlite_erasure, sqlite_transfer
from .base import Store
from .driver import fetched
from .sql import RECEIPTS, insert, known, micros, moment, receipt_from, receipt_params
from .sqlite_proof import proof
from .sqlite_writes import Writer, reach_of

if TYPE_CHECKING:
    from ..core.model import MemoryEntry, Query, Scope
    from ..core.rules.tombstones import Graves
    from ..core.transfer import Carried
    from .pool import Lease


class TrustStore(Store):
    """The part of a store that speaks of trust."""

    @property
    @abstractmethod
    def path(self) -> Path: ...

    @abstractmethod
    def _writing(self, scope: Scope) -> AbstractContextManager[Writer]: ...

    @abstractmethod
    def _reading(self, scope: Scope | None = None) -> AbstractContextManager[Lease]: ...

    @abstractmethod
    def _begin(self) -> AbstractContextManager[Lease]: ...

    # ── the audit ────────────────────────────────────────────────────────────────────────────────

    def record(self, tenant_id: str, events: Sequence[Event]) -> None:
        with self._begin() as lease:
            secret = sqlite_audit.secret_of(lease.connection)
            for event in events:
                sqlite_audit.append(lease.connection, secret, tenant_id, event)

    def audit(self, tenant_id: str, *, after: int = 0, limit: int = 1_000) -> list[AuditRecord]:
        with self._reading() as lease:
            return sqlite_audit.records(lease.connection, tenant_id, "memory", after=after, limit=limit)

    def check_audit(self, tenant_id: str, heads: Sequence[tuple[int, str]] = ()) -> tuple[int, list[str]]:
        with self._reading() as lease:
            secret = sqlite_audit.secret_of(lease.connection)
            return sqlite_audit.checked(lease.connection, secret, tenant_id, heads)

    def audit_head(self, tenant_id: str) -> tuple[int, str]:
        with self._reading() as lease:
            link = sqlite_audit.last(lease.connection, tenant_id)
        return (link.number, link.mac.hex()) if link else (0, "")

    def pseudonym(self, principal: str) -> str:
        with self._reading() as lease:
            return who(sqlite_audit.secret_of(lease.connection), principal)

    # ── erasure ──────────────────────────────────────────────────────────────────────────────────

    def erase(self, scope: Scope, query: Query, receipt_id: str) -> Erased:
        with self._writing(scope) as writer:
            return sqlite_erasure.erase(writer, query, receipt_id)

    def buried(self, scope: Scope, entries: Sequence[MemoryEntry]) -> set[str]:
        with self._reading(scope) as lease:
            return sqlite_erasure.buried(lease.connection, scope.tenant_id, entries)

    def exhume(self, scope: Scope, ids: Sequence[str]) -> int:
        with self._writing(scope) as writer:
            found = sqlite_erasure.exhume(writer.db, scope, ids)
            writer.audit("allow again", found)
            return len(found)

    def graves(self, tenant_id: str, *, after: bytes = b"", limit: int = 500) -> Graves:
        with self._reading() as lease:
            return sqlite_erasure.graves(lease.connection, tenant_id, after, limit)

    def bury(self, tenant_id: str, graves: Graves) -> None:
        with self._begin() as lease:
            sqlite_erasure.bury(lease.connection, tenant_id, graves)

    def put_receipt(self, receipt: Receipt) -> None:
        row = receipt_params(receipt, micros(receipt.at))
        with self._begin() as lease:
            lease.connection.execute(
                f"INSERT OR REPLACE {insert('receipts', row).removeprefix('INSERT')}", row
            )

    def receipts(self, tenant_id: str) -> tuple[Receipt, ...]:
        with self._reading() as lease:
            rows = fetched(lease.connection, RECEIPTS, {"tenant_id": tenant_id})
        return tuple(receipt_from(tenant_id, known(moment(at)), *told) for at, *told in rows)

    def traces(self, tenant_id: str, receipt_id: str, texts: Sequence[str]) -> Proof:
        with self._reading() as lease:
            return proof(lease.connection, self.path, tenant_id, receipt_id, texts)

    # ── transfer ─────────────────────────────────────────────────────────────────────────────────

    def carried(self, scope: Scope, *, vectors: bool = False) -> Iterator[Carried]:
        after = 0
        while True:
            with self._reading(scope) as lease:
                reach = reach_of(lease.connection, scope)
                batch = sqlite_transfer.carried(lease.connection, reach, after, vectors=vectors)
            if not batch:
                return
            yield from batch
            after = batch[-1].entry.seq

    def carry_in(self, scope: Scope, entries: Sequence[Carried]) -> list[MemoryEntry]:
        with self._writing(scope) as writer:
            return sqlite_transfer.carry_in(writer, entries)
