"""Transactions: all or nothing, of entries, words, vectors and numbers alike."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ...core.model import Query
from ...errors import EntryConflict, EntryNotFound
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, ALL, BOB, EMBEDDER, TENANT, Ground, asked, found, ids, index, near, put, undone


class Interrupted(BaseException):
    """As a keyboard interrupt would be: no `Exception`."""


class Transactions(Ground):
    def test_what_is_written_together_is_there_together(self, store: Store) -> None:
        with store.transaction():
            put(store, ALICE, "kite", id="a")
            put(store, BOB, "tea", id="b")
            store.set_watermark(ALICE, 1)
        assert ids(store.find(TENANT, ALL)) == ["b", "a"]
        assert store.watermark(ALICE) == 1

    def test_a_transaction_reads_what_it_wrote(self, store: Store) -> None:
        with store.transaction():
            put(store, ALICE, "kite", id="a")
            assert found(store, ALICE, "kite") == ["a"]
            index(store, ALICE)
            assert near(store, ALICE, "kite") == ["a"]
            store.delete(ALICE, ["a"])
            assert (
                ids(store.find(ALICE, ALL)) == found(store, ALICE, "kite") == near(store, ALICE, "kite") == []
            )

    @pytest.mark.parametrize("error", [KeyError, Interrupted])
    def test_an_exception_undoes_every_kind_of_change(self, store: Store, error: type[BaseException]) -> None:
        store.put(
            ALICE,
            [draft(f"the red kite {name}", id=name, embedder=EMBEDDER) for name in ("a", "b", "c", "d")],
        )
        before = (
            store.find(ALICE, ALL),
            asked(store, ALICE, "kite swan"),
            store.stats(TENANT, EMBEDDER.fingerprint),
        )
        with undone(store, error):
            put(store, ALICE, "a swan", id="new")
            store.revise(ALICE, draft("a swan", id="a", embedder=EMBEDDER))
            store.mark(ALICE, ["b"], archived_at=START, pinned=True)
            store.delete(ALICE, ["c"])
            store.count_uses(ALICE, {"d": 5}, START)
            keys = store.passages_of(ALICE, ["d"])
            store.put_vectors(ALICE, EMBEDDER.fingerprint, keys, EMBEDDER.embed(["swan"]))
            store.set_watermark(ALICE, 99)
        after = (
            store.find(ALICE, ALL),
            asked(store, ALICE, "kite swan"),
            store.stats(TENANT, EMBEDDER.fingerprint),
        )
        assert after[:2] == before[:2]
        assert after[2].pending == before[2].pending == 0
        assert len(store.history(ALICE, "a")) == 1
        assert near(store, ALICE, "the red kite d", limit=1) == ["d"]
        assert near(store, ALICE, "the red kite c", limit=1) == ["c"]
        assert store.watermark(ALICE) == 0

    def test_what_was_undone_can_be_done_anew(self, store: Store) -> None:
        with undone(store):
            put(store, ALICE, "one", id="x")
        put(store, ALICE, "two", id="x")
        assert [entry.content for entry in store.history(ALICE, "x")] == ["two"]
        assert (found(store, ALICE, "one"), found(store, ALICE, "two")) == ([], ["x"])

    def test_an_undone_entry_is_in_no_session(self, store: Store) -> None:
        first = put(store, ALICE, "x", occurred_at=START)
        with undone(store):
            put(store, ALICE, "y", occurred_at=START + timedelta(hours=5))
        assert put(store, ALICE, "z", occurred_at=START + timedelta(minutes=5)).session_id == first.session_id
        assert store.stats(ALICE).sessions == 1

    def test_an_inner_transaction_joins_the_outer(self, store: Store) -> None:
        with undone(store):
            with store.transaction():
                put(store, ALICE, "inner", id="x")
            put(store, ALICE, "outer")
        assert store.find(TENANT, ALL) == []
        with store.transaction(), store.transaction():
            put(store, ALICE, "inner", id="x")
        assert ids(store.find(TENANT, ALL)) == ["x"]

    def test_an_exception_inside_undoes_the_outer_too(self, store: Store) -> None:
        def write() -> None:
            with store.transaction():
                put(store, ALICE, "outer")
                with store.transaction():
                    put(store, ALICE, "inner")
                    raise KeyError

        with pytest.raises(KeyError):
            write()
        assert store.find(TENANT, ALL) == []

    def test_a_conflict_that_is_handled_inside_leaves_only_its_own_call_undone(self, store: Store) -> None:
        put(store, ALICE, "taken", id="x")
        with store.transaction():
            put(store, ALICE, "before", id="a")
            with pytest.raises(EntryConflict):
                store.put(ALICE, [draft("with it", id="b"), draft("other", id="x")])
            put(store, ALICE, "after", id="c")
        assert ids(store.find(ALICE, ALL)) == ["c", "a", "x"]
        assert found(store, ALICE, "with it") == []

    def test_an_entry_that_is_not_found_inside_leaves_the_rest_to_be_kept(self, store: Store) -> None:
        with store.transaction():
            put(store, ALICE, "before", id="a")
            with pytest.raises(EntryNotFound):
                store.revise(ALICE, draft("x", id="missing"))
            with pytest.raises(EntryNotFound):
                store.get(ALICE, "missing")
        assert ids(store.find(ALICE, ALL)) == ["a"]

    def test_one_transaction_after_another(self, store: Store) -> None:
        for number in range(5):
            with store.transaction():
                put(store, ALICE, f"kite {number}", id=str(number))
            with undone(store):
                put(store, ALICE, f"undone {number}")
        assert ids(store.find(ALICE, ALL)) == ["4", "3", "2", "1", "0"]
        assert asked(store, ALICE, "kite undone").frequencies["kite"] == 5
        assert found(store, ALICE, "undone", Query(archived=None)) == []
