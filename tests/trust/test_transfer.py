"""Export and import: what leaves comes back the same, once; what cannot be used is told."""

from __future__ import annotations

import io
import json
import re
from dataclasses import fields
from datetime import timedelta
from typing import Any

import pytest
from opening import Make

from zerda.memory import AccessDenied, AIMemoryManager, EntryConflict, InvalidInput, Note, Query
from zerda.memory.core.rules.profile import UserProfile
from zerda.memory.core.trust import Receipt
from zerda.memory.errors import EntryErased
from zerda.memory.testing import Ticking

ALICE = ("alice", "acme")
PROFILE = {field.name for field in fields(UserProfile)} - {"tenant_id", "half_life_days"}


def told(memory: AIMemoryManager, clock: Ticking) -> None:
    """A little of everything, of two users."""
    memory.save_interaction(*ALICE, "the fennec \ud800 sleeps\x00", "by day", topics=["foxes"], id="1")
    memory.update(*ALICE, "1", importance=0.9, tags=["seen"])
    clock.advance(timedelta(hours=3))
    memory.remember_many(
        *ALICE,
        [
            Note(content="a page said so", origin="web", metadata={"url": "x", "n": [1.5, None, {"a": "ß"}]}),
            Note(content="Ann: hello", speaker="Ann", kind="message", session_id="talk"),
        ],
    )
    memory.remember("bob", "acme", "shared by bob", visibility="tenant", id="b")
    memory.archive(*ALICE, "1")
    memory.pin("bob", "acme", "b")
    memory.set_preferences(*ALICE, {"tone": "plain"})
    memory.build_context("bob", "acme", "shared")
    memory.flush("acme")
    memory.grant(*ALICE, "owner", until=clock() + timedelta(days=9))
    memory.grant("agent:planner", "acme", "reader", on_behalf_of="alice")
    memory.revoke("bob", "acme", "writer")
    memory.grant("bob", "acme", "reader")


def body(lines: list[str]) -> list[dict[str, Any]]:
    """All but the header, which tells the hour."""
    return [json.loads(line) for line in lines][1:]


@pytest.mark.parametrize("vectors", [False, True])
@pytest.mark.parametrize("target_on_disk", [False, True])
def test_a_tenant_that_comes_back_is_the_same(
    memory: AIMemoryManager, make: Make, clock: Ticking, vectors: bool, target_on_disk: bool
) -> None:
    told(memory, clock)
    lines = list(memory.export_tenant("acme", vectors=vectors, grants=True))
    target = make(folder="elsewhere", enable_persistence=target_on_disk)
    report = target.import_(lines, "acme", grants=True)
    assert (report.read, report.saved, report.profiles, report.grants) == (4, 4, 1, 4)
    assert (report.skipped, report.complete) == (0, True)
    again = list(target.export_tenant("acme", vectors=vectors, grants=True))
    assert body(again) == body(lines)
    assert len(target.history(*ALICE, "1")) == 2
    assert target.list_grants("acme") == memory.list_grants("acme")
    if vectors:
        assert target.stats("acme")["pending"] == 0
    assert [hit.entry.id for hit in target.recall(*ALICE, "shared by bob", min_score=0)][:1] == ["b"]


def test_a_second_import_changes_nothing(memory: AIMemoryManager, make: Make, clock: Ticking) -> None:
    told(memory, clock)
    lines = list(memory.export_tenant("acme"))
    target = make(folder="elsewhere")
    target.import_(lines, "acme")
    before = body(list(target.export_tenant("acme")))
    report = target.import_(lines, "acme")
    assert (report.saved, report.already_there, report.profiles) == (0, 4, 0)
    assert body(list(target.export_tenant("acme"))) == before


def test_a_user_takes_their_own_and_nothing_of_others(memory: AIMemoryManager, clock: Ticking) -> None:
    told(memory, clock)
    lines = list(memory.export_user(*ALICE, grants=True))
    kinds = [json.loads(line)["type"] for line in lines]
    assert kinds == ["header", "entry", "entry", "entry", "profile", "grant", "grant", "end"]
    assert "bob" not in "".join(lines)
    told_of = {json.loads(line).get("user_id") for line in lines[1:5]}
    assert told_of == {"alice"}


