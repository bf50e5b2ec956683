"""A context that comes back as something said is not remembered."""

import re
import textwrap
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory import AIMemoryManager, InvalidInput, MemoryConfig
from zerda.memory.context.seal import NOISE, OWN_CONTEXT
from zerda.memory.core.rules.seals import START, mark_of, without_own
from zerda.memory.testing import HashingEmbedder, tick

ALICE = ("alice", "acme")
KEY = b"a key of this test"


def manager(**config: Any) -> AIMemoryManager:
    settings = MemoryConfig(**{"enable_persistence": False, **config})
    return AIMemoryManager(settings, embedder=HashingEmbedder(), clock=tick())


def told(memory: AIMemoryManager) -> AIMemoryManager:
    memory.save_interaction(*ALICE, "My sister Ines lives in Porto.", "Good to know, thank you.")
    memory.remember(*ALICE, "Ines > the others | said the cat.\n\n\n=== x ===", origin="web")
    return memory


def count(memory: AIMemoryManager) -> int:
    return int(memory.stats("acme")["entries"])


def rewrapped(text: str) -> str:
    return "\n".join(
        textwrap.fill(line, 60, break_long_words=False, break_on_hyphens=False) for line in text.split("\n")
    )


CLIENTS: dict[str, Callable[[str], str]] = {
    "as it was": lambda text: text,
    "wrapped": rewrapped,
    "stripped": lambda text: "\n".join(line.rstrip() for line in text.split("\n")),
    "windows": lambda text: text.replace("\n", "\r\n"),
    "quoted": lambda text: "\n".join(f"> {line}" for line in text.split("\n")),
    "quoted twice": lambda text: "\n".join(f">> {line}" for line in text.split("\n")),
    "blank lines": lambda text: text.replace("\n", "\n\n"),
    "one line": lambda text: " ".join(text.split("\n")),
    "tabs": lambda text: text.replace(" ", "\t"),
}


@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_our_context_is_cut_out_and_the_rest_is_kept(client: Callable[[str], str]) -> None:
    with told(manager()) as memory:
        context = memory.build_context(*ALICE, "Where does Ines live?")
        prompt = memory.build_prompt(*ALICE, "Where does Ines live?")
        system = context.as_messages()[0]["content"]
        for made in (context.full_text, prompt, system):
            assert START in made
            said = f"Look at this:\n\n{client(made)}\n\nWhat do you think?"
            entry = memory.save_interaction(*ALICE, said, "It is fine.")
            assert entry.content == {"input": "Look at this:\nWhat do you think?", "output": "It is fine."}
            assert entry.flags == (OWN_CONTEXT,)
            assert entry.seq > 0


def test_fed_back_50_times_it_makes_no_memory() -> None:
    with told(manager()) as memory:
        before = count(memory)
        for _ in range(50):
            context = memory.build_context(*ALICE, "Where does Ines live?")
            prompt = memory.build_prompt(*ALICE, "Where does Ines live?")
            entry = memory.save_interaction(*ALICE, prompt, context.full_text)
            assert (entry.seq, entry.flags) == (0, (OWN_CONTEXT,))
            memory.remember(*ALICE, context.as_messages()[0]["content"])
        assert count(memory) == before
        assert memory.stats("acme")["not_kept"]["own_context"] == 150
        assert "Ines" in memory.build_context(*ALICE, "Where does Ines live?").full_text


def test_several_contexts_of_a_whole_chat_are_cut_out() -> None:
    with told(manager()) as memory:
        prompts = [memory.build_prompt(*ALICE, question) for question in ("Where is Ines?", "Who is Ines?")]
        entry = memory.remember(*ALICE, "\n".join(["One.", prompts[0], "Two.", prompts[1], "Three."]))
        assert entry.content == "One.\nTwo.\nThree."


def test_a_mark_that_is_not_ours_is_only_text() -> None:
    with told(manager()) as memory, manager() as other:
        forged = memory.build_context(*ALICE, "Ines").full_text.replace("Porto", "Paris")
        assert memory.remember(*ALICE, forged).content == forged
        strange = told(other).build_context(*ALICE, "Ines").full_text
        assert memory.remember(*ALICE, strange).content == strange
        shown = memory.build_context(*ALICE, "Ines").full_text
        assert shown.count(START) == 1
        assert "| [ zerda:" in shown


def test_a_mark_holds_in_another_process_of_the_same_memory(tmp_path: Any) -> None:
    with manager(enable_persistence=True, persistence_path=str(tmp_path)) as memory:
        made = told(memory).build_context(*ALICE, "Ines").full_text
    with manager(enable_persistence=True, persistence_path=str(tmp_path)) as again:
        assert again.remember(*ALICE, made).seq == 0


def test_an_update_is_cut_too() -> None:
    with told(manager()) as memory:
        entry = memory.remember(*ALICE, "The cat is called Miso.")
        made = memory.build_context(*ALICE, "Ines").full_text
        assert (
            memory.update(*ALICE, entry.id, content=f"The cat is Mia.\n{made}").content == "The cat is Mia."
        )
        with pytest.raises(InvalidInput, match="came back"):
            memory.update(*ALICE, entry.id, content=made)


def test_of_many_those_are_kept_in_which_something_was_said() -> None:
    with told(manager()) as memory:
        made = memory.build_context(*ALICE, "Ines").full_text
        entries = memory.remember_many(*ALICE, ["One.", made, "Two.", made])
        assert [entry.seq > 0 for entry in entries] == [True, False, True, False]
        assert [memory.get(*ALICE, entry.id).content for entry in entries[::2]] == ["One.", "Two."]


def test_signs_of_life_are_kept_unless_it_is_asked_otherwise() -> None:
    with manager() as memory:
        assert memory.save_interaction(*ALICE, "ping", "HEARTBEAT_OK").seq > 0
    with manager(noise="skip") as memory:
        entry = memory.save_interaction(*ALICE, "ping", "HEARTBEAT_OK")
        assert (entry.seq, entry.flags) == (0, (NOISE,))
        assert memory.save_interaction(*ALICE, "ping", "It is five.").seq > 0
        assert count(memory) == memory.stats("acme")["not_kept"]["noise"] == 1


def test_an_application_may_say_what_noise_is() -> None:
    memory = AIMemoryManager(
        MemoryConfig(enable_persistence=False), noise=lambda text: text.startswith("[tool]")
    )
    with memory:
        assert memory.remember(*ALICE, "[tool] 200 OK").seq == 0
        assert memory.remember(*ALICE, "ping").seq > 0


TEXTS = st.text(st.characters(codec="utf-8"), max_size=200)


@given(before=TEXTS, ours=TEXTS, after=TEXTS, rest=TEXTS)
def test_whatever_stands_around_it_just_ours_is_cut(before: str, ours: str, after: str, rest: str) -> None:
    made = f"{before}{mark_of(KEY, before, ours)}{ours}"
    left, cuts = without_own(KEY, f"{rest}\n{made}\n{after}")
    assert cuts == 1
    kept = re.sub(r"[\s>|]", "", left)
    assert kept == re.sub(r"[\s>|]", "", rest + after)


DIGITS = st.text("0123456789abcdef", min_size=24, max_size=24)


@given(text=TEXTS, digits=DIGITS, before=st.integers(0, 99), after=st.integers(0, 99))
def test_a_guessed_mark_cuts_nothing(text: str, digits: str, before: int, after: int) -> None:
    forged = f"{text}[zerda:{digits}:{before}:{after}]{text}"
    assert without_own(KEY, forged) == (forged, 0)
