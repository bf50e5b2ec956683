"""What `zerda.db` keeps of trust: the policy, grants, and the audit of access."""

from __future__ import annotations

import json
import os
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from ..core.rules.audit import grant_event
from ..core.rules.digests import who
from ..core.rules.hashing import as_json
from ..core.trust import AuditRecord, Event, Grant
from . import sqlite_audit
from .base import WHOLE_STORE, Catalog
from .driver import Source, check_version, fetched, translated
from .pool import Lease, Pool
from .sql import insert, micros, moment

if TYPE_CHECKING:
    from apsw import Connection

    from ..core.seams import Ring

KEPT_STANDINGS = 10_000
"""Principals whose roles are at hand; beyond, they are read anew."""

Standing = tuple[str | None, tuple[Grant, ...]]


@dataclass
class _Seen:
    """What a connection has read of grants, as of a data version."""

    data_version: object
    standings: dict[tuple[str, ...], Standing] = field(default_factory=dict)


class TrustCatalog(Catalog):
    """The part of a catalog that speaks of trust."""

    _source: Source
    _pool: Pool

    @property
    @abstractmethod
    def path(self) -> Path: ...

    @abstractmethod
    def reading(self) -> AbstractContextManager[Connection]: ...

    @abstractmethod
    def unlocked(self) -> AbstractContextManager[tuple[Connection, Ring | None]]: ...

    @abstractmethod
    def _ring(self, db: Connection, *, writing: bool = False) -> Ring | None: ...

    # ── who may ──────────────────────────────────────────────────────────────────────────────────

    def standing(self, tenant_id: str, *principals: str) -> Standing:
        # Asked at every call of every user, so it is kept beside its connection for as long as the file's
        # data version says that nobody has written: one statement, and the next call sees a revocation.
        try:
            return self._pool.ask(self._source, partial(self._standing, (tenant_id, *principals)))
        except apsw.Error as error:
            with translated(self.path):
                raise error

    def _standing(self, who: tuple[str, ...], lease: Lease) -> Standing:
        db = lease.connection
        seen: _Seen | None = lease.file.derived.get(db)
        data_version = db.execute("PRAGMA data_version").get
        if seen is None or seen.data_version != data_version or len(seen.standings) > KEPT_STANDINGS:
            check_version(db, self._source)
            seen = lease.file.derived[db] = _Seen(data_version)
        if (standing := seen.standings.get(who)) is None:
            standing = seen.standings[who] = self._read_standing(db, *who)
        return standing

    def _read_standing(self, db: Connection, tenant_id: str, *principals: str) -> Standing:
        ring = self._ring(db)
        policy = fetched(db, "SELECT value FROM meta WHERE name = 'access_policy'")
        grants = (grant for one in principals for grant in grants_of(db, ring, tenant_id, one))
        return policy[0][0] if policy else None, tuple(grants)

    def grants(self, tenant_id: str) -> tuple[Grant, ...]:
        with self.reading() as db:
            return grants_of(db, self._ring(db), tenant_id)

    def keep_grant(self, grant: Grant) -> None:
        with self.unlocked() as (db, ring):
            db.execute(f"INSERT OR REPLACE {_INSERT_GRANT.removeprefix('INSERT')}", _grant_row(ring, grant))
            sqlite_audit.append(
                db, audit_secret(db, ring), tenant_as(ring, grant.tenant_id), grant_event(grant)
            )

    def set_policy(self, policy: str, *, at: datetime, by: str | None = None) -> None:
        with self.unlocked() as (db, ring):
            sql = "INSERT OR REPLACE INTO meta (name, value) VALUES ('access_policy', :policy)"
            db.execute(sql, {"policy": policy})
            sqlite_audit.append(db, audit_secret(db, ring), WHOLE_STORE, Event(f"policy {policy}", by))

    # ── the audit ───────────────────────────────────────────────────────────────────────────────

    def record(self, tenant_id: str, events: Sequence[Event]) -> None:
        with self.unlocked() as (db, ring):
            for event in events:
                sqlite_audit.append(db, audit_secret(db, ring), tenant_as(ring, tenant_id), event)

    def audit(self, tenant_id: str, *, after: int = 0, limit: int = 1_000) -> list[AuditRecord]:
        with self.reading() as db:
            name = tenant_as(self._ring(db), tenant_id)
            return sqlite_audit.records(db, name, "access", after=after, limit=limit)

    def check_audit(self, tenant_id: str, heads: Sequence[tuple[int, str]] = ()) -> tuple[int, list[str]]:
        with self.reading() as db:
            ring = self._ring(db)
            return sqlite_audit.checked(db, audit_secret(db, ring), tenant_as(ring, tenant_id), heads)

    def audit_head(self, tenant_id: str) -> tuple[int, str]:
        with self.reading() as db:
            link = sqlite_audit.last(db, tenant_as(self._ring(db), tenant_id))
        return (link.number, link.mac.hex()) if link else (0, "")

    def pseudonym(self, principal: str) -> str:
        with self.reading() as db:
            return who(audit_secret(db, self._ring(db)), principal)


