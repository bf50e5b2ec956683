"""The one place that makes a `Scope`: after the ids are sound and the access layer has said yes."""

from __future__ import annotations

from .core.model import Scope
from .core.rules.ids import valid_id
from .security.access import AccessController, Permission


class Gate:
    """Turns "this user, in this tenant, wants to" into a scope, or refuses."""

    def __init__(self, access: AccessController) -> None:
        self._access = access

    def require(self, user_id: str, tenant_id: str, permission: Permission) -> Scope:
        """The user's scope; `InvalidInput` for an unsound id, `AccessDenied` without the permission."""
        scope = Scope(valid_id(tenant_id, "tenant_id"), valid_id(user_id, "user_id"))
        self._access.require(user_id, tenant_id, permission)
        return scope


def whole_tenant(tenant_id: str) -> Scope:
    """The embedding program's own view of a tenant: every user in it. No door hands this out."""
    return Scope(valid_id(tenant_id, "tenant_id"))


def scope_of(tenant_id: str, user_id: str | None = None) -> Scope:
    """The embedding program's view of a user, or of the whole tenant. No door hands this out."""
    return Scope(valid_id(tenant_id, "tenant_id"), None if user_id is None else valid_id(user_id, "user_id"))
