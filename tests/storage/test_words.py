"""Search by words against counting by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerda.memory.core.model import Draft, Passage, Query, Scope, WordHits
from zerda.memory.storage import sqlite_words, word_search, words
from zerda.memory.storage.sql import Reach
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import START, draft

ALICE, BOB, TENANT = Scope("acme", "alice"), Scope("acme", "bob"), Scope("acme")
STRANGER = Scope("other", "alice")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteStore]:
    with SQLiteStore(tmp_path / "m.db", durability="relaxed") as store:
        yield store


def said(tokens: list[str], **fields: object) -> Draft:
    """An entry whose passage has exactly these tokens."""
    text = " ".join(tokens)
    given_ = draft(text, **fields)
    return replace(given_, passages=(Passage("text", 0, len(text), tuple(tokens), len(tokens)),))


def ids_of(store: SQLiteStore, scope: Scope, hits: WordHits, query: Query) -> list[str]:
    of = {one.key: one.entry_id for one in store.passages(scope, hits.keys, query)}
    return [of[key] for key in hits.keys]


VOCABULARY = [
    "kite",
    "tea",
    "日本",
    "ünï",
    "word",
    "wor",
    "words",
    "a",
    "0",
    "\U00010400",
    "\u0e01\u0e32",
    "ꭰ",
]


def test_a_search_finds_what_counting_by_hand_finds(store: SQLiteStore) -> None:
    rng = random.Random(5)
    everything: list[tuple[Scope, str, list[str], str, bool]] = []
    for number in range(400):
        scope = rng.choice([ALICE, ALICE, BOB, STRANGER])
        tokens = [rng.choice(VOCABULARY) for _ in range(rng.randrange(1, 8))]
        visibility, tag = rng.choice(["user", "user", "tenant"]), f"t{number % 7}"
        store.put(scope, [said(tokens, id=str(number), visibility=visibility, tags=(tag,))])
        everything.append((scope, str(number), tokens, tag, visibility == "tenant"))
    gone = {str(number) for number in range(0, 400, 9)}
    archived = {str(number) for number in range(1, 400, 9)}
    for scope in (ALICE, BOB, STRANGER):
        store.delete(scope, sorted(gone))
        store.mark(scope, sorted(archived), archived_at=START)
        store.mark(scope, sorted(archived)[:9], archived_at=None)
    archived -= set(sorted(archived)[:9])

    def visible(scope: Scope, owner: Scope, shared: bool) -> bool:
        return owner.tenant_id == scope.tenant_id and (shared or scope.user_id in (None, owner.user_id))

    for scope in (ALICE, BOB, TENANT, STRANGER, Scope("other"), Scope("acme", "nobody")):
        reached = [
            (id_, tokens, tag)
            for owner, id_, tokens, tag, shared in everything
            if id_ not in gone and visible(scope, owner, shared)
        ]
        live = [one for one in reached if one[0] not in archived]
        for _ in range(12):
            terms = [tuple(rng.sample(VOCABULARY, rng.randrange(1, 3))) for _ in range(rng.randrange(1, 4))]
            asked = {token for term in terms for token in term}
            hits = store.search_words(scope, terms, Query(), limit=999)
            assert set(ids_of(store, scope, hits, Query())) == {id_ for id_, t, _ in live if asked & set(t)}
            assert hits.passages == len(live)
            assert hits.mean_length * len(live) == pytest.approx(sum(len(t) for _, t, _ in live))
            assert hits.frequencies == {w: sum(w in tokens for _, tokens, _ in live) for w in asked}
            for query, chosen in (
                (Query(tags=("t3",)), [one for one in live if one[2] == "t3"]),
                (Query(archived=True), [one for one in reached if one[0] in archived]),
                (Query(archived=None), reached),
            ):
                narrowed = store.search_words(scope, terms, query, limit=999)
                expected = {id_ for id_, tokens, _ in chosen if asked & set(tokens)}
                assert set(ids_of(store, scope, narrowed, query)) == expected
                assert replace(narrowed, keys=()) == replace(hits, keys=())


def test_what_others_save_moves_neither_numbers_nor_order(store: SQLiteStore) -> None:
    rng = random.Random(1)
    store.put(ALICE, [said(rng.choices(VOCABULARY, k=rng.randrange(1, 9))) for _ in range(60)])
    terms = [("kite",), ("tea",), ("word", "wor")]
    before = store.search_words(ALICE, terms, Query(), limit=20)
    store.put(BOB, [said(["kite"] * 9 + ["tea"]) for _ in range(300)])
    store.put(STRANGER, [said(["kite", "wor"], visibility="tenant") for _ in range(300)])
    assert store.search_words(ALICE, terms, Query(), limit=20) == before


def test_rare_words_and_short_passages_come_first(store: SQLiteStore) -> None:
    store.put(ALICE, [said(["kite", "a", "a", "a", "a", "a"], id="long"), said(["kite"], id="short")])
    store.put(ALICE, [said(["tea", "a", "a", "a", "a"], id=f"tea {n}") for n in range(9)])
    hits = store.search_words(ALICE, [("tea",), ("kite",)], Query(), limit=3)
    assert ids_of(store, ALICE, hits, Query())[:2] == ["short", "long"]


def test_conditions_are_applied_before_the_limit(store: SQLiteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_search, "LOOKED_UP", 10)
    for number in range(300):
        store.put(ALICE, [said(["kite"] + ["a"] * (number % 5), id=str(number), importance=number / 300)])
    query = Query(min_importance=0.0, before_seq=4)
    hits = store.search_words(ALICE, [("kite",)], query, limit=2)
    assert ids_of(store, ALICE, hits, query) == ["0", "1"]


def test_common_words_count_only_beside_rarer_ones_where_the_budget_is_used(store: SQLiteStore) -> None:
    store.put(ALICE, [said(["common"], id=f"c{n}") for n in range(30)])
    store.put(ALICE, [said(["rare", *rest], id=f"r{n}") for n, rest in enumerate([[], [], ["common"]])])
    terms = [("common",), ("rare",)]
    bounded = store.search_words(ALICE, terms, Query(), limit=99, budget=10)
    assert ids_of(store, ALICE, bounded, Query()) == ["r2", "r0", "r1"]
    assert bounded.frequencies == {"common": 31, "rare": 3}
    assert len(store.search_words(ALICE, terms, Query(), limit=99, budget=34).keys) == 33
    assert len(store.search_words(ALICE, [("common",)], Query(), limit=99, budget=1).keys) == 31


def test_the_commonest_words_are_not_looked_for_at_all() -> None:
    postings = {"rare": 3, "common": 40, "everywhere": 10_000}
    terms = [("everywhere",), ("nowhere",), ("common",), ("rare",)]
    assert words.affordable(terms, postings, 10) == ([("rare",)], [("common",)])
    assert words.affordable(terms[:1], postings, 10) == ([("everywhere",)], [])


@given(st.lists(st.sampled_from([0.5, 1.0, 1.5, 2.0]), max_size=60), st.integers(1, 5))
def test_the_pieces_of_an_order_are_the_whole_order(values: list[float], first: int) -> None:
    scores = np.array(values, np.float64)
    pieces = [piece.tolist() for piece in word_search._pieces(scores, first)]
    together = [row for piece in pieces for row in piece]
    assert together == sorted(range(len(values)), key=lambda row: (-values[row], -row))
    assert all(len(piece) <= first * 4**place for place, piece in enumerate(pieces))


def test_a_search_reads_no_more_passages_than_it_must(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up: list[int] = []
    before = sqlite_words.SQLiteWordSearch._fulfilling

    def counting(self: sqlite_words.SQLiteWordSearch, keys: dict[int, float]) -> list[tuple[int, int]]:
        looked_up.append(len(keys))
        return before(self, keys)

    monkeypatch.setattr(sqlite_words.SQLiteWordSearch, "_fulfilling", counting)
    store.put(ALICE, [said(["kite"], id=str(n)) for n in range(3_000)])
    assert len(store.search_words(ALICE, [("kite",)], Query(), limit=50).keys) == 50
    assert looked_up == [word_search.LOOKED_UP]


tokens = st.text(
    st.characters(categories=["L", "N", "M"]) | st.sampled_from("az09"), min_size=1, max_size=9
).map(str.casefold)


@given(token=tokens, other=tokens)
@settings(max_examples=60, deadline=None)
def test_any_word_of_any_script_is_found_by_itself_alone(
    tmp_path_factory: pytest.TempPathFactory, token: str, other: str
) -> None:
    with SQLiteStore(tmp_path_factory.mktemp("w") / "m.db", durability="relaxed") as store:
        store.put(ALICE, [said([token], id="x"), said([other], id="y")])
        store.put(BOB, [said([token], id="z")])
        hits = store.search_words(ALICE, [(token,)], Query(), limit=9)
        assert set(ids_of(store, ALICE, hits, Query())) == ({"x", "y"} if token == other else {"x"})
        assert hits.frequencies[token] == (2 if token == other else 1)


@pytest.mark.parametrize(
    "forged", ["kite\uf0001\uf0012", "kite\uf000", '"kite"', "kite tea", "kite*", "", "A"]
)
def test_what_is_no_token_of_the_rule_is_neither_indexed_nor_found(forged: str) -> None:
    reach = Reach(tenant=1, own=2, everyone=False)
    assert words.indexed([forged], words.suffix(1, 2, live=True)) == ""
    assert words.stretches(forged, reach, archived=None) == []
    assert words.phrase(forged, reach, archived=None) == ""
