"""Filtering: a filter means the same on every store, before the ranking, and never widens a scope."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from ...core.model import Query
from ...core.rules.filtering import query_of
from ...core.rules.matching import matches
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, ALL, BOB, EMBEDDER, Ground, found, ids, near, put

DAY = timedelta(days=1)

ENTRIES: Mapping[str, dict[str, Any]] = {
    "bare": {},
    "work": {"tags": ("work", "urgent"), "topics": ("plans",), "kind": "fact", "occurred_at": START + DAY},
    "home": {"tags": ("home",), "speaker": "Ann", "origin": "web", "session_id": "t"},
    "rich": {"metadata": {"n": 3, "text": "b", "on": True, "none": None, "list": [1, "x"], "in": {"n": 2.5}}},
    "odd": {
        "metadata": {"n": "3", "text": 4, "on": 1, "list": [], "größe": "ä", "a b": {"c": [[1], {"d": 1}]}}
    },
}
FILTERS: list[dict[str, Any]] = [
    {},
    {"tags": "work"}, {"tags": ["home", "urgent"]}, {"tags": {"$ne": "work"}}, {"tags": {"$exists": True}},
    {"tags": {"$exists": False}}, {"tags": {"$nin": ["home", "x"]}}, {"tags": {"$in": []}},
    {"topics": "plans"},
    {"kind": "fact"}, {"kind": {"$ne": "fact"}}, {"origin": ["web", "tool"]}, {"speaker": "Ann"},
    {"speaker": {"$exists": False}}, {"speaker": {"$ne": "Ann"}}, {"session": "t"},
    {"session": {"$nin": ["t"]}},
    {"time": START}, {"time": {"$gt": START}}, {"time": {"$gte": START, "$lt": START + DAY}},
    {"time": {"$lte": START.isoformat()}}, {"time": {"$in": [START + DAY]}}, {"time": {"$exists": False}},
    {"metadata.n": 3}, {"metadata.n": 3.0}, {"metadata.n": "3"}, {"metadata.n": {"$ne": 3}},
    {"metadata.n": {"$gt": 2}}, {"metadata.n": {"$gt": "2"}}, {"metadata.n": {"$lte": 3}},
    {"metadata.text": {"$gte": "a"}}, {"metadata.on": True}, {"metadata.on": 1}, {"metadata.none": None},
    {"metadata.none": {"$exists": True}}, {"metadata.none": {"$ne": None}}, {"metadata.list": 1},
    {"metadata.list": "x"}, {"metadata.list": {"$exists": True}}, {"metadata.list": {"$gt": 0}},
    {"metadata.in": 2.5}, {"metadata.in": {"$exists": True}}, {"metadata.in.n": {"$lt": 3, "$gt": 2}},
    {"metadata.größe": "ä"}, {"metadata.a b.c": 1}, {"metadata.a b.c.d": 1},
    {"metadata.nowhere": {"$nin": [1]}},
    {"$or": [{"tags": "work"}, {"metadata.n": 3}]}, {"$and": [{"tags": "work"}, {"tags": "urgent"}]},
    {"$not": {"tags": "work", "kind": "fact"}}, {"$or": []}, {"$and": []},
    {"tags": "work", "$not": {"$or": [{"kind": "fact"}, {"speaker": "Ann"}]}},
]  # fmt: skip


class Filtering(Ground):
    """Mappings of filters, and ``as_of``."""

    @pytest.fixture
    def filtered(self, store: Store) -> Store:
        """A store with an entry of each sort."""
        plain = {"occurred_at": START, "session_id": "s", "embedder": EMBEDDER}
        for name, fields in ENTRIES.items():
            put(store, ALICE, f"kite {name}", id=name, **{**plain, **fields})
        return store

    @pytest.mark.parametrize("filters", FILTERS, ids=str)
    def test_a_filter_finds_what_its_rule_says(self, filtered: Store, filters: dict[str, Any]) -> None:
        query = query_of(filters)
        wanted = [entry.id for entry in filtered.find(ALICE, ALL) if matches(query, entry)]
        assert ids(filtered.find(ALICE, query)) == wanted
        assert filtered.count(ALICE, query) == len(wanted)
        assert sorted(found(filtered, ALICE, "kite", query)) == sorted(wanted)
        assert sorted(near(filtered, ALICE, "kite", query)) == sorted(wanted)

    def test_some_filters_find_some_and_not_all(self, filtered: Store) -> None:
        assert ids(filtered.find(ALICE, query_of({"metadata.n": {"$gte": 3}}))) == ["rich"]
        assert ids(filtered.find(ALICE, query_of({"tags": {"$exists": True}}))) == ["home", "work"]
        assert ids(filtered.find(ALICE, query_of({"metadata.größe": "ä"}))) == ["odd"]

    def test_a_filter_never_widens_a_scope(self, filtered: Store) -> None:
        put(filtered, BOB, "kite of bob", id="bob", tags=("work",))
        either = query_of({"$or": [{"tags": "work"}, {"$not": {"tags": "work"}}]})
        assert "bob" not in ids(filtered.find(ALICE, either))
        assert ids(filtered.find(BOB, either)) == ["bob"]

    def test_a_filter_comes_before_the_limit(self, store: Store) -> None:
        store.put(ALICE, [draft(f"kite {n}", id=f"k{n}", embedder=EMBEDDER) for n in range(120)])
        put(store, ALICE, "a kite and much else", id="it", tags=("t",), embedder=EMBEDDER)
        tagged = query_of({"tags": "t"})
        assert found(store, ALICE, "kite", tagged, limit=1) == ["it"]
        assert near(store, ALICE, "kite", tagged, limit=1) == ["it"]

    def test_a_neighbour_that_the_filter_excludes_is_evidence_only(self, filtered: Store) -> None:
        query = query_of({"tags": "work"})
        there = filtered.passages(ALICE, filtered.passages_of(ALICE, ["work"]), query, before=1)
        assert [(one.entry_id, bool(one.matching)) for one in there] == [("bare", False), ("work", True)]

    def test_what_was_recorded_later_is_not_there_as_of_a_moment(self, store: Store) -> None:
        put(store, ALICE, "kite early", id="early", recorded_at=START, session_id="s", embedder=EMBEDDER)
        put(store, ALICE, "kite late", id="late", recorded_at=START + DAY, session_id="s", embedder=EMBEDDER)
        then = Query(as_of=START)
        assert ids(store.find(ALICE, then)) == ["early"]
        assert found(store, ALICE, "kite", then) == near(store, ALICE, "kite", then) == ["early"]
        beside = store.passages(ALICE, store.passages_of(ALICE, ["early"]), then, after=1)
        assert [one.entry_id for one in beside] == ["early"]
        assert ids(store.find(ALICE, Query(as_of=START + DAY))) == ["late", "early"]
