"""Masking what is stored already: rewritten in its place everywhere, and the old bytes out of the files."""

from __future__ import annotations

from pathlib import Path

import pytest
from opening import Make

from zerda.memory import AccessDenied, AIMemoryManager, ConfigError, MemoryConfig

MAIL, CARD, PHONE = "anna@example.com", "4111 1111 1111 1111", "+49 30 1234567"


def fill(memory: AIMemoryManager) -> None:
    """What was kept without masking, as by an older version or an import."""
    intake = memory._intake
    masker = intake.masker
    object.__setattr__(intake, "masker", None)
    memory.remember("alice", "acme", f"my card is {CARD}", id="card", session_id="s")
    memory.update("alice", "acme", "card", content=f"my new card is {CARD}", tags=[MAIL])
    memory.save_interaction("alice", "acme", f"write to {MAIL}", "I will", id="mail", session_id="s")
    memory.remember("alice", "acme", "the weather was fine", id="fine", session_id="s")
    memory.remember("bob", "acme", f"call {PHONE}", id="call", metadata={"from": MAIL}, speaker=MAIL)
    memory.archive("bob", "acme", "call")
    memory.set_preferences("bob", "acme", {"contact": MAIL, "tone": "short"})
    memory.flush()
    object.__setattr__(intake, "masker", masker)


def test_everything_that_is_stored_is_masked_in_its_place(memory: AIMemoryManager) -> None:
    fill(memory)
    before = [(one.id, one.seq) for one in memory.list("alice", "acme").entries]
    report = memory.mask_stored("acme")
    assert (report.entries, report.rewritten, report.profiles) == (4, 3, 1)
    assert report.kinds == {"CREDIT_CARD": 2, "EMAIL": 5, "PHONE": 1}
    assert [(one.id, one.seq) for one in memory.list("alice", "acme").entries] == before
    card, mail = memory.get("alice", "acme", "card"), memory.get("alice", "acme", "mail")
    assert (card.content, card.tags, card.version) == ("my new card is [CREDIT_CARD_1]", ("[EMAIL_1]",), 2)
    assert mail.content == {"input": "write to [EMAIL_1]", "output": "I will"}
    assert mail.masked == {"EMAIL": 1}
    assert [one.content for one in memory.history("alice", "acme", "card")] == [
        "my card is [CREDIT_CARD_1]",
        "my new card is [CREDIT_CARD_1]",
    ]
    call = memory.get("bob", "acme", "call")
    assert (call.content, call.speaker) == ("call [PHONE_1]", "[EMAIL_1]")
    assert call.archived_at is not None
    assert memory.profile("bob", "acme").explicit_preferences == {"contact": "[EMAIL_1]", "tone": "short"}
    assert memory.get("alice", "acme", "fine").content == "the weather was fine"


def test_no_byte_of_it_is_left(memory: AIMemoryManager) -> None:
    fill(memory)
    receipt = memory.mask_stored("acme").receipt
    assert receipt is not None
    assert receipt.complete
    assert receipt.counts == {"rewritten": 3, "profiles": 1}
    assert receipt in memory.receipts("acme")
    proof = memory.verify_erased(receipt, [MAIL, CARD, PHONE, "anna"])
    assert proof.clean, proof.traces
    assert not [
        hit for hit in memory.recall("alice", "acme", MAIL, min_score=0.0) if "anna" in hit.entry.text
    ]


def test_a_second_pass_finds_nothing_and_says_so(memory: AIMemoryManager) -> None:
    fill(memory)
    memory.mask_stored("acme")
    again = memory.mask_stored("acme")
    assert (again.entries, again.rewritten, again.profiles, again.kinds, again.receipt) == (4, 0, 0, {}, None)


def test_a_dry_run_counts_and_changes_nothing(memory: AIMemoryManager) -> None:
    fill(memory)
    report = memory.mask_stored("acme", dry_run=True)
    assert (report.rewritten, report.profiles, report.receipt) == (3, 1, None)
    assert memory.get("alice", "acme", "card").content == f"my new card is {CARD}"
    assert memory.receipts("acme") == ()


def test_one_user_alone_may_be_masked(memory: AIMemoryManager) -> None:
    fill(memory)
    assert memory.mask_stored("acme", user_id="bob").rewritten == 1
    assert memory.get("bob", "acme", "call").content == "call [PHONE_1]"
    assert memory.get("alice", "acme", "card").content == f"my new card is {CARD}"


def test_the_audit_tells_it_and_names_nothing(memory: AIMemoryManager) -> None:
    fill(memory)
    memory.mask_stored("acme")
    told = [(one.action, one.count) for one in memory.audit("acme")]
    assert ("mask", 3) in told
    assert [count for action, count in told if action == "rewrite"] == [1, 1, 1]
    assert memory.verify_audit("acme").faults == ()


def test_progress_is_told_and_a_stranger_is_refused(memory: AIMemoryManager) -> None:
    fill(memory)
    told: list[tuple[int, int]] = []
    memory.mask_stored("acme", progress=lambda done, of: told.append((done, of)))
    assert told[-1] == (4, 4)
    with pytest.raises(AccessDenied):
        memory.mask_stored("acme", actor="mallory")
    memory.grant("root", "acme", "admin")
    assert memory.mask_stored("acme", actor="root").rewritten == 0


def test_a_memory_without_masking_says_so(tmp_path: Path) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path), embedding_model="none", mask_secrets=False)
    with (
        AIMemoryManager(config, enable_privacy_masking=False) as memory,
        pytest.raises(ConfigError, match="nothing is masked"),
    ):
        memory.mask_stored("acme")


def test_what_the_profile_learnt_from_it_is_unlearnt(make: Make) -> None:
    memory = make()
    masker = memory._intake.masker
    object.__setattr__(memory._intake, "masker", None)
    for number in range(3):
        memory.save_interaction("alice", "acme", f"{MAIL} {number}", "yes", topics=["annaexample"])
    object.__setattr__(memory._intake, "masker", masker)
    assert memory.profile("alice", "acme").topics_of_interest
    memory.mask_stored("acme")
    assert memory.profile("alice", "acme").topics_of_interest == ()
