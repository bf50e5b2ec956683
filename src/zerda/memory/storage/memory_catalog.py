"""A catalog for as long as the process lives, and the audit chain that stores without a disk share."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from datetime import datetime

from ..after_fork import Lock
from ..core.rules.audit import Link, faults, grant_event, linked, record_of
from ..core.rules.digests import who
from ..core.trust import AuditRecord, Event, Grant
from .base import WHOLE_STORE, Catalog
from .memory_keys import InMemoryKeys


class Chains:
    """Audit chains by tenant, and the secret that seals them. The owner locks."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.secret = os.urandom(32)
        self.links: dict[tuple[str, int], Link] = {}
        self._ends: dict[str, int] = {}

    def next(self, tenant_id: str, event: Event) -> Link:
        """The link that would come next."""
        return linked(self.secret, tenant_id, self.last(tenant_id), event, time.time_ns() // 1_000)

    def add(self, tenant_id: str, event: Event) -> None:
        """Record an event for good."""
        link = self.next(tenant_id, event)
        self.links[tenant_id, link.number] = link

    def last(self, tenant_id: str) -> Link | None:
        """The end of a chain."""
        number = self._ends.get(tenant_id, 0)
        while (tenant_id, number + 1) in self.links:
            number += 1
        while number and (tenant_id, number) not in self.links:  # A transaction was undone.
            number -= 1
        self._ends[tenant_id] = number
        return self.links.get((tenant_id, number))

    def of(self, tenant_id: str) -> list[Link]:
        """A chain, oldest first."""
        last = self.last(tenant_id)
        return [self.links[tenant_id, number] for number in range(1, last.number + 1)] if last else []

    def records(self, tenant_id: str, *, after: int, limit: int) -> list[AuditRecord]:
        """A chain as it is handed out."""
        chosen = [link for link in self.of(tenant_id) if link.number > after][:limit]
        return [record_of(self.name, link) for link in chosen]

    def checked(self, tenant_id: str, heads: Iterable[tuple[int, str]]) -> tuple[int, list[str]]:
        """How many records a chain has, and what is wrong with it."""
        links = self.of(tenant_id)
        return len(links), faults(self.secret, tenant_id, links, heads)

    def head(self, tenant_id: str) -> tuple[int, str]:
        """Number and seal of the last link."""
        last = self.last(tenant_id)
        return (last.number, last.mac.hex()) if last else (0, "")


class InMemoryCatalog(InMemoryKeys, Catalog):
    """A catalog for as long as the process lives."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()
        self._embedder: str | None = None
        self._policy: str | None = None
        self._grants: dict[tuple[str, str], dict[tuple[str, str], Grant]] = {}
        self._chains = Chains("access")

    def embedder(self) -> str | None:
        return self._embedder

    def record_embedder(self, fingerprint: str) -> str:
        with self._lock:
            self._embedder = self._embedder or fingerprint
            return self._embedder

    def replace_embedder(self, fingerprint: str) -> None:
        with self._lock:
            self._embedder = fingerprint

    def standing(self, tenant_id: str, *principals: str) -> tuple[str | None, tuple[Grant, ...]]:
        with self._lock:
            roles = [self._grants.get((tenant_id, principal), {}) for principal in principals]
            return self._policy, tuple(grant for held in roles for grant in held.values())

    def grants(self, tenant_id: str) -> tuple[Grant, ...]:
        with self._lock:
            found = [
                grant
                for (tenant, _), roles in self._grants.items()
                if tenant == tenant_id
                for grant in roles.values()
            ]
        return tuple(sorted(found, key=lambda grant: (grant.principal, grant.on_behalf_of or "", grant.role)))

    def keep_grant(self, grant: Grant) -> None:
        with self._lock:
            roles = self._grants.setdefault((grant.tenant_id, grant.principal), {})
            roles[grant.on_behalf_of or "", grant.role] = grant
            self._chains.add(grant.tenant_id, grant_event(grant))

    def set_policy(self, policy: str, *, at: datetime, by: str | None = None) -> None:
        with self._lock:
            self._policy = policy
            self._chains.add(WHOLE_STORE, Event(f"policy {policy}", by))

    def record(self, tenant_id: str, events: Sequence[Event]) -> None:
        with self._lock:
            for event in events:
                self._chains.add(tenant_id, event)

    def audit(self, tenant_id: str, *, after: int = 0, limit: int = 1_000) -> list[AuditRecord]:
        with self._lock:
            return self._chains.records(tenant_id, after=after, limit=limit)

    def check_audit(self, tenant_id: str, heads: Sequence[tuple[int, str]] = ()) -> tuple[int, list[str]]:
        with self._lock:
            return self._chains.checked(tenant_id, heads)

    def audit_head(self, tenant_id: str) -> tuple[int, str]:
        with self._lock:
            return self._chains.head(tenant_id)

    def pseudonym(self, principal: str) -> str:
        return who(self._chains.secret, principal)