def test_an_export_is_written_line_by_line_with_progress(memory: AIMemoryManager) -> None:
    memory.remember_many(*ALICE, [f"note {number}" for number in range(1_001)])
    seen: list[int] = []
    file = io.StringIO()
    lines = memory.export_tenant("acme", progress=seen.append)
    file.write(next(lines))
    assert seen == []
    file.writelines(lines)
    assert seen == [500, 1_000, 1_001]
    file.seek(0)
    arrived: list[int] = []
    assert memory.import_(file, "acme", progress=arrived.append).already_there == 1_001
    assert arrived == [500, 1_000, 1_001]


def test_grants_stay_behind_unless_they_are_asked_for(
    memory: AIMemoryManager, make: Make, clock: Ticking
) -> None:
    told(memory, clock)
    assert '"grant"' not in "".join(memory.export_tenant("acme"))
    target = make(folder="elsewhere")
    assert target.import_(memory.export_tenant("acme", grants=True), "acme").grants == 0
    assert target.list_grants("acme") == []


def test_into_another_tenant(memory: AIMemoryManager, clock: Ticking) -> None:
    told(memory, clock)
    assert memory.import_(list(memory.export_tenant("acme")), "copy").saved == 4
    assert memory.get("alice", "copy", "1").tenant_id == "copy"
    assert memory.stats("acme")["entries"] == memory.stats("copy")["entries"]


def changed(line: str, **values: Any) -> str:
    return json.dumps({**json.loads(line), **values})


