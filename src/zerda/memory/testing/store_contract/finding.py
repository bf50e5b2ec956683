"""Finding: every condition of a query, its order, and pages that miss and repeat nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from ...core.model import QUARANTINED, Query
from ...errors import EntryNotFound
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, ALL, BOB, EMBEDDER, TENANT, Ground, found, ids, near, put

DAY = timedelta(days=1)

PLAIN: dict[str, Any] = {"occurred_at": START, "importance": 0.5, "session_id": "s"}

IN_QUARANTINE: dict[str, Any] = {"archived_at": START, "archived_because": f"{QUARANTINED}told so"}

# What stands under the name is let in by the query, and "plain" is not.
CONDITIONS: dict[str, tuple[Query, dict[str, Any]]] = {
    "ids": (Query(ids=("ids", "missing")), {}),
    "kind": (Query(kinds=("fact", "summary")), {"kind": "summary"}),
    "session": (Query(session_id="t"), {"session_id": "t"}),
    "speaker": (Query(speakers=("Ann", "Bob")), {"speaker": "Bob"}),
    "origin": (Query(origins=("web", "tool")), {"origin": "tool"}),
    "tag": (Query(tags=("a", "b")), {"tags": ("c", "b")}),
    "topic": (Query(topics=("a", "b")), {"topics": ("a",)}),
    "since": (Query(since=START + DAY), {"occurred_at": START + DAY}),
    "until": (Query(until=START - DAY), {"occurred_at": START - DAY}),
    "importance": (Query(min_importance=0.6), {"importance": 0.6}),
    "promoted": (Query(promoted=True), {"promoted_at": START}),
    "pinned": (Query(pinned=True), {"pinned": True}),
    "archived": (Query(archived=True), {"archived_at": START}),
    "archived since": (Query(archived=None, archived_since=START), {"archived_at": START}),
    "archived before": (Query(archived=None, archived_before=START), {"archived_at": START - DAY}),
    "expired": (Query(expired_by=START), {"expires_at": START}),
    "recorded": (Query(as_of=START - DAY), {"recorded_at": START - DAY}),
    "recorded since": (Query(recorded_since=START + DAY), {"recorded_at": START + DAY}),
    "trust": (Query(min_trust="owner"), {"trust": "owner"}),
    "quarantined": (Query(archived=None, quarantined=True), IN_QUARANTINE),
}
# What stands under the name is kept out by the query, and "plain" is not.
EXCLUSIONS: dict[str, tuple[Query, dict[str, Any]]] = {
    "promoted": (Query(promoted=False), {"promoted_at": START}),
    "pinned": (Query(pinned=False), {"pinned": True}),
    "archived": (Query(), {"archived_at": START}),
    "expired": (Query(now=START), {"expires_at": START}),
    "recorded later": (Query(as_of=START), {"recorded_at": START + timedelta(microseconds=1)}),
    "earlier": (Query(since=START), {"occurred_at": START - timedelta(microseconds=1)}),
    "later": (Query(until=START), {"occurred_at": START + timedelta(microseconds=1)}),
    "unimportant": (Query(min_importance=0.5), {"importance": 0.49}),
    "another case": (Query(session_id="s"), {"session_id": "S"}),
    "untrusted": (Query(min_trust="user"), {"trust": "untrusted"}),
    "quarantined": (Query(archived=None, quarantined=False), IN_QUARANTINE),
}


class Finding(Ground):
    @pytest.mark.parametrize("name", CONDITIONS)
    def test_a_condition_lets_in_what_it_describes(self, store: Store, name: str) -> None:
        query, fields = CONDITIONS[name]
        put(store, ALICE, "plain", id="plain", **PLAIN)
        put(store, ALICE, "wanted", id=name, **{**PLAIN, **fields})
        assert ids(store.find(ALICE, query)) == [name]
        assert store.count(ALICE, query) == 1

    @pytest.mark.parametrize("name", EXCLUSIONS)
    def test_a_condition_keeps_out_what_it_does_not_describe(self, store: Store, name: str) -> None:
        query, fields = EXCLUSIONS[name]
        put(store, ALICE, "plain", id="plain", **PLAIN)
        put(store, ALICE, "unwanted", id=name, **{**PLAIN, **fields})
        assert ids(store.find(ALICE, query)) == ["plain"]
        assert store.count(ALICE, query) == 1

    @pytest.mark.parametrize("name", [*CONDITIONS])
    def test_searches_keep_to_the_same_conditions_before_they_count_to_the_limit(
        self, store: Store, name: str
    ) -> None:
        query, fields = CONDITIONS[name]
        wanted = draft("one red kite and more", id=name, embedder=EMBEDDER, **{**PLAIN, **fields})
        others = [draft("red kite", id=f"plain {n}", embedder=EMBEDDER, **PLAIN) for n in range(5)]
        store.put(ALICE, [*others[:3], wanted, *others[3:]])
        assert found(store, ALICE, "red kite", query, limit=1) == [name]
        assert near(store, ALICE, "red kite", query, limit=1) == [name]

    def test_every_condition_has_to_hold(self, store: Store) -> None:
        put(store, ALICE, "a", id="a", tags=("t",), pinned=True)
        put(store, ALICE, "b", id="b", tags=("t",))
        put(store, ALICE, "c", id="c", pinned=True)
        assert ids(store.find(ALICE, Query(tags=("t",), pinned=True))) == ["a"]

    def test_no_ids_are_no_entries(self, store: Store) -> None:
        put(store, ALICE, "a")
        assert store.find(ALICE, Query(ids=())) == []
        assert store.count(ALICE, Query(ids=())) == 0

    def test_tags_are_compared_whole(self, store: Store) -> None:
        put(store, ALICE, "a", id="a", tags=("travel plans", 'quo"te', "%", "100"))
        for tag in ("travel", "plans", "quo", "TRAVEL PLANS", "1", "10_", "_"):
            assert store.find(ALICE, Query(tags=(tag,))) == []
        for tag in ("travel plans", 'quo"te', "%", "100"):
            assert ids(store.find(ALICE, Query(tags=(tag,)))) == ["a"]

    def test_what_expires_later_is_still_found(self, store: Store) -> None:
        put(store, ALICE, "red kite", id="a", expires_at=START + DAY)
        assert (
            ids(store.find(ALICE, Query(now=START))) == found(store, ALICE, "kite", Query(now=START)) == ["a"]
        )
        assert ids(store.find(ALICE, Query())) == ["a"]

    def test_newest_and_oldest_go_by_arrival(self, store: Store) -> None:
        for number in range(3):
            put(store, ALICE, f"{number}", id=str(number), occurred_at=START - number * DAY)
        assert ids(store.find(ALICE, Query())) == ["2", "1", "0"]
        assert ids(store.find(ALICE, Query(order="oldest"))) == ["0", "1", "2"]

    def test_the_most_important_come_first_and_of_equals_the_newest(self, store: Store) -> None:
        for name, importance in (("a", 0.5), ("b", 0.9), ("c", 0.5), ("d", 0.1)):
            put(store, ALICE, name, id=name, importance=importance)
        assert ids(store.find(ALICE, Query(order="important"))) == ["b", "c", "a", "d"]

    def test_the_limit_is_kept_to_and_does_not_count(self, store: Store) -> None:
        store.put(ALICE, [draft(f"{number}", id=str(number)) for number in range(120)])
        assert ids(store.find(ALICE, Query(limit=2))) == ["119", "118"]
        assert store.find(ALICE, Query(limit=0)) == []
        assert [len(store.find(ALICE, Query())), len(store.find(ALICE, Query(limit=None)))] == [100, 120]
        assert store.count(ALICE, Query(limit=2)) == 120

    @pytest.mark.parametrize("order", ["newest", "oldest"])
    def test_pages_by_number_miss_and_repeat_nothing_whatever_arrives_meanwhile(
        self, store: Store, order: Any
    ) -> None:
        store.put(ALICE, [draft(f"{number}", id=str(number)) for number in range(25)])
        query = Query(order=order, limit=7)
        pages = [store.find(ALICE, query)]
        while len(pages[-1]) == 7:
            put(store, BOB, "meanwhile")
            last = pages[-1][-1].seq
            more = query.only(before_seq=last) if order == "newest" else query.only(after_seq=last)
            pages.append(store.find(ALICE, more))
        listed = [entry.id for page in pages for entry in page]
        expected = [str(number) for number in range(25)]
        assert listed == (expected[::-1] if order == "newest" else expected)

    def test_a_cursor_is_exclusive_on_both_sides(self, store: Store) -> None:
        first, second, third = store.put(ALICE, [draft("a"), draft("b"), draft("c")])
        between = Query(after_seq=first.seq, before_seq=third.seq)
        assert store.find(ALICE, between) == [second]
        assert store.count(ALICE, between) == 1

    def test_getting_what_is_not_there_says_so_without_the_scopes_secrets(self, store: Store) -> None:
        put(store, BOB, "the password is swordfish", id="x")
        with pytest.raises(EntryNotFound) as caught:
            store.get(ALICE, "x")
        assert "swordfish" not in str(caught.value)

    def test_an_empty_store_answers_with_nothing(self, store: Store) -> None:
        assert store.find(TENANT, ALL) == []
        assert store.count(TENANT, ALL) == 0
        assert store.speakers(TENANT) == store.users("acme") == ()
        assert found(store, TENANT, "kite") == near(store, TENANT, "kite") == []
        assert store.pending(TENANT, "f", limit=9) == []
        assert store.passages(TENANT, [1, 2], ALL, before=2, after=2) == []

    def test_speakers_are_named_once_and_sorted(self, store: Store) -> None:
        for speaker in ("Zoë", "Ann", "ann", "Ann", None):
            put(store, ALICE, "x", speaker=speaker)
        put(store, BOB, "x", speaker="Bob")
        assert store.speakers(ALICE) == ("Ann", "Zoë", "ann")
        assert store.speakers(ALICE, limit=2) == ("Ann", "Zoë")
        assert store.speakers(TENANT) == ("Ann", "Bob", "Zoë", "ann")

    def test_users_are_named_once_and_sorted(self, store: Store) -> None:
        for user in ("zoë", "bob", "Bob", "bob", None):
            put(store, TENANT, "x", user_id=user)
        assert store.users("acme") == ("Bob", "bob", "zoë")
        assert store.users("other") == ()

    def test_any_number_of_ids_can_be_asked_for(self, store: Store) -> None:
        # More than a driver takes as parameters of one statement: SQLite 32,766, PostgreSQL 65,535.
        many = tuple(f"id {number}" for number in range(70_000))
        store.put(ALICE, [draft("kite", id=entry_id) for entry_id in many[-3:]])
        assert sorted(ids(store.find(ALICE, Query(ids=many)))) == sorted(many[-3:])
        keys = store.passages_of(ALICE, many)
        assert len(store.passages(ALICE, [*keys, *range(10**9, 10**9 + 70_000)], Query())) == 3
        assert store.mark(ALICE, many, pinned=True) == 3
        assert store.delete(ALICE, many) == 3
