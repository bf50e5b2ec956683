"""What was masked comes back where that was asked for: sealed, to its owner, told in the audit."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from zerda.memory import (
    AccessDenied,
    AIMemoryManager,
    ConfigError,
    EntryNotFound,
    MemoryConfig,
    backup,
    restore,
    rotate_root_key,
    rotate_tenant_key,
)

KEY, NEW_KEY = b"k" * 32, b"n" * 32
MAIL, PHONE, PASSWORD = "anna@example.com", "+49 30 1234567", "tr0ub4dor&3"
SAID = f"Write to {MAIL} or call {PHONE}, password: {PASSWORD}"
ALICE = ("alice", "acme")

Opening = Callable[..., AIMemoryManager]


@pytest.fixture
def opened(tmp_path: Path) -> Opening:
    def opened(key: Any = KEY, *, folder: str = "memory", **settings: Any) -> AIMemoryManager:
        config = MemoryConfig(
            persistence_path=str(tmp_path / folder),
            embedding_model="none",
            reversible_masking=True,
            **settings,
        )
        return AIMemoryManager(config, encryption_key=key)

    return opened


def bytes_of(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def test_personal_data_come_back_and_secrets_do_not(opened: Opening) -> None:
    with opened() as memory:
        entry = memory.remember(*ALICE, SAID, id="x", tags=[MAIL], metadata={"from": [MAIL]}, speaker=MAIL)
        assert entry.text == "Write to [EMAIL_1] or call [PHONE_1], password: [PASSWORD_1]"
        assert memory.get(*ALICE, "x") == entry
    with opened() as memory:
        shown = memory.reveal(*ALICE, "x")
        assert shown.text == f"Write to {MAIL} or call {PHONE}, password: [PASSWORD_1]"
        assert (shown.tags, shown.metadata, shown.speaker) == ((MAIL,), {"from": [MAIL]}, MAIL)
        assert dataclasses.replace(
            shown, content="", tags=(), metadata={}, speaker=None
        ) == dataclasses.replace(entry, content="", tags=(), metadata={}, speaker=None)


def test_it_is_in_no_file_in_clear_and_in_no_answer_but_this_one(opened: Opening, tmp_path: Path) -> None:
    with opened() as memory:
        memory.remember(*ALICE, SAID, id="x")
        told = [
            *memory.export_tenant("acme"), *memory.export_user(*ALICE),
            repr(memory.recall(*ALICE, f"who is {MAIL}?", min_score=0)),
            memory.build_context(*ALICE, MAIL).full_text, repr(memory.stats("acme")),
            repr(memory.audit("acme")),
        ]  # fmt: skip
        needles = (MAIL, PHONE, PASSWORD, "anna")
        assert not any(needle in one for needle in needles for one in told)
        assert not any(needle.encode() in bytes_of(tmp_path) for needle in needles)
    assert not any(needle.encode() in bytes_of(tmp_path) for needle in needles)


def test_each_version_knows_its_own(opened: Opening) -> None:
    with opened() as memory:
        memory.remember(*ALICE, f"write to {MAIL}", id="x")
        masked = memory.get(*ALICE, "x").text
        memory.update(*ALICE, "x", content=f"{masked}, or to bob@example.com")
        assert memory.get(*ALICE, "x").text == "write to [EMAIL_1], or to [EMAIL_2]"
        assert memory.reveal(*ALICE, "x").text == f"write to {MAIL}, or to bob@example.com"
        memory.update(*ALICE, "x", content="write to carol@example.com alone")
        assert memory.reveal(*ALICE, "x").text == "write to carol@example.com alone"


def test_it_goes_with_the_entry(opened: Opening) -> None:
    with opened() as memory:
        memory.remember(*ALICE, SAID, id="x")
        receipt = memory.forget(*ALICE, "x")
        assert memory.verify_erased(receipt, [MAIL, PHONE]).clean
        with pytest.raises(EntryNotFound):
            memory.reveal(*ALICE, "x")


def test_only_whose_it_is_may_have_it_and_the_audit_tells(opened: Opening) -> None:
    with opened() as memory:
        memory.remember(*ALICE, f"write to {MAIL}", id="x", visibility="tenant")
        assert memory.get("bob", "acme", "x").text == "write to [EMAIL_1]"
        with pytest.raises(EntryNotFound):
            memory.reveal("bob", "acme", "x")
        memory.grant("alice", "acme", "owner")
        for role in ("reader", "writer", "owner"):
            memory.grant(f"agent:{role}", "acme", role, on_behalf_of="alice")
        for role in ("reader", "writer"):
            with pytest.raises(AccessDenied):
                memory.acting_as(f"agent:{role}").reveal(*ALICE, "x")
        assert MAIL in memory.acting_as("agent:owner").reveal(*ALICE, "x").text
        told = [(one.action, one.result) for one in memory.audit("acme") if "reveal" in one.action]
        assert told == [("reveal", "done")]
        assert memory.verify_audit("acme").faults == ()


def test_it_survives_other_keys_and_a_backup(opened: Opening, tmp_path: Path) -> None:
    with opened() as memory:
        memory.remember(*ALICE, f"write to {MAIL}", id="x")
    rotate_root_key(tmp_path / "memory", KEY, NEW_KEY)
    rotate_tenant_key(tmp_path / "memory", NEW_KEY, "acme")
    backup(tmp_path / "memory", tmp_path / "copy", encryption_key=NEW_KEY)
    restore(tmp_path / "copy", tmp_path / "back", encryption_key=NEW_KEY)
    for folder in ("memory", "back"):
        with opened(NEW_KEY, folder=folder) as memory:
            assert memory.reveal(*ALICE, "x").text == f"write to {MAIL}"


def test_without_the_setting_nothing_is_kept(tmp_path: Path) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path / "memory"), embedding_model="none")
    with AIMemoryManager(config, encryption_key=KEY) as memory:
        memory.remember(*ALICE, f"write to {MAIL}", id="x")
        assert memory.reveal(*ALICE, "x").text == "write to [EMAIL_1]"


@pytest.mark.parametrize(
    "settings",
    [{}, {"enable_persistence": False}, {"storage": "postgresql://nobody@127.0.0.1:1/none"}],
    ids=["no key", "no folder", "a server"],
)
def test_where_nothing_would_seal_it_it_is_refused(settings: dict[str, Any], tmp_path: Path) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path / "m"), reversible_masking=True, **settings)
    with pytest.raises(ConfigError, match=r"reversible_masking is True.*encryption_key"):
        AIMemoryManager(config, encryption_key=KEY if settings else None)
    assert not (tmp_path / "m").exists()
