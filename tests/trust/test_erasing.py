"""Erasure as an application asks for it: by id, by filter, by user, by tenant; receipts and their proof."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from opening import Make

from zerda.memory import AIMemoryManager, EntryConflict, InvalidInput, Note, Query
from zerda.memory.embedding.cached import CachedEmbedder
from zerda.memory.errors import EntryErased, ErasureIncomplete, StorageFull
from zerda.memory.testing import HashingEmbedder, Ticking

ALICE = ("alice", "acme")
SECRET = "zanzibarquartz"


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.rglob("*") if file.is_file())


def told(memory: AIMemoryManager) -> None:
    """Alice's secret in every place that there is, and something harmless of others."""
    memory.remember(*ALICE, f"{SECRET} one", id="1", topics=[SECRET], metadata={"of": SECRET}, tags=["work"])
    memory.update(*ALICE, "1", content=f"{SECRET} one again")
    memory.save_interaction(*ALICE, f"what is {SECRET}?", f"{SECRET} is a stone", id="2", session_id=SECRET)
    memory.archive(*ALICE, "2")
    memory.set_preferences(*ALICE, {"stone": SECRET})
    memory.build_context(*ALICE, SECRET)
    memory.remember("bob", "acme", "the harbour", id="b")


def test_a_forgotten_user_is_in_no_file_answer_or_second_process(make: Make, tmp_path: Path) -> None:
    memory, other = make(), make()
    told(memory)
    assert other.recall(*ALICE, SECRET, min_score=0)
    assert SECRET.encode() in bytes_in(tmp_path)
    receipt = memory.forget_user(*ALICE)
    assert SECRET.encode() not in bytes_in(tmp_path)
    for one in (memory, other):
        assert one.recall(*ALICE, SECRET, min_score=0) == []
        assert one.list(*ALICE, filters=Query(archived=None)).entries == ()
        assert one.profile(*ALICE).explicit_preferences == {}
        assert SECRET not in one.build_context(*ALICE, "stone").full_text
        assert [entry.id for entry in one.list("bob", "acme").entries] == ["b"]
    assert receipt.complete
    assert (receipt.what, receipt.entries, receipt.counts["versions"], receipt.counts["profiles"]) == (
        "user", 2, 1, 1,
    )  # fmt: skip
    assert receipt.counts["archived"] == 1
    assert memory.verify_erased(receipt, [SECRET, "alice"]).clean


def test_a_user_who_was_forgotten_is_as_if_never_there(memory: AIMemoryManager) -> None:
    told(memory)
    memory.forget_user(*ALICE)
    assert memory.stats("acme")["users"] == 1
    again = memory.remember(*ALICE, "a new start")
    assert [entry.id for entry in memory.list(*ALICE).entries] == [again.id]
    assert memory.profile(*ALICE).total_interactions <= 1


def test_a_cleared_tenant_leaves_a_receipt_and_no_byte(make: Make, tmp_path: Path) -> None:
    memory = make()
    told(memory)
    memory.clear_tenant("acme")
    assert SECRET.encode() not in bytes_in(tmp_path)
    (receipt,) = memory.receipts("acme")
    assert (receipt.what, receipt.entries, receipt.complete) == ("tenant", 3, True)
    assert memory.verify_erased(receipt, [SECRET]).clean


def test_a_preview_counts_what_would_go_and_erases_nothing(memory: AIMemoryManager) -> None:
    told(memory)
    preview = memory.forget_where(*ALICE, Query(tags=("work",)), preview=True)
    assert (preview.preview, preview.entries, preview.counts["versions"]) == (True, 1, 1)
    assert memory.get(*ALICE, "1").content == f"{SECRET} one again"
    assert memory.receipts("acme") == ()
    assert memory.forget_user(*ALICE, preview=True).entries == 2
    assert memory.profile(*ALICE).explicit_preferences == {"stone": SECRET}
    receipt = memory.forget_where(*ALICE, Query(tags=("work",)))
    assert dict(receipt.counts) == dict(preview.counts)
    assert receipt.digest == preview.digest


