"""Z3 to Z19: faults of an earlier system, in what they did to whoever used it."""

import asyncio
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import zerda.memory
from zerda.memory import (
    AIMemoryManager,
    ContextBuilder,
    ConversationBufferMemory,
    ConversationBufferWindowMemory,
    ConversationSummaryMemory,
    LLMError,
    LongTermMemory,
    MemoryConfig,
    SemanticMemory,
    SensitiveDataMasker,
    ShortTermMemory,
)
from zerda.memory.core.rules.tokens import estimate_tokens
from zerda.memory.testing import HashingEmbedder, ScriptedLLM, Ticking, tick

ALICE = ("alice", "acme")
Making = Callable[..., AIMemoryManager]


def test_Z3_thirty_gathered_saves_on_a_new_tenant_keep_thirty(memory: AIMemoryManager) -> None:
    async def save() -> None:
        await asyncio.gather(*(memory.asave_interaction(*ALICE, f"turn {n}", "noted") for n in range(30)))

    asyncio.run(save())
    assert memory.stats("acme")["entries"] == 30
    said = {dict(entry.content)["input"] for entry in memory.list(*ALICE).entries}  # type: ignore[arg-type]
    assert said == {f"turn {n}" for n in range(30)}


def test_Z3_twelve_threads_on_a_new_tenant_keep_all(memory: AIMemoryManager) -> None:
    begin = threading.Barrier(12)

    def save(number: int) -> None:
        begin.wait()
        memory.save_interaction(*ALICE, f"turn {number}", "noted")

    threads = [threading.Thread(target=save, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory.stats("acme")["entries"] == 12


def test_Z4_rounds_of_maintenance_do_not_compound_decay(make: Making, clock: Ticking) -> None:
    memory = make()
    entry = memory.save_interaction(*ALICE, "the cello", "noted", importance=0.8)
    clock.advance(timedelta(days=3))
    left = []
    for _ in range(4):
        memory.run_maintenance("acme")
        now = clock()
        left.append(memory._forgetting.score_retention(memory.get(*ALICE, entry.id), now))
    assert left == pytest.approx([left[0]] * 4, rel=1e-3)
    assert memory.get(*ALICE, entry.id).importance == 0.8


def test_Z5_reading_raises_no_importance(memory: AIMemoryManager) -> None:
    entry = memory.save_interaction(*ALICE, "the cello", "noted", importance=0.9)
    for _ in range(5):
        memory._bundle("acme").ltm.get(entry.id)
        memory.recall(*ALICE, "the cello")
        memory.build_context(*ALICE, "the cello")
    memory.flush()
    assert memory.get(*ALICE, entry.id).importance == entry.importance == 0.9


def test_Z6_equal_texts_of_one_instant_are_two_entries() -> None:
    config = MemoryConfig(enable_persistence=False)
    clock = tick(step=timedelta(0))
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=clock) as memory:
        ids = {memory.save_interaction(*ALICE, "hi", "hello").id for _ in range(3)}
        assert len(ids) == 3
        assert memory.stats("acme")["entries"] == 3


def test_Z7_what_was_said_is_found_by_meaning_after_a_restart(tmp_path: Path) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path / "memory"), relevance_floor=0.0)
    for again in (False, True):
        with AIMemoryManager(config, embedder=HashingEmbedder()) as memory:
            if not again:
                memory.save_interaction(*ALICE, "the cello stands in the hall", "noted")
            [(found, _)] = memory._bundle("acme").semantic.search("the cello", min_score=0.1)
            assert "cello" in found.text
            assert memory.recall(*ALICE, "the cello")[0].sources == ("meaning", "words")


def test_Z8_the_built_in_model_tells_meanings_apart_and_its_absence_is_told() -> None:
    semantic = SemanticMemory()
    short = ShortTermMemory()
    semantic.add_batch([short.add("My dog is ill."), short.add("The invoice was paid on Monday.")])
    (near, high), (_, low) = semantic.search("sick puppy", k=2, min_score=-1.0)
    assert "dog" in near.text
    assert high > low + 0.1
    none = SemanticMemory("none")
    assert none.stats()["model"] == "none"
    with pytest.raises(ValueError, match="'none', which makes no vectors"):
        none.search("sick puppy")


def test_Z9_compression_makes_a_memory_smaller(make: Making, clock: Ticking) -> None:
    memory = make(max_long_term=5)
    for _ in range(3):
        for number in range(4):
            memory.save_interaction(
                *ALICE, f"the cello number {number} stands in the hall", "noted", importance=0.7
            )
    before = memory.stats("acme")["ltm"]["total_entries"]
    clock.advance(timedelta(days=2))
    report = memory.run_maintenance("acme")
    assert report["compression"]["merged"] >= 1
    assert memory.stats("acme")["ltm"]["total_entries"] < before


