"""What stays of an erased entry is known again with the key, and tells nothing without it."""

from __future__ import annotations

import pytest

from zerda.memory.core.rules.tombstones import Burials, not_free
from zerda.memory.errors import EntryConflict, EntryErased

SECRET, OTHER = b"s" * 32, b"o" * 32


def test_a_tombstone_is_known_again_under_each_key_that_came_with_it() -> None:
    there = Burials.of("acme", OTHER)
    here = Burials.of("acme", SECRET, there.keys)
    ((stone,), (content,)) = there.tombstones([("1", "alice", "hash")])
    assert here.ids(["1"])[stone.digest] == "1"
    assert stone.digest not in Burials.of("acme", SECRET).ids(["1"])
    assert stone.digest not in Burials.of("other", OTHER).ids(["1"])
    assert (content.digest, content.content, content.owner) == (stone.content, None, None)


def test_the_key_that_travels_is_not_the_secret_that_seals() -> None:
    assert Burials.of("acme", SECRET).keys[0] != SECRET


def test_only_whose_it_was_is_told_that_it_was_erased() -> None:
    here = Burials.of("acme", SECRET)
    ((stone,), _) = here.tombstones([("1", "alice", "hash")])
    with pytest.raises(EntryErased, match="allow_again"):
        here.refuse({"1": stone.owner}, {"1": "alice"})
    with pytest.raises(EntryConflict) as refused:
        here.refuse({"1": stone.owner}, {"1": "bob"})
    assert type(refused.value) is EntryConflict
    assert str(refused.value) == str(not_free("1"))
    here.refuse({}, {"2": "bob"})


def test_two_entries_of_one_content_leave_its_tombstone_once() -> None:
    ids, contents = Burials.of("acme", SECRET).tombstones(
        [("1", "a", "h"), ("2", "a", "h"), ("3", None, "h")]
    )
    assert (len(ids), len(contents)) == (3, 2)
    assert ids[0].owner == ids[1].owner != ids[2].owner
