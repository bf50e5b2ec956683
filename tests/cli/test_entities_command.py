"""``zerda entities``: whom and what the memory is about."""

from pathlib import Path

import pytest
from command_runs import Run

from zerda.memory import AIMemoryManager, MemoryConfig


@pytest.fixture(autouse=True)
def filled(folder: Path) -> None:
    with AIMemoryManager(MemoryConfig(persistence_path=str(folder), embedding_model="none")) as memory:
        memory.remember("me", "local", "Ana knows Bruno. Bruno lives in Porto.")


def test_entities_are_listed_by_name_and_type(run: Run) -> None:
    rows = [line.split("\t")[:3] for line in run("entities").out.splitlines()]
    assert rows == [["Ana", "person", "1"], ["Bruno", "person", "1"], ["Porto", "place", "1"]]
    places = run("entities", "--type", "place", "--json").records
    assert [record["name"] for record in places] == ["Porto"]


def test_one_entity_is_shown_with_what_it_has_to_do_with_others(run: Run) -> None:
    lines = run("entities", "ana").out.splitlines()
    assert lines[0].startswith("Ana\tperson\t1\t")
    assert lines[1:] == ["Ana\tknows\tBruno"]
    assert run("entities", "ana", "--depth", "2").out.splitlines()[2:] == ["Bruno\tlives_in\tPorto"]


def test_an_unknown_name_exits_with_4(run: Run) -> None:
    assert run("entities", "Quillon").code == 4
