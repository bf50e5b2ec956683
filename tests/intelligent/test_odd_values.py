"""Values that are not sound are refused by name, before anything is done."""

from collections.abc import Iterator
from datetime import UTC, datetime
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


@pytest.mark.parametrize("odd", ["no", 0, 1, None])
def test_a_flag_is_true_or_false(memory: AIMemoryManager, odd: Any) -> None:
    entry = memory.remember(*ALICE, "a")
    for call in (
        lambda: memory.pin(*ALICE, entry.id, pinned=odd),
        lambda: memory.build_context(*ALICE, "a", include_profile=odd),
        lambda: memory.run_maintenance("acme", dry_run=odd),
    ):
        with pytest.raises(InvalidInput, match=f"is {odd!r}; it is True or False"):
            call()
    assert not memory.get(*ALICE, entry.id).pinned


@pytest.mark.parametrize("odd", [5, None, ["a"], b"a"])
def test_an_entry_is_named_by_text(memory: AIMemoryManager, odd: Any) -> None:
    for call in (memory.get, memory.history, memory.pin, memory.archive, memory.restore, memory.forget):
        with pytest.raises(InvalidInput, match=r"entry.id is"):
            call(*ALICE, odd)
    with pytest.raises(InvalidInput, match=r"entry.id is"):
        memory.update(*ALICE, odd, importance=1.0)
    assert memory.stats("acme")["entries"] == 1


@pytest.mark.parametrize(
    ("boost", "kept"), [(10**400, 0.5), (-(10**400), 0.0), (float("inf"), 0.5), (1, 0.5)]
)
def test_a_boost_of_any_size_is_brought_within_its_bounds(
    memory: AIMemoryManager, boost: Any, kept: float
) -> None:
    assert memory.set_retention_boost(*ALICE, boost).memory_retention_boost == kept


def test_only_the_memory_says_that_something_is_encrypted(memory: AIMemoryManager) -> None:
    with pytest.raises(InvalidInput, match="encrypted"):
        memory.save_interaction(*ALICE, "a", "b", metadata={"encrypted": True})
    assert memory.save_interaction(*ALICE, "a", "b", metadata={"encrypted": False}).metadata == {
        "encrypted": False
    }


@pytest.mark.parametrize("content", [None, 5, ["a"]])
def test_content_is_asked_for_by_name_in_notes_too(memory: AIMemoryManager, content: Any) -> None:
    with pytest.raises(InvalidInput, match="content is a"):
        memory.remember_many(*ALICE, [{"content": content}])
    with pytest.raises(InvalidInput, match="content is a"):
        memory.remember(*ALICE, content)


def test_a_clock_without_a_zone_is_told_and_nothing_is_done() -> None:
    config = MemoryConfig(enable_persistence=False)
    naive = datetime(2026, 1, 1)
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=lambda: naive) as memory:
        for call in (
            lambda: memory.run_maintenance("acme"),
            lambda: memory.save_interaction(*ALICE, "a", "b"),
        ):
            with pytest.raises(InvalidInput, match=r"time that the clock tells .* without a zone"):
                call()
        assert memory.stats("acme")["entries"] == 0


@pytest.mark.parametrize("year", [1, 9999])
def test_maintenance_at_the_ends_of_time_is_no_error(year: int) -> None:
    moment = datetime(year, 1, 1, tzinfo=UTC)
    config = MemoryConfig(enable_persistence=False)
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=lambda: moment) as memory:
        memory.save_interaction(*ALICE, "a", "b")
        assert memory.run_maintenance("acme", dry_run=True)["ltm"]["purged"] == 0
        assert memory.run_maintenance("acme")["ltm"]["purged"] == 0
        assert memory.build_context(*ALICE, "a").entries