def test_a_source_and_a_time_can_be_undone_for_everyone(memory: AIMemoryManager, clock: Ticking) -> None:
    begin = clock()
    memory.remember_many(*ALICE, [Note(content="from a page", origin="web"), Note(content="said")])
    memory.remember("bob", "acme", "from a page too", origin="web")
    assert memory.forget_where(None, "acme", Query(origins=("web",))).entries == 2
    clock.advance(timedelta(days=2))
    memory.remember(*ALICE, "later")
    assert memory.forget_where(*ALICE, Query(until=begin + timedelta(days=1))).entries == 1
    assert [entry.content for entry in memory.list(*ALICE).entries] == ["later"]


def test_what_came_of_an_entry_goes_with_it(memory: AIMemoryManager) -> None:
    entry = memory.remember(*ALICE, "the fennec sleeps by day")
    scope = memory._gate.administer("acme", user_id="alice")
    fact = memory._intake.draft(scope, Note(content="fennecs are nocturnal", kind="fact", id="fact"))
    memory._bundle("acme").store.put(
        scope, [replace(fact, entry=replace(fact.entry, origin="derived", sources=(entry.id,)))]
    )
    receipt = memory.forget(*ALICE, entry.id)
    assert (receipt.entries, receipt.counts["derived"]) == (2, 1)
    assert memory.list(*ALICE).entries == ()


def test_what_was_erased_does_not_come_back_by_a_second_import(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "the secret", id="1")
    memory.remember(*ALICE, "the harbour", id="2")
    lines = list(memory.export_tenant("acme"))
    memory.forget(*ALICE, "1")
    with pytest.raises(EntryErased):
        memory.remember(*ALICE, "the secret", id="1")
    assert issubclass(EntryErased, EntryConflict)
    report = memory.import_(lines, "acme")
    assert (report.saved, report.already_there, report.erased) == (0, 1, 1)
    renamed = [line.replace('"id":"1"', '"id":"9"') for line in lines]
    assert memory.import_(renamed, "acme").erased == 1
    assert memory.import_(lines, "acme", bring_back=True).saved == 1
    assert memory.get(*ALICE, "1").content == "the secret"


def test_allowing_an_id_again_opens_the_door(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "the secret", id="1")
    memory.forget(*ALICE, "1")
    assert memory.allow_again(*ALICE, "1", "unknown") == 1
    assert memory.remember(*ALICE, "the secret", id="1").id == "1"


@pytest.mark.parametrize("ids", [(), (5,), (["1"],), ("",), (None,)])
def test_an_id_that_can_be_none_is_named_and_gives_no_receipt(memory: AIMemoryManager, ids: Any) -> None:
    memory.remember(*ALICE, "x", id="1")
    for verb in (memory.forget, memory.allow_again):
        with pytest.raises(InvalidInput, match="id"):
            verb(*ALICE, *ids)
    assert memory.receipts("acme") == ()


