"""What a memory on PostgreSQL knows of itself. Nothing that was said is in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime

from ..core.rules.audit import grant_event
from ..core.rules.digests import who
from ..core.trust import AuditRecord, Event, Grant
from . import postgres_audit
from .base import WHOLE_STORE, Catalog
from .postgres_audit import ACCESS
from .postgres_driver import Database, Link
from .postgres_keys import PostgresKeys

_ALL = "*"
"""Stands for the tenant of a transaction that concerns them all; no id of a tenant's is refused for it."""

_GRANT = ("principal", "on_behalf_of", "role", "held", "at", "until", "by")


class PostgresCatalog(PostgresKeys, Catalog):
    """The catalog in a database, for any number of threads and processes; read anew at each call."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # ── the embedder ─────────────────────────────────────────────────────────────────────────────

    def embedder(self) -> str | None:
        with self._reading(WHOLE_STORE) as db:
            return _value(db, "embedder")

    def record_embedder(self, fingerprint: str) -> str:
        if (recorded := self.embedder()) is not None:
            return recorded
        with self._writing(WHOLE_STORE) as db:
            db.run(
                "INSERT INTO meta (name, value) VALUES ('embedder', :value) ON CONFLICT (name) DO NOTHING",
                {"value": fingerprint},
            )
        return self.embedder() or fingerprint

    def replace_embedder(self, fingerprint: str) -> None:
        with self._writing(WHOLE_STORE) as db:
            _set(db, "embedder", fingerprint)

    def tenants(self) -> tuple[str, ...]:
        """Every tenant that has written something, sorted."""
        with self._reading(WHOLE_STORE) as db:
            rows = db.rows("SELECT tenant_id FROM tenants ORDER BY tenant_id")
        return tuple(tenant_id for (tenant_id,) in rows)

    def claim_upkeep(self, before: datetime, now: datetime) -> str | None:
        """As `Stores.claim_upkeep`."""
        due = (
            "SELECT tenant_id FROM tenants WHERE tended_at IS NULL OR tended_at < :before"
            " ORDER BY tended_at NULLS FIRST, tenant_id LIMIT 1 FOR UPDATE SKIP LOCKED"
        )
        with self._database.link(reading=False) as db:
            self._database.enter(db, _ALL)
            rows = db.rows(
                f"UPDATE tenants SET tended_at = :now WHERE tenant_id = ({due}) RETURNING tenant_id",
                {"before": before, "now": now},
            )
        return next((str(tenant_id) for (tenant_id,) in rows), None)

    # ── who may ──────────────────────────────────────────────────────────────────────────────────

    def standing(self, tenant_id: str, *principals: str) -> tuple[str | None, tuple[Grant, ...]]:
        with self._reading(tenant_id) as db:
            return _value(db, "access_policy"), _grants(db, tenant_id, principals)

    def grants(self, tenant_id: str) -> tuple[Grant, ...]:
        with self._reading(tenant_id) as db:
            return _grants(db, tenant_id, None)

    def keep_grant(self, grant: Grant) -> None:
        told = {name: getattr(grant, name) for name in _GRANT}
        values = ", ".join(f":{name}" for name in _GRANT)
        changed = ", ".join(f"{name} = excluded.{name}" for name in ("held", "at", "until", "by"))
        with self._writing(grant.tenant_id) as db:
            db.run(
                f"INSERT INTO grants (tenant_id, {', '.join(_GRANT)}) VALUES (:tenant_id, {values})"
                f" ON CONFLICT (tenant_id, principal, on_behalf_of, role) DO UPDATE SET {changed}",
                {**told, "tenant_id": grant.tenant_id, "on_behalf_of": grant.on_behalf_of or ""},
            )
            postgres_audit.append(db, grant.tenant_id, ACCESS, grant_event(grant))

    def set_policy(self, policy: str, *, at: datetime, by: str | None = None) -> None:
        with self._writing(WHOLE_STORE) as db:
            _set(db, "access_policy", policy)
            postgres_audit.append(db, _ALL, ACCESS, Event(f"policy {policy}", by))

    # ── the audit ───────────────────────────────────────────────────────────────────────────────

    def record(self, tenant_id: str, events: Sequence[Event]) -> None:
        with self._writing(tenant_id) as db:
            for event in events:
                postgres_audit.append(db, tenant_id or _ALL, ACCESS, event)

    def audit(self, tenant_id: str, *, after: int = 0, limit: int = 1_000) -> list[AuditRecord]:
        with self._reading(tenant_id) as db:
            return postgres_audit.records(db, tenant_id or _ALL, ACCESS, after=after, limit=limit)

    def check_audit(self, tenant_id: str, heads: Sequence[tuple[int, str]] = ()) -> tuple[int, list[str]]:
        with self._reading(tenant_id) as db:
            return postgres_audit.checked(db, tenant_id or _ALL, ACCESS, heads)

    def audit_head(self, tenant_id: str) -> tuple[int, str]:
        with self._reading(tenant_id) as db:
            return postgres_audit.head(db, tenant_id or _ALL, ACCESS)

    def pseudonym(self, principal: str) -> str:
        with self._reading(WHOLE_STORE) as db:
            return who(postgres_audit.secret_of(db), principal)

    # ── transactions ─────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _reading(self, tenant_id: str) -> Iterator[Link]:
        with self._database.link(reading=True) as db:
            self._database.enter(db, tenant_id or _ALL)
            yield db

    @contextmanager
    def _writing(self, tenant_id: str) -> Iterator[Link]:
        """One writer at a time for each tenant's grants and chain."""
        with self._database.link(reading=False) as db:
            self._database.enter(db, tenant_id or _ALL)
            db.rows(
                "SELECT pg_advisory_xact_lock("
                "hashtextextended(current_schema() || ' access ' || :tenant, 0))",
                {"tenant": tenant_id or _ALL},
            )
            yield db


def _value(db: Link, name: str) -> str | None:
    rows = db.rows("SELECT value FROM meta WHERE name = :name", {"name": name})
    return str(rows[0][0]) if rows else None


def _set(db: Link, name: str, value: str) -> None:
    db.run(
        "INSERT INTO meta (name, value) VALUES (:name, :value)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        {"name": name, "value": value},
    )


def _grants(db: Link, tenant_id: str, principals: Sequence[str] | None) -> tuple[Grant, ...]:
    rows = db.rows(
        f"SELECT {', '.join(_GRANT)} FROM grants WHERE tenant_id = :tenant_id"
        " AND (:principals::text[] IS NULL OR principal = ANY(:principals))"
        " ORDER BY principal, on_behalf_of, role",
        {"tenant_id": tenant_id, "principals": None if principals is None else [*principals]},
    )
    return tuple(
        Grant(tenant_id=tenant_id, on_behalf_of=told.pop("on_behalf_of") or None, **told)
        for told in (dict(zip(_GRANT, row, strict=True)) for row in rows)
    )
