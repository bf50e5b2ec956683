"""Who may do what in which tenant. Strings only; knows no memories."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Literal, Protocol

from ..after_fork import Lock
from ..errors import AccessDenied, InvalidInput

log = logging.getLogger(__name__)

Policy = Literal["open", "strict"]


class Permission(Enum):
    """What a role allows."""

    READ = "read"
    WRITE = "write"
    DELETE = "delete"
    ADMIN = "admin"


ROLES: Mapping[str, frozenset[Permission]] = {
    "reader": frozenset({Permission.READ}),
    "writer": frozenset({Permission.READ, Permission.WRITE}),
    "owner": frozenset({Permission.READ, Permission.WRITE, Permission.DELETE}),
    "admin": frozenset(Permission),
}

AGENT = "agent:"
"""A principal that begins so is an agent; any other is a user."""


class Held(Protocol):
    """A role in a tenant, as the grant store tells it."""

    @property
    def principal(self) -> str: ...
    @property
    def role(self) -> str: ...
    @property
    def held(self) -> bool: ...
    @property
    def until(self) -> datetime | None: ...
    @property
    def on_behalf_of(self) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """A role as it is given to a principal or taken back (``held`` False), for the grant store to keep."""

    tenant_id: str
    principal: str
    role: str
    at: datetime
    held: bool = True
    on_behalf_of: str | None = None
    until: datetime | None = None
    by: str | None = None


class Grants(Protocol):
    """Where roles and the policy are kept. What another process changed is told at the next call."""

    def standing(self, tenant_id: str, *principals: str) -> tuple[str | None, Sequence[Held]]:
        """The recorded policy, and every role ever granted to these there: those that were revoked too."""
        ...

    def keep(self, grant: Granted) -> None:
        """Keep what was given or taken, in the place of what was said of that role before."""
        ...

    def set_policy(self, policy: str, *, at: datetime, by: str | None = None) -> None:
        """Record the policy."""
        ...


class _Remembered:
    """Grants of this process alone."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._policy: str | None = None
        self._roles: dict[tuple[str, str], dict[tuple[str, str | None], Granted]] = {}

    def standing(self, tenant_id: str, *principals: str) -> tuple[str | None, Sequence[Held]]:
        with self._lock:
            roles = [self._roles.get((tenant_id, principal), {}) for principal in principals]
            return self._policy, tuple(grant for held in roles for grant in held.values())

    def keep(self, grant: Granted) -> None:
        with self._lock:
            roles = self._roles.setdefault((grant.tenant_id, grant.principal), {})
            roles[grant.role, grant.on_behalf_of] = grant

    def set_policy(self, policy: str, *, at: datetime, by: str | None = None) -> None:
        with self._lock:
            self._policy = policy