def test_Z10_many_lines_stand_as_they_were_written(memory: AIMemoryManager) -> None:
    instruction, query = "Be brief.\n  - and kind", "first line\n    second line"
    prompt = memory.build_prompt(*ALICE, query, system_instruction=instruction)
    assert prompt == f"{instruction}\n\n=== Current Query ===\n{query}"


def test_Z11_a_context_counts_its_words_as_tokens() -> None:
    words = "the quick brown fox jumps over the lazy dog " * 5
    context = ContextBuilder(4_000, count=estimate_tokens).build(documents=[words])
    assert context.tokens >= 45
    small = ContextBuilder(30, count=estimate_tokens).build(documents=[words])
    assert small.tokens <= 30
    assert small.truncated


def test_Z12_a_key_always_encrypts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "cryptography", None)
    config = MemoryConfig(persistence_path=str(tmp_path / "memory"))
    with AIMemoryManager(config, encryption_key=bytes(range(32)), embedder=HashingEmbedder()) as memory:
        memory.save_interaction(*ALICE, "the cello stands in the hall", "noted")
    for path in (tmp_path / "memory").iterdir():
        data = path.read_bytes()
        assert b"cello" not in data
        assert b"Y2VsbG" not in data  # "cello" in base64, as it may stand in longer text.
        assert b"NlbGxv" not in data
        assert b"jZWxsb" not in data


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("the meeting is on 2024-05-17", "2024-05-17"),
        ("order 4827193650 has shipped", "4827193650"),
        ("on 17.05.2024 at 10:30", "17.05.2024"),
    ],
)
def test_Z13_dates_and_plain_numbers_are_no_phones(text: str, kept: str) -> None:
    masked, counts = SensitiveDataMasker().mask(text)
    assert kept in masked
    assert not counts


def test_Z13_an_address_is_no_phone_and_a_password_is_masked_whole() -> None:
    masked, counts = SensitiveDataMasker().mask(
        "ping 192.168.17.204, then https://ann:s3cr3t-p4ss@example.com/x"
    )
    assert not any("PHONE" in kind for kind in counts)
    assert "s3cr3t" not in masked
    assert "p4ss" not in masked


def test_Z14_everything_public_comes_with_a_star() -> None:
    names: dict[str, Any] = {}
    code = "from zerda.memory import *"
    exec(code, names)
    assert set(zerda.memory.__all__) - {"__version__"} <= names.keys()


def test_Z15_messages_are_the_callers_own() -> None:
    window = ConversationBufferWindowMemory(k=2, return_messages=True)
    for number in range(4):
        window.save_context({"input": f"turn {number}"}, {"output": "noted"})
    told = window.load_memory_variables({})["history"]
    told.clear()
    assert len(window.load_memory_variables({})["history"]) == 4
    buffer = ConversationBufferMemory()
    buffer.save_context({"input": "a"}, {"output": "b"})
    assert len(buffer.get_messages(1)) == 1


@pytest.mark.parametrize("answer", [LLMError("away"), RuntimeError("broken"), ""])
def test_Z16_a_model_that_fails_costs_no_turn(answer: Any) -> None:
    memory = ConversationSummaryMemory(ScriptedLLM([answer] * 40), max_token_limit=20)
    for number in range(12):
        memory.save_context({"input": f"turn number {number} of a long talk"}, {"output": "noted"})
    told = str(memory.load_memory_variables({}))
    assert all(f"turn number {number} of" in told for number in range(12))


def test_Z18_two_tenants_in_one_file_may_use_one_id(tmp_path: Path) -> None:
    from dataclasses import replace

    one, two = (LongTermMemory(tmp_path / "shared.db", tenant) for tenant in ("acme", "other"))
    entry = ShortTermMemory(5, "acme").add("of acme")
    one.store(entry)
    two.store(replace(entry, tenant_id="other", content="of other"))
    assert one.get(entry.id).content == "of acme"
    assert two.get(entry.id).content == "of other"
    two.delete(entry.id)
    assert one.count() == 1
    one.close()
    two.close()


def test_Z19_closing_ends_every_thread() -> None:
    before = set(threading.enumerate())
    memory = AIMemoryManager(
        MemoryConfig(enable_persistence=False, indexing="background"), embedder=HashingEmbedder()
    )
    asyncio.run(memory.asave_interaction(*ALICE, "hi", "hello"))
    assert set(threading.enumerate()) - before
    memory.close()
    assert set(threading.enumerate()) <= before
