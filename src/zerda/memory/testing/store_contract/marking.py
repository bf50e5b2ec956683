"""Marking: an entry's state and use, which make no new version."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from ...core.model import Query
from ...errors import EntryNotFound
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, ALL, BOB, EMBEDDER, STRANGER, TENANT, Ground, asked, found, ids, near, put

DAY = timedelta(days=1)


class Marking(Ground):
    @pytest.mark.parametrize(
        ("field", "value", "unset"),
        [
            ("pinned", True, False),
            ("archived_at", START, None),
            ("promoted_at", START, None),
            ("expires_at", START, None),
        ],
    )
    def test_a_state_is_set_and_taken_back(self, store: Store, field: str, value: Any, unset: Any) -> None:
        kept = put(store, ALICE, "x", id="x")
        assert store.mark(ALICE, ["x"], **{field: value}) == 1
        assert getattr(store.get(ALICE, "x"), field) == value
        assert store.mark(ALICE, ["x"], **{field: unset}) == 1
        assert store.get(ALICE, "x") == kept

    def test_several_states_of_several_entries_change_together(self, store: Store) -> None:
        store.put(ALICE, [draft("a", id="a"), draft("b", id="b"), draft("c", id="c")])
        assert store.mark(ALICE, ["a", "c", "missing"], pinned=True, promoted_at=START) == 2
        assert ids(store.find(ALICE, Query(pinned=True, promoted=True))) == ["c", "a"]

    def test_marking_nothing_reaches_nothing(self, store: Store) -> None:
        put(store, ALICE, "x")
        assert store.mark(ALICE, [], pinned=True) == 0
        assert store.count(ALICE, Query(pinned=True)) == 0

    def test_a_mark_makes_no_version(self, store: Store) -> None:
        put(store, ALICE, "x", id="x")
        store.mark(ALICE, ["x"], pinned=True)
        assert [entry.version for entry in store.history(ALICE, "x")] == [1]

    def test_nobody_marks_what_is_not_theirs(self, store: Store) -> None:
        kept = put(store, ALICE, "x", id="x", visibility="tenant")
        assert store.mark(BOB, ["x"], archived_at=START) == store.mark(STRANGER, ["x"], pinned=True) == 0
        assert store.get(ALICE, "x") == kept

    def test_the_tenants_own_view_marks_any(self, store: Store) -> None:
        put(store, ALICE, "x", id="x")
        assert store.mark(TENANT, ["x"], pinned=True) == 1

    def test_what_is_archived_is_in_nothing_that_does_not_ask_for_it(self, store: Store) -> None:
        store.put(
            ALICE, [draft("the red kite", id="x", speaker="Ann", embedder=EMBEDDER), draft("tea", id="y")]
        )
        (key,) = store.passages_of(ALICE, ["x"])
        store.mark(ALICE, ["x"], archived_at=START)
        assert ids(store.find(ALICE, Query())) == ["y"]
        assert store.count(ALICE, Query()) == 1
        assert found(store, ALICE, "kite") == near(store, ALICE, "kite") == []
        assert store.passages(ALICE, [key], Query()) == []
        assert store.passages_of(ALICE, ["x"]) == []
        assert store.speakers(ALICE) == ()
        hits = asked(store, ALICE, "kite")
        assert (hits.passages, hits.mean_length, hits.frequencies["kite"]) == (1, 1.0, 0)

    def test_what_is_archived_lacks_no_vector(self, store: Store) -> None:
        put(store, ALICE, "x", id="x")
        store.mark(ALICE, ["x"], archived_at=START)
        assert store.pending(ALICE, EMBEDDER.fingerprint, limit=9) == []
        assert store.stats(ALICE, EMBEDDER.fingerprint).pending == 0

    def test_what_is_archived_is_there_for_who_asks(self, store: Store) -> None:
        store.put(ALICE, [draft("the red kite", id="x", embedder=EMBEDDER), draft("tea", id="y")])
        store.mark(ALICE, ["x"], archived_at=START)
        assert store.get(ALICE, "x").archived_at == START
        assert ids(store.find(ALICE, Query(archived=True))) == ["x"]
        assert ids(store.find(ALICE, Query(archived=None))) == ["y", "x"]
        assert store.count(ALICE, Query(archived=None)) == 2
        assert found(store, ALICE, "kite", Query(archived=True)) == ["x"]
        assert near(store, ALICE, "kite", Query(archived=None)) == ["x"]
        assert store.users("acme") == ("alice",)

    def test_what_is_restored_is_back_in_everything(self, store: Store) -> None:
        store.put(ALICE, [draft("the red kite", id="x", speaker="Ann", embedder=EMBEDDER)])
        before = store.stats(ALICE, EMBEDDER.fingerprint)
        store.mark(ALICE, ["x"], archived_at=START)
        store.mark(ALICE, ["x"], archived_at=None)
        assert ids(store.find(ALICE, Query())) == ["x"]
        assert found(store, ALICE, "kite") == near(store, ALICE, "kite") == ["x"]
        assert len(store.passages_of(ALICE, ["x"])) == 1
        assert store.speakers(ALICE) == ("Ann",)
        told = store.stats(ALICE, EMBEDDER.fingerprint)
        assert replace(told, bytes_on_disk=0) == replace(before, bytes_on_disk=0)

    def test_states_are_counted(self, store: Store) -> None:
        store.put(ALICE, [draft(text, id=text) for text in ("a", "b", "c", "d")])
        store.mark(ALICE, ["a"], archived_at=START)
        store.mark(ALICE, ["b", "c"], promoted_at=START)
        store.mark(ALICE, ["c"], pinned=True)
        told = store.stats(ALICE)
        assert (told.entries, told.archived, told.promoted, told.pinned, told.passages) == (3, 1, 2, 1, 3)

    def test_uses_add_up_and_the_latest_is_kept(self, store: Store) -> None:
        store.put(ALICE, [draft("x", id="x"), draft("y", id="y")])
        store.count_uses(ALICE, {"x": 2, "y": 1, "missing": 4}, START)
        store.count_uses(ALICE, {"x": 3}, START + DAY)
        store.count_uses(ALICE, {"x": 1}, START - DAY)
        used = [store.get(ALICE, entry_id) for entry_id in ("x", "y")]
        assert [(entry.access_count, entry.last_access) for entry in used] == [(6, START + DAY), (1, START)]

    def test_a_use_makes_no_version(self, store: Store) -> None:
        put(store, ALICE, "x", id="x")
        store.count_uses(ALICE, {"x": 1}, START)
        assert len(store.history(ALICE, "x")) == 1

    def test_what_others_share_is_not_used_up_by_its_readers(self, store: Store) -> None:
        put(store, ALICE, "x", id="x", visibility="tenant")
        for scope in (BOB, STRANGER):
            store.count_uses(scope, {"x": 1}, START)
        assert store.get(ALICE, "x").access_count == 0

    def test_the_ranking_is_told_of_uses(self, store: Store) -> None:
        put(store, ALICE, "x", id="x", importance=0.7)
        store.count_uses(ALICE, {"x": 2}, START)
        (passage,) = store.passages(ALICE, store.passages_of(ALICE, ["x"]), Query())
        assert (passage.importance, passage.access_count, passage.last_access) == (0.7, 2, START)

    def test_a_mark_outlives_nothing(self, store: Store) -> None:
        put(store, ALICE, "x", id="x")
        store.mark(ALICE, ["x"], archived_at=START)
        store.delete(ALICE, ["x"])
        with pytest.raises(EntryNotFound):
            store.get(ALICE, "x")
        assert store.count(ALICE, ALL) == 0
