"""What the manager does for servers: keys with which programs call, and who it is that calls."""

from __future__ import annotations

import hmac
import logging
import secrets
import time
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from ..after_fork import Lock
from ..core.aio import awaitable
from ..core.rules.api_keys import SECRET_BYTES, key_text, opens, parted, secret_digest
from ..core.rules.ids import valid_id
from ..core.rules.time import in_utc
from ..core.trust import ApiKey, AuditRecord, Event, IssuedKey
from ..errors import AccessDenied, EntryNotFound, InvalidInput, StorageError
from ..security.access import AGENT, ROLES
from ..storage.base import WHOLE_STORE
from .steps import Steps

if TYPE_CHECKING:
    from ..storage.base import Catalog

log = logging.getLogger(__name__)

LONGEST_NAME = 200
SECONDS_APART = 1.0
"""Refused calls of a kind are one record of the audit at most this often, with their count: whoever knocks
without a key must not be able to fill the disk."""

ApiKeys = list[ApiKey]
Records = list[AuditRecord]

_NOBODY = secret_digest("")  # Compared with where there is no key, so that both take the same time.


class Knocks:
    """Calls that were refused for lack of a key, counted on their way into the audit. Locked."""

    MOST_KINDS = 10_000

    def __init__(self, catalog: Catalog, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._catalog = catalog
        self._monotonic = monotonic
        self._lock = Lock()
        self._waiting: dict[tuple[str, str, str | None], tuple[float, int]] = {}

    def add(self, tenant_id: str, why: str, principal: str | None = None) -> None:
        """Record a refusal, at once if it is the first of its kind for a while."""
        kind, now = (tenant_id, why, principal), self._monotonic()
        with self._lock:
            if len(self._waiting) > self.MOST_KINDS:
                kind = (WHOLE_STORE, "many", None)
            due, count = self._waiting.get(kind, (now, 0))
            if now < due:
                self._waiting[kind] = (due, count + 1)
                return
            self._waiting[kind] = (now + SECONDS_APART, 0)
        self._record(kind, count + 1)

    def write(self) -> None:
        """Record what waits."""
        with self._lock:
            taken, self._waiting = self._waiting, {}
        for kind, (_, count) in taken.items():
            if count:
                self._record(kind, count)

    def _record(self, kind: tuple[str, str, str | None], count: int) -> None:
        tenant_id, why, principal = kind
        event = Event(f"call, {why}", principal, principal, count=count, result="refused")
        try:
            self._catalog.record(tenant_id, [event])
        except StorageError as error:  # The refusal stands, whether or not it can be written down.
            log.warning("a refused call was not recorded: %s", error)


class KeyMethods(Steps):
    """The part of `AIMemoryManager` that concerns keys for programs that call a server."""

    _knocks: Knocks

    def create_key(
        self,
        user_id: str,
        tenant_id: str,
        role: str = "writer",
        *,
        name: str = "",
        until: datetime | None = None,
        agent: str | None = None,
        actor: str | None = None,
    ) -> IssuedKey:
        """Make a key with which a program calls a server as this user; its secret is told this once.

        The key allows at most what ``role`` allows, and never more than the user may: the user is granted
        the role too, if they lack it. `revoke` of the role closes the door to every key of the user.

        Args:
            name: what the key is for, for whoever looks through them.
            until: when it ends; None is never.
            agent: the agent (``agent:planner``) that acts with it for the user, by delegation.
            actor: the principal who asks, who then needs ADMIN; None is the program itself.
        """
        by = self._gate.administer(tenant_id, actor).actor
        key = ApiKey(
            id=secrets.token_hex(8),
            tenant_id=tenant_id,
            user_id=valid_id(user_id, "user_id"),
            principal=valid_id(user_id, "user_id") if agent is None else _agent(agent),
            role=_known(role),
            name=_name(name),
            at=self._clock(),
            until=None if until is None else _future(until, self._clock()),
            by=by,
        )
        self._let_in(key)
        secret = secrets.token_urlsafe(SECRET_BYTES)
        self._stores.catalog.put_api_key(key, secret_digest(secret))
        return IssuedKey(key, key_text(key.id, secret))

    def list_keys(self, tenant_id: str | None = None, *, actor: str | None = None) -> ApiKeys:
        """Every key of a tenant, oldest first: those that were revoked or have ended, too.

        None is all tenants', which only the program itself may list.
        """
        if tenant_id is None:
            self._gate.only_the_program("list the keys of all tenants")
        else:
            self._gate.administer(tenant_id, actor)
        return list(self._stores.catalog.api_keys(tenant_id))

    def revoke_key(self, tenant_id: str, key_id: str, *, actor: str | None = None) -> None:
        """Revoke a key for ever; it opens nothing at the next call in every process.

        The user keeps their role, and their other keys. `EntryNotFound` where the tenant has no such key.
        """
        by = self._gate.administer(tenant_id, actor).actor
        if not self._stores.catalog.revoke_api_key(tenant_id, key_id, at=self._clock(), by=by):
            raise EntryNotFound(f"no key {key_id[:60]!r} in tenant {tenant_id!r}")

    def authenticate(self, secret: str) -> ApiKey:
        """Whose key this is; `AccessDenied` for none, a wrong, revoked or ended one, always with one message.

        For a server: act as its principal with
        ``acting_as(key.principal, strict=True, at_most=key.role)``. Refusals are in the audit.
        """
        self._gate.only_the_program("tell whose key it is")
        key_id, given = parted(secret) or (None, "")
        kept, digest = (self._stores.catalog.api_key(key_id) if key_id else None) or (None, _NOBODY)
        same = hmac.compare_digest(secret_digest(given), digest)
        if kept is None or not same:
            self._knocks.add(WHOLE_STORE, "no key" if not secret else "unknown key")
        elif not opens(kept, self._clock()):
            why = "ended key" if kept.revoked_at is None else "revoked key"
            self._knocks.add(kept.tenant_id, why, kept.principal)
        else:
            return kept
        raise AccessDenied("no valid key was given; make one with `zerda keys create`")

    def audit_of_store(self, *, limit: int = 1_000) -> Records:
        """What concerns all tenants, the newest ``limit`` records: policy, calls without a key.

        For the program itself.
        """
        self._gate.only_the_program("read the audit of all tenants")
        self._knocks.write()
        catalog, found, after = self._stores.catalog, Records(), 0
        while batch := catalog.audit(WHOLE_STORE, after=after):
            found, after = [*found, *batch][-limit:], batch[-1].number
        return found

    def _let_in(self, key: ApiKey) -> None:
        """Grant what the key needs, where it is lacking."""
        agent = key.principal if key.principal != key.user_id else None
        if agent is None and ROLES[key.role] <= self._access.list_permissions(key.user_id, key.tenant_id):
            return
        self._access.assign_role(
            key.principal, key.tenant_id, key.role, on_behalf_of=key.user_id if agent else None, by=key.by
        )

    acreate_key = awaitable(create_key)
    alist_keys = awaitable(list_keys)
    arevoke_key = awaitable(revoke_key)
    aauthenticate = awaitable(authenticate)
    aaudit_of_store = awaitable(audit_of_store)


def _agent(agent: object) -> str:
    told = valid_id(agent, "agent")
    if not told.startswith(AGENT):
        raise InvalidInput(f"agent is {told!r}; it begins with {AGENT!r}")
    return told


def _known(role: str) -> str:
    if role not in ROLES:
        raise InvalidInput(f"role is {role!r}; it is one of {', '.join(ROLES)}")
    return role


def _name(name: object) -> str:
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not (name.isprintable()):
        raise InvalidInput(f"the name of a key is a printable text of at most {LONGEST_NAME} characters")
    return name


def _future(until: datetime, now: datetime) -> datetime:
    told = in_utc(until, "until")
    if told <= now:
        raise InvalidInput(f"until is {until!r}; it is a time in the future")
    return told
