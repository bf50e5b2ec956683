"""Values that are not sound are refused by name, before anything is done."""

from collections.abc import Iterator
from typing import Any

import pytest

from zerda.memory import AIMemoryManager, InvalidInput, MemoryConfig
from zerda.memory.testing import HashingEmbedder

ALICE = ("alice", "acme")


@pytest.fixture
def memory() -> Iterator[AIMemoryManager]:
    with AIMemoryManager(MemoryConfig(enable_persistence=False), embedder=HashingEmbedder()) as memory:
        memory.remember(*ALICE, "the cello stands in the hall")
        yield memory


@pytest.mark.parametrize("cursor", ["abc", "-1", "9" * 30, "²", "", 5])
def test_a_forged_cursor_is_refused(memory: AIMemoryManager, cursor: Any) -> None:
    with pytest.raises(InvalidInput, match="cursor"):
        memory.list(*ALICE, cursor=cursor)


@pytest.mark.parametrize("limit", [10**18, 10**30])
def test_a_limit_above_all_counts_gives_all(memory: AIMemoryManager, limit: int) -> None:
    assert len(memory.list(*ALICE, limit=limit).entries) == 1
    assert len(memory.recall(*ALICE, "the cello", limit=limit, min_score=0)) == 1
    assert memory.build_context(*ALICE, "the cello", top_k_semantic=limit, top_k_ltm=limit).entries


@pytest.mark.parametrize("name", ["top_k_semantic", "top_k_ltm"])
@pytest.mark.parametrize("value", [-1, 1.5, "3", None, True])
def test_how_many_may_propose_is_a_whole_number(memory: AIMemoryManager, name: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=f"{name} is .* whole number from 0"):
        memory.build_context(*ALICE, "the cello", **{name: value})


def test_no_place_for_what_is_found_is_no_place(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "the harp stands in the attic", importance=1)
    context = memory.build_context(*ALICE, "the harp", top_k_semantic=0, top_k_ltm=0, session_id="another")
    assert not any(fate.score for fate in context.trace)


@pytest.mark.parametrize("importance", [float("nan"), float("inf"), 10**400, -1, True, "0.5"])
def test_importance_runs_from_0_to_1(memory: AIMemoryManager, importance: Any) -> None:
    with pytest.raises(InvalidInput, match="importance is"):
        memory.remember(*ALICE, "a", importance=importance)


@pytest.mark.parametrize("score", ["0.5", float("nan"), True])
def test_a_score_is_a_number(memory: AIMemoryManager, score: Any) -> None:
    with pytest.raises(InvalidInput, match="min_score"):
        memory.recall(*ALICE, "the cello", min_score=score)
    with pytest.raises(InvalidInput, match="min_score"):
        memory.build_context(*ALICE, "the cello", min_score=score)


@pytest.mark.parametrize("given", ["ab", ("a",), ("a", "b", "c"), 5, None])
def test_an_interaction_is_a_pair_or_a_mapping(memory: AIMemoryManager, given: Any) -> None:
    with pytest.raises(InvalidInput, match="pair of texts"):
        memory.save_many(*ALICE, [given])
    assert memory.stats("acme")["entries"] == 1


@pytest.mark.parametrize("given", [5, None, ["content"]])
def test_a_note_is_text_or_a_mapping(memory: AIMemoryManager, given: Any) -> None:
    with pytest.raises(InvalidInput, match="a note is a"):
        memory.remember_many(*ALICE, [given])


@pytest.mark.parametrize("wrong", [None, 0, False, b""])
def test_what_is_empty_is_no_text_either(memory: AIMemoryManager, wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="tags holds a"):
        memory.remember(*ALICE, "a", tags=[wrong])
    with pytest.raises(InvalidInput, match="keys are texts"):
        memory.remember(*ALICE, "a", metadata={wrong: 1})


def deep(levels: int) -> Any:
    return [deep(levels - 1)] if levels else []


def test_a_value_that_holds_itself_is_refused(memory: AIMemoryManager) -> None:
    endless: dict[str, Any] = {}
    endless["again"] = endless
    for metadata in (endless, {"a": deep(100)}):
        with pytest.raises(InvalidInput, match="more than 100 levels"):
            memory.remember(*ALICE, "a", metadata=metadata)
    assert memory.remember(*ALICE, "a", metadata={"a": deep(98)}).metadata["a"] == deep(98)


def test_a_documents_metadata_is_a_mapping(memory: AIMemoryManager) -> None:
    with pytest.raises(InvalidInput, match="metadata is a list"):
        memory.build_context(*ALICE, "a", documents=[{"page_content": "x", "metadata": [1]}])
