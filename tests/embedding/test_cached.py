"""The cache in front of an embedder: the same answers, fewer times."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerda.memory.core.model import Role
from zerda.memory.embedding.cached import CachedEmbedder, CacheStats
from zerda.memory.errors import ConfigError, EmbeddingError


class Counting:
    """Two numbers for a text; remembers what it was asked."""

    fingerprint = "counting/1"
    dimensions = 2
    fast = True
    max_words = 7

    def __init__(self, during: Callable[[], None] = lambda: None) -> None:
        self.asked: list[tuple[str, Role]] = []
        self._during = during

    def embed(self, texts: Sequence[str], *, role: Role = "passage") -> np.ndarray:
        self.asked += [(text, role) for text in texts]
        self._during()
        rows = [(len(text), 1 if role == "query" else 2) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(rows), 2)


def test_it_has_the_shape_of_what_it_wraps() -> None:
    cached = CachedEmbedder(Counting(), 5)
    assert (cached.fingerprint, cached.dimensions, cached.fast, cached.max_words) == (
        "counting/1",
        2,
        True,
        7,
    )
    assert cached.embed([]).shape == (0, 2)


def test_the_same_text_costs_once() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, 5)
    first = cached.embed(["a", "bb", "a"])
    again = cached.embed(["bb", "a"])
    assert [text for text, _ in inner.asked] == ["a", "bb"]
    assert np.array_equal(first, [[1, 2], [2, 2], [1, 2]])
    assert np.array_equal(again, [[2, 2], [1, 2]])
    assert cached.stats() == CacheStats(hits=2, misses=3, size=2)


def test_a_question_is_not_a_passage() -> None:
    cached = CachedEmbedder(Counting(), 5)
    assert cached.embed(["a"])[0, 1] == 2
    assert cached.embed(["a"], role="query")[0, 1] == 1


def test_roles_that_are_not_cached_pass_through() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, 5, roles=("query",))
    cached.embed(["a"])
    cached.embed(["a"], role="query")
    cached.embed(["a"])
    cached.embed(["a"], role="query")
    assert inner.asked == [("a", "passage"), ("a", "query"), ("a", "passage")]
    assert cached.stats().size == 1


def test_the_text_used_longest_ago_makes_room() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, 2)
    cached.embed(["a"])
    cached.embed(["b"])
    cached.embed(["a"])
    cached.embed(["c"])
    inner.asked.clear()
    cached.embed(["a", "c"])
    assert inner.asked == []
    cached.embed(["b"])
    assert inner.asked == [("b", "passage")]


def test_a_batch_larger_than_the_cache_is_answered_whole() -> None:
    cached = CachedEmbedder(Counting(), 2)
    texts = ["x" * n for n in range(1, 9)]
    assert np.array_equal(cached.embed(texts)[:, 0], range(1, 9))
    assert cached.stats().size == 2


@settings(deadline=None)
@given(st.lists(st.lists(st.text(max_size=3), max_size=6), max_size=12), st.integers(1, 5))
def test_it_answers_like_what_it_wraps(batches: list[list[str]], size: int) -> None:
    cached = CachedEmbedder(Counting(), size)
    for texts in batches:
        assert np.array_equal(cached.embed(texts), Counting().embed(texts))
        assert cached.stats().size <= size


def test_no_text_is_held() -> None:
    cached = CachedEmbedder(Counting(), 5)
    cached.embed(["the vault opens at noon"])
    held = repr({name: value for name, value in vars(cached).items() if name != "inner"})
    assert "vault" not in held


def test_a_row_kept_does_not_keep_its_batch() -> None:
    cached = CachedEmbedder(Counting(), 5)
    cached.embed(["a", "b"])
    assert all(row.base is None for row in cached._rows.values())


def test_changing_an_answer_changes_nothing_in_the_cache() -> None:
    cached = CachedEmbedder(Counting(), 5)
    cached.embed(["a"])[:] = 99
    cached.embed(["a"])[:] = 99
    assert np.array_equal(cached.embed(["a"]), [[1, 2]])


def test_forgotten_texts_are_gone_in_both_roles() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, 5)
    cached.embed(["a", "b"])
    cached.embed(["a"], role="query")
    cached.forget(["a"])
    assert cached.stats().size == 1
    inner.asked.clear()
    cached.embed(["a", "b"])
    assert inner.asked == [("a", "passage")]


def test_clearing_drops_everything() -> None:
    cached = CachedEmbedder(Counting(), 5)
    cached.embed(["a", "b"])
    cached.clear()
    assert cached.stats().size == 0


@pytest.mark.parametrize("erase", [lambda cached: cached.forget(["a"]), lambda cached: cached.clear()])
def test_what_is_erased_while_it_is_computed_is_not_kept(erase: Callable[[CachedEmbedder], None]) -> None:
    cached = CachedEmbedder(Counting(lambda: erase(cached)), 5)
    assert np.array_equal(cached.embed(["a"]), [[1, 2]])
    assert cached.stats().size == 0


def test_two_threads_compute_a_new_text_at_most_twice() -> None:
    gate = threading.Barrier(2)
    inner = Counting(gate.wait)
    cached = CachedEmbedder(inner, 5)
    with ThreadPoolExecutor(2) as pool:
        rows = list(pool.map(lambda _: cached.embed(["a"]), range(2)))
    assert len(inner.asked) == 2
    assert np.array_equal(rows[0], rows[1])
    assert cached.stats() == CacheStats(hits=0, misses=2, size=1)


def test_many_threads_get_right_answers_from_a_small_cache() -> None:
    cached = CachedEmbedder(Counting(), 3)

    def ask(start: int) -> bool:
        texts = ["x" * ((start * 7 + n) % 11) for n in range(5)]
        return np.array_equal(cached.embed(texts)[:, 0], [len(text) for text in texts])

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(400)))
    stats = cached.stats()
    assert stats.hits + stats.misses == 2_000
    assert stats.size <= 3


def test_a_failure_is_passed_on_and_not_kept() -> None:
    def fail() -> None:
        raise EmbeddingError("down")

    cached = CachedEmbedder(Counting(fail), 5)
    with pytest.raises(EmbeddingError, match="down"):
        cached.embed(["a"])
    assert cached.stats().size == 0


def test_a_lone_surrogate_has_a_place_of_its_own() -> None:
    inner = Counting()
    CachedEmbedder(inner, 5).embed(["\ud800", "\ud801", "?"])
    assert len(inner.asked) == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_child_gets_a_lock_that_nobody_holds() -> None:
    cached = CachedEmbedder(Counting(), 5)
    cached.embed(["a"])
    with cached._lock:  # As a thread might hold it that the child does not have.
        child = os.fork()
        if child == 0:
            free = cached._lock.acquire(blocking=False)
            os._exit(0 if free and not cached._rows else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_cache_of_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="holds at least 1"):
        CachedEmbedder(Counting(), 0)
