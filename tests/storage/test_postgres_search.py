"""What is found on PostgreSQL is what is found in a file; an index of neighbours never costs a hit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import postgres_server
from zerda.memory.core.model import Query, Scope
from zerda.memory.core.rules.bm25 import Corpus, Term, bm25
from zerda.memory.core.rules.text import query_terms
from zerda.memory.storage.base import Store
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import START, HashingEmbedder, draft

pytest.importorskip("psycopg", reason="the extra postgres is not installed")

from zerda.memory.storage import postgres, postgres_vectors
from zerda.memory.storage.postgres import PostgresStore, PostgresStores
from zerda.memory.storage.postgres_driver import Database, Link
from zerda.memory.storage.postgres_sql import readable

pytestmark = postgres_server.NEEDED_HERE

ALICE, BOB, TENANT = Scope("acme", "alice"), Scope("acme", "bob"), Scope("acme")
EMBEDDER = HashingEmbedder(64)
F = EMBEDDER.fingerprint
WORDS = "kite red harbour tea sister cello fennec desert map letter boat rain".split()


def sayings(count: int, seed: int) -> list[str]:
    """Texts of common and rare words, long and short."""
    chance = np.random.default_rng(seed)
    ranks = 1 / np.arange(1, len(WORDS) + 1)
    lengths = chance.integers(1, 14, count)
    return [" ".join(chance.choice(WORDS, size=length, p=ranks / ranks.sum())) for length in lengths]


@pytest.fixture
def both(postgres: str, tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """A file and a server that were told the same."""
    with SQLiteStore(tmp_path / "m.db") as file, PostgresStore(postgres) as server:
        for scope, visibility, seed in ((ALICE, "user", 1), (BOB, "tenant", 2), (BOB, "user", 3)):
            drafts = [
                draft(
                    text, id=f"{seed} {number}", visibility=visibility, embedder=EMBEDDER,
                    importance=number % 10 / 10,
                )
                for number, text in enumerate(sayings(120, seed))
            ]  # fmt: skip
            for store in (file, server):
                store.put(scope, drafts)
                store.mark(scope, [f"{seed} 3", f"{seed} 7"], archived_at=START)
        yield file, server


def scores(store: Store, scope: Scope, text: str, query: Query, limit: int) -> dict[str, float]:
    """The entries that words propose, with the BM25 that the ranking gives them."""
    terms = query_terms(text)
    hits = store.search_words(scope, terms, query, limit=limit)
    corpus = Corpus(hits.passages, hits.mean_length)
    asked = [Term(tokens, max(hits.frequencies[token] for token in tokens)) for tokens in terms]
    return {
        one.entry_id: bm25(asked, corpus, Counter(one.passage.tokens), one.length)
        for one in store.passages(scope, hits.keys, query)
    }


@pytest.mark.parametrize("scope", [ALICE, BOB, TENANT])
@pytest.mark.parametrize("limit", [10, 1_000])
@pytest.mark.parametrize("query", [Query(), Query(min_importance=0.5), Query(archived=None)])
def test_words_find_the_same_with_the_same_scores(
    both: tuple[Store, Store], scope: Scope, limit: int, query: Query
) -> None:
    for text in ("kite", "the red harbour", "fennec letter rain", "tea tea map boat", "unheard"):
        of_file, of_server = (scores(store, scope, text, query, limit) for store in both)
        assert of_server == pytest.approx(of_file, abs=1e-6)


@pytest.mark.parametrize("scope", [ALICE, BOB, TENANT])
@pytest.mark.parametrize("query", [Query(), Query(min_importance=0.9), Query(archived=True)])
def test_vectors_find_the_same_to_the_last_bit(both: tuple[Store, Store], scope: Scope, query: Query) -> None:
    for text in ("kite harbour", "cello", "desert map letter"):
        (vector,) = EMBEDDER.embed([text])
        of_file, of_server = (
            [
                (one.entry_id, cosine)
                for key, cosine in store.search_vectors(scope, vector, F, query, limit=15).hits
                for one in store.passages(scope, [key], query)
            ]
            for store in both
        )
        # Equal cosines are told apart by key, and keys are each store's own.
        assert [cosine for _, cosine in of_server] == [cosine for _, cosine in of_file]
        last = of_file[-1][1] if of_file else 0
        assert {hit for hit in of_server if hit[1] > last} == {hit for hit in of_file if hit[1] > last}


# ── an index of neighbours ───────────────────────────────────────────────────────────────────────────


@pytest.fixture
def large(
    postgres_running: postgres_server.Server, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[PostgresStore, np.ndarray]]:
    """A scope that counts as large, with an index; and its vectors in the order of the entries."""
    rows = np.random.default_rng(7).standard_normal((600, 32)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    monkeypatch.setattr(postgres_vectors, "EXACT_ROWS", 50)
    monkeypatch.setattr(postgres, "INDEX_FROM", -1)  # What is told of a table that nobody analysed yet.
    with postgres_running.memory(new=True) as address:
        stores = PostgresStores(address)
        store = stores.store("acme")
        store.put(
            ALICE,
            [draft(f"number {n}", id=str(n), importance=0.9 if n % 60 == 0 else 0.1) for n in range(600)],
        )
        store.put(BOB, [draft(f"of bob {n}") for n in range(20)])
        keys = store.passages_of(ALICE, [str(n) for n in range(600)])
        store.put_vectors(ALICE, "random", keys, rows)
        bobs = [one.key for one in store.pending(BOB, "random", limit=99)]
        store.put_vectors(BOB, "random", bobs, rows[:20])
        stores.tend()
        yield store, rows
        stores.close()


def nearest(store: PostgresStore, vector: np.ndarray, query: Query, limit: int) -> list[float]:
    hits = store.search_vectors(ALICE, vector, "random", query, limit=limit).hits
    return [cosine for _, cosine in hits]


def test_the_index_is_used(large: tuple[PostgresStore, np.ndarray], monkeypatch: pytest.MonkeyPatch) -> None:
    store, rows = large
    plans: list[str] = []
    ask = Link.rows

    def watched(db: Link, sql: str, params: Any = None) -> Any:
        if "::halfvec(" in sql:
            plans.append("\n".join(line for (line,) in ask(db, f"EXPLAIN {sql}", params)))
        return ask(db, sql, params)

    monkeypatch.setattr(Link, "rows", watched)
    assert len(nearest(store, rows[5], Query(), 10)) == 10
    assert [("Index Scan using vectors_near_" in plan, "Sort" in plan) for plan in plans] == [(True, False)]


def test_the_index_is_made_once_and_anew_where_it_was_not_finished(
    large: tuple[PostgresStore, np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    store, _ = large
    stores = PostgresStores(store._database._url)
    made: list[str] = []
    outside = Database.outside
    monkeypatch.setattr(Database, "outside", lambda self, *sql: (made.extend(sql), outside(self, *sql)))
    stores.tend()
    assert made == []
    unfinished = "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'vectors_near_1'::regclass"
    outside(store._database, unfinished)
    stores.tend()
    assert len(made) == 2
    stores.tend()
    assert len(made) == 2
    stores.close()


def test_neighbours_of_the_index_are_the_nearest(large: tuple[PostgresStore, np.ndarray]) -> None:
    store, rows = large
    for number in range(0, 600, 50):
        best = sorted((rows @ rows[number]).tolist(), reverse=True)[:10]
        assert nearest(store, rows[number], Query(), 10) == pytest.approx(best, abs=0.002)


@pytest.mark.parametrize("query", [Query(min_importance=0.5), Query(before_seq=15), Query(ids=("3", "77"))])
def test_a_filter_never_costs_a_hit(large: tuple[PostgresStore, np.ndarray], query: Query) -> None:
    store, rows = large
    allowed = [int(entry.id) for entry in store.find(ALICE, query.only(limit=None))]
    for number in (1, 300, 599):
        best = sorted((rows[allowed] @ rows[number]).tolist(), reverse=True)[:12]
        assert nearest(store, rows[number], query, 12) == pytest.approx(best, abs=0.002)


def test_what_is_deleted_is_nobodys_neighbour(large: tuple[PostgresStore, np.ndarray]) -> None:
    store, rows = large
    store.delete(ALICE, ["5"])
    store.mark(ALICE, ["6"], archived_at=START)
    assert nearest(store, rows[5], Query(), 10)[0] < 0.99
    assert nearest(store, rows[6], Query(), 10)[0] < 0.99
    assert len(nearest(store, rows[5], Query(), 10)) == 10


# ── pending vectors are one process's each ───────────────────────────────────────────────────────────


@pytest.fixture
def store(postgres: str) -> Iterator[PostgresStore]:
    with PostgresStore(postgres) as store:
        store.put(ALICE, [draft(f"kite {number}", id=str(number)) for number in range(10)])
        yield store


def test_what_one_claimed_no_other_is_given(store: PostgresStore, postgres: str) -> None:
    with PostgresStore(postgres) as other:
        first, second, third = (one.claim_pending(TENANT, F, limit=6) for one in (store, other, store))
    assert [one.text for one in first] == [f"kite {number}" for number in (9, 8, 7, 6, 5, 4)]
    assert [one.text for one in second] == [f"kite {number}" for number in (3, 2, 1, 0)]
    assert third == []
    assert len(store.pending(TENANT, F, limit=99)) == 10


def test_two_that_claim_at_once_do_not_wait_for_each_other(store: PostgresStore, postgres: str) -> None:
    with PostgresStore(postgres) as other, store.transaction():
        mine = store.claim_pending(TENANT, F, limit=4)
        theirs = other.claim_pending(TENANT, F, limit=99)
    assert len({one.key for one in mine} | {one.key for one in theirs}) == 10
    assert len(theirs) == 6


def test_a_claim_that_was_given_back_or_ran_out_is_given_again(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    claimed = store.claim_pending(TENANT, F, limit=3)
    assert len(store.claim_pending(TENANT, F, limit=99)) == 7
    store.release(TENANT, [claimed[0].key])
    assert store.claim_pending(TENANT, F, limit=99) == claimed[:1]
    store.release(TENANT, [claimed[0].key])
    monkeypatch.setattr(postgres, "CLAIM_SECONDS", -1)  # As if its time had passed at once.
    assert store.claim_pending(TENANT, F, limit=99) == store.claim_pending(TENANT, F, limit=99) == claimed[:1]


def test_a_passage_that_got_its_vector_can_be_claimed_for_another_model(store: PostgresStore) -> None:
    claimed = store.claim_pending(TENANT, F, limit=99)
    keys = [one.key for one in claimed]
    store.put_vectors(TENANT, F, keys, EMBEDDER.embed([one.text for one in claimed]))
    assert store.claim_pending(TENANT, F, limit=99) == []
    assert [one.key for one in store.claim_pending(TENANT, "another", limit=99)] == keys


# ── what filters read ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (r'"\u0000"', '"\U0010f800"'),
        (r'"\ud800x\udfff"', '"\U0010f000x\U0010f7ff"'),
        (r'"\ud83d\ude42"', r'"\ud83d\ude42"'),
        (r'"\\u0000"', r'"\\u0000"'),
        (r'"\\\u0000"', '"\\\\\U0010f800"'),
        ('{"a":NaN,"b":"NaN"}', '{"a": null, "b": "NaN"}'),
        (r'"\u00e9"', r'"\u00e9"'),
    ],
)
def test_metadata_become_readable_to_the_database(given: str, read: str) -> None:
    assert readable(given) == read
