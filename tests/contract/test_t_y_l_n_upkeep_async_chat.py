"""T2, T3, Y1, L1, N1 to N3, D11, D14, D17, D18: upkeep, twins, threads, chat memories, ids, documentation."""

import ast
import asyncio
import inspect
import threading
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import zerda.memory
from zerda.memory import (
    AccessDenied,
    AIMemoryManager,
    BaseMemory,
    BaseRetriever,
    ConfigError,
    ConversationBufferMemory,
    ConversationBufferWindowMemory,
    ConversationSummaryMemory,
    EmbeddingError,
    InvalidInput,
    LongTermMemory,
    MemoryConfig,
    ShortTermMemory,
)
from zerda.memory.testing import HashingEmbedder, ScriptedLLM, Ticking

Making = Callable[..., AIMemoryManager]
ALICE = ("alice", "acme")
SOURCE = Path(zerda.memory.__file__).parent
CHATS: dict[str, Any] = {
    "buffer": lambda: ConversationBufferMemory(),
    "window": lambda: ConversationBufferWindowMemory(k=2),
    "summary": lambda: ConversationSummaryMemory(ScriptedLLM(["a summary"] * 9)),
}


def test_T2_global_decay_is_of_long_term_memory_and_twice_is_once(make: Making, clock: Ticking) -> None:
    memory = make()
    for number in range(5):
        memory.save_interaction(*ALICE, f"note {number}", "noted", importance=0.7)
    ltm = memory._bundle("acme").ltm
    assert ltm.apply_global_decay(0.5) == 0
    clock.advance(timedelta(days=400))
    assert ltm.apply_global_decay(0.5) == 5
    assert ltm.apply_global_decay(0.5) == 0
    assert ltm.count() == 0
    assert memory.stats("acme")["archived"] == 5


def test_T3_statistics_have_the_documented_keys(memory: AIMemoryManager) -> None:
    told = memory.stats("acme")
    assert set(told) >= {
        "stm", "working", "ltm", "semantic", "profile_manager", "encryption_active", "privacy_masking_active",
    }  # fmt: skip
    assert told["working"]["entries"] == 0
    assert told["encryption_active"] is False
    assert told["privacy_masking_active"] is True
    memory.save_interaction(*ALICE, "the cello", "noted")
    memory.build_context(*ALICE, "the cello")
    assert memory.stats("acme")["working"]["entries"] == 1


def test_Y1_the_twins_take_and_give_the_same(memory: AIMemoryManager) -> None:
    for name in ("save_interaction", "build_context", "run_maintenance"):
        sync, twin = getattr(AIMemoryManager, name), getattr(AIMemoryManager, f"a{name}")
        assert inspect.iscoroutinefunction(twin)
        assert inspect.signature(sync) == inspect.signature(twin)

    async def use() -> None:
        entry = await memory.asave_interaction(*ALICE, "the cello", "noted", importance=0.9, id="x")
        assert entry == memory.get(*ALICE, "x")
        context = await memory.abuild_context(*ALICE, "the cello")
        assert context.full_text == memory.build_context(*ALICE, "the cello").full_text
        assert (await memory.arun_maintenance("acme")).keys() == memory.run_maintenance("acme").keys()
        with pytest.raises(InvalidInput):
            await memory.asave_interaction(*ALICE, "a", "b", importance=2.0)
        memory.revoke(*ALICE, "writer")
        with pytest.raises(PermissionError):
            await memory.asave_interaction(*ALICE, "a", "b")

    asyncio.run(use())


def test_L1_long_term_memory_is_safe_from_many_threads(tmp_path: Path) -> None:
    ltm = LongTermMemory(str(tmp_path / "l.db"), "acme")
    entries = [[ShortTermMemory(5, "acme").add(f"{n} of {m}") for n in range(20)] for m in range(6)]
    threads = [threading.Thread(target=lambda own=own: [ltm.store(one) for one in own]) for own in entries]  # type: ignore[misc]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ltm.count() == 120
    assert {one.id for own in entries for one in own} == {one.id for one in ltm.get_recent(200)}
    ltm.close()


# ── chat memories ────────────────────────────────────────────────────────────────────────────────────


def test_N1_the_base_classes_are_abstract_and_ask_for_these_methods() -> None:
    assert BaseMemory.__abstractmethods__ >= {"save_context", "load_memory_variables", "clear"}
    assert BaseRetriever.__abstractmethods__ == {"add_documents", "get_relevant_documents"}
    for base in (BaseMemory, BaseRetriever):
        with pytest.raises(TypeError):
            base()  # type: ignore[abstract]


