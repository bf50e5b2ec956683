"""The audit as an operator reads it: who did what, whether it is whole, and nothing that was said."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest
from opening import Make

from zerda.memory import (
    AccessDenied,
    AIMemoryManager,
    InvalidInput,
    MemoryConfig,
    encrypt_memory,
    rotate_root_key,
)
from zerda.memory.testing import HashingEmbedder

ALICE = ("alice", "acme")
PASSPHRASE, OTHER_PASSPHRASE = "correct horse battery staple", "another horse battery staple"


def change(path: Path, sql: str) -> None:
    """What somebody with the file might do to it."""
    db = apsw.Connection(str(path))
    db.execute(sql)
    db.close()


def test_changes_refusals_and_grants_are_told_by_name_while_they_are_known(memory: AIMemoryManager) -> None:
    memory.grant("root", "acme", "admin")
    memory.grant("bob", "acme", "reader", actor="root")
    memory.remember(*ALICE, "zanzibar quartz", id="1")
    with pytest.raises(AccessDenied):
        memory.remember("bob", "acme", "x")
    memory.set_access_policy("open")
    told = [(one.action, one.actor, one.subject, one.result, one.count) for one in memory.audit("acme")]
    assert told == [
        ("grant admin", "app", "root", "done", 0),
        ("grant reader", "root", "bob", "done", 0),
        ("save", "app", "alice", "done", 1),
        ("write", "app", "bob", "refused", 0),
    ]
    assert "zanzibar" not in repr(memory.audit("acme"))
    of_bob = [one.action for one in memory.audit("acme", user_id="bob")]
    assert of_bob == ["grant reader", "write"]
    memory.forget_user(*ALICE)
    assert "alice" not in {name for one in memory.audit("acme") for name in (one.actor, one.subject)}


@pytest.mark.parametrize(
    ("sql", "fault"),
    [
        ("UPDATE audit SET action = 'nothing' WHERE number = 2", "memory: record 2 is not what was written"),
        ("UPDATE audit SET actor = 'eve' WHERE number = 1", "memory: record 1 is not what was written"),
        ("UPDATE audit SET at = at + 1 WHERE number = 3", "memory: record 3 is not what was written"),
        ("DELETE FROM audit WHERE number = 2", "memory: records 2 to 2 are missing"),
        ("DELETE FROM audit WHERE number = 1", "memory: records 1 to 1 are missing"),
        (
            "UPDATE audit SET number = CASE number WHEN 1 THEN 91 ELSE number END",
            "memory: records 1 to 1 are missing",
        ),
    ],
)
def test_a_record_that_was_changed_or_taken_is_found(
    make: Make, tmp_path: Path, sql: str, fault: str
) -> None:
    memory = make()
    for number in range(3):
        memory.remember(*ALICE, f"note {number}")
    assert memory.verify_audit("acme").whole
    change(tmp_path / "m" / "acme_ltm.db", sql)
    assert fault in memory.verify_audit("acme").faults


def test_a_cut_end_is_found_by_a_head_that_was_kept_elsewhere(make: Make, tmp_path: Path) -> None:
    memory = make()
    memory.grant(*ALICE, "writer")
    for number in range(3):
        memory.remember(*ALICE, f"note {number}")
    heads = memory.audit_head("acme")
    assert memory.verify_audit("acme", heads).whole
    change(tmp_path / "m" / "acme_ltm.db", "DELETE FROM audit WHERE number = 3")
    change(tmp_path / "m" / "zerda.db", "DELETE FROM audit")
    assert memory.verify_audit("acme").whole
    assert memory.verify_audit("acme", heads).faults == (
        "memory: record 3 is not the one whose head was kept",
        "access: record 1 is not the one whose head was kept",
    )
    with pytest.raises(InvalidInput, match="audit_head"):
        memory.verify_audit("acme", ["memory:x"])


def test_without_a_key_it_says_that_a_thief_is_not_found(tmp_path: Path) -> None:
    for key, keyed in ((None, False), (PASSPHRASE, True)):
        config = MemoryConfig(persistence_path=str(tmp_path / str(keyed)))
        with AIMemoryManager(config, embedder=HashingEmbedder(), encryption_key=key) as memory:
            memory.remember(*ALICE, "x")
            assert memory.verify_audit("acme").keyed is keyed
            assert memory.verify_audit("acme").whole


def test_erasure_proof_and_transfer_work_on_encrypted_files_with_hidden_ids(tmp_path: Path) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path), hide_ids=True)
    with AIMemoryManager(config, embedder=HashingEmbedder(), encryption_key=PASSPHRASE) as memory:
        memory.grant(*ALICE, "owner", actor=None)
        memory.grant("agent:planner", "acme", "reader", on_behalf_of="alice")
        memory.remember(*ALICE, "zanzibar quartz", id="1")
        assert memory.acting_as("agent:planner").list(*ALICE).entries
        assert {grant.principal for grant in memory.list_grants("acme")} == {"alice", "agent:planner"}
        lines = list(memory.export_tenant("acme", grants=True))
        receipt = memory.forget(*ALICE, "1")
        assert memory.verify_erased(receipt, ["zanzibar"]).clean
        assert memory.receipts("acme") == (receipt,)
        assert memory.import_(lines, "acme", bring_back=True).saved == 1
        assert memory.get(*ALICE, "1").content == "zanzibar quartz"
    files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert b"alice" not in files
    assert b"planner" not in files


def secret_in(folder: Path) -> bytes | None:
    """The secret of the audit, as the catalog has it in clear."""
    db = apsw.Connection(str(folder / "zerda.db"))
    told = db.execute("SELECT value FROM meta WHERE name = 'secret'").fetchall()
    db.close()
    return str(told[0][0]).encode() if told else None


def test_with_a_key_the_chain_of_access_cannot_be_sealed_by_whoever_has_the_folder(tmp_path: Path) -> None:
    with AIMemoryManager(
        MemoryConfig(persistence_path=str(tmp_path)), embedder=HashingEmbedder(), encryption_key=PASSPHRASE
    ) as memory:
        memory.grant(*ALICE, "writer")
        memory.remember(*ALICE, "x")
        assert secret_in(tmp_path) is None
        assert memory.verify_audit("acme").whole
        rotate_root_key(tmp_path, PASSPHRASE, OTHER_PASSPHRASE)
    with AIMemoryManager(
        MemoryConfig(persistence_path=str(tmp_path)),
        embedder=HashingEmbedder(), encryption_key=OTHER_PASSPHRASE,
    ) as memory:  # fmt: skip
        assert memory.verify_audit("acme").whole
        assert [one.subject for one in memory.audit("acme")] == ["alice", "alice"]
        change(tmp_path / "zerda.db", "UPDATE audit SET action = 'revoke writer'")
        assert memory.verify_audit("acme").faults == ("access: record 1 is not what was written",)


@pytest.mark.parametrize("hide_ids", [False, True])
def test_a_memory_that_is_encrypted_later_keeps_its_chains_and_its_secret_is_in_clear_no_more(
    tmp_path: Path, hide_ids: bool
) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path), hide_ids=False)
    with AIMemoryManager(config, embedder=HashingEmbedder()) as memory:
        memory.grant(*ALICE, "writer")
        memory.remember(*ALICE, "x")
        heads = memory.audit_head("acme")
    secret = secret_in(tmp_path)
    assert secret
    encrypt_memory(tmp_path, PASSPHRASE, hide_ids=hide_ids)
    assert secret_in(tmp_path) is None
    assert not any(secret in file.read_bytes() for file in tmp_path.iterdir())
    with AIMemoryManager(
        MemoryConfig(persistence_path=str(tmp_path), hide_ids=hide_ids),
        embedder=HashingEmbedder(), encryption_key=PASSPHRASE,
    ) as memory:  # fmt: skip
        report = memory.verify_audit("acme", () if hide_ids else heads)
        assert report.whole, report.faults
        memory.revoke(*ALICE, "writer")
        assert memory.verify_audit("acme").whole


def test_a_refusal_stands_though_it_cannot_be_written_down(
    make: Make, caplog: pytest.LogCaptureFixture
) -> None:
    from zerda.memory.errors import StorageFull

    memory = make(access_policy="strict")
    memory.grant(*ALICE, "reader")

    def full(tenant_id: str, event: object) -> None:
        raise StorageFull("no room")

    memory._gate._refused = full
    with pytest.raises(AccessDenied):
        memory.remember(*ALICE, "x")
    assert "was not recorded" in caplog.text


def test_reads_are_told_on_request_many_in_one_record(make: Make) -> None:
    memory = make(audit_reads=True)
    memory.grant("agent:planner", "acme", "reader", on_behalf_of="alice")
    memory.remember(*ALICE, "x", id="1")
    for _ in range(3):
        memory.get(*ALICE, "1")
    memory.acting_as("agent:planner").list(*ALICE)
    told = [(one.actor, one.subject, one.count) for one in memory.audit("acme") if one.action == "read"]
    assert told == [("app", "alice", 3), ("agent:planner", "alice", 1)]
    memory.get(*ALICE, "1")
    memory.close()
    again = make()
    assert [one.count for one in again.audit("acme") if one.action == "read"] == [3, 1, 1]
    again.get(*ALICE, "1")
    assert len([one for one in again.audit("acme") if one.action == "read"]) == 3
