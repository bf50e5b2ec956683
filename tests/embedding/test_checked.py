"""An embedder that somebody else wrote: what it answers may be kept, or there is one kind of error."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from zerda.memory import AIMemoryManager, EmbeddingError, MemoryConfig
from zerda.memory.embedding.cached import CachedEmbedder
from zerda.memory.embedding.checked import CheckedEmbedder

ALICE = ("alice", "acme")


class Anothers:
    """Answers as it is told."""

    fingerprint = "anothers/1"
    dimensions = 4
    max_words = None

    def __init__(self, answer: Callable[[int], Any], *, fast: bool = True) -> None:
        self.answer = answer
        self.fast = fast

    def embed(self, texts: Sequence[str], *, role: str = "passage") -> Any:
        return self.answer(len(texts))


def rows(count: int) -> np.ndarray:
    return np.tile(np.array([3, 4, 0, 0], dtype=np.float32), (count, 1))


def fails(count: int) -> Any:
    raise ConnectionError("the cello stands in the hall")


FAULTS: dict[str, Callable[[int], Any]] = {
    "NaN": lambda count: rows(count) * np.nan,
    "infinite": lambda count: rows(count) * np.inf,
    "one row alone": lambda count: np.ones(4),
    "too few": lambda count: rows(count - 1),
    "too many": lambda count: rows(count + 1),
    "other dimensions": lambda count: np.ones((count, 3)),
    "nothing": lambda count: None,
    "text": lambda count: "abc",
    "an error": fails,
}


@pytest.mark.parametrize("fast", [True, False], ids=["within the save", "later"])
@pytest.mark.parametrize("fault", FAULTS)
def test_nothing_is_lost_or_spoilt_by_what_an_embedder_does(fault: str, fast: bool) -> None:
    embedder = Anothers(FAULTS[fault], fast=fast)
    with AIMemoryManager(MemoryConfig(enable_persistence=False), embedder=embedder) as memory:
        entry = memory.remember(*ALICE, "the cello stands in the hall")
        assert [hit.entry.id for hit in memory.recall(*ALICE, "the cello", min_score=0)] == [entry.id]
        assert memory.build_context(*ALICE, "the cello").degraded
        with pytest.raises(EmbeddingError):
            memory.flush()
        assert memory.stats("acme")["pending"] == 1
        embedder.answer = rows
        memory.flush()
        assert memory.stats("acme")["pending"] == 0
        assert "meaning" in memory.recall(*ALICE, "the cello", min_score=0)[0].sources


def test_an_error_names_its_kind_and_carries_no_text() -> None:
    with pytest.raises(EmbeddingError) as caught:
        CheckedEmbedder(Anothers(fails)).embed(["the cello stands in the hall"])
    assert str(caught.value) == "the embedder failed with ConnectionError"


def test_an_embedder_that_changes_its_dimensions_is_refused() -> None:
    anothers = Anothers(rows)
    embedder = CheckedEmbedder(anothers)
    embedder.embed(["a"])
    anothers.dimensions, anothers.answer = 8, lambda count: np.ones((count, 8))
    with pytest.raises(EmbeddingError, match="8 dimensions; before it had 4"):
        embedder.embed(["b"])


def test_lists_and_rows_of_any_length_become_unit_rows() -> None:
    embedder = CheckedEmbedder(Anothers(lambda count: [[3e30, 4e30, 0, 0]] * count))
    vectors = embedder.embed(["a", "b"])
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(np.array([[0.6, 0.8, 0, 0]] * 2))


def test_what_is_erased_leaves_a_cache_within() -> None:
    cached = CachedEmbedder(Anothers(rows), 8)
    with AIMemoryManager(MemoryConfig(enable_persistence=False), embedder=cached) as memory:
        entry = memory.remember(*ALICE, "the cello stands in the hall")
        assert cached.stats().size
        memory.forget(*ALICE, entry.id)
    assert not cached.stats().size


class Hanging(Anothers):
    """Hangs until it is released."""

    def __init__(self) -> None:
        super().__init__(rows, fast=False)
        self.released = threading.Event()
        self.begun = 0

    def embed(self, texts: Sequence[str], *, role: str = "passage") -> Any:
        self.begun += 1
        self.released.wait(60)
        return super().embed(texts, role=role)


def test_one_that_hangs_holds_up_no_save_and_a_recall_not_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = Hanging()
    with AIMemoryManager(MemoryConfig(enable_persistence=False), embedder=embedder) as memory:
        checked = memory._embedder
        assert isinstance(checked, CheckedEmbedder)
        monkeypatch.setattr(checked, "_seconds", {"passage": 0.05, "query": 0.05})
        for number in range(5):
            memory.remember(*ALICE, f"the cello stands in the hall {number}", id=str(number))
        hits = memory.recall(*ALICE, "where is the cello", min_score=0)
        assert len(hits) == 5
        assert any("no answer" in lack for lack in hits.degraded)
        memory.recall(*ALICE, "where is the hall", min_score=0)
        lacking = memory.recall(*ALICE, "where is the harp", min_score=0).degraded
        assert any("it is asked again in" in lack for lack in lacking)
        assert embedder.begun <= 3  # The worker may have been let in beside.
        assert memory.stats("acme")["pending"] == 5
        embedder.released.set()
        checked._patience._rests_until = 0.0  # Half a minute later.
        memory.flush("acme")
        assert memory.stats("acme")["pending"] == 0
        assert memory.recall(*ALICE, "where is the cello", min_score=0).degraded == ()
