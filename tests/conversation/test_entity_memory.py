"""A chat memory of what a conversation names."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from zerda.memory import BaseMemory, ConfigError, ConversationEntityMemory, InvalidInput, SQLiteStore
from zerda.memory.testing import ScriptedLLM


def told(memory: ConversationEntityMemory, text: str) -> str:
    found = memory.load_memory_variables({"input": text})
    return str(found["entity_info"])


def spoken(**settings: object) -> ConversationEntityMemory:
    memory = ConversationEntityMemory(**settings)  # type: ignore[arg-type]
    memory.save_context({"input": "My sister Ana works at Trellis."}, {"output": "Nice."})
    memory.save_context({"input": "I had tea."}, {"output": "Did Ana have some?"})
    return memory


def test_n2_it_is_a_chat_memory_that_tells_what_was_said_of_a_name() -> None:
    memory = spoken()
    assert isinstance(memory, BaseMemory)
    assert memory.memory_variables == ["entity_info"]
    assert told(memory, "How is ana?") == (
        "Ana (person):\n- Ana works at Trellis\n"
        "user: My sister Ana works at Trellis.\nassistant: Did Ana have some?"
    )


def test_an_input_that_names_nobody_known_is_told_nothing() -> None:
    memory = spoken()
    assert told(memory, "Good morning, Banana!") == ""
    assert memory.load_memory_variables() == {"entity_info": ""}


def test_n3_no_model_is_needed_and_names_are_listed() -> None:
    memory = spoken()
    assert memory.list_entities() == ["Ana", "Trellis"]
    info = memory.get_entity_info("ANA")
    assert (info["type"], info["turns"], info["relationships"]) == (
        "person", 2, [("Ana", "works_at", "Trellis")],
    )  # fmt: skip
    assert memory.get_entity_info("Quillon") == {}


def test_only_the_last_k_are_told() -> None:
    memory = ConversationEntityMemory(k=2)
    for n in range(4):
        memory.save_context({"input": f"Ana ate {n} figs."}, {"output": "ok"})
    assert told(memory, "Ana?").splitlines()[1:] == ["user: Ana ate 2 figs.", "user: Ana ate 3 figs."]
    assert len(memory.get_messages()) == 4


@pytest.mark.parametrize(
    "answer", ["Quillon, Trellis", "Quillon | person\nTrellis | organisation", "- Quillon\n- Trellis"]
)
def test_a_model_adds_names(answer: str) -> None:
    llm = ScriptedLLM([answer])
    memory = ConversationEntityMemory(llm)
    memory.save_context({"input": "Quillon left Trellis."}, {"output": ""})
    assert sorted(memory.list_entities()) == ["Quillon", "Trellis"]
    assert len(llm.prompts) == 1
    assert memory.last_error is None


def test_a_model_that_fails_loses_nothing_and_is_reported() -> None:
    memory = ConversationEntityMemory(ScriptedLLM([ValueError("down"), "Well, it depends."]))
    memory.save_context({"input": "We met Ana."}, {"output": ""})
    assert memory.last_error is not None
    memory.save_context({"input": "We met Bruno."}, {"output": ""})
    assert memory.last_error is not None
    assert sorted(memory.list_entities()) == ["Ana", "Bruno"]
    assert len(memory.get_messages()) == 2


def test_a_model_that_babbles_names_no_piece_of_a_word_and_no_small_word() -> None:
    memory = ConversationEntityMemory(
        ScriptedLLM(["An | person\nthe | person\nI | person\nQuillon | person"])
    )
    memory.save_context({"input": "Ana and I saw the dog of Quillon."}, {"output": ""})
    assert memory.list_entities() == ["Ana", "Quillon"]


def test_messages_prefixes_and_keys_are_the_callers_own() -> None:
    memory = spoken(return_messages=True, human_prefix="H", ai_prefix="A")
    (message,) = memory.load_memory_variables({"input": "Trellis?"})["entity_info"]
    assert message["role"] == "system"
    assert "H: My sister Ana" in message["content"]
    assert memory.load_memory_variables({"input": "?"})["entity_info"] == []
    alone = ConversationEntityMemory(input_key=None, output_key=None, memory_key="who")
    alone.save_context({"q": "We met Ana."}, {"a": "ok"})
    assert alone.load_memory_variables({"q": "Ana"})["who"].startswith("Ana (person)")
    with pytest.raises(InvalidInput):
        alone.load_memory_variables({"q": "Ana", "r": "Bo"})


def test_it_survives_a_restart_and_sessions_stay_apart(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "chat.db") as store:
        spoken(store=store, user_id="ann", session_id="monday")
    with SQLiteStore(tmp_path / "chat.db") as store:
        again = ConversationEntityMemory(store=store, user_id="ann", session_id="monday")
        assert again.list_entities() == ["Ana", "Trellis"]
        tuesday = ConversationEntityMemory(store=store, user_id="ann", session_id="tuesday")
        other = ConversationEntityMemory(store=store, user_id="bob", session_id="monday")
        assert (tuesday.list_entities(), other.list_entities()) == ([], [])
        again.clear()
        assert again.list_entities() == []
        assert told(again, "Ana") == ""


def test_its_awaitable_twins_are_those_of_the_base() -> None:
    async def talked() -> str:
        memory = ConversationEntityMemory()
        await memory.asave_context({"input": "We met Ana."}, {"output": "ok"})
        return str((await memory.aload_memory_variables({"input": "Ana"}))["entity_info"])

    assert "We met Ana." in asyncio.run(talked())


def test_k_is_at_least_1() -> None:
    with pytest.raises(ConfigError):
        ConversationEntityMemory(k=0)
