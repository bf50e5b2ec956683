"""Vectors: the nearest are found, among those of the same embedder alone."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from ...core.model import Query
from ...storage.base import Store
from ..drafts import draft
from .ground import ALICE, EMBEDDER, OTHER_EMBEDDER, Ground, ids, index, near, put

F, OTHER = EMBEDDER.fingerprint, OTHER_EMBEDDER.fingerprint

# Vectors may be kept in half precision: 11 bits, so a cosine of unit vectors moves by less than this.
HALF_PRECISION = 0.002


class Vectors(Ground):
    def test_a_draft_brings_its_vectors_and_is_near_at_once(self, store: Store) -> None:
        store.put(
            ALICE,
            [draft(text, id=text, embedder=EMBEDDER) for text in ("a red kite", "green tea", "the sea")],
        )
        assert near(store, ALICE, "red kite")[0] == "a red kite"
        assert store.pending(ALICE, F, limit=9) == []

    def test_nearest_come_first_with_their_cosine(self, store: Store) -> None:
        texts = ["red kite", "red kite sky", "red sea sky", "green tea"]
        store.put(ALICE, [draft(text, embedder=EMBEDDER) for text in texts])
        (vector,) = EMBEDDER.embed(["red kite"])
        cosines = [cosine for _, cosine in store.search_vectors(ALICE, vector, F, Query(), limit=9).hits]
        assert cosines == sorted(cosines, reverse=True)
        assert cosines == pytest.approx(
            sorted(EMBEDDER.embed(texts) @ vector, reverse=True), abs=HALF_PRECISION
        )

    def test_the_nearest_of_many_are_the_nearest(self, store: Store) -> None:
        rows = np.random.default_rng(7).standard_normal((300, 64)).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        store.put(ALICE, [draft(f"number {n}", id=str(n)) for n in range(300)])
        pending = store.pending(ALICE, "random", limit=300)
        numbers = [int(one.text.split()[1]) for one in pending]
        store.put_vectors(ALICE, "random", [one.key for one in pending], rows[numbers])
        hits = store.search_vectors(ALICE, rows[0], "random", Query(), limit=10).hits
        tenth = sorted(rows @ rows[0])[-10]
        assert len(hits) == len(dict(hits)) == 10
        assert all(cosine >= tenth - HALF_PRECISION for _, cosine in hits)
        by_key = {one.key: rows[n] @ rows[0] for one, n in zip(pending, numbers, strict=True)}
        assert [cosine for _, cosine in hits] == pytest.approx(
            [by_key[key] for key, _ in hits], abs=HALF_PRECISION
        )

    def test_the_limit_is_kept_to(self, store: Store) -> None:
        store.put(ALICE, [draft(f"kite {number}", embedder=EMBEDDER) for number in range(9)])
        assert len(near(store, ALICE, "kite", limit=3)) == 3

    def test_vectors_of_another_embedder_are_not_compared(self, store: Store) -> None:
        store.put(
            ALICE, [draft("kite", id="a", embedder=EMBEDDER), draft("kite", id="b", embedder=OTHER_EMBEDDER)]
        )
        assert near(store, ALICE, "kite") == ["a"]
        assert [one.text for one in store.pending(ALICE, OTHER, limit=9)] == ["kite"]

    def test_embedders_of_other_dimensions_do_not_get_in_the_way(self, store: Store) -> None:
        store.put(ALICE, [draft("kite", id="a", embedder=EMBEDDER)])
        store.put(ALICE, [draft("kite", id="b")])
        (key,) = store.passages_of(ALICE, ["b"])
        store.put_vectors(ALICE, "small", [key], np.ones((1, 1), np.float32))
        assert near(store, ALICE, "kite") == ["a"]
        assert [
            found for found, _ in store.search_vectors(ALICE, np.ones(1), "small", Query(), limit=9).hits
        ] == [key]

    def test_a_new_vector_takes_the_place_of_the_old(self, store: Store) -> None:
        store.put(ALICE, [draft("kite", id="a", embedder=EMBEDDER)])
        keys = store.passages_of(ALICE, ["a"])
        near(store, ALICE, "kite")
        assert store.put_vectors(ALICE, F, keys, EMBEDDER.embed(["tea"])) == 1
        (vector,) = EMBEDDER.embed(["tea"])
        ((_, cosine),) = store.search_vectors(ALICE, vector, F, Query(), limit=9).hits
        assert cosine == pytest.approx(1, abs=HALF_PRECISION)

    def test_a_vector_of_another_embedder_takes_the_place_too(self, store: Store) -> None:
        store.put(ALICE, [draft("kite", id="a", embedder=EMBEDDER)])
        index(store, ALICE, OTHER_EMBEDDER)
        assert near(store, ALICE, "kite") == []
        assert [store.stats(ALICE, fingerprint).pending for fingerprint in (F, OTHER)] == [1, 0]

    def test_a_text_that_says_nothing_has_a_vector_and_is_near_to_nothing(self, store: Store) -> None:
        store.put(ALICE, [draft("👍", id="a", embedder=EMBEDDER), draft("kite", id="b", embedder=EMBEDDER)])
        assert store.pending(ALICE, F, limit=9) == []
        (vector,) = EMBEDDER.embed(["kite"])
        hits = store.search_vectors(ALICE, vector, F, Query(), limit=9)
        assert hits.hits[0][1] == pytest.approx(1, abs=HALF_PRECISION)
        assert all(cosine == pytest.approx(0) for _, cosine in hits.hits[1:])
        assert math.isfinite(hits.background_mean + hits.background_sd)

    def test_a_question_that_says_nothing_is_answered_with_finite_numbers(self, store: Store) -> None:
        store.put(ALICE, [draft(text, embedder=EMBEDDER) for text in ("kite", "tea")])
        hits = store.search_vectors(ALICE, np.zeros(128, np.float32), F, Query(), limit=9)
        assert all(cosine == 0 for _, cosine in hits.hits)
        assert (hits.background_mean, hits.background_sd) == (0, 0)

    def test_the_background_describes_the_scopes_cosines(self, store: Store) -> None:
        texts = ["red kite", "red sea", "green tea", "the harbour"]
        store.put(ALICE, [draft(text, embedder=EMBEDDER) for text in texts])
        (vector,) = EMBEDDER.embed(["red kite"])
        hits = store.search_vectors(ALICE, vector, F, Query(), limit=1)
        cosines = EMBEDDER.embed(texts) @ vector
        assert hits.background_mean == pytest.approx(cosines.mean(), abs=0.05)
        assert hits.background_sd == pytest.approx(cosines.std(), abs=0.1)

    def test_nothing_near_is_no_background(self, store: Store) -> None:
        put(store, ALICE, "kite")
        hits = store.search_vectors(ALICE, np.ones(128, np.float32), F, Query(), limit=9)
        assert (hits.hits, hits.background_mean, hits.background_sd) == ((), 0.0, 0.0)

    def test_a_passage_brings_its_vector_when_asked(self, store: Store) -> None:
        store.put(ALICE, [draft("kite", id="a", embedder=EMBEDDER)])
        keys = store.passages_of(ALICE, ["a"])
        (with_it,) = store.passages(ALICE, keys, Query(), fingerprint=F)
        assert with_it.vector is not None
        assert with_it.vector.dtype == np.float32
        assert with_it.vector.tolist() == pytest.approx(
            EMBEDDER.embed(["kite"])[0].tolist(), abs=HALF_PRECISION
        )
        for fingerprint in (None, OTHER):
            (without,) = store.passages(ALICE, keys, Query(), fingerprint=fingerprint)
            assert without.vector is None

    def test_what_lacks_a_vector_is_told_newest_first_with_its_words(self, store: Store) -> None:
        put(store, ALICE, "one")
        put(store, ALICE, {"input": "two", "output": "three"})
        put(store, ALICE, "four")
        pending = [one.text for one in store.pending(ALICE, F, limit=9)]
        assert (pending[0], sorted(pending[1:3]), pending[3]) == ("four", ["three", "two"], "one")
        assert [one.text for one in store.pending(ALICE, F, limit=1)] == ["four"]
        assert store.stats(ALICE, F).pending == 4

    def test_what_was_given_its_vector_lacks_it_no_more(self, store: Store) -> None:
        store.put(ALICE, [draft(f"kite {number}", id=str(number)) for number in range(5)])
        assert index(store, ALICE) == 5
        assert store.pending(ALICE, F, limit=9) == []
        assert store.stats(ALICE, F).pending == 0
        assert near(store, ALICE, "kite 3", limit=1) == ["3"]

    def test_vectors_for_keys_that_never_were_are_not_counted(self, store: Store) -> None:
        store.put(ALICE, [draft("kite", id="a")])
        (key,) = store.passages_of(ALICE, ["a"])
        rows = EMBEDDER.embed(["nobody", "kite"])
        assert store.put_vectors(ALICE, F, [key + 1_000, key], rows) == 1
        assert near(store, ALICE, "kite") == ["a"]

    def test_no_vectors_are_none(self, store: Store) -> None:
        assert store.put_vectors(ALICE, F, [], np.zeros((0, 128), np.float32)) == 0

    def test_what_a_caller_does_to_an_array_afterwards_is_not_kept(self, store: Store) -> None:
        given = draft("kite", id="a", embedder=EMBEDDER)
        rows = np.array(given.vectors)
        store.put(ALICE, [replace(given, vectors=rows)])
        rows[:] = 0
        assert near(store, ALICE, "kite") == ["a"]
        (vector,) = EMBEDDER.embed(["kite"])
        ((_, cosine),) = store.search_vectors(ALICE, vector, F, Query(), limit=9).hits
        assert cosine == pytest.approx(1, abs=HALF_PRECISION)

    def test_a_vector_changes_nothing_else(self, store: Store) -> None:
        kept = put(store, ALICE, "kite")
        index(store, ALICE)
        assert store.find(ALICE, Query()) == [kept]
        assert ids(store.history(ALICE, kept.id)) == [kept.id]