BAD = {
    "no JSON": (lambda line: line[:-9], "it is no JSON"),
    "no object": (lambda line: "[1]", "it is no JSON object"),
    "no type": (lambda line: changed(line, type="poem"), "it is of no type that version 1 knows"),
    "an empty id": (lambda line: changed(line, id=""), "id cannot be used"),
    "a number for an id": (lambda line: changed(line, id=7), "id cannot be used"),
    "no session": (lambda line: changed(line, session_id=None), "session_id cannot be used"),
    "another text": (
        lambda line: changed(line, content="forged"),
        "content_hash does not fit the content: the line was changed",
    ),
    "a kind of its own": (lambda line: changed(line, kind="spell"), "kind is none of"),
    "trust of its own": (lambda line: changed(line, trust="god"), "trust is none of"),
    "a naive time": (lambda line: changed(line, occurred_at="2026-01-01T00:00:00"), "occurred_at is no time"),
    "no time": (lambda line: changed(line, recorded_at=None), "occurred_at or recorded_at is missing"),
    "an importance of 2": (lambda line: changed(line, importance=2), "importance cannot be used"),
    "tags that are none": (lambda line: changed(line, tags=[1]), "tags holds what is no text"),
    "metadata that is a text": (lambda line: changed(line, metadata="x"), "metadata is of the wrong type"),
    "versions without a hash": (lambda line: changed(line, versions=[{}]), "version is missing"),
    "places that are none": (lambda line: changed(line, places=[["x"]]), "a value is of the wrong type"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_line_that_cannot_be_used_is_told_without_its_words_and_the_rest_goes_in(
    memory: AIMemoryManager, make: Make, kind: str
) -> None:
    memory.remember(*ALICE, "the zanzibar quartz", id="1")
    memory.remember(*ALICE, "the harbour", id="2")
    header, first, *rest = memory.export_tenant("acme")
    spoil, reason = BAD[kind]
    target = make(folder="elsewhere")
    report = target.import_([header, spoil(first), *rest], "acme")
    assert (report.saved, report.skipped) == (1, 1)
    (fault,) = report.faults
    assert fault.line == 2
    assert fault.reason.startswith(reason)
    assert "quartz" not in fault.reason
    assert [entry.id for entry in target.list(*ALICE).entries] == ["2"]


def erased(memory: AIMemoryManager) -> Receipt:
    memory.remember(*ALICE, "the secret", id="1")
    memory.remember("bob", "acme", "the harbour", id="2")
    return memory.forget(*ALICE, "1")


@pytest.mark.parametrize("target_on_disk", [False, True])
def test_what_was_erased_there_stays_erased_here_where_that_is_asked(
    memory: AIMemoryManager, make: Make, target_on_disk: bool
) -> None:
    receipt = erased(memory)
    lines = list(memory.export_tenant("acme", erasures=True))
    assert "the secret" not in "".join(lines)
    target = make(folder="elsewhere", enable_persistence=target_on_disk)
    assert (target.import_(lines, "acme").tombstones, target.receipts("acme")) == (0, ())
    report = target.import_(lines, "acme", erasures=True)
    assert (report.tombstones, report.receipts, report.skipped, report.complete) == (2, 1, 0, True)
    assert target.receipts("acme") == (receipt,)
    with pytest.raises(EntryErased):
        target.remember(*ALICE, "something else", id="1")
    with pytest.raises(EntryConflict):
        target.remember("bob", "acme", "something else", id="1")
    backup = make(folder="backup")
    backup.remember(*ALICE, "the secret", id="9")
    assert target.import_(backup.export_tenant("acme"), "acme").erased == 1
    assert not target.verify_erased(receipt, ["the harbour"]).clean
    assert target.verify_erased(receipt, ["the secret"]).clean
    again = body(list(target.export_tenant("acme", erasures=True)))
    stones = [[one for line in told if line["type"] == "tombstones" for one in line["stones"]] for told in (
        again, body(lines)
    )]  # fmt: skip
    assert stones[0] == stones[1]
    assert target.import_(lines, "acme", erasures=True).receipts == 0
    assert target.allow_again("bob", "acme", "1") == 0
    assert target.allow_again(*ALICE, "1") == 1
    assert target.remember(*ALICE, "the secret", id="1").id == "1"


def test_tombstones_travel_in_batches_and_tell_neither_id_nor_secret(make: Make) -> None:
    memory = make()
    memory.remember_many(*ALICE, [{"content": f"note {n}", "id": f"a guess {n}"} for n in range(700)])
    memory.forget_where(*ALICE, Query())
    lines = list(memory.export_tenant("acme", erasures=True))
    kinds = [json.loads(line)["type"] for line in lines]
    assert kinds == ["header", "receipt", "tombstones", "tombstones", "tombstones", "end"]
    assert json.loads(lines[-1])["tombstones"] == 1_400
    assert "a guess" not in "".join(lines)
    with memory._bundle("acme").store._reading() as lease:  # type: ignore[attr-defined]
        ((secret,),) = lease.connection.execute("SELECT hex(value) FROM meta WHERE name = 'secret'")
    assert secret.lower() not in "".join(lines)


SPOILT = {
    "a receipt without a time": ({"type": "receipt", "at": None, "counts": {}}, "a receipt has a time"),
    "a receipt of nothing": ({"type": "receipt"}, "at is missing"),
    "counts that are none": (
        {"type": "receipt", "at": "2026-01-01T00:00:00+00:00", "counts": 7}, "a value is of the wrong type",
    ),
    "a key that is none": ({"type": "tombstones", "keys": ["0g"], "stones": []}, "a value is of the wrong"),
    "a short key": ({"type": "tombstones", "keys": ["00"], "stones": []}, "keys are at most 100, of 32"),
    "many keys": ({"type": "tombstones", "keys": ["00" * 32] * 101, "stones": []}, "keys are at most 100"),
    "a short digest": (
        {"type": "tombstones", "keys": [], "stones": [["00", None, None, "r"]]}, "a digest has 16 bytes",
    ),
    "no stones": ({"type": "tombstones", "keys": []}, "stones is missing"),
    "a grant of a king": (
        {"type": "grant", "role": "king", "at": "2026-01-01T00:00:00+00:00"}, "a grant has a time and one of",
    ),
    "a grant to nobody": (
        {"type": "grant", "role": "reader", "at": "2026-01-01T00:00:00+00:00", "principal": ""}, "principal ",
    ),
    "a profile of nobody": ({"type": "profile", "learnt": []}, "a value is of|.* is missing"),
    "a profile learnt from nothing": ({"type": "profile", "learnt": [{}]}, "trait is missing"),
    "a profile of no time": (
        {**dict.fromkeys(PROFILE), "type": "profile", "learnt": [], "first_at": 7}, "first_at is no time",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", SPOILT)
def test_a_line_of_another_kind_that_cannot_be_used_is_told_too(make: Make, kind: str) -> None:
    line, reason = SPOILT[kind]
    memory = make()
    header, end = make(folder="elsewhere").export_tenant("acme")
    report = memory.import_([header, json.dumps(line), "", end], "acme", grants=True, erasures=True)
    assert (report.skipped, report.complete) == (1, True)
    assert re.match(reason, report.faults[0].reason)
    assert (memory.receipts("acme"), memory.list_grants("acme")) == ((), [])


def test_vectors_that_cannot_be_read_are_told_and_those_of_another_cut_are_made_anew(
    memory: AIMemoryManager, make: Make
) -> None:
    memory.remember(*ALICE, "one", id="1")
    memory.flush()
    header, line, *rest = memory.export_tenant("acme", vectors=True)
    for vectors in ({"rows": ["%"], "fingerprint": "x"}, {"fingerprint": "x"}):
        spoilt = changed(line, vectors=vectors)
        assert make(folder="a").import_([header, spoilt, *rest], "acme").faults[0].reason.startswith(
            "its vectors cannot be read"
        )  # fmt: skip
    target = make(folder="b")
    assert target.import_([header, changed(line, places=[["text", 0, 1, 0]]), *rest], "acme").saved == 1
    assert "fingerprint" not in "".join(target.export_tenant("acme", vectors=True))
    target.flush("acme")
    assert "fingerprint" in "".join(target.export_tenant("acme", vectors=True))


def test_one_import_says_an_id_twice_and_the_first_counts(memory: AIMemoryManager, make: Make) -> None:
    memory.remember(*ALICE, "one", id="1")
    header, line, *rest = memory.export_tenant("acme")
    other = memory.update(*ALICE, "1", content="another")
    assert other.id == "1"
    _, second, *_ = memory.export_tenant("acme")
    report = make(folder="elsewhere").import_([header, line, line, second, *rest], "acme")
    assert (report.saved, report.already_there, report.skipped) == (1, 1, 1)


def test_vectors_of_another_length_keep_one_line_out_and_not_its_batch(
    memory: AIMemoryManager, make: Make
) -> None:
    memory.remember_many(*ALICE, [{"content": f"note {n}", "id": str(n)} for n in range(5)])
    memory.flush()
    header, *lines, profile, end = memory.export_tenant("acme", vectors=True)
    told = json.loads(lines[2])
    told["vectors"]["rows"] = ["AAAA"]
    lines[2] = json.dumps(told)
    report = make(folder="elsewhere").import_([header, *lines, profile, end], "acme")
    assert (report.saved, report.skipped) == (4, 1)
    assert report.faults[0].line == 4


def test_an_id_that_is_taken_is_told(memory: AIMemoryManager, make: Make) -> None:
    memory.remember(*ALICE, "one", id="1")
    memory.remember(*ALICE, "two", id="2")
    target = make(folder="elsewhere")
    target.remember("bob", "acme", "mine", id="1")
    report = target.import_(memory.export_tenant("acme"), "acme")
    assert (report.saved, report.skipped) == (1, 1)
    assert report.faults[0].reason == "its id belongs to another entry here"


def test_a_file_that_was_cut_short_says_so(memory: AIMemoryManager, make: Make) -> None:
    memory.remember(*ALICE, "one")
    lines = list(memory.export_tenant("acme"))[:-1]
    assert make(folder="elsewhere").import_(lines, "acme").complete is False


@pytest.mark.parametrize(
    "first", ['{"type":"header","format":"zerda.memory","version":2}', '{"role":"user"}', "no JSON"]
)
def test_another_format_is_refused_before_anything_is_kept(memory: AIMemoryManager, first: str) -> None:
    with pytest.raises(InvalidInput):
        memory.import_([first, "{}"], "acme")
    assert memory.stats("acme")["entries"] == 0


def test_a_refused_export_gives_no_line(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "one")
    with pytest.raises(AccessDenied):
        memory.export_tenant("acme", actor="eve")  # Refused here, not when the first line is taken.
    with pytest.raises(AccessDenied):
        memory.export_user(*ALICE, actor="bob")
    assert len(list(memory.export_user(*ALICE, actor="user:alice"))) > 2


def test_exports_and_imports_are_in_the_audit(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "one")
    lines = list(memory.export_user(*ALICE))
    memory.forget_where(*ALICE, Query())
    memory.import_(lines, "acme", bring_back=True)
    assert [one.action for one in memory.audit("acme")] == [
        "save", "export", "erase", "allow again", "save", "import",
    ]  # fmt: skip
