"""The audit chains on PostgreSQL, within the transaction of the caller.

Who appends to a chain has locked its tenant, so that the chain has one end.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..core.rules.audit import Link, faults, linked, record_of
from ..core.trust import AuditRecord, Event

if TYPE_CHECKING:
    from . import postgres_driver as driver

MEMORY, ACCESS = "memory", "access"

_COLUMNS = ("number", "at", "actor", "subject", "action", "result", "count", "objects", "mac")
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM audit WHERE tenant_id = :tenant_id AND chain = :chain"
_INSERT = (
    f"INSERT INTO audit (tenant_id, chain, {', '.join(_COLUMNS)})"
    f" VALUES (:tenant_id, :chain, {', '.join(f':{name}' for name in _COLUMNS)})"
)


def secret_of(db: driver.Link) -> bytes:
    """The memory's secret: it keys what stands for ids, and seals the audit."""
    ((value,),) = db.rows("SELECT value FROM meta WHERE name = 'secret'")
    return bytes.fromhex(value)


def append(db: driver.Link, tenant_id: str, chain: str, event: Event) -> None:
    """Record what is done in this transaction."""
    link = linked(secret_of(db), tenant_id, last(db, tenant_id, chain), event, time.time_ns() // 1_000)
    told = {name: getattr(link, name) for name in _COLUMNS}
    db.run(_INSERT, {"tenant_id": tenant_id, "chain": chain, **told})


def last(db: driver.Link, tenant_id: str, chain: str) -> Link | None:
    """The end of a chain."""
    sql = f"{_SELECT} ORDER BY number DESC LIMIT 1"
    rows = db.rows(sql, {"tenant_id": tenant_id, "chain": chain})
    return Link(*rows[0]) if rows else None


def head(db: driver.Link, tenant_id: str, chain: str) -> tuple[int, str]:
    """Number and seal of the last record."""
    link = last(db, tenant_id, chain)
    return (link.number, link.mac.hex()) if link else (0, "")


def records(db: driver.Link, tenant_id: str, chain: str, *, after: int, limit: int) -> list[AuditRecord]:
    """Records of a chain, oldest first."""
    rows = db.rows(
        f"{_SELECT} AND number > :after ORDER BY number LIMIT :limit",
        {"tenant_id": tenant_id, "chain": chain, "after": after, "limit": limit},
    )
    return [record_of(chain, Link(*row)) for row in rows]


def checked(
    db: driver.Link, tenant_id: str, chain: str, heads: Iterable[tuple[int, str]]
) -> tuple[int, list[str]]:
    """How many records a chain has, and what is wrong with it."""
    links = [
        Link(*row) for row in db.rows(f"{_SELECT} ORDER BY number", {"tenant_id": tenant_id, "chain": chain})
    ]
    return len(links), faults(secret_of(db), tenant_id, links, heads)
