"""Sharing: any number of threads, other openers of the same data, and the end."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from ...core.model import Query, Scope
from ...core.rules.profile import UserProfile
from ...core.rules.tombstones import Graves
from ...core.trust import Event, Receipt
from ...errors import EntryConflict, EntryNotFound, StoreClosed
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, ALL, BOB, EMBEDDER, TENANT, Ground, asked, found, ids, index, near, put, undone

THREADS, EACH = 8, 25

CALLS: dict[str, Callable[[Store], Any]] = {
    "put": lambda store: store.put(ALICE, [draft("x")]),
    "put nothing": lambda store: store.put(ALICE, []),
    "revise": lambda store: store.revise(ALICE, draft("x", id="x")),
    "mark": lambda store: store.mark(ALICE, ["x"], pinned=True),
    "count_uses": lambda store: store.count_uses(ALICE, {"x": 1}, START),
    "delete": lambda store: store.delete(ALICE, ["x"]),
    "scrub": lambda store: store.scrub(),
    "get": lambda store: store.get(ALICE, "x"),
    "find": lambda store: store.find(ALICE, Query()),
    "count": lambda store: store.count(ALICE, Query()),
    "history": lambda store: store.history(ALICE, "x"),
    "speakers": lambda store: store.speakers(ALICE),
    "users": lambda store: store.users("acme"),
    "search_words": lambda store: store.search_words(ALICE, [("x",)], Query(), limit=1),
    "search_vectors": lambda store: store.search_vectors(
        ALICE, np.ones(4, np.float32), "f", Query(), limit=1
    ),
    "passages": lambda store: store.passages(ALICE, [1], Query()),
    "passages_of": lambda store: store.passages_of(ALICE, ["x"]),
    "pending": lambda store: store.pending(ALICE, "f", limit=1),
    "put_vectors": lambda store: store.put_vectors(ALICE, "f", [1], np.ones((1, 4), np.float32)),
    "profile": lambda store: store.profile(ALICE),
    "put_profile": lambda store: store.put_profile(ALICE, UserProfile(tenant_id="acme", user_id="alice")),
    "profiles": lambda store: store.profiles(ALICE),
    "delete_profiles": lambda store: store.delete_profiles(ALICE),
    "clear": lambda store: store.clear(ALICE),
    "generation": lambda store: store.generation(ALICE),
    "erase": lambda store: store.erase(ALICE, Query(), "receipt"),
    "buried": lambda store: store.buried(ALICE, [draft("x", id="x").entry]),
    "exhume": lambda store: store.exhume(ALICE, ["x"]),
    "traces": lambda store: store.traces("acme", "receipt", ["x"]),
    "carried": lambda store: list(store.carried(ALICE)),
    "carry_in": lambda store: store.carry_in(ALICE, []),
    "record": lambda store: store.record("acme", [Event("look")]),
    "audit": lambda store: store.audit("acme"),
    "check_audit": lambda store: store.check_audit("acme"),
    "audit_head": lambda store: store.audit_head("acme"),
    "pseudonym": lambda store: store.pseudonym("alice"),
    "watermark": lambda store: store.watermark(ALICE),
    "set_watermark": lambda store: store.set_watermark(ALICE, 1),
    "stats": lambda store: store.stats(ALICE),
    "rewrite": lambda store: store.rewrite(ALICE, draft("y", id="x")),
    "unnamed": lambda store: store.unnamed(ALICE, "rule", limit=1),
    "put_names": lambda store: store.put_names(ALICE, "rule", []),
    "sightings": lambda store: store.sightings(ALICE, Query()),
    "ties": lambda store: store.ties(ALICE, Query()),
    "mentioning": lambda store: store.mentioning(ALICE, "x", Query()),
    "graves": lambda store: store.graves("acme"),
    "bury": lambda store: store.bury("acme", Graves((), ())),
    "put_receipt": lambda store: store.put_receipt(Receipt(id="r", tenant_id="acme", what="ids", at=START)),
    "receipts": lambda store: store.receipts("acme"),
    "transaction": lambda store: store.transaction().__enter__(),
}


A_WHILE = 0.2
"""Seconds that another thread is given to do what it must not; no test depends on their length."""


@contextmanager
def changing_often() -> Iterator[None]:
    """Let threads take turns every few instructions, so that what is not locked shows."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def all_at_once(work: Callable[[int], Any], *, threads: int = THREADS) -> list[Any]:
    """Run the work in that many threads, begun together; their results in order, the first error raised."""
    begin = threading.Barrier(threads)

    def run(number: int) -> Any:
        begin.wait(timeout=60)
        return work(number)

    with changing_often(), ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))