@pytest.mark.parametrize("kind", CHATS)
def test_N2_chat_memories_are_base_memories_with_awaitable_twins(kind: str) -> None:
    memory = CHATS[kind]()
    assert isinstance(memory, BaseMemory)

    async def use() -> dict[str, Any]:
        await memory.asave_context({"input": "the cello"}, {"output": "noted"})
        return dict(await memory.aload_memory_variables({"input": "next"}))

    told = asyncio.run(use())
    assert told == memory.load_memory_variables({"input": "next"})
    assert "the cello" in str(told)
    memory.clear()
    assert "the cello" not in str(memory.load_memory_variables({}))


def test_N3_a_summary_is_made_by_the_model_it_is_given() -> None:
    llm = ScriptedLLM(["they spoke of a cello"] * 9)
    memory = ConversationSummaryMemory(llm, max_token_limit=30)
    for number in range(9):
        memory.save_context({"input": f"the cello number {number}"}, {"output": "a long answer " * 5})
    assert "they spoke of a cello" in str(memory.load_memory_variables({}))


def test_D11_the_twins_stand_once_on_the_base_classes() -> None:
    for kind in (ConversationBufferMemory, ConversationBufferWindowMemory, ConversationSummaryMemory):
        for name in ("asave_context", "aload_memory_variables"):
            assert name not in vars(kind)
            assert getattr(kind, name) is getattr(BaseMemory, name)
    assert {"aadd_documents", "aget_relevant_documents"} <= vars(BaseRetriever).keys()


def test_D11_a_class_of_ones_own_has_the_twins_too() -> None:
    class Own(BaseRetriever):
        def __init__(self) -> None:
            self.held: list[Any] = []

        def add_documents(self, documents: Any) -> None:
            self.held += documents

        def get_relevant_documents(self, query: str) -> list[Any]:
            return [one for one in self.held if query in one]

    async def use() -> list[Any]:
        own = Own()
        await own.aadd_documents(["a cello", "a harp"])
        return await own.aget_relevant_documents("harp")

    assert asyncio.run(use()) == ["a harp"]


# ── ids, and what is documented ──────────────────────────────────────────────────────────────────────


def test_D14_an_id_leaves_no_folder_and_shares_no_file(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "memory"
    awkward = ["../../escape", "..", "a/b", "a", "A", "a:b", "con", "%2e", "ä", "x" * 200, "a_ltm.db"]
    with AIMemoryManager(MemoryConfig(persistence_path=str(folder)), embedder=HashingEmbedder()) as memory:
        for number, tenant in enumerate(awkward):
            memory.save_interaction("../u", tenant, f"note {number}", "noted")
        for number, tenant in enumerate(awkward):
            [entry] = memory.list("../u", tenant).entries
            assert entry.content == {"input": f"note {number}", "output": "noted"}
    assert (folder / "a_ltm.db").is_file()
    inside = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert all(path.parent == folder for path in inside)
    assert len({path for path in inside if path.name.endswith("_ltm.db")}) == len(awkward)


def test_D17_the_protocol_of_a_model_is_declared_once() -> None:
    declared = [
        path.name
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and node.name == "LLMProtocol"
    ]
    assert declared == ["seams.py"]


def test_D18_what_is_raised_is_documented_and_raised(make: Making) -> None:
    told = inspect.getdoc(AIMemoryManager) or ""
    assert "AccessDenied" in told
    assert "InvalidInput" in told
    assert "raise what failed" in (inspect.getdoc(AIMemoryManager.flush) or "")
    assert issubclass(AccessDenied, PermissionError)
    assert issubclass(InvalidInput, ValueError)
    assert issubclass(ConfigError, ValueError)
    memory = make()
    for bad in ({"importance": 1.5}, {"metadata": {"a": object()}}, {"id": ""}):
        with pytest.raises(ValueError, match=r"importance|metadata|id"):
            memory.save_interaction(*ALICE, "a", "b", **bad)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="window_size"):
        MemoryConfig(window_size=0)


def test_D8_a_flush_raises_what_failed_in_the_background() -> None:
    class Broken(HashingEmbedder):
        def embed(self, texts: Any, *, role: Any = "passage") -> Any:
            raise EmbeddingError("the model is away")

    config = MemoryConfig(enable_persistence=False, indexing="background")
    with AIMemoryManager(config, embedder=Broken(), max_workers=1) as memory:
        memory.save_interaction(*ALICE, "the cello", "noted")
        with pytest.raises(EmbeddingError, match="away"):
            memory.flush("acme")
