"""Chat memories: buffer, window, summary."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from zerda.memory.conversation import (
    ConversationBufferMemory,
    ConversationBufferWindowMemory,
    ConversationSummaryMemory,
)
from zerda.memory.core.base import BaseMemory, BaseRetriever
from zerda.memory.core.model import Note, Query
from zerda.memory.errors import ConfigError, InvalidInput
from zerda.memory.gate import scope_of
from zerda.memory.intake import Intake
from zerda.memory.storage.base import Store
from zerda.memory.storage.memory import InMemoryStore
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import ScriptedLLM

Reopen = Callable[[], Store]


def talk(memory: BaseMemory, turns: int) -> None:
    for n in range(turns):
        memory.save_context({"input": f"question {n}"}, {"output": f"answer {n}"})


def test_n1_the_base_classes_are_abstract_and_have_their_twins_once() -> None:
    for base in (BaseMemory, BaseRetriever):
        with pytest.raises(TypeError, match="abstract"):
            base()  # type: ignore[abstract]
    assert ConversationSummaryMemory.asave_context is BaseMemory.asave_context


def test_n2_a_buffer_gives_back_the_whole_conversation() -> None:
    memory = ConversationBufferMemory()
    assert memory.load_memory_variables() == {"history": ""}
    talk(memory, 2)
    assert memory.load_memory_variables({}) == {
        "history": "user: question 0\nassistant: answer 0\nuser: question 1\nassistant: answer 1"
    }
    assert memory.memory_variables == ["history"]
    assert memory.get_memory_stats()["turns"] == 2


def test_messages_are_the_callers_to_change() -> None:
    memory = ConversationBufferMemory(return_messages=True, memory_key="chat")
    talk(memory, 1)
    messages = memory.load_memory_variables()["chat"]
    assert messages == [
        {"role": "user", "content": "question 0"},
        {"role": "assistant", "content": "answer 0"},
    ]
    messages.clear()
    assert len(memory.load_memory_variables()["chat"]) == 2


def test_prefixes_and_keys_are_the_callers_own() -> None:
    memory = ConversationBufferMemory(
        input_key="question", output_key=None, human_prefix="Human", ai_prefix="AI"
    )
    memory.save_context({"question": "a", "other": 1}, {"text": "b"})
    assert memory.load_memory_variables()["history"] == "Human: a\nAI: b"


@pytest.mark.parametrize(
    ("inputs", "outputs", "fault"),
    [
        ({"x": "a"}, {"output": "b"}, "inputs has no key 'input'"),
        ({"input": 5}, {"output": "b"}, "is a int; it is text"),
        ({"input": "a"}, {}, "outputs has no key 'output'"),
    ],
)
def test_a_turn_without_its_text_is_refused(inputs: Any, outputs: Any, fault: str) -> None:
    memory = ConversationBufferMemory()
    with pytest.raises(InvalidInput, match=fault):
        memory.save_context(inputs, outputs)
    assert memory.get_messages() == []


def test_several_keys_need_a_name() -> None:
    with pytest.raises(InvalidInput, match="name the one to keep with input_key"):
        ConversationBufferMemory(input_key=None).save_context({"a": "x", "b": "y"}, {"output": "z"})


def test_a_window_shows_the_last_turns_and_keeps_the_others() -> None:
    memory = ConversationBufferWindowMemory(k=2)
    talk(memory, 5)
    assert memory.load_memory_variables()["history"].startswith("user: question 3")
    assert [turn["input"] for turn in memory.get_messages(3)] == ["question 2", "question 3", "question 4"]
    assert len(memory.get_messages()) == 5
    assert memory.get_window_info() == {"k": 2, "turns": 5, "shown": 2}
    with pytest.raises(ConfigError, match="k is 0"):
        ConversationBufferWindowMemory(k=0)


def test_a_conversation_survives_a_restart(reopen: Reopen) -> None:
    for _ in range(2):
        with reopen() as store:
            talk(ConversationBufferMemory(store=store, user_id="ann", session_id="s1"), 2)
    with reopen() as store:
        assert len(ConversationBufferMemory(store=store, user_id="ann", session_id="s1").get_messages()) == 4
        assert ConversationBufferMemory(store=store, user_id="bob", session_id="s1").get_messages() == []
        assert ConversationBufferMemory(store=store, user_id="ann", session_id="s2").get_messages() == []


def test_a_cleared_conversation_is_gone_and_the_others_stay(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "chat.db") as store:
        one = ConversationBufferMemory(store=store, session_id="one")
        two = ConversationBufferMemory(store=store, session_id="two")
        talk(one, 3)
        talk(two, 1)
        one.clear()
        assert one.get_messages() == []
        assert len(two.get_messages()) == 1
    assert b"question 2" not in (tmp_path / "chat.db").read_bytes()


def test_clearing_a_conversation_ends_and_leaves_what_others_share_in_it() -> None:
    store = InMemoryStore()
    shared = Note(content="for all", session_id="conversation", visibility="tenant")
    bens = scope_of("default", "ben")
    store.put(bens, [Intake(lambda: datetime(2026, 1, 1, tzinfo=UTC)).draft(bens, shared)])
    memory = ConversationBufferMemory(store=store, user_id="ann")
    talk(memory, 2)
    memory.clear()
    assert memory.get_messages() == []
    assert store.count(bens, Query()) == 1


def test_a_conversation_of_nobody_named_sees_and_clears_nobodys_else() -> None:
    store = InMemoryStore()
    anns = ConversationBufferMemory(store=store, user_id="ann")
    unnamed = ConversationBufferMemory(store=store)
    talk(anns, 2)
    assert unnamed.get_messages() == []
    talk(unnamed, 1)
    unnamed.clear()
    assert (len(anns.get_messages()), unnamed.get_messages()) == (2, [])


def test_the_twins_work() -> None:
    async def use(memory: BaseMemory) -> dict[str, Any]:
        await memory.asave_context({"input": "a"}, {"output": "b"})
        return await memory.aload_memory_variables({})

    assert asyncio.run(use(ConversationBufferMemory())) == {"history": "user: a\nassistant: b"}


def long_talk(memory: BaseMemory, turns: int) -> None:
    for n in range(turns):
        memory.save_context({"input": f"question {n} " + "word " * 20}, {"output": f"answer {n}"})


def test_what_is_too_much_is_folded_and_nothing_is_lost() -> None:
    llm = ScriptedLLM(["They spoke of words.", "They spoke of words at length."])
    memory = ConversationSummaryMemory(llm, max_token_limit=120)
    long_talk(memory, 10)
    shown = memory.load_memory_variables()["history"]
    assert shown.startswith("They spoke of words")
    assert "The recent conversation:\nuser: question" in shown
    assert "answer 9" in shown
    assert "question 0" not in shown
    assert len(memory.get_messages()) == 10
    assert "So far: They spoke of words." in llm.prompts[1]


def test_a_summary_is_the_systems_message() -> None:
    memory = ConversationSummaryMemory(ScriptedLLM(["Short."]), return_messages=True)
    long_talk(memory, 2)
    assert memory.force_summarize()
    assert memory.load_memory_variables()["history"] == [{"role": "system", "content": "Short."}]
    assert not memory.force_summarize()


@pytest.mark.parametrize("answer", [RuntimeError("away"), "", "babble " * 5_000])
def test_a_model_that_fails_costs_nothing_that_was_said(answer: Any) -> None:
    memory = ConversationSummaryMemory(ScriptedLLM([answer] * 20), max_token_limit=100)
    long_talk(memory, 6)
    assert all(f"answer {n}" in memory.load_memory_variables()["history"] for n in range(6))
    assert memory.get_summary() == ""
    assert memory.last_error is not None


def test_a_summary_survives_a_restart(reopen: Reopen) -> None:
    with reopen() as store:
        memory = ConversationSummaryMemory(ScriptedLLM(["Short."]), store=store)
        long_talk(memory, 3)
        memory.force_summarize()
    with reopen() as store:
        again = ConversationSummaryMemory(ScriptedLLM(), store=store)
        assert again.load_memory_variables() == {"history": "Short."}
        again.clear()
        assert again.load_memory_variables() == {"history": ""}