class Sharing(Ground):
    @pytest.fixture
    def beside(self, other: Store | None) -> Iterator[Store]:
        """The second opener; tests that need one are skipped where there is none."""
        if other is None:
            pytest.skip("this store has one opener")
        yield other
        other.close()

    # ── threads ──────────────────────────────────────────────────────────────────────────────────

    def test_threads_that_write_and_read_lose_nothing(self, store: Store) -> None:
        def work(number: int) -> None:
            scope = Scope("acme", f"user {number % 4}")
            for turn in range(EACH):
                kept = put(
                    store, scope, f"kite {number} turn {turn}", id=f"{number}-{turn}", embedder=EMBEDDER
                )
                assert store.get(scope, kept.id) == kept
                assert kept.id in found(store, scope, f"kite {number} turn {turn}", limit=THREADS * EACH)
                assert kept.id in near(store, scope, f"kite {number} turn {turn}", limit=THREADS * EACH)

        all_at_once(work)
        entries = store.find(TENANT, ALL)
        assert len(entries) == len({entry.seq for entry in entries}) == THREADS * EACH
        assert asked(store, TENANT, "kite").frequencies["kite"] == THREADS * EACH
        assert store.stats(TENANT, EMBEDDER.fingerprint).pending == 0

    def test_one_id_put_by_many_threads_is_kept_once(self, store: Store) -> None:
        given = draft("the same", id="x")
        kept = all_at_once(lambda _: store.put(ALICE, [given]))
        assert all(one == kept[0] for one in kept)
        assert store.count(ALICE, ALL) == asked(store, ALICE, "same").passages == 1

    def test_of_many_contents_for_one_id_one_wins(self, store: Store) -> None:
        def work(number: int) -> bool:
            try:
                put(store, ALICE, f"content {number}", id="x")
            except EntryConflict:
                return False
            return True

        assert sum(all_at_once(work)) == 1
        assert asked(store, ALICE, "content").frequencies["content"] == 1

    def test_uses_counted_by_many_threads_add_up(self, store: Store) -> None:
        put(store, ALICE, "x", id="x")
        all_at_once(lambda _: [store.count_uses(ALICE, {"x": 1}, START) for _ in range(EACH)])
        assert store.get(ALICE, "x").access_count == THREADS * EACH

    def test_revisions_by_many_threads_are_all_kept(self, store: Store) -> None:
        put(store, ALICE, "first", id="x")
        all_at_once(lambda number: store.revise(ALICE, draft(f"version of {number}", id="x")))
        history = store.history(ALICE, "x")
        assert [entry.version for entry in history] == [*range(1, THREADS + 2)]
        assert {entry.content for entry in history} == {"first", *(f"version of {n}" for n in range(THREADS))}
        assert asked(store, ALICE, "version").passages == 1

    def test_nobody_sees_half_a_transaction(self, store: Store) -> None:
        with ThreadPoolExecutor(1) as pool:
            with store.transaction():
                put(store, ALICE, "left")
                seen = pool.submit(
                    lambda: (store.count(ALICE, ALL), asked(store, ALICE, "left right").passages)
                )
                wait([seen], timeout=A_WHILE)
                put(store, ALICE, "right")
            assert set(seen.result()) <= {0, 2}
        assert store.count(ALICE, ALL) == 2

    def test_nobody_sees_half_of_many_transactions(self, store: Store) -> None:
        done = threading.Event()

        def write() -> None:
            try:
                for number in range(EACH):
                    with store.transaction():
                        put(store, ALICE, "left", id=f"left {number}")
                        put(store, ALICE, "right", id=f"right {number}")
            finally:
                done.set()

        def look() -> set[int]:
            odd: set[int] = set()
            while not done.is_set():
                odd |= {store.count(ALICE, ALL) % 2, asked(store, ALICE, "left right").passages % 2}
            return odd

        with changing_often(), ThreadPoolExecutor(3) as pool:
            lookers = [pool.submit(look) for _ in range(2)]
            pool.submit(write).result()
            seen = set().union(*(looker.result() for looker in lookers))
        assert seen <= {0}
        assert store.count(ALICE, ALL) == 2 * EACH

    def test_a_transaction_holds_only_what_its_own_thread_writes(self, store: Store) -> None:
        with ThreadPoolExecutor(1) as pool:
            with undone(store):
                put(store, ALICE, "undone", id="a")
                written = pool.submit(put, store, BOB, "kept", id="b")
                wait([written], timeout=A_WHILE)
                put(store, ALICE, "undone too", id="c")
            written.result()
        assert ids(store.find(TENANT, ALL)) == ["b"]

    # ── other openers ────────────────────────────────────────────────────────────────────────────

    def test_another_opener_sees_each_write_at_its_next_call(self, store: Store, beside: Store) -> None:
        for number in range(3):
            assert len(found(beside, ALICE, "kite")) == len(near(beside, ALICE, "kite")) == number
            store.put(ALICE, [draft("kite", id=str(number), embedder=EMBEDDER)])
            assert beside.get(ALICE, str(number)) == store.get(ALICE, str(number))
            assert len(found(beside, ALICE, "kite")) == len(near(beside, ALICE, "kite")) == number + 1
            assert asked(beside, ALICE, "kite") == asked(store, ALICE, "kite")

    def test_another_opener_sees_each_deletion_at_its_next_call(self, store: Store, beside: Store) -> None:
        store.put(ALICE, [draft("kite", id=str(number), embedder=EMBEDDER) for number in range(3)])
        assert len(near(beside, ALICE, "kite")) == 3
        store.delete(ALICE, ["1"])
        assert sorted(near(beside, ALICE, "kite")) == sorted(found(beside, ALICE, "kite")) == ["0", "2"]
        with pytest.raises(EntryNotFound):
            beside.get(ALICE, "1")
        assert asked(beside, ALICE, "kite").passages == 2

    def test_another_opener_sees_each_mark_and_revision(self, store: Store, beside: Store) -> None:
        store.put(ALICE, [draft("kite", id=name, embedder=EMBEDDER) for name in ("a", "b")])
        near(beside, ALICE, "kite"), found(beside, ALICE, "kite")
        store.mark(ALICE, ["a"], archived_at=START)
        assert near(beside, ALICE, "kite") == found(beside, ALICE, "kite") == ["b"]
        store.revise(ALICE, draft("swan", id="b", embedder=EMBEDDER))
        assert found(beside, ALICE, "kite") == []
        assert found(beside, ALICE, "swan") == ["b"]
        store.mark(ALICE, ["a"], archived_at=None)
        assert near(beside, ALICE, "kite", limit=1) == ["a"]

    def test_vectors_of_one_opener_are_the_others_too(self, store: Store, beside: Store) -> None:
        store.put(ALICE, [draft("kite", id="a"), draft("tea", id="b")])
        assert near(store, ALICE, "kite") == near(beside, ALICE, "kite") == []
        index(beside, ALICE)
        assert near(store, ALICE, "kite", limit=1) == near(beside, ALICE, "kite", limit=1) == ["a"]
        assert store.pending(ALICE, EMBEDDER.fingerprint, limit=9) == []
        (key,) = store.passages_of(ALICE, ["b"])
        store.put_vectors(ALICE, EMBEDDER.fingerprint, [key], EMBEDDER.embed(["kite kite swan"]))
        assert near(beside, ALICE, "swan", limit=1) == ["b"]

    def test_openers_that_write_at_once_lose_nothing(self, store: Store, beside: Store) -> None:
        def work(number: int) -> None:
            opener = (store, beside)[number % 2]
            for turn in range(EACH):
                put(opener, ALICE, f"kite {number} {turn}", id=f"{number}-{turn}", embedder=EMBEDDER)

        all_at_once(work)
        for opener in (store, beside):
            entries = opener.find(ALICE, ALL)
            assert len(entries) == len({entry.seq for entry in entries}) == THREADS * EACH
            assert asked(opener, ALICE, "kite").frequencies["kite"] == THREADS * EACH
            assert len(near(opener, ALICE, "kite", limit=1_000)) == THREADS * EACH

    def test_an_id_is_taken_for_every_opener(self, store: Store, beside: Store) -> None:
        kept = put(store, ALICE, "kite", id="x")
        assert put(beside, ALICE, "kite", id="x") == kept
        with pytest.raises(EntryConflict):
            put(beside, ALICE, "swan", id="x")
        assert store.count(ALICE, ALL) == 1

    def test_openers_share_sessions_numbers_and_watermarks(self, store: Store, beside: Store) -> None:
        first, second = put(store, ALICE, "one", id="a"), put(beside, ALICE, "two", id="b")
        assert first.session_id == second.session_id
        assert second.seq > first.seq
        store.set_watermark(ALICE, 7)
        assert beside.watermark(ALICE) == 7
        there = store.passages(ALICE, store.passages_of(ALICE, ["a"]), Query(), after=1)
        assert [it.entry_id for it in there] == ["a", "b"]

    def test_what_is_undone_is_seen_by_no_opener(self, store: Store, beside: Store) -> None:
        with undone(store):
            store.put(ALICE, [draft("kite", embedder=EMBEDDER)])
            assert (
                ids(beside.find(ALICE, ALL))
                == found(beside, ALICE, "kite")
                == near(beside, ALICE, "kite")
                == []
            )
        assert (
            ids(beside.find(ALICE, ALL)) == found(beside, ALICE, "kite") == near(store, ALICE, "kite") == []
        )

    def test_one_opener_goes_on_when_the_other_is_closed(self, store: Store, beside: Store) -> None:
        put(beside, ALICE, "kite", id="x")
        beside.close()
        assert found(store, ALICE, "kite") == ["x"]
        put(store, ALICE, "swan")
        assert store.count(ALICE, ALL) == 2

    def test_what_was_kept_is_there_after_opening_again(
        self, store: Store, reopen: Callable[[], Store] | None
    ) -> None:
        if reopen is None:
            pytest.skip("this store ends when it is closed")
        store.put(ALICE, [draft("red kite", id="a", embedder=EMBEDDER), draft("tea", id="b")])
        store.revise(ALICE, draft("green tea", id="b"))
        store.mark(ALICE, ["a"], pinned=True)
        store.set_watermark(ALICE, 1)
        before = store.find(ALICE, ALL), store.history(ALICE, "b"), asked(store, ALICE, "kite tea")
        with reopen() as again:
            assert (
                again.find(ALICE, ALL),
                again.history(ALICE, "b"),
                asked(again, ALICE, "kite tea"),
            ) == before
            assert near(again, ALICE, "kite") == ["a"]
            assert again.watermark(ALICE) == 1
            last = before[0][0]
            more = put(again, ALICE, "more")
            assert (more.seq > last.seq, more.session_id) == (True, last.session_id)

    # ── the end ──────────────────────────────────────────────────────────────────────────────────

    @pytest.mark.parametrize("name", CALLS)
    def test_a_closed_store_says_so(self, store: Store, name: str) -> None:
        put(store, ALICE, "x", id="x")
        store.close()
        with pytest.raises(StoreClosed):
            CALLS[name](store)

    def test_closing_again_does_nothing(self, store: Store) -> None:
        store.close()
        store.close()

    def test_leaving_the_with_block_closes(self, store: Store) -> None:
        with store as entered:
            assert entered is store
            put(entered, ALICE, "x")
        with pytest.raises(StoreClosed):
            store.count(ALICE, Query())
