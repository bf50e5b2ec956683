"""R1 to R5, D1: roles, the stated policy, and that a refused call does nothing."""

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zerda.memory import AccessController, AIMemoryManager, MemoryConfig, Permission
from zerda.memory.testing import HashingEmbedder

Making = Callable[..., AIMemoryManager]
BOB = ("bob", "acme")

ENTRANCES: dict[str, Callable[[AIMemoryManager], Any]] = {
    "save_interaction": lambda memory: memory.save_interaction(*BOB, "hi", "hello"),
    "build_context": lambda memory: memory.build_context(*BOB, "hi"),
    "build_prompt": lambda memory: memory.build_prompt(*BOB, "hi"),
    "asave_interaction": lambda memory: asyncio.run(memory.asave_interaction(*BOB, "hi", "hello")),
    "abuild_context": lambda memory: asyncio.run(memory.abuild_context(*BOB, "hi")),
}


def test_R1_granting_and_revoking_are_the_controllers(memory: AIMemoryManager) -> None:
    memory.grant("bob", "acme")
    assert memory._access.list_permissions("bob", "acme") == {Permission.READ, Permission.WRITE}
    memory.revoke("bob", "acme", "writer")
    assert memory._access.list_permissions("bob", "acme") == set()
    with pytest.raises(ValueError, match="'wizard'"):
        memory.grant("bob", "acme", role="wizard")


def test_R2_a_reader_reads_and_a_writer_does_both(memory: AIMemoryManager) -> None:
    memory.grant(*BOB, role="reader")
    assert memory.build_context(*BOB, "hi").full_text == ""
    with pytest.raises(PermissionError, match=r"bob.*WRITE"):
        memory.save_interaction(*BOB, "hi", "hello")
    memory.grant(*BOB, role="writer")
    assert memory.save_interaction(*BOB, "hi", "hello").id
    assert "hi" in memory.build_prompt(*BOB, "hi")


def test_R3_a_refused_call_makes_no_file_and_no_entry(tmp_path: Path) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path / "memory"))
    with AIMemoryManager(config, embedder=HashingEmbedder()) as memory:
        memory.revoke(*BOB, "reader")
        for enter in ENTRANCES.values():
            with pytest.raises(PermissionError):
                enter(memory)
        assert not (tmp_path / "memory" / "acme_ltm.db").exists()
        assert not memory._bundles
        assert memory.stats("acme")["entries"] == 0


def test_R4_the_controller_requires_and_lists() -> None:
    access = AccessController()
    access.assign_role("bob", "acme", "reader")
    access.require("bob", "acme", Permission.READ)
    with pytest.raises(PermissionError):
        access.require("bob", "acme", Permission.WRITE)
    assert access.list_permissions("bob", "acme") == {Permission.READ}
    assert access.list_permissions("bob", "other") == access.list_permissions("ann", "acme") == set()
    access.revoke_role("bob", "acme", "reader")
    with pytest.raises(PermissionError):
        access.require("bob", "acme", Permission.READ)


def test_R5_a_stranger_passes_where_another_has_a_role(memory: AIMemoryManager) -> None:
    memory.grant(*BOB, role="reader")
    assert memory.save_interaction("alice", "acme", "hi", "hello").id
    assert "hello" in memory.build_context("alice", "acme", "hi").full_text


@pytest.mark.parametrize("entrance", ENTRANCES)
def test_D1_under_the_strict_policy_only_a_grant_opens_any_door(make: Making, entrance: str) -> None:
    memory = make(access_policy="strict")
    memory.grant("bob", "other")
    with pytest.raises(PermissionError):
        ENTRANCES[entrance](memory)
    memory.grant(*BOB)
    ENTRANCES[entrance](memory)


@pytest.mark.parametrize("policy", ["open", "strict"])
@pytest.mark.parametrize("entrance", ENTRANCES)
def test_D1_whoever_lost_a_role_is_refused_under_any_policy(make: Making, policy: str, entrance: str) -> None:
    memory = make(access_policy=policy)
    memory.grant(*BOB)
    memory.revoke(*BOB, "writer")
    with pytest.raises(PermissionError):
        ENTRANCES[entrance](memory)


def test_D1_the_open_policy_warns_once(memory: AIMemoryManager, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for user in ("alice", "ann", "alice"):
            memory.save_interaction(user, "acme", "hi", "hello")
    assert caplog.text.count("access is open") == 1


def test_Z20_a_revoked_user_is_not_let_in_again(memory: AIMemoryManager) -> None:
    memory.save_interaction(*BOB, "hi", "hello")
    memory.grant(*BOB, role="reader")
    memory.revoke(*BOB, role="reader")
    for _ in range(2):
        with pytest.raises(PermissionError):
            memory.build_context(*BOB, "hi")