def test_an_erasure_that_was_killed_before_its_scrub_is_finished_by_upkeep(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = make()
    memory.remember(*ALICE, f"{SECRET} one", id="1")
    store = memory._bundle("acme").store

    def killed(**_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(store, "scrub", killed)
        with pytest.raises(KeyboardInterrupt):
            memory.forget(*ALICE, "1")
    assert [receipt.complete for receipt in memory.receipts("acme")] == [False]
    assert SECRET.encode() in bytes_in(tmp_path)
    report = make().run_maintenance("acme")
    assert report["erasures"]["completed"] == 1
    (receipt,) = memory.receipts("acme")
    assert (receipt.entries, receipt.complete) == (1, True)
    assert SECRET.encode() not in bytes_in(tmp_path)


def test_no_erasure_is_without_its_receipt(memory: AIMemoryManager, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.remember(*ALICE, "x", id="1")
    store = memory._bundle("acme").store

    def full(receipt: object) -> None:
        raise StorageFull("no room")

    with monkeypatch.context() as patched:
        patched.setattr(store, "put_receipt", full)
        with pytest.raises(StorageFull):
            memory.forget(*ALICE, "1")
    assert memory.get(*ALICE, "1").content == "x"


def test_nothing_was_there_to_erase_and_no_receipt_is_kept(memory: AIMemoryManager) -> None:
    receipt = memory.forget(*ALICE, "unknown")
    assert (receipt.entries, receipt.complete) == (0, True)
    assert memory.receipts("acme") == ()


def test_a_reader_who_stays_makes_it_incomplete_and_a_later_call_finishes_it(
    make: Make, tmp_path: Path
) -> None:
    memory, other = make(), make()
    memory._scrub_seconds = 0.05
    memory.remember(*ALICE, f"{SECRET} one", id="1")
    store = other._bundle("acme").store
    with store._reading() as lease:  # type: ignore[attr-defined]
        lease.connection.execute("SELECT count(*) FROM entries").fetchall()
        with pytest.raises(ErasureIncomplete, match="erased, but a reader") as raised:
            memory.forget(*ALICE, "1")
        assert memory.list(*ALICE).entries == ()
        (receipt,) = memory.receipts("acme")
        assert receipt == raised.value.receipt
        assert not receipt.complete
    assert memory.verify_erased(receipt, [SECRET]).clean
    assert memory.receipts("acme")[0].complete
    assert SECRET.encode() not in bytes_in(tmp_path)


def test_the_next_erasure_finishes_the_last(make: Make) -> None:
    memory, other = make(), make()
    memory._scrub_seconds = 0.05
    memory.remember(*ALICE, "one", id="1")
    memory.remember(*ALICE, "two", id="2")
    store = other._bundle("acme").store
    with store._reading() as lease:  # type: ignore[attr-defined]
        lease.connection.execute("SELECT count(*) FROM entries").fetchall()
        with pytest.raises(ErasureIncomplete):
            memory.forget(*ALICE, "1")
    memory.forget(*ALICE, "2")
    assert [receipt.complete for receipt in memory.receipts("acme")] == [True, True]


def test_vectors_of_questions_are_dropped_with_what_was_erased(make: Make) -> None:
    memory = make()
    cached = CachedEmbedder(HashingEmbedder(), 10)
    memory._embedder = cached
    cached.embed([SECRET], role="query")
    memory.remember(*ALICE, SECRET, id="1")
    memory.forget(*ALICE, "1")
    assert cached.stats().size == 0


def test_a_receipt_tells_no_id_and_no_one_without_the_store_can_make_its_digest(make: Make) -> None:
    first, second = make(), make(folder="elsewhere")
    receipts = []
    for memory in (first, second):
        memory.remember(*ALICE, "x", id="an id that can be guessed")
        receipts.append(memory.forget(*ALICE, "an id that can be guessed"))
    assert receipts[0].digest != receipts[1].digest
    assert "guessed" not in repr(receipts)


def test_freed_pages_are_found_where_they_are_not_blank(make: Make, tmp_path: Path) -> None:
    memory = make()
    for number in range(60):
        memory.remember(*ALICE, f"{SECRET} {number} " * 100, id=str(number))
    receipt = memory.forget_where(*ALICE, Query())
    assert memory.verify_erased(receipt, [SECRET]).clean
    memory.close()
    path = tmp_path / "m" / "acme_ltm.db"
    data = bytearray(path.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    trunk = int.from_bytes(data[32:36], "big")
    assert trunk
    leaf = int.from_bytes(data[(trunk - 1) * size + 8 : (trunk - 1) * size + 12], "big")
    data[(leaf - 1) * size + 50 : (leaf - 1) * size + 55] = b"ghost"
    path.write_bytes(data)
    proof = make().verify_erased(receipt, ["ghost"])
    assert set(proof.traces) == {
        "a freed page that is not blank",
        "a text in the bytes of the file (database)",
    }
