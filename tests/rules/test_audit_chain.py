"""The chain of an audit: pure, so every forgery can be tried."""

from dataclasses import replace

import pytest

from zerda.memory.core.rules.audit import Link, faults, linked
from zerda.memory.core.trust import Event

SECRET = bytes(range(32))


def chain(*actions: str) -> list[Link]:
    links: list[Link] = []
    for number, action in enumerate(actions):
        before = links[-1] if links else None
        links.append(linked(SECRET, "acme", before, Event(action, "bob", "alice", ("1",)), number))
    return links


def test_a_chain_as_it_was_written_is_whole() -> None:
    assert faults(SECRET, "acme", chain("save", "update", "erase"), []) == []


def test_a_record_of_another_past_does_not_fit_though_its_own_seal_does() -> None:
    one, other = chain("save", "update", "erase"), chain("save", "archive", "erase")
    assert faults(SECRET, "acme", [one[0], other[1], one[2]], []) == ["record 3 is not what was written"]


@pytest.mark.parametrize(
    "change",
    [
        {"at": 9}, {"actor": "app"}, {"subject": ""}, {"action": "read"}, {"result": "refused"},
        {"count": 7}, {"objects": b""},
    ],
)  # fmt: skip
def test_every_field_is_sealed(change: dict[str, object]) -> None:
    links = chain("save", "update", "erase")
    links[1] = replace(links[1], **change)  # type: ignore[arg-type]
    assert "record 2 is not what was written" in faults(SECRET, "acme", links, [])


def test_a_chain_is_one_tenants_and_one_secrets() -> None:
    links = chain("save")
    assert faults(SECRET, "other", links, []) == faults(bytes(32), "acme", links, []) != []


def test_two_records_that_changed_places_are_found() -> None:
    first, second, third = chain("save", "update", "erase")
    assert faults(SECRET, "acme", [second, first, third], []) != []
