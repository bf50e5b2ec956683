"""The gate makes every scope, and none that is unsound or wider than what was asked."""

from __future__ import annotations

import pytest

from zerda.memory.core.model import Scope
from zerda.memory.errors import AccessDenied, InvalidInput
from zerda.memory.gate import Gate, narrowed, principal_of, scope_of, whole_tenant
from zerda.memory.security.access import AccessController, Permission


def test_a_scope_is_of_sound_ids_alone() -> None:
    gate = Gate(AccessController())
    for tenant_id, user_id in (("", "alice"), ("acme", ""), ("acme", " alice"), ("ac\nme", "alice")):
        with pytest.raises(InvalidInput):
            gate.require(user_id, tenant_id, Permission.READ)
        with pytest.raises(InvalidInput):
            gate.administer(tenant_id, user_id=user_id)
        with pytest.raises(InvalidInput):
            scope_of(tenant_id, user_id)
    with pytest.raises(InvalidInput):
        whole_tenant("")


def test_a_users_scope_is_narrowed_to_no_other_user() -> None:
    assert narrowed(Scope("acme"), "alice") == Scope("acme", "alice")
    assert narrowed(Scope("acme", "alice", "bot"), "alice") == Scope("acme", "alice", "bot")
    with pytest.raises(InvalidInput, match="no other user"):
        narrowed(Scope("acme", "alice"), "bob")


def test_the_programs_own_view_is_of_one_user_or_the_tenant() -> None:
    assert (scope_of("acme"), scope_of("acme", "alice")) == (Scope("acme"), Scope("acme", "alice"))


def test_the_gate_tells_who_acts() -> None:
    gate = Gate(AccessController())
    assert gate.actor is None
    assert gate.acting_as("user:alice").actor == principal_of("alice") == "alice"
    assert gate.acting_as("agent:planner").acting_as("agent:planner").actor == "agent:planner"


def test_what_concerns_all_tenants_is_the_programs() -> None:
    gate = Gate(AccessController())
    gate.only_the_program("look")
    with pytest.raises(AccessDenied, match="'bob' may not look"):
        gate.acting_as("bob").only_the_program("look")
