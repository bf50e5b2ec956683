"""Grants and the policy hold in every process, at the next call, and nothing reopens a door by accident."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from opening import Make

import zerda.memory as memory_package
from zerda.memory import AccessDenied, AIMemoryManager, InvalidInput, StorageError
from zerda.memory.testing import Ticking

SRC = Path(memory_package.__file__).parents[2]
ALICE = ("alice", "acme")

READER = """
import sys
from zerda.memory import AccessDenied, AIMemoryManager, MemoryConfig
with AIMemoryManager(MemoryConfig(persistence_path=sys.argv[1], embedding_model="none")) as memory:
    for line in sys.stdin:
        try:
            memory.list("alice", "acme")
            print("in", flush=True)
        except AccessDenied:
            print("refused", flush=True)
"""


def test_a_revocation_holds_at_the_next_call_of_another_process(make: Make, tmp_path: Path) -> None:
    memory = make()
    memory.grant(*ALICE, "reader")
    child = subprocess.Popen(
        [sys.executable, "-c", READER, str(tmp_path / "m")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={"PYTHONPATH": str(SRC)},
    )  # fmt: skip

    def asked() -> str:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write("list\n")
        child.stdin.flush()
        return child.stdout.readline().strip()

    with child:
        assert asked() == "in"
        memory.revoke(*ALICE, "reader")
        assert asked() == "refused"
        memory.grant(*ALICE, "writer")
        assert asked() == "in"
        memory.set_access_policy("strict")
        memory.revoke(*ALICE, "writer")
        assert asked() == "refused"
        assert child.stdin
        child.stdin.close()


def test_a_memory_that_was_strict_does_not_open_as_open(make: Make) -> None:
    strict = make(access_policy="strict")
    with pytest.raises(AccessDenied):
        strict.list(*ALICE)
    strict.close()
    other = make()
    with pytest.raises(AccessDenied):
        other.list(*ALICE)
    other.set_access_policy("open")
    other.close()
    assert make().list(*ALICE).entries == ()


def test_strict_is_remembered_though_all_who_called_had_a_role(make: Make) -> None:
    strict = make(access_policy="strict")
    strict.grant(*ALICE, "writer")
    strict.remember(*ALICE, "x")
    strict.close()
    with pytest.raises(AccessDenied):
        make().list("bob", "acme")


def test_a_stricter_policy_holds_at_the_next_call_of_whoever_has_it_open(make: Make) -> None:
    first, second = make(), make()
    assert first.list(*ALICE).entries == ()
    second.set_access_policy("strict")
    with pytest.raises(AccessDenied):
        first.list(*ALICE)


def test_who_asks_for_strict_is_strict_even_where_the_memory_was_opened_again(make: Make) -> None:
    strict, other = make(access_policy="strict"), make()
    with pytest.raises(AccessDenied):
        strict.list(*ALICE)
    other.set_access_policy("open")
    with pytest.raises(AccessDenied):
        strict.list(*ALICE)
    assert other.list(*ALICE).entries == ()


def test_a_role_ends_when_its_time_has_come_and_the_door_stays_shut(
    memory: AIMemoryManager, clock: Ticking
) -> None:
    memory.grant(*ALICE, "writer", until=clock() + timedelta(days=1))
    memory.remember(*ALICE, "x")
    clock.advance(timedelta(days=1))
    with pytest.raises(AccessDenied):
        memory.list(*ALICE)
    with pytest.raises(InvalidInput, match="in the future"):
        memory.grant(*ALICE, "writer", until=clock())


def test_the_grants_of_a_tenant_can_be_listed(memory: AIMemoryManager, clock: Ticking) -> None:
    end = clock() + timedelta(days=1)
    memory.grant("root", "acme", "admin")
    memory.grant("agent:planner", "acme", "reader", on_behalf_of="alice", until=end, actor="user:root")
    memory.grant(*ALICE, "owner", actor="root")
    memory.revoke(*ALICE, "owner")
    memory.grant("alice", "other", "owner")
    told = [
        (one.principal, one.role, one.held, one.on_behalf_of, one.until, one.by)
        for one in memory.list_grants("acme", actor="root")
    ]
    assert told == [
        ("agent:planner", "reader", True, "alice", end, "root"),
        ("alice", "owner", False, None, None, None),
        ("root", "admin", True, None, None, None),
    ]


def test_an_agent_may_what_both_may_and_loses_it_with_either(memory: AIMemoryManager) -> None:
    planner = memory.acting_as("agent:planner")
    memory.grant(*ALICE, "writer")
    memory.grant("agent:planner", "acme", "reader", on_behalf_of="alice")
    memory.remember(*ALICE, "the fennec")
    assert planner.recall(*ALICE, "fennec", min_score=0)
    with pytest.raises(AccessDenied, match="on_behalf_of"):
        planner.remember(*ALICE, "x")
    with pytest.raises(AccessDenied):
        planner.list("bob", "acme")
    with pytest.raises(AccessDenied):
        planner.list("agent:planner", "acme")
    memory.revoke(*ALICE, "writer")
    with pytest.raises(AccessDenied):
        planner.list(*ALICE)
    memory.grant(*ALICE, "owner")
    assert planner.list(*ALICE).entries
    memory.revoke("agent:planner", "acme", "reader", on_behalf_of="alice")
    with pytest.raises(AccessDenied):
        planner.list(*ALICE)


def test_a_view_acts_as_its_principal_and_as_no_other(memory: AIMemoryManager) -> None:
    memory.grant("root", "acme", "admin")
    view = memory.acting_as("user:bob")
    with pytest.raises(InvalidInput, match="as no other"):
        view.stats("acme", actor="root")
    with pytest.raises(InvalidInput, match="as no other"):
        view.acting_as("root")
    with pytest.raises(AccessDenied):
        view.grant("bob", "acme", "admin")
    assert memory.acting_as("root").stats("acme", actor="user:root")["entries"] == 0


def test_a_strict_view_asks_for_a_role_under_an_open_policy(memory: AIMemoryManager) -> None:
    assert memory.acting_as("bob").list("bob", "acme").entries == ()
    with pytest.raises(AccessDenied):
        memory.acting_as("bob", strict=True).list("bob", "acme")
    assert memory.list("bob", "acme").entries == ()


def test_a_view_closes_nothing_and_ends_with_its_memory(memory: AIMemoryManager) -> None:
    with memory.acting_as("bob") as view:
        view.remember("bob", "acme", "x")
    assert view.list("bob", "acme").entries
    memory.close()
    with pytest.raises(StorageError):
        view.list("bob", "acme")


def test_what_a_delegate_wrote_names_the_delegate_in_the_audit(memory: AIMemoryManager) -> None:
    memory.grant("agent:planner", "acme", "writer", on_behalf_of="alice")
    memory.acting_as("agent:planner").remember(*ALICE, "x")
    saved = [one for one in memory.audit("acme") if one.action == "save"]
    assert [(one.actor, one.subject) for one in saved] == [("agent:planner", "alice")]


def test_nobody_reaches_anothers_entry_but_a_shared_one_which_names_its_author(
    memory: AIMemoryManager,
) -> None:
    memory.remember(*ALICE, "the fennec is mine", id="mine")
    memory.remember(*ALICE, "the fennec is ours", id="ours", visibility="tenant")
    for name in ("alic", "alice ", "ALICE", "alice%", "al_ce"):
        if name == name.strip():
            assert [one.id for one in memory.list(name, "acme").entries] == ["ours"]
    (hit,) = memory.recall("bob", "acme", "fennec", min_score=0)
    assert (hit.entry.id, hit.entry.user_id) == ("ours", "alice")
    assert memory.forget("bob", "acme", "ours", "mine").entries == 0


def test_an_error_of_the_grant_store_lets_nobody_in(make: Make, tmp_path: Path) -> None:
    memory = make()
    memory.grant(*ALICE, "owner")
    memory.remember(*ALICE, "x")
    memory.close()
    catalog = tmp_path / "m" / "zerda.db"
    catalog.write_bytes(b"not what was written" * 500)
    broken = make()
    for call in (broken.list, broken.export_user):
        with pytest.raises(StorageError):
            call(*ALICE)
