"""A model of somebody else's answers in time, or there is one kind of error that carries no text."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from zerda.memory import LLMError
from zerda.memory.llm.asking import Asking
from zerda.memory.testing import ScriptedLLM


class Answering:
    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def generate(self, prompt: str, max_tokens: int = 256) -> Any:
        return self.answer


class Stuck:
    def __init__(self) -> None:
        self.released = threading.Event()

    def generate(self, prompt: str, max_tokens: int = 256) -> str:
        self.released.wait(30)
        return "too late"


def test_an_answer_comes_back() -> None:
    llm = ScriptedLLM(["yes"])
    assert Asking(llm).ask("really?", seconds=30) == "yes"
    assert llm.prompts == ["really?"]


@pytest.mark.parametrize(
    "error", [ValueError("secret"), KeyError("secret"), OSError("secret"), LLMError("down")]
)
def test_whatever_it_raises_is_one_kind_of_error(error: Exception) -> None:
    with pytest.raises(LLMError) as raised:
        Asking(ScriptedLLM([error])).ask("x", seconds=30)
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("answer", [None, 7, b"x", ["x"]])
def test_an_answer_that_is_no_text_is_an_error(answer: Any) -> None:
    with pytest.raises(LLMError, match="it is text"):
        Asking(Answering(answer)).ask("x", seconds=30)


def test_one_that_is_too_slow_is_left_behind() -> None:
    llm = Stuck()
    with pytest.raises(LLMError, match="no answer within"):
        Asking(llm).ask("x", seconds=0.01)
    llm.released.set()
