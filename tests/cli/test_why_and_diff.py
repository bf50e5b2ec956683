"""``zerda why`` explains the place of one memory; ``zerda diff`` compares two recalls."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_runs import Run

from zerda.memory import AIMemoryManager, MemoryConfig

QUESTION = "Where does the red kite circle?"


def opened(folder: Path) -> AIMemoryManager:
    return AIMemoryManager(MemoryConfig(persistence_path=str(folder), embedding_model="none"))


@pytest.fixture(autouse=True)
def filled(folder: Path) -> None:
    with opened(folder) as memory:
        memory.remember("me", "local", "The red kite circles above the harbour.", id="harbour")
        memory.remember("me", "local", "A red kite was seen once.", id="once")
        memory.remember("me", "local", "Dinner is at eight.", id="dinner", session_id="evening")
        memory.remember("me", "local", "The kite circles no more.", id="gone")
        memory.archive("me", "local", "gone")
        memory.remember("eve", "local", "A red kite circles over the mill.", id="eves")


def test_the_first_is_explained_by_its_parts(run: Run) -> None:
    ran = run("why", "harbour", QUESTION)
    assert (ran.code, ran.out.splitlines()[0]) == (0, "The red kite circles above the harbour.")
    assert "place 1, " in ran.out
    assert "proposed by\twords" in ran.out
    told = run("why", "harbour", QUESTION, "--json").records[0]
    hit = run("recall", QUESTION, "--json").records[0]
    assert (told["place"], told["above"]) == (1, None)
    assert told["hit"]["score"] == pytest.approx(hit["score"], abs=1e-6)
    assert told["hit"]["parts"] == pytest.approx(hit["parts"], abs=1e-6)


def test_another_is_told_who_stands_before_it(run: Run) -> None:
    ran = run("why", "once", QUESTION)
    assert "place 2, " in ran.out
    assert "before it: harbour, " in ran.err


def test_what_is_not_found_is_told_what_it_lacked(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "neither its words nor its meaning" in run("why", "dinner", QUESTION).out
    assert "not found: it is archived" in run("why", "gone", QUESTION).out
    monkeypatch.setenv("ZERDA_RELEVANCE_FLOOR", "1")
    assert "is below the floor of 1.00" in run("why", "once", QUESTION).out


def test_anothers_memory_is_as_unknown_as_one_that_is_not_there(run: Run) -> None:
    others, none = run("why", "eves", QUESTION), run("why", "nothing", QUESTION)
    assert (others.code, none.code) == (4, 4)
    assert others.err.replace("eves", "nothing") == none.err


def kept(run: Run, folder: Path, name: str) -> str:
    path = folder.parent / name
    path.write_text(run("recall", QUESTION, "--json").out)
    return str(path)


def test_two_recalls_are_compared(run: Run, folder: Path) -> None:
    before = kept(run, folder, "before")
    with opened(folder) as memory:
        memory.forget("me", "local", "once")
        memory.remember("me", "local", "The red kite circles, circles and circles there: where?", id="new")
    after = kept(run, folder, "after")
    ran = run("diff", before, after, "--json")
    assert ran.code == 0
    changes = {one["id"]: one["change"] for one in ran.records}
    assert (changes["new"], changes["once"]) == ("came", "went")
    assert "went" in run("diff", before, after).out


def test_the_same_recall_twice_differs_in_nothing(run: Run, folder: Path) -> None:
    ran = run("diff", kept(run, folder, "one"), kept(run, folder, "two"))
    assert (ran.code, ran.out, ran.err) == (0, "", "they are the same\n")


@pytest.mark.parametrize("line", ["{", "[]", '{"entry": 1}', json.dumps({"score": "x", "entry": {"id": 1}})])
def test_a_file_that_is_no_recall_is_named_with_the_line(run: Run, folder: Path, line: str) -> None:
    good = kept(run, folder, "good")
    bad = folder.parent / "bad"
    bad.write_text(f"{line}\n")
    ran = run("diff", good, str(bad))
    assert "line 1 is no hit" in ran.err
    assert ran.code == 1
