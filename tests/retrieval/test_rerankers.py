"""A recall whose best hits are judged anew."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest

from zerda.memory import AIMemoryManager, ConfigError, EmbeddingError, Hit, LLMReranker, MemoryConfig
from zerda.memory.testing import ScriptedLLM

SAID = [f"The violin in room {number} was repaired by Ann." for number in range(1, 9)]
QUESTION = "Who repaired the violin?"


class Backwards:
    """Likes best what was ranked last; remembers how many it was shown."""

    share = 1.0

    def __init__(self) -> None:
        self.shown: list[int] = []

    def judge(self, question: str, hits: Sequence[Hit]) -> list[float]:
        self.shown.append(len(hits))
        return [float(place) for place in range(len(hits))]


class Saying:
    """Gives what it was made with, or raises it."""

    share = 1.0

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def judge(self, question: str, hits: Sequence[Hit]) -> list[float]:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value]


@contextmanager
def remembering(reranker: object = None, **settings: object) -> Iterator[AIMemoryManager]:
    config = MemoryConfig(enable_persistence=False, embedding_model="none", **settings)  # type: ignore[arg-type]
    with AIMemoryManager(config, reranker=reranker) as memory:  # type: ignore[arg-type]
        memory.remember_many("ann", "acme", SAID)
        yield memory


def found(memory: AIMemoryManager, **how: object) -> list[str]:
    return [hit.text for hit in memory.recall("ann", "acme", QUESTION, **how)]  # type: ignore[arg-type]


@pytest.fixture
def first() -> list[str]:
    with remembering() as memory:
        return found(memory)


def test_the_best_come_in_the_order_of_the_second_judgement(first: list[str]) -> None:
    with remembering(Backwards()) as memory:
        assert found(memory) == first[::-1]


def test_it_is_shown_so_many_and_no_more(first: list[str]) -> None:
    backwards = Backwards()
    with remembering(backwards, rerank_limit=3) as memory:
        assert found(memory) == [*first[:3][::-1], *first[3:]]
    assert backwards.shown == [3]


def test_what_was_ranked_beyond_the_limit_of_a_recall_can_rise_into_it(first: list[str]) -> None:
    with remembering(Backwards()) as memory:
        assert found(memory, limit=2) == first[::-1][:2]


def test_contexts_are_in_that_order_too(first: list[str]) -> None:
    with remembering(Backwards()) as memory:
        context = memory.build_context("ann", "acme", QUESTION)
    assert context.entries[0].text == first[-1]


@pytest.mark.parametrize(
    "answer", [EmbeddingError("no file"), [], [1.0], [float("nan")] * 8], ids=["error", "none", "one", "nan"]
)
def test_where_it_fails_the_first_order_stands_and_that_is_said(
    answer: object, first: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with remembering(Saying(answer)) as memory, caplog.at_level(logging.WARNING):
        assert found(memory) == first
        context = memory.build_context("ann", "acme", QUESTION)
    assert any(one.startswith("reranker: ") for one in context.degraded)
    assert "first order" in caplog.text
    assert "violin" not in caplog.text


def test_a_bug_in_it_travels() -> None:
    with remembering(Saying(ZeroDivisionError())) as memory, pytest.raises(ZeroDivisionError):
        found(memory)


def test_a_model_that_hangs_costs_its_time_limit(first: list[str]) -> None:
    done = threading.Event()

    class Hanging:
        def generate(self, prompt: str, max_tokens: int = 256) -> str:
            done.wait()
            return "1"

    with remembering(LLMReranker(Hanging(), time_limit_seconds=0.05)) as memory:
        assert found(memory) == first
    done.set()


def test_the_memory_s_own_model_judges_by_configuration(first: list[str]) -> None:
    config = MemoryConfig(enable_persistence=False, embedding_model="none", reranker="llm")
    llm = ScriptedLLM(["3", "Sure! Here are the memories"])
    with AIMemoryManager(config, llm) as memory:
        memory.remember_many("ann", "acme", SAID)
        assert found(memory) == [first[2], *first[:2], *first[3:]]
        assert found(memory) == first


def test_a_reranker_that_is_not_there_is_refused_at_once() -> None:
    with pytest.raises(ConfigError, match="no llm is given"):
        AIMemoryManager(MemoryConfig(enable_persistence=False, reranker="llm"))
    with pytest.raises(ConfigError, match="no reranker is named 'bert'"):
        AIMemoryManager(MemoryConfig(enable_persistence=False, reranker="bert"))
    with pytest.raises(ConfigError, match="no reranker is named 'folder:'"):
        AIMemoryManager(MemoryConfig(enable_persistence=False, reranker="folder:"))


def test_nobody_is_asked_about_one_hit_or_none() -> None:
    backwards = Backwards()
    with remembering(backwards) as memory:
        memory.recall("ann", "acme", "Who sold the submarine?")
        memory.recall("stranger", "acme", QUESTION)
    assert backwards.shown == []
