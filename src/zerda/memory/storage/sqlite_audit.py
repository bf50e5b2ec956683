"""The audit chains in a SQLite file, within the transaction of the caller."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING

from ..core.rules.audit import START, Link, faults, linked, record_of, sealed
from ..core.trust import AuditRecord, Event
from .driver import fetched
from .sql import insert

if TYPE_CHECKING:
    from apsw import Connection

COLUMNS = ("number", "at", "actor", "subject", "action", "result", "count", "objects", "mac")
_INSERT = insert("audit", ("tenant_id", *COLUMNS))
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM audit WHERE tenant_id = :tenant"


def secret_of(db: Connection) -> bytes:
    """The file's secret: it keys what stands for ids, and seals the audit."""
    ((value,),) = fetched(db, "SELECT value FROM meta WHERE name = 'secret'")
    return value if isinstance(value, bytes) else bytes.fromhex(str(value))


def append(db: Connection, secret: bytes, tenant_id: str, event: Event) -> None:
    """Record what is done in this transaction."""
    link = linked(secret, tenant_id, last(db, tenant_id), event, time.time_ns() // 1_000)
    db.execute(_INSERT, {"tenant_id": tenant_id, **{name: getattr(link, name) for name in COLUMNS}})


def last(db: Connection, tenant_id: str) -> Link | None:
    """The end of a chain."""
    rows = fetched(db, f"{_SELECT} ORDER BY number DESC LIMIT 1", {"tenant": tenant_id})
    return Link(*rows[0]) if rows else None


def records(db: Connection, tenant_id: str, chain: str, *, after: int, limit: int) -> list[AuditRecord]:
    """Records of a chain, oldest first."""
    rows = fetched(
        db,
        f"{_SELECT} AND number > :after ORDER BY number LIMIT :limit",
        {"tenant": tenant_id, "after": after, "limit": limit},
    )
    return [record_of(chain, Link(*row)) for row in rows]


def checked(
    db: Connection, secret: bytes, tenant_id: str, heads: Iterable[tuple[int, str]]
) -> tuple[int, list[str]]:
    """How many records a chain has, and what is wrong with it."""
    links = [Link(*row) for row in fetched(db, f"{_SELECT} ORDER BY number", {"tenant": tenant_id})]
    return len(links), faults(secret, tenant_id, links, heads)


def rename(db: Connection, secret: bytes, tenant_id: str, name: str) -> None:
    """Seal a chain anew under another name of its tenant; heads that were kept before fit no more."""
    before = START
    links = [Link(*row) for row in fetched(db, f"{_SELECT} ORDER BY number", {"tenant": tenant_id})]
    db.execute("DELETE FROM audit WHERE tenant_id = :tenant", {"tenant": tenant_id})
    for link in links:
        again = sealed(secret, name, before, link)
        db.execute(_INSERT, {"tenant_id": name, **{column: getattr(again, column) for column in COLUMNS}})
        before = again.mac
