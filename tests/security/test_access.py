"""Roles, and whether they suffice."""

import logging
from typing import Any

import pytest

from zerda.memory.errors import AccessDenied, InvalidInput
from zerda.memory.security.access import ROLES, AccessController, Granted, Permission


def test_each_role_allows_more_than_the_one_before() -> None:
    sizes = [len(permissions) for permissions in ROLES.values()]
    assert sizes == [1, 2, 3, 4]
    assert all(Permission.READ in permissions for permissions in ROLES.values())


@pytest.mark.parametrize(("role", "permissions"), list(ROLES.items()))
def test_a_role_allows_what_it_says_and_nothing_else(role: str, permissions: frozenset[Permission]) -> None:
    access = AccessController()
    access.assign_role("bob", "acme", role)
    assert access.list_permissions("bob", "acme") == permissions
    assert {one for one in Permission if access.has_permission("bob", "acme", one)} == permissions
    for permission in set(Permission) - permissions:
        with pytest.raises(AccessDenied, match=f"lacks {permission.name}"):
            access.require("bob", "acme", permission)


def test_a_role_holds_in_its_tenant_and_for_its_user_alone() -> None:
    access = AccessController(policy="strict")
    access.assign_role("bob", "acme", "admin")
    assert not access.has_permission("bob", "other", Permission.READ)
    assert not access.has_permission("bo", "acme", Permission.READ)
    assert not access.has_permission("admin", "acme", Permission.READ)


def test_an_open_policy_lets_strangers_pass_and_warns_once(caplog: pytest.LogCaptureFixture) -> None:
    access = AccessController()
    with caplog.at_level(logging.WARNING):
        assert access.has_permission("ann", "acme", Permission.WRITE)
        assert access.has_permission("eve", "acme", Permission.DELETE)
        assert not access.has_permission("eve", "acme", Permission.ADMIN)
    assert [record.message for record in caplog.records if "access is open" in record.message] == [
        caplog.records[0].message
    ]
    assert access.list_permissions("ann", "acme") == set()


@pytest.mark.parametrize("policy", ["open", "strict"])
def test_whoever_lost_the_last_role_is_refused(policy: str) -> None:
    access = AccessController(policy=policy)  # type: ignore[arg-type]
    access.assign_role("bob", "acme", "writer")
    access.revoke_role("bob", "acme", "writer")
    assert not access.has_permission("bob", "acme", Permission.READ)
    access.revoke_role("eve", "acme", "reader")
    assert not access.has_permission("eve", "acme", Permission.READ)


def test_a_role_taken_back_leaves_the_others() -> None:
    access = AccessController()
    access.assign_role("bob", "acme", "reader")
    access.assign_role("bob", "acme", "owner")
    access.revoke_role("bob", "acme", "owner")
    assert access.list_permissions("bob", "acme") == {Permission.READ}


def test_an_unknown_role_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput, match="role is 'king'; it is one of reader, writer, owner, admin"):
        AccessController().assign_role("bob", "acme", "king")


class Away:
    """A grant store that fails."""

    def standing(self, tenant_id: str, *principals: str) -> Any:
        raise OSError("the grants are away")

    def keep(self, grant: Granted) -> None: ...

    def set_policy(self, *_: Any, **__: Any) -> None: ...


def test_an_error_of_the_grant_store_opens_nothing() -> None:
    with pytest.raises(OSError, match="the grants are away"):
        AccessController(Away()).require("bob", "acme", Permission.READ)
