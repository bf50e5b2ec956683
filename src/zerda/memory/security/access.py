"""Who may do what in which tenant. Strings only; knows no memories."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import Enum
from typing import Literal, Protocol

from ..errors import AccessDenied, InvalidInput

log = logging.getLogger(__name__)


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


class Grants(Protocol):
    """Where roles are kept. Every call reads anew, so a revocation holds at the next one."""

    def roles(self, tenant_id: str, user_id: str) -> dict[str, bool]:
        """Every role ever granted there; False where it was revoked."""
        ...

    def set_role(self, tenant_id: str, user_id: str, role: str, *, held: bool, at: datetime) -> None:
        """Grant or revoke."""
        ...


class _Remembered:
    """Grants of this process alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._roles: dict[tuple[str, str], dict[str, bool]] = {}

    def roles(self, tenant_id: str, user_id: str) -> dict[str, bool]:
        with self._lock:
            return dict(self._roles.get((tenant_id, user_id), {}))

    def set_role(self, tenant_id: str, user_id: str, role: str, *, held: bool, at: datetime) -> None:
        with self._lock:
            self._roles.setdefault((tenant_id, user_id), {})[role] = held


class AccessController:
    """Roles of users in tenants, and the question whether they suffice.

    Under ``policy="open"`` a user who was never granted anything in a tenant passes (one warning in the
    log says so); under ``"strict"`` only a role opens the door. Whoever had a role and lost it is refused
    under both. An error of the grant store travels: it opens nothing. Used from any number of threads.
    """

    def __init__(
        self,
        grants: Grants | None = None,
        *,
        policy: Literal["open", "strict"] = "open",
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._grants = grants or _Remembered()
        self._policy = policy
        self._clock = clock
        self._warned = False

    def assign_role(self, user_id: str, tenant_id: str, role: str) -> None:
        """Grant one of reader, writer, owner, admin."""
        self._grants.set_role(tenant_id, user_id, _known(role), held=True, at=self._clock())

    def revoke_role(self, user_id: str, tenant_id: str, role: str) -> None:
        """Take a role back; revoking what was never granted also closes the door."""
        self._grants.set_role(tenant_id, user_id, _known(role), held=False, at=self._clock())

    def list_permissions(self, user_id: str, tenant_id: str) -> set[Permission]:
        """What the user's roles allow; empty for a user without one."""
        held = (role for role, holds in self._grants.roles(tenant_id, user_id).items() if holds)
        return {permission for role in held for permission in ROLES[role]}

    def has_permission(self, user_id: str, tenant_id: str, permission: Permission) -> bool:
        """Whether the policy and the user's roles allow it."""
        roles = self._grants.roles(tenant_id, user_id)
        if not roles and self._policy == "open":
            self._warn_once()
            return True
        return any(permission in ROLES[role] for role, holds in roles.items() if holds)

    def require(self, user_id: str, tenant_id: str, permission: Permission) -> None:
        """Raise `AccessDenied` (a PermissionError) unless it is allowed."""
        if not self.has_permission(user_id, tenant_id, permission):
            raise AccessDenied(
                f"user {user_id!r} lacks {permission.name} in tenant {tenant_id!r};"
                f" grant(user_id, tenant_id, role={_least_role(permission)!r}) would give it"
            )

    def _warn_once(self) -> None:
        if not self._warned:
            self._warned = True
            log.warning(
                "access is open: a user who was never granted a role is let through; "
                'MemoryConfig(access_policy="strict") asks for a grant'
            )


def _known(role: str) -> str:
    if role not in ROLES:
        raise InvalidInput(f"role is {role!r}; it is one of {', '.join(ROLES)}")
    return role


def _least_role(permission: Permission) -> str:
    return next(role for role, permissions in ROLES.items() if permission in permissions)
