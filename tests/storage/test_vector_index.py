"""The scan in memory, and the search that stands on it, against exact answers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from zerda.memory.core.model import Draft, Query, Scope
from zerda.memory.storage import sqlite_vectors, vector_index
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.storage.vector_index import VectorIndex, signs_of
from zerda.memory.testing import START, draft

Floats = NDArray[np.float32]
ALICE, BOB, TENANT = Scope("acme", "alice"), Scope("acme", "bob"), Scope("acme")
F = "random-1"


def clustered(rows: int, dimensions: int, seed: int) -> Floats:
    """Unit vectors in clusters, as those of sentences are."""
    rng = np.random.default_rng(seed)
    centres = rng.standard_normal((max(rows // 30, 1), dimensions))
    vectors = centres[rng.integers(len(centres), size=rows)] + 0.9 * rng.standard_normal((rows, dimensions))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def filled(vectors: Floats, scopes: NDArray[np.int32] | None = None) -> VectorIndex:
    index = VectorIndex(vectors.shape[1])
    keys = np.arange(1, len(vectors) + 1)
    given_scopes = np.ones(len(vectors), np.int32) if scopes is None else scopes
    for start in range(0, len(vectors), 7_000):
        piece = slice(start, start + 7_000)
        index.add(keys[piece], given_scopes[piece], vectors[piece].astype(np.float16))
    return index


def exact(vectors: Floats, query: Floats, allowed: NDArray[np.bool_], limit: int) -> list[int]:
    cosines = vectors.astype(np.float16).astype(np.float32) @ query
    cosines[~allowed] = -9
    return (np.argsort(-cosines, kind="stable")[:limit] + 1).tolist()


@pytest.fixture(scope="module")
def many() -> Floats:
    return clustered(40_000, 384, 1)


def test_the_two_stages_find_what_an_exact_scan_finds(many: Floats) -> None:
    index = filled(many)
    queries = clustered(30, 384, 1)
    hits = total = 0
    for query in queries:
        best = exact(many, query, np.ones(len(many), np.bool_), 10)
        hits += len(set(best) & set(index.nearest(query, None, limit=50).tolist()))
        total += 10
    assert hits / total >= 0.98


def test_only_the_candidates_of_the_first_stage_are_scored_by_the_second(
    many: Floats, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored: list[int] = []
    before = vector_index._scores

    def counting(part: vector_index._Part, vector: Floats) -> Floats:
        scores = before(part, vector)
        scored.append(len(scores))
        return scores

    monkeypatch.setattr(vector_index, "_scores", counting)
    filled(many).nearest(many[5], None, limit=50)
    assert sum(scored) == 7 * 200  # 7 times the root of 40,000


@pytest.mark.parametrize("share", [0.5, 0.05, 0.002])
def test_a_filter_comes_before_the_scan(many: Floats, share: float) -> None:
    rng = np.random.default_rng(3)
    scopes = np.where(rng.random(len(many)) < share, 2, 1).astype(np.int32)
    index = filled(many, scopes)
    for query in clustered(10, 384, 1):
        found = index.nearest(query, np.array([2, 7]), limit=50).tolist()
        assert all(scopes[key - 1] == 2 for key in found)
        assert len(found) == 50
        assert len(set(exact(many, query, scopes == 2, 10)) & set(found)) >= 9


def test_rows_that_are_gone_are_in_no_scope_of_anybody() -> None:
    vectors = clustered(20, 64, 1)
    index = filled(vectors)
    index.drop(np.arange(1, 11))
    index.add(np.arange(11, 16), np.full(5, -1, np.int32), vectors[:5].astype(np.float16))
    for scopes in (np.array([0]), np.array([0, 9]), np.zeros(9, np.int64), np.empty(0, np.int64)):
        assert index.nearest(vectors[0], scopes, limit=9).tolist() == []
        assert index.background(vectors[0], scopes) == (0.0, 0.0)
    assert len(index.nearest(vectors[0], None, limit=9)) == 5
    assert len(index.nearest(vectors[0], np.array([-1]), limit=9)) == 5


def test_named_keys_are_a_filter_too(many: Floats) -> None:
    among = np.arange(10, 40_000, 100)
    found = filled(many).nearest(many[0], None, limit=30, among=among)
    allowed = np.zeros(len(many), np.bool_)
    allowed[among - 1] = True
    assert set(exact(many, many[0], allowed, 10)) <= set(found.tolist()) <= set(among.tolist())
    assert filled(many[:9]).nearest(many[0], None, limit=30, among=np.empty(0, np.int64)).tolist() == []


def test_equal_vectors_come_by_key() -> None:
    vectors = np.tile(clustered(1, 64, 1), (5_000, 1))
    assert filled(vectors).nearest(vectors[0], None, limit=20).tolist() == list(range(1, 21))


def test_a_vector_takes_450_bytes_at_most(many: Floats) -> None:
    assert filled(many).nbytes / len(many) <= 450 * 1.05  # The last block has room to grow.
    index = VectorIndex(384)
    index.add(np.arange(16_384), np.ones(16_384, np.int32), many[:16_384].astype(np.float16))
    assert index.nbytes / len(index) <= 450


def test_a_few_vectors_take_a_few_bytes() -> None:
    index = filled(clustered(5, 384, 1))
    assert index.nbytes <= 64 * 450


@given(st.integers(1, 200), st.integers(1, 130), st.integers(0, 2**31))
@settings(max_examples=40, deadline=None)
def test_codes_are_the_vectors_but_for_their_rounding(rows: int, dimensions: int, seed: int) -> None:
    vectors = clustered(rows, dimensions, seed)
    vectors[:: max(rows // 3, 1)] *= 1e-4  # Denormal halves, and zeros.
    vectors[rows // 2] = 0
    halves = vectors.astype(np.float16)
    codes, scales = np.empty((rows, dimensions), np.int8), np.empty(rows, np.float32)
    vector_index._quantise(halves, codes, scales)
    step = np.abs(halves.astype(np.float32)).max(axis=1) / 127
    error = np.abs(codes * scales[:, None] - halves.astype(np.float32))
    assert np.all(error <= step[:, None] * 0.51)


@given(st.integers(1, 20), st.integers(1, 200), st.integers(0, 2**31))
def test_signs_are_bits_of_what_is_above_zero(rows: int, dimensions: int, seed: int) -> None:
    halves = np.random.default_rng(seed).standard_normal((rows, dimensions)).astype(np.float16)
    halves[0, 0] = -0.0
    bits = np.unpackbits(np.ascontiguousarray(signs_of(halves).T).view(np.uint8), axis=1)
    assert np.array_equal(bits[:, :dimensions], halves > 0)
    assert not bits[:, dimensions:].any()


# ── in a store ───────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SQLiteStore]:
    with SQLiteStore(tmp_path / "m.db", durability="relaxed") as store:
        yield store


def entry(number: int, vector: Floats, **fields: object) -> Draft:
    given_ = draft(f"number {number}", id=str(number), **fields)
    return Draft(given_.entry, given_.passages, vector[None], F)


def ids_of(store: SQLiteStore, scope: Scope, keys: list[int], query: Query) -> list[str]:
    of = {one.key: one.entry_id for one in store.passages(scope, keys, query)}
    return [of[key] for key in keys]


def searched(store: SQLiteStore, scope: Scope, vector: Floats, query: Query, limit: int = 10) -> list[str]:
    hits = store.search_vectors(scope, vector, F, query, limit=limit).hits
    return ids_of(store, scope, [key for key, _ in hits], query)


def test_a_search_is_exact_whatever_the_conditions(store: SQLiteStore) -> None:
    vectors = clustered(3_000, 64, 2)
    drafts = [
        entry(n, vectors[n], tags=(f"t{n % 2}", f"u{n % 500}"), importance=n / 3_000) for n in range(3_000)
    ]
    store.put(ALICE, drafts[::2])
    store.put(BOB, drafts[1::2])
    conditions = {
        Query(): lambda n: True,
        Query(tags=("t0",)): lambda n: n % 2 == 0,
        Query(tags=("u7", "u8")): lambda n: n % 500 in (7, 8),
        Query(min_importance=0.99): lambda n: n >= 2_970,
        Query(tags=("nowhere",)): lambda n: False,
    }
    for query, holds in conditions.items():
        for scope, theirs in ((ALICE, 0), (BOB, 1), (TENANT, None)):
            allowed = np.array([bool(holds(n)) and theirs in (None, n % 2) for n in range(3_000)])
            for vector in clustered(5, 64, 2):
                expected = [str(key - 1) for key in exact(vectors, vector, allowed, 10)][: allowed.sum()]
                assert searched(store, scope, vector, query) == expected


def test_an_index_that_another_opener_made_stale_answers_as_if_it_were_not(
    store: SQLiteStore, tmp_path: Path
) -> None:
    vectors = clustered(60, 32, 4)
    alive = set(range(60))
    with SQLiteStore(tmp_path / "m.db", durability="relaxed") as other:
        store.put(ALICE, [entry(n, vectors[n]) for n in range(60)])
        assert len(searched(store, ALICE, vectors[0], Query(), 99)) == 60
        for n in range(0, 60, 3):
            other.delete(ALICE, [str(n)])
            alive -= {n}
            assert {int(i) for i in searched(store, ALICE, vectors[n], Query(), 99)} == alive
        other.mark(ALICE, ["1"], archived_at=START)
        assert "1" not in searched(store, ALICE, vectors[1], Query(), 99)
        assert searched(store, ALICE, vectors[1], Query(archived=True), 99) == ["1"]
        other.mark(ALICE, ["1"], archived_at=None)
        assert searched(store, ALICE, vectors[1], Query(), 1) == ["1"]


def test_many_erased_vectors_are_cleared_out_of_the_copy_in_memory(
    store: SQLiteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_vectors.VectorIndex, "worn", property(lambda self: self._dropped > 20))
    vectors = clustered(90, 32, 4)
    store.put(ALICE, [entry(n, vectors[n]) for n in range(90)])
    searched(store, ALICE, vectors[0], Query())
    for n in range(60):
        store.delete(ALICE, [str(n)])
        assert len(searched(store, ALICE, vectors[80], Query(), 99)) == 89 - n
    with store._reader() as lease:
        (copies,) = lease.file.derived.values()
    assert len(copies.index) <= 30 + 21


def test_a_copy_that_missed_too_many_erasures_is_loaded_anew(
    store: SQLiteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zerda.memory.storage.sqlite_writes.KEPT_DROPS", 5)
    vectors = clustered(40, 32, 4)
    with SQLiteStore(tmp_path / "m.db", durability="relaxed") as other:
        store.put(ALICE, [entry(n, vectors[n]) for n in range(40)])
        searched(other, ALICE, vectors[0], Query())
        for n in range(20):
            store.delete(ALICE, [str(n)])
        assert len(searched(other, ALICE, vectors[0], Query(), 99)) == 20
        with other._reader() as lease:
            (copies,) = lease.file.derived.values()
        assert len(copies.index) == 20


def test_what_a_transaction_undid_never_enters_the_copy_in_memory(store: SQLiteStore) -> None:
    vectors = clustered(10, 32, 4)
    store.put(ALICE, [entry(0, vectors[0])])
    with pytest.raises(KeyError), store.transaction():  # noqa: PT012
        store.put(ALICE, [entry(1, vectors[1])])
        assert searched(store, ALICE, vectors[1], Query(), 1) == ["1"]
        raise KeyError
    assert searched(store, ALICE, vectors[1], Query(), 9) == ["0"]
    store.put(ALICE, [entry(2, vectors[2]), entry(3, vectors[3])])  # As many changes as were undone.
    assert searched(store, ALICE, vectors[3], Query(), 1) == ["3"]
    assert sorted(searched(store, ALICE, vectors[2], Query(), 9)) == ["0", "2", "3"]


def test_searches_beside_writes_always_see_what_was_committed(store: SQLiteStore) -> None:
    vectors = clustered(400, 32, 5)
    store.put(ALICE, [entry(n, vectors[n]) for n in range(50)])
    committed, errors, done = [50], list[str](), threading.Event()

    def look() -> None:
        while not done.is_set():
            least = committed[0]
            if len(store.search_vectors(ALICE, vectors[0], F, Query(), limit=999).hits) < least:
                errors.append(f"fewer than {least}")

    threads = [threading.Thread(target=look) for _ in range(3)]
    for thread in threads:
        thread.start()
    for n in range(50, 400, 5):
        store.put(ALICE, [entry(m, vectors[m]) for m in range(n, n + 5)])
        committed[0] = n + 5
    done.set()
    for thread in threads:
        thread.join(60)
    assert errors == []


def test_no_other_users_vectors_move_a_number(store: SQLiteStore) -> None:
    vectors = clustered(200, 32, 6)
    store.put(ALICE, [entry(n, vectors[n]) for n in range(50)])
    before = store.search_vectors(ALICE, vectors[0], F, Query(), limit=20)
    store.put(BOB, [entry(n, vectors[n]) for n in range(50, 200)])
    assert store.search_vectors(ALICE, vectors[0], F, Query(), limit=20) == before


def test_tenants_that_share_a_file_by_hand_share_nothing_else(store: SQLiteStore) -> None:
    vectors = clustered(20, 32, 7)
    for n in range(20):
        store.put(Scope(f"tenant {n % 3}", "u"), [entry(n, vectors[n])])
    found = store.search_vectors(Scope("tenant 1"), vectors[0], F, Query(), limit=99)
    assert len(found.hits) == 7
    assert store.search_vectors(Scope("tenant 9"), vectors[0], F, Query(), limit=99).hits == ()
