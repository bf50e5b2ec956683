"""Neighbours: what was said just before and after, by the same user in the same session, and live."""

from __future__ import annotations

from typing import Any

import pytest

from ...core.model import Query, Scope
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, BOB, EMBEDDER, LIVE, STRANGER, TENANT, Ground, put


def say(store: Store, scope: Scope, *texts: str, session_id: str = "s", **fields: Any) -> None:
    """Keep texts one after the other, each its own id."""
    store.put(scope, [draft(text, id=text, session_id=session_id, **fields) for text in texts])


def beside(
    store: Store, scope: Scope, entry_id: str, before: int = 1, after: int = 1, query: Query = LIVE
) -> list[str]:
    keys = store.passages_of(scope, [entry_id])
    return [it.entry_id for it in store.passages(scope, keys, query, before=before, after=after)]


class Neighbours(Ground):
    def test_a_passage_comes_with_those_before_and_after_it(self, store: Store) -> None:
        say(store, ALICE, "one", "two", "three", "four", "five")
        assert beside(store, ALICE, "three", 0, 0) == ["three"]
        assert beside(store, ALICE, "three", 1, 0) == ["two", "three"]
        assert beside(store, ALICE, "three", 0, 2) == ["three", "four", "five"]
        assert beside(store, ALICE, "three", 9, 9) == ["one", "two", "three", "four", "five"]
        assert beside(store, ALICE, "one", 2, 1) == ["one", "two"]

    def test_the_parts_of_an_interaction_are_neighbours(self, store: Store) -> None:
        for number in (1, 2):
            content = {"input": f"question {number}", "output": f"answer {number}"}
            put(store, ALICE, content, id=str(number), session_id="s")
        keys = store.passages_of(ALICE, ["2"])
        first = min(store.passages(ALICE, keys, Query()), key=lambda it: it.position)
        pair = store.passages(ALICE, [first.key], Query(), before=1, after=1)
        told = [(it.entry_id, it.passage.role) for it in pair]
        assert told == [("1", "output"), ("2", "input"), ("2", "output")]

    def test_passages_come_once_and_sorted_by_session_and_position(self, store: Store) -> None:
        say(store, ALICE, "a", "b", "c")
        say(store, ALICE, "d", "e", session_id="t")
        say(store, ALICE, "f")
        keys = store.passages_of(ALICE, ["e", "f", "a", "b"])
        there = store.passages(ALICE, [*keys, *keys], Query(), before=1, after=1)
        places = [(it.session, it.position) for it in there]
        assert places == sorted(set(places))
        assert sorted(it.entry_id for it in there) == ["a", "b", "c", "d", "e", "f"]

    def test_another_session_is_no_neighbourhood(self, store: Store) -> None:
        say(store, ALICE, "one")
        say(store, ALICE, "elsewhere", session_id="t")
        say(store, ALICE, "two")
        assert beside(store, ALICE, "elsewhere", 3, 3) == ["elsewhere"]
        assert beside(store, ALICE, "one", 0, 1) == ["one", "two"]

    def test_another_users_entry_is_never_a_neighbour(self, store: Store) -> None:
        say(store, ALICE, "one")
        say(store, BOB, "his own", "and shared", visibility="tenant")
        say(store, ALICE, "two")
        for scope in (ALICE, TENANT):
            assert beside(store, scope, "one", 5, 5) == ["one", "two"]

    def test_what_others_say_in_a_session_of_the_same_name_moves_no_neighbour_away(
        self, store: Store
    ) -> None:
        say(store, ALICE, "one")
        say(store, BOB, *(f"his {number}" for number in range(9)))
        say(store, ALICE, "two")
        assert beside(store, ALICE, "one", 0, 1) == ["one", "two"]

    def test_beside_what_is_shared_the_private_stays_unread(self, store: Store) -> None:
        say(store, ALICE, "private")
        say(store, ALICE, "shared", "shared too", visibility="tenant")
        say(store, ALICE, "private too")
        assert beside(store, BOB, "shared", 5, 5) == ["shared", "shared too"]
        assert beside(store, ALICE, "shared", 5, 5) == ["private", "shared", "shared too", "private too"]

    def test_another_tenants_session_of_the_same_name_is_another(self, store: Store) -> None:
        say(store, ALICE, "one")
        say(store, STRANGER, "theirs", visibility="tenant")
        assert beside(store, ALICE, "one", 5, 5) == ["one"]

    def test_a_neighbour_that_the_query_leaves_out_gives_evidence_and_says_so(self, store: Store) -> None:
        say(store, ALICE, "one")
        say(store, ALICE, "two", tags=("t",))
        say(store, ALICE, "three")
        keys = store.passages_of(ALICE, ["two"])
        there = store.passages(ALICE, keys, Query(tags=("t",)), before=1, after=1)
        assert [(it.entry_id, it.matching) for it in there] == [
            ("one", False),
            ("two", True),
            ("three", False),
        ]

    @pytest.mark.parametrize(
        ("query", "fields"),
        [
            (Query(speakers=("Ann",)), {"speaker": "Ann"}),
            (Query(promoted=True), {"promoted_at": START}),
            (Query(expired_by=START), {"expires_at": START}),
        ],
    )
    def test_a_neighbour_that_lacks_what_the_query_asks_about_does_not_match(
        self, store: Store, query: Query, fields: dict[str, Any]
    ) -> None:
        say(store, ALICE, "one")
        say(store, ALICE, "two", **fields)
        there = store.passages(ALICE, store.passages_of(ALICE, ["two"]), query, before=1)
        assert [(it.entry_id, it.matching) for it in there] == [("one", False), ("two", True)]

    def test_neighbours_bring_their_vectors_too(self, store: Store) -> None:
        say(store, ALICE, "one")
        store.put(ALICE, [draft("two", id="two", session_id="s", embedder=EMBEDDER)])
        keys = store.passages_of(ALICE, ["one"])
        there = store.passages(ALICE, keys, Query(), after=1, fingerprint=EMBEDDER.fingerprint)
        assert [it.vector is not None for it in there] == [False, True]

    def test_what_is_archived_or_deleted_is_no_neighbour(self, store: Store) -> None:
        say(store, ALICE, "one", "two", "three", "four")
        store.mark(ALICE, ["two"], archived_at=START)
        store.delete(ALICE, ["four"])
        assert beside(store, ALICE, "three", 3, 3) == ["one", "three"]
        store.mark(ALICE, ["two"], archived_at=None)
        assert beside(store, ALICE, "three", 3, 3) == ["one", "two", "three"]

    def test_what_comes_after_a_deletion_does_not_take_a_place_that_is_taken(self, store: Store) -> None:
        say(store, ALICE, "one", "two", "three")
        store.delete(ALICE, ["two"])
        say(store, ALICE, "four")
        assert beside(store, ALICE, "four", 5, 5) == ["one", "three", "four"]

    def test_the_pieces_of_a_long_text_are_neighbours_in_order(self, store: Store) -> None:
        say(store, ALICE, "before", "The river ran low that summer. " * 150, "after")
        there = store.passages(ALICE, store.passages_of(ALICE, ["before"]), Query(), after=99)
        assert [it.entry_id for it in (there[0], there[-1])] == ["before", "after"]
        starts = [it.passage.start for it in there[1:-1]]
        assert len(starts) > 2
        assert starts == sorted(starts)

    def test_keys_that_are_gone_are_passed_over(self, store: Store) -> None:
        say(store, ALICE, "one")
        keys = store.passages_of(ALICE, ["one"])
        assert [it.entry_id for it in store.passages(ALICE, [*keys, 10**12, -1, 0], Query(), before=2)] == [
            "one"
        ]
        assert store.passages(ALICE, [], Query(), before=2, after=2) == []

    def test_the_keys_of_several_entries_are_told_together(self, store: Store) -> None:
        say(store, ALICE, "one", "two", "three")
        keys = store.passages_of(ALICE, ["three", "one", "missing"])
        assert {it.entry_id for it in store.passages(ALICE, keys, Query())} == {"one", "three"}
        assert len(keys) == 2
