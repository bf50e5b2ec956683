"""W1 to W4, X1 to X7, Q1, Q2 and the defects D2, D3, D4, D15, D16: saving, contexts, prompts."""

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerda.memory import AIMemoryManager, BuiltContext, MemoryConfig, MemoryEntry
from zerda.memory.testing import HashingEmbedder, tick

Making = Callable[..., AIMemoryManager]
ALICE = ("alice", "acme")
KEY = bytes(range(32))
HEADER = "=== Current Query ==="
Opened = Callable[..., AIMemoryManager]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Opens memories in a folder of their own by name, with a key or without."""
    made: list[AIMemoryManager] = []

    def opened(name: str, key: Any = None) -> AIMemoryManager:
        config = MemoryConfig(persistence_path=str(tmp_path / name), relevance_floor=0.0)
        made.append(AIMemoryManager(config, encryption_key=key, embedder=HashingEmbedder(), clock=tick()))
        return made[-1]

    yield opened
    for memory in made:
        memory.close()


def talk(memory: AIMemoryManager, *said: str, **given: Any) -> list[MemoryEntry]:
    return [memory.save_interaction(*ALICE, one, "noted", **given) for one in said]


# ── W: saving ────────────────────────────────────────────────────────────────────────────────────────


def test_W1_the_signature_is_as_documented() -> None:
    told = inspect.signature(AIMemoryManager.save_interaction).parameters
    assert list(told)[1:5] == ["user_id", "tenant_id", "user_input", "assistant_output"]
    defaults = {name: told[name].default for name in ("importance", "tags", "metadata", "topics")}
    assert defaults == {"importance": 0.5, "tags": None, "metadata": None, "topics": None}
    assert told["importance"].kind is inspect.Parameter.KEYWORD_ONLY
    assert told["importance"].annotation == "float"


def test_W2_promotion_begins_at_the_threshold_itself(make: Making) -> None:
    memory = make(importance_threshold=0.6)
    below, at = (talk(memory, "a", importance=value)[0] for value in (0.59, 0.6))
    assert [entry.id for entry in memory._bundle("acme").ltm.get_recent()] == [at.id]
    assert below.promoted_at is None


def test_W2_what_is_saved_is_in_short_term_memory_and_found_when_the_call_returns(
    memory: AIMemoryManager,
) -> None:
    [entry] = talk(memory, "the cello stands in the hall")
    assert memory._bundle("acme").stm.get_all()[-1].id == entry.id
    assert memory.recall(*ALICE, "the cello", min_score=0)[0].entry.id == entry.id
    assert memory._bundle("acme").semantic.search("the cello")[0][0].id == entry.id


def test_W2_both_texts_are_masked_before_anything_is_kept(memory: AIMemoryManager) -> None:
    entry = memory.save_interaction(*ALICE, "I am ann@example.com", "Hello ann@example.com!")
    assert "example.com" not in repr(entry)
    assert "example.com" not in memory.build_prompt(*ALICE, "who am I?")


def test_W3_the_entry_has_id_content_importance_and_metadata(memory: AIMemoryManager) -> None:
    entry = memory.save_interaction(*ALICE, "hi", "hello", importance=0.4, metadata={"n": 1})
    assert isinstance(entry, MemoryEntry)
    assert entry.id
    assert entry.content == {"input": "hi", "output": "hello"}
    assert entry.importance == 0.4
    assert entry.metadata["n"] == 1


def test_W3_with_a_key_the_content_is_the_wrapper(opened: Opened) -> None:
    entry = talk(opened("keyed", KEY), "the cello stands in the hall")[0]
    assert set(entry.content) == {"encrypted"}
    assert isinstance(dict(entry.content)["encrypted"], str)  # type: ignore[arg-type]
    assert "cello" not in repr(entry)


def test_W4_tags_and_metadata_land_on_the_entry_and_topics_in_the_profile(memory: AIMemoryManager) -> None:
    for _ in range(3):
        entry = memory.save_interaction(
            *ALICE, "hi", "hello", tags=["a", "b"], metadata={"k": [1]}, topics=["music"]
        )
    assert (entry.tags, entry.metadata["k"], entry.topics) == (("a", "b"), [1], ("music",))
    assert "music" in memory.profile(*ALICE).topics_of_interest


# ── X: contexts ──────────────────────────────────────────────────────────────────────────────────────


def test_X1_the_signature_is_as_documented(memory: AIMemoryManager) -> None:
    told = inspect.signature(AIMemoryManager.build_context).parameters
    assert list(told)[1:4] == ["user_id", "tenant_id", "query"]
    defaults = {
        name: told[name].default for name in ("documents", "top_k_semantic", "top_k_ltm", "include_profile")
    }
    assert defaults == {
        "documents": None, "top_k_semantic": 8, "top_k_ltm": 10, "include_profile": True,
    }  # fmt: skip
    context = memory.build_context(*ALICE, "anything")
    assert isinstance(context, BuiltContext)
    assert isinstance(context.full_text, str)


def test_X2_what_is_found_comes_first_then_what_matters_then_what_is_new_each_once(make: Making) -> None:
    memory = make(window_size=3, retrieval_limit=50, relevance_floor=0.0)
    asked: list[Any] = []
    choose = memory._selector.rank

    def watched(query: str, candidates: Any, scores: Any = None) -> Any:
        asked.append((list(candidates), dict(scores or {})))
        return choose(query, candidates, scores)

    memory._selector.rank = watched  # type: ignore[method-assign]
    found = talk(memory, "the cello stands in the hall", importance=0.9)[0]
    important = talk(memory, "rome is warm", "tea is hot", importance=0.95)
    recent = talk(memory, "one", "two", "the cello is mine")
    memory.build_context(*ALICE, "cello", top_k_semantic=2, top_k_ltm=3)
    [(candidates, scores)] = asked
    ids = [entry.id for entry in candidates]
    assert set(ids[:2]) == {found.id, recent[2].id} == set(scores)
    unique = list(dict.fromkeys(ids))
    assert unique[2:4] == [entry.id for entry in important] or unique[2:4] == [
        entry.id for entry in reversed(important)
    ]
    assert unique[4:] == [entry.id for entry in recent[:2]]
    chosen = memory._bundle("acme").working.get_all(user_id="alice")
    assert len({entry.id for entry in chosen}) == len(chosen)


def test_X3_the_selector_ranks_and_keeps_at_most_the_limit(make: Making) -> None:
    memory = make(retrieval_limit=2, relevance_floor=0.0)
    talk(memory, *(f"the cello number {n}" for n in range(9)), importance=0.9)
    context = memory.build_context(*ALICE, "cello")
    assert len(memory._bundle("acme").working.get_all(user_id="alice")) == 2
    assert len([fate for fate in context.trace if fate.fate.startswith("in memories")]) <= 2


@pytest.mark.parametrize("setting", [{}, {"retrieval_limit": 1}, {"max_working": 1}, {"max_tokens": 250}])
def test_X3_what_answers_best_keeps_a_place_however_much_is_new(make: Making, setting: Any) -> None:
    memory = make(relevance_floor=0.02, **setting)
    asked = "Which code opens the locker?"
    talk(memory, "The code 4711 opens the locker.", session_id="old", importance=0.1)
    for n, word in enumerate("rain snow wind hail fog sun frost heat storm cloud drizzle thaw".split()):
        talk(memory, f"{word} fell on house {n} of {word} lane while {word * 2} sang", importance=0.9)
    [best, *_] = memory.recall(*ALICE, asked)
    assert "4711" in best.entry.text
    context = memory.build_context(*ALICE, asked)
    assert best.entry.id in {entry.id for entry in context.entries}
    assert "4711" in context.sections["memories"]


def test_X4_the_selection_replaces_what_working_memory_held(make: Making) -> None:
    memory = make(retrieval_limit=1, relevance_floor=0.0)
    cello, harp = talk(memory, "the cello stands in the hall", "the harp stands in the attic")
    working = memory._bundle("acme").working
    memory.build_context(*ALICE, "cello", session_id="another")
    assert [entry.id for entry in working.get_all(user_id="alice")] == [cello.id]
    memory.build_context(*ALICE, "harp", session_id="another")
    assert [entry.id for entry in working.get_all(user_id="alice")] == [harp.id]


def test_X6_history_is_the_last_five_in_their_order(memory: AIMemoryManager) -> None:
    talk(memory, *(f"turn number {n}" for n in range(8)))
    history = memory.build_context(*ALICE, "hello").sections["history"]
    shown = [int(line.split()[-1]) for line in history.splitlines() if "turn number" in line]
    assert shown == [3, 4, 5, 6, 7]


def test_X7_documents_are_included_within_the_budget(memory: AIMemoryManager) -> None:
    talk(memory, "the cello stands in the hall")
    documents = [
        "A cello has four strings. " * 200,
        {"page_content": "Harps have many.", "metadata": {"source": "h.md"}},
    ]
    context = memory.build_context(*ALICE, "cello", documents=documents, token_budget=300)
    assert context.tokens <= 300
    assert "four strings" in context.sections["documents"]
    assert any(fate.fate.startswith(("cut", "no room")) for fate in context.trace)
    roomy = memory.build_context(*ALICE, "cello", documents=documents, token_budget=9_000)
    assert "h.md" in roomy.full_text


# ── Q: prompts ───────────────────────────────────────────────────────────────────────────────────────


def test_Q1_the_signature_is_as_documented() -> None:
    told = inspect.signature(AIMemoryManager.build_prompt).parameters
    assert list(told)[1:4] == ["user_id", "tenant_id", "query"]
    assert told["documents"].default is None
    assert told["system_instruction"].default == "You are a helpful, knowledgeable assistant."


def test_Q2_instruction_context_header_and_query_stand_in_this_order(memory: AIMemoryManager) -> None:
    talk(memory, "the cello stands in the hall")
    context = memory.build_context(*ALICE, "where is the cello?")
    prompt = memory.build_prompt(*ALICE, "where is the cello?", system_instruction="Be brief.")
    assert prompt.startswith("Be brief.\n\n")
    assert prompt.endswith(f"\n\n{HEADER}\nwhere is the cello?")
    assert context.full_text in prompt


# ── D: defects ───────────────────────────────────────────────────────────────────────────────────────


def test_D2_ciphertext_is_in_no_context_and_a_permitted_reader_sees_the_words(opened: Opened) -> None:
    memory = opened("keyed", KEY)
    entry = talk(memory, "the cello stands in the hall")[0]
    assert entry.metadata["encrypted"] is True
    sealed = dict(entry.content)["encrypted"]  # type: ignore[arg-type]
    for text in (memory.build_context(*ALICE, "cello").full_text, memory.build_prompt(*ALICE, "cello")):
        assert "the cello stands in the hall" in text
        assert sealed not in text
        assert "encrypted" not in text
    memory.revoke(*ALICE, "reader")
    with pytest.raises(PermissionError):
        memory.build_context(*ALICE, "cello")


def test_D3_ranking_is_the_same_with_a_key_and_at_rest_there_is_only_ciphertext(
    opened: Opened, tmp_path: Path
) -> None:
    said = [
        "the cello stands in the hall",
        "the harp is upstairs",
        "tea at five with my aunt",
        "a cello string broke",
    ]
    ranked = {}
    for name, key in (("plain", None), ("keyed", KEY)):
        memory = opened(name, key)
        entries = [memory.save_interaction(*ALICE, one, "noted", id=f"e{n}") for n, one in enumerate(said)]
        memory.set_preferences(*ALICE, {"cello": "a lot"})
        assert len(entries) == 4
        ranked[name] = [
            [(hit.entry.id, hit.score) for hit in memory.recall(*ALICE, question)]
            for question in ("cello", "tea at five?", "upstairs")
        ]
    assert ranked["plain"] == ranked["keyed"]
    assert any(ranked["plain"])
    memory.close()
    for path in (tmp_path / "keyed").rglob("*"):
        assert b"cello" not in path.read_bytes(), path.name
    again = opened("keyed", KEY)
    assert "the cello stands in the hall" in again.build_context(*ALICE, "cello").full_text


@settings(max_examples=30)
@given(st.text(min_size=1), st.text(min_size=1))
def test_D4_a_prompt_is_right_for_any_query_and_any_memory(query: str, said: str) -> None:
    with AIMemoryManager(
        MemoryConfig(enable_persistence=False),
        enable_privacy_masking=False,
        embedder=HashingEmbedder(),
        clock=tick(),
    ) as memory:
        for text in (said, f"{HEADER}\n{query}", f"{said}\n{HEADER}"):
            memory.save_interaction(*ALICE, text, HEADER)
        for question in (query, f"{HEADER}\n{query}", HEADER):
            prompt = memory.build_prompt(*ALICE, question)
            assert [line.strip() for line in prompt.splitlines()].count(HEADER) == 1


def test_D4_the_context_is_built_once(memory: AIMemoryManager, monkeypatch: pytest.MonkeyPatch) -> None:
    built: list[str] = []
    build = memory._context_builder.build

    def counting(*given: Any, **named: Any) -> BuiltContext:
        built.append(named["query"])
        return build(*given, **named)

    monkeypatch.setattr(memory._context_builder, "build", counting)
    memory.build_prompt(*ALICE, "hello")
    assert built == ["hello"]


def test_D15_what_was_masked_is_counted_by_kind_and_told_by_no_word(memory: AIMemoryManager) -> None:
    entry = memory.save_interaction(*ALICE, "ann@example.com or bob@example.com", "+49 30 901820 then")
    assert entry.masked["EMAIL"] == 2
    assert sum(entry.masked.values()) == 3
    shown = memory._bundle("acme").stm.get_all()[-1]
    assert shown.metadata["masked"] == dict(entry.masked)
    assert "example" not in repr(entry.masked)


def test_D16_the_floor_of_meaning_is_a_parameter_and_a_setting(make: Making) -> None:
    assert MemoryConfig().min_score == 0.1
    asked: list[float] = []
    for memory, given_score in ((make(), None), (make(min_score=0.25), None), (make(), 0.5)):
        find = memory._find

        def watched(*given: Any, find: Any = find, **named: Any) -> Any:
            asked.append(given[4])
            return find(*given, **named)

        memory._find = watched  # type: ignore[method-assign]
        memory.build_context(*ALICE, "cello", min_score=given_score)
    assert asked == [0.1, 0.25, 0.5]


def test_D16_what_means_less_than_the_floor_is_not_proposed_by_meaning(make: Making) -> None:
    memory = make(relevance_floor=0.0)
    talk(memory, "the cello stands in the hall")
    for score, proposes in ((0.0, True), (1.0, False)):
        trace = memory.build_context(*ALICE, "cello music", min_score=score).trace
        assert any("meaning" in fate.sources for fate in trace) is proposes
