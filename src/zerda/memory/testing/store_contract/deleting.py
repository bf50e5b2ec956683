"""Deleting: for ever, and everywhere."""

from __future__ import annotations

import pytest

from ...core.model import Query, StoreStats
from ...errors import EntryNotFound
from ...storage.base import Store
from ..drafts import draft
from .ground import (
    ALICE,
    ALL,
    BOB,
    EMBEDDER,
    STRANGER,
    TENANT,
    Ground,
    asked,
    found,
    ids,
    near,
    put,
    versions,
)


class Deleting(Ground):
    def test_what_is_deleted_is_in_nothing(self, store: Store) -> None:
        store.put(ALICE, [draft("the red kite", id="x", speaker="Ann", embedder=EMBEDDER)])
        keys = store.passages_of(ALICE, ["x"])
        assert store.delete(ALICE, ["x"]) == 1
        with pytest.raises(EntryNotFound):
            store.get(ALICE, "x")
        assert store.find(ALICE, ALL) == versions(store, ALICE, "x") == []
        assert store.count(ALICE, ALL) == 0
        assert found(store, ALICE, "kite") == near(store, ALICE, "kite") == []
        assert store.passages(ALICE, keys, ALL) == []
        assert store.passages_of(ALICE, ["x"]) == []
        assert store.pending(ALICE, "f", limit=9) == []
        assert store.speakers(ALICE) == store.users("acme") == ()

    def test_no_number_remembers_what_is_deleted(self, store: Store) -> None:
        store.put(ALICE, [draft("the red kite", id="x", session_id="s", embedder=EMBEDDER)])
        store.delete(ALICE, ["x"])
        hits = asked(store, ALICE, "kite")
        assert (hits.passages, hits.mean_length, hits.frequencies["kite"]) == (0, 0.0, 0)
        told = store.stats(ALICE, "f")
        assert told == StoreStats(bytes_on_disk=told.bytes_on_disk)

    def test_a_vector_is_not_nearest_any_more_once_it_is_deleted(self, store: Store) -> None:
        store.put(ALICE, [draft(f"kite {number}", id=str(number), embedder=EMBEDDER) for number in range(5)])
        assert near(store, ALICE, "kite 3", limit=1) == ["3"]
        store.delete(ALICE, ["3"])
        assert "3" not in near(store, ALICE, "kite 3")
        assert len(near(store, ALICE, "kite 3")) == 4

    def test_other_entries_stay(self, store: Store) -> None:
        store.put(ALICE, [draft(f"kite {number}", id=str(number), embedder=EMBEDDER) for number in range(5)])
        assert store.delete(ALICE, ["1", "3"]) == 2
        assert ids(store.find(ALICE, ALL)) == ["4", "2", "0"]
        assert sorted(found(store, ALICE, "kite")) == sorted(near(store, ALICE, "kite")) == ["0", "2", "4"]
        assert asked(store, ALICE, "kite").frequencies["kite"] == 3

    def test_deleting_again_or_what_never_was_is_nothing(self, store: Store) -> None:
        put(store, ALICE, "x", id="x")
        assert [
            store.delete(ALICE, ["x", "missing"]),
            store.delete(ALICE, ["x"]),
            store.delete(ALICE, []),
        ] == [1, 0, 0]

    def test_former_versions_are_deleted_too(self, store: Store) -> None:
        put(store, ALICE, "one", id="x")
        store.revise(ALICE, draft("two", id="x"))
        assert store.delete(ALICE, ["x"]) == 1
        put(store, ALICE, "three", id="x")
        assert [entry.content for entry in store.history(ALICE, "x")] == ["three"]

    def test_a_free_id_can_be_used_by_anyone(self, store: Store) -> None:
        first = put(store, ALICE, "hers", id="x", session_id="s")
        store.delete(ALICE, ["x"])
        second = put(store, BOB, "his", id="x")
        assert second.seq > first.seq
        assert found(store, BOB, "his") == ["x"]
        assert found(store, ALICE, "hers") == found(store, BOB, "hers") == []

    def test_the_order_of_arrival_goes_on(self, store: Store) -> None:
        last = put(store, ALICE, "x", id="x").seq
        store.delete(ALICE, ["x"])
        assert put(store, ALICE, "y").seq > last

    def test_nobody_deletes_what_is_not_theirs(self, store: Store) -> None:
        kept = put(store, ALICE, "kite", id="x", visibility="tenant")
        assert store.delete(BOB, ["x"]) == store.delete(STRANGER, ["x"]) == 0
        assert store.get(ALICE, "x") == kept
        assert found(store, ALICE, "kite") == ["x"]

    def test_the_tenants_own_view_deletes_any_of_the_tenant(self, store: Store) -> None:
        for scope in (ALICE, BOB, STRANGER):
            put(store, scope, "x", id=f"{scope.tenant_id} {scope.user_id}")
        assert store.delete(TENANT, ["acme alice", "acme bob", "other alice"]) == 2
        assert store.count(STRANGER, ALL) == 1

    def test_a_vector_that_comes_too_late_is_not_kept(self, store: Store) -> None:
        put(store, ALICE, "kite", id="x")
        (late,) = store.pending(ALICE, EMBEDDER.fingerprint, limit=9)
        store.delete(ALICE, ["x"])
        put(store, ALICE, "tea", id="y")
        assert store.put_vectors(ALICE, EMBEDDER.fingerprint, [late.key], EMBEDDER.embed(["kite"])) == 0
        assert near(store, ALICE, "kite") == []

    def test_scrubbing_leaves_what_is_kept(self, store: Store) -> None:
        store.put(ALICE, [draft("kite", id="x", embedder=EMBEDDER), draft("tea", id="y", embedder=EMBEDDER)])
        store.delete(ALICE, ["x"])
        store.scrub()
        assert found(store, ALICE, "tea") == near(store, ALICE, "tea") == ["y"]
        assert found(store, ALICE, "kite", Query(archived=None)) == []
