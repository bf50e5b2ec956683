"""The one place that makes a `Scope`: after the ids are sound and the access layer has said yes."""

from __future__ import annotations

import logging
from collections.abc import Callable

from .core.model import Scope
from .core.rules.ids import valid_id
from .core.trust import Event
from .errors import AccessDenied, InvalidInput, StorageError
from .security.access import ROLES, AccessController, Permission

Told = Callable[[str, Event], None]
"""Is told of a tenant and what was refused, or read, there."""

log = logging.getLogger(__name__)

USER = "user:"


class Gate:
    """Turns "this user, in this tenant, wants to" into a scope, or refuses.

    ``actor`` is the principal that acts through this gate: for itself, or for a user who is not it and
    then by delegation. None is the embedding program, which acts as whoever it names. ``strict`` asks for
    a role, whatever the policy. ``at_most`` is a role beyond which nothing passes, whatever is granted.
    """

    def __init__(
        self,
        access: AccessController,
        *,
        refused: Told = lambda tenant_id, event: None,
        read: Told | None = None,
        actor: str | None = None,
        strict: bool = False,
        at_most: str | None = None,
    ) -> None:
        self._access = access
        self._refused = refused
        self._read = read
        self._actor = actor
        self._strict = strict
        self._at_most = at_most

    @property
    def actor(self) -> str | None:
        """The principal that acts through this gate; None is the embedding program."""
        return self._actor

    def acting_as(self, actor: str, *, strict: bool = False, at_most: str | None = None) -> Gate:
        """The gate as a principal passes it."""
        if at_most is not None and at_most not in ROLES:
            raise InvalidInput(f"at_most is {at_most!r}; it is one of {', '.join(ROLES)}")
        if self._actor is not None and self._actor != principal_of(actor):
            raise InvalidInput(f"this memory acts as {self._actor!r} and as no other")
        return Gate(
            self._access,
            refused=self._refused,
            read=self._read,
            actor=principal_of(actor),
            strict=strict or self._strict,
            at_most=self._at_most or at_most,
        )

    def require(self, user_id: str, tenant_id: str, permission: Permission) -> Scope:
        """The user's scope; `InvalidInput` for an unsound id, `AccessDenied` without the permission."""
        scope = Scope(valid_id(tenant_id, "tenant_id"), valid_id(user_id, "user_id"), self._actor)
        self._check(user_id, tenant_id, permission, self._actor)
        if self._read is not None and permission is Permission.READ:
            self._read(tenant_id, Event("read", self._actor, user_id, count=1))
        return scope

    def owning(self, user_id: str, tenant_id: str) -> Scope:
        """The scope in which to erase or reveal: WRITE is enough for one's own, a delegate needs DELETE."""
        own = self._actor in (None, user_id)
        return self.require(user_id, tenant_id, Permission.WRITE if own else Permission.DELETE)

    def administer(
        self,
        tenant_id: str,
        actor: str | None = None,
        *,
        user_id: str | None = None,
        own: Permission | None = None,
    ) -> Scope:
        """The scope of an act upon a tenant, or upon one user's memory as a whole.

        The program may (``actor`` None); another principal needs ADMIN, or, where ``own`` names what a
        user needs for their own memory, to be that user.
        """
        valid_id(tenant_id, "tenant_id")
        scope = Scope(tenant_id, None if user_id is None else valid_id(user_id, "user_id"), self._who(actor))
        if scope.actor is not None:
            mine = own is not None and scope.actor == user_id
            self._check(scope.actor, tenant_id, own if mine and own else Permission.ADMIN, scope.actor)
        return scope

    def administers(self, tenant_id: str) -> bool:
        """Whether who acts is the program, or has ADMIN; nobody is refused by the question."""
        if self._actor is None:
            return True
        try:
            self._access.require(self._actor, tenant_id, Permission.ADMIN, actor=self._actor, strict=True)
        except AccessDenied:
            return False
        return True

    def only_the_program(self, what: str) -> None:
        """For an act upon the memory of all tenants: `AccessDenied` where a principal acts."""
        if self._actor is not None:
            raise AccessDenied(f"{self._actor!r} may not {what}; the embedding program may")

    def _who(self, actor: str | None) -> str | None:
        """The principal that is named, or the gate's own; another than that is refused."""
        if actor is None:
            return self._actor
        named = principal_of(actor)
        if self._actor not in (None, named):
            raise InvalidInput(f"actor is {actor!r}; this memory acts as {self._actor!r} and as no other")
        return named

    def _check(self, user_id: str, tenant_id: str, permission: Permission, actor: str | None) -> None:
        try:
            if self._at_most is not None and permission not in ROLES[self._at_most]:
                raise AccessDenied(f"{actor!r} acts as a {self._at_most} here, which lacks {permission.name}")
            self._access.require(user_id, tenant_id, permission, actor=actor, strict=self._strict)
        except AccessDenied:
            self._tell(tenant_id, Event(permission.value, actor, user_id, result="refused"))
            raise

    def _tell(self, tenant_id: str, event: Event) -> None:
        try:
            self._refused(tenant_id, event)
        except StorageError as error:  # The refusal stands, whether or not it can be written down.
            log.warning("a refusal was not recorded: %s", error)


def narrowed(scope: Scope, user_id: str) -> Scope:
    """The part of a tenant's scope that is one user's."""
    if scope.user_id not in (None, user_id):
        raise InvalidInput("a user's scope is narrowed to no other user")
    return Scope(scope.tenant_id, valid_id(user_id, "user_id"), scope.actor)


def principal_of(actor: str) -> str:
    """The principal that ``user:alice``, ``agent:planner`` or a plain ``alice`` names."""
    return valid_id(valid_id(actor, "actor").removeprefix(USER), "actor")


def whole_tenant(tenant_id: str) -> Scope:
    """The embedding program's own view of a tenant: every user in it. No door hands this out."""
    return Scope(valid_id(tenant_id, "tenant_id"))


def scope_of(tenant_id: str, user_id: str | None = None) -> Scope:
    """The embedding program's view of a user, or of the whole tenant. No door hands this out."""
    return Scope(valid_id(tenant_id, "tenant_id"), None if user_id is None else valid_id(user_id, "user_id"))