class AccessController:
    """Roles of principals in tenants, and the question whether they suffice.

    A principal is a user (a plain id) or an agent (``agent:planner``). Under ``policy="open"`` a user who
    was never granted anything in a tenant passes for all but ADMIN (one warning in the log says so); under
    ``"strict"`` only a role opens the door. Whoever had a role and lost it, or whose role has ended, is
    refused under both. The grant store remembers ``"strict"``: from then on it holds for whoever opens it,
    until `set_policy`. An error of the grant store travels: it opens nothing. For any number of threads.
    """

    def __init__(
        self,
        grants: Grants | None = None,
        *,
        policy: Policy = "open",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._grants = grants or _Remembered()
        self._policy = _known_policy(policy)
        self._clock = clock
        self._warned = False
        self._recorded = policy == "open"  # There is nothing to remember then.

    # ── roles ────────────────────────────────────────────────────────────────────────────────────

    def assign_role(
        self,
        user_id: str,
        tenant_id: str,
        role: str,
        *,
        until: datetime | None = None,
        on_behalf_of: str | None = None,
        by: str | None = None,
    ) -> None:
        """Grant one of reader, writer, owner, admin; ``on_behalf_of`` a user, it is a delegation."""
        self._keep(
            Granted(
                tenant_id=tenant_id, principal=user_id, role=role, at=self._clock(),
                until=until, on_behalf_of=on_behalf_of, by=by,
            )
        )  # fmt: skip

    def revoke_role(
        self,
        user_id: str,
        tenant_id: str,
        role: str,
        *,
        on_behalf_of: str | None = None,
        by: str | None = None,
    ) -> None:
        """Take a role back; revoking what was never granted also closes the door."""
        self._keep(
            Granted(
                tenant_id=tenant_id, principal=user_id, role=role, at=self._clock(), held=False,
                on_behalf_of=on_behalf_of, by=by,
            )
        )  # fmt: skip

    def set_policy(self, policy: Policy, *, by: str | None = None) -> None:
        """Change the policy here and in the grant store: the only way from strict back to open."""
        self._grants.set_policy(_known_policy(policy), at=self._clock(), by=by)
        self._policy, self._recorded = policy, True

    def list_permissions(self, user_id: str, tenant_id: str) -> set[Permission]:
        """What the user's roles allow; empty for a user without one."""
        _, grants = self._grants.standing(tenant_id, user_id)
        return {one for one in Permission if self._allows(one, grants, None)}

    # ── the question ─────────────────────────────────────────────────────────────────────────────

    def has_permission(
        self,
        user_id: str,
        tenant_id: str,
        permission: Permission,
        *,
        actor: str | None = None,
        strict: bool = False,
    ) -> bool:
        """Whether policy and roles allow it; an ``actor`` other than the user needs a delegation as well."""
        delegate = actor if actor is not None and actor != user_id else None
        who = (user_id,) if delegate is None else (user_id, delegate)
        policy, grants = self._grants.standing(tenant_id, *who)
        strict = self._is_strict(policy) or strict
        if delegate is not None:
            lent = [grant for grant in grants if grant.principal == delegate]
            if not self._allows(permission, lent, user_id):
                return False
        own = [grant for grant in grants if grant.principal == user_id and grant.on_behalf_of is None]
        if own or strict or permission is Permission.ADMIN:
            return self._allows(permission, own, None)
        if user_id.startswith(AGENT):
            return False
        self._warn_once()
        return True

    def require(
        self,
        user_id: str,
        tenant_id: str,
        permission: Permission,
        *,
        actor: str | None = None,
        strict: bool = False,
    ) -> None:
        """Raise `AccessDenied` (a PermissionError) unless it is allowed."""
        if not self.has_permission(user_id, tenant_id, permission, actor=actor, strict=strict):
            raise AccessDenied(_refusal(user_id, tenant_id, permission, actor))

    # ── how ──────────────────────────────────────────────────────────────────────────────────────

    def _keep(self, grant: Granted) -> None:
        until, principal = grant.until, grant.principal
        if until is not None and (until.tzinfo is None or until <= grant.at):
            raise InvalidInput(f"until is {until!r}; it is an aware time in the future")
        if grant.on_behalf_of == principal:
            raise InvalidInput(f"{principal!r} needs no delegation to act for itself; leave out on_behalf_of")
        _check_role(grant.role)
        self._grants.keep(grant)

    def _allows(self, permission: Permission, grants: Sequence[Held], on_behalf_of: str | None) -> bool:
        """Whether one of those is held now, allows it, and was given to act for this user (None: itself)."""
        for grant in grants:
            if (
                grant.held
                and grant.on_behalf_of == on_behalf_of
                and (grant.until is None or grant.until > self._clock())
                and permission in ROLES.get(grant.role, ())
            ):
                return True
        return False

    def _is_strict(self, recorded: str | None) -> bool:
        if not self._recorded and recorded != "strict":
            self._grants.set_policy("strict", at=self._clock())
        self._recorded = True
        return self._policy == "strict" or recorded == "strict"

    def _warn_once(self) -> None:
        if not self._warned:
            self._warned = True
            log.warning(
                "access is open: a user who was never granted a role is let through; "
                'MemoryConfig(access_policy="strict") asks for a grant'
            )


def _refusal(user_id: str, tenant_id: str, permission: Permission, actor: str | None) -> str:
    role = _least_role(permission)
    if actor is None or actor == user_id:
        return (
            f"user {user_id!r} lacks {permission.name} in tenant {tenant_id!r};"
            f" grant(user_id, tenant_id, role={role!r}) would give it"
        )
    return (
        f"{actor!r} may not {permission.name} for user {user_id!r} in tenant {tenant_id!r}; both need it:"
        f" grant({actor!r}, tenant_id, role={role!r}, on_behalf_of=user_id) delegates what the user may"
    )


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise InvalidInput(f"role is {role!r}; it is one of {', '.join(ROLES)}")


def _known_policy(policy: Policy) -> Policy:
    if policy not in ("open", "strict"):
        raise InvalidInput(f"policy is {policy!r}; it is 'open' or 'strict'")
    return policy


def _least_role(permission: Permission) -> str:
    return next(role for role, permissions in ROLES.items() if permission in permissions)