# ── the secret of the audit ──────────────────────────────────────────────────────────────────────

SECRET, SEALED_SECRET = "secret", "sealed_secret"


def audit_secret(db: Connection, ring: Ring | None) -> bytes:
    """What seals the chains of access; where there is a key, only whoever holds it has the secret."""
    sql = "SELECT name, value FROM meta WHERE name IN ('secret', 'sealed_secret')"
    told = dict(fetched(db, sql))
    if ring is None or SEALED_SECRET not in told:
        return bytes.fromhex(told[SECRET])
    return ring.unsealed(bytes.fromhex(told[SEALED_SECRET]), "audit")


def seal_audit_secret(db: Connection, ring: Ring) -> None:
    """Keep the secret sealed and no more in clear. One that has sealed nothing yet gives way to another."""
    if not fetched(db, "SELECT 1 FROM meta WHERE name = 'secret'"):
        return
    used = bool(fetched(db, "SELECT 1 FROM audit LIMIT 1"))
    secret = audit_secret(db, None) if used else os.urandom(32)
    row = {"name": SEALED_SECRET, "value": ring.sealed(secret, "audit").hex()}
    db.execute("INSERT OR REPLACE INTO meta (name, value) VALUES (:name, :value)", row)
    db.execute("DELETE FROM meta WHERE name = 'secret'")


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────

_GRANT = ("tenant_id", "principal", "on_behalf_of", "role", "held", "at", "until", "by", "sealed")
_INSERT_GRANT = insert("grants", _GRANT)


def tenant_as(ring: Ring | None, tenant_id: str) -> str:
    """The name of a tenant in the catalog; what concerns all of them has none."""
    return tenant_id if ring is None or tenant_id == WHOLE_STORE else ring.known_as(tenant_id, "tenant")


def _user_as(ring: Ring | None, principal: str | None) -> str | None:
    return principal if ring is None or principal is None else ring.known_as(principal, "user")


def _grant_row(ring: Ring | None, grant: Grant) -> dict[str, Any]:
    """A grant as it is kept; ``sealed`` tells the names to whoever holds the key, where they are hidden."""
    names = as_json([grant.principal, grant.on_behalf_of, grant.by], "names")
    return {
        "tenant_id": tenant_as(ring, grant.tenant_id), "principal": _user_as(ring, grant.principal),
        "on_behalf_of": _user_as(ring, grant.on_behalf_of) or "", "role": grant.role, "held": grant.held,
        "at": micros(grant.at), "until": micros(grant.until), "by": _user_as(ring, grant.by),
        "sealed": None if ring is None else ring.sealed_id(names),
    }  # fmt: skip


def hide_grants(db: Connection, ring: Ring) -> None:
    """Put pseudonyms in the place of the names that grants had until now."""
    tenants = [tenant_id for (tenant_id,) in fetched(db, "SELECT DISTINCT tenant_id FROM grants")]
    grants = [grant for tenant_id in tenants for grant in grants_of(db, None, tenant_id)]
    db.execute("DELETE FROM grants")
    add_grants(db, ring, grants)


def add_grants(db: Connection, ring: Ring | None, grants: Iterable[Grant]) -> None:
    """Keep grants as they are, unaudited; what is there already stays."""
    for grant in grants:
        db.execute(f"INSERT OR IGNORE {_INSERT_GRANT.removeprefix('INSERT')}", _grant_row(ring, grant))


def grants_of(
    db: Connection, ring: Ring | None, tenant_id: str, principal: str | None = None
) -> tuple[Grant, ...]:
    rows = fetched(
        db,
        f"SELECT {', '.join(_GRANT[1:])} FROM grants WHERE tenant_id = :tenant"
        " AND (:principal IS NULL OR principal = :principal) ORDER BY principal, on_behalf_of, role",
        {"tenant": tenant_as(ring, tenant_id), "principal": _user_as(ring, principal)},
    )
    return tuple(_grant(ring, tenant_id, *row) for row in rows)


def _grant(
    ring: Ring | None,
    tenant_id: str,
    principal: str,
    on_behalf_of: str | None,
    role: str,
    held: int,
    at: int,
    until: int | None,
    by: str | None,
    sealed: bytes | None,
) -> Grant:
    if ring is not None and sealed is not None:
        principal, on_behalf_of, by = json.loads(ring.unsealed_id(sealed))
    return Grant(
        tenant_id=tenant_id, principal=principal, role=role, at=_time(at), held=bool(held),
        on_behalf_of=on_behalf_of or None, until=moment(until), by=by,
    )  # fmt: skip


def _time(value: int) -> datetime:
    at = moment(value)
    assert at is not None  # The column is NOT NULL.
    return at
