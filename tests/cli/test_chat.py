"""``zerda chat`` against a real endpoint on this machine."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from command_runs import Ran, Run

from loopback import Loopback, Raw, Received


@pytest.fixture
def chat(run: Run, loopback: Loopback) -> Run:
    """Types lines into a chat, to which the model gives these answers in turn; or else it refuses."""

    def chat(typed: str, *args: str, answers: Sequence[str] = ()) -> Ran:
        loopback.answers = [says(answer) for answer in answers] or [Raw(b"{}", status=400)]
        return run("chat", "--base-url", f"{loopback.url}/v1", "--model", "m", *args, input=typed)

    return chat


def says(text: str) -> Callable[[Received], Any]:
    return lambda received: {"choices": [{"message": {"role": "assistant", "content": text}}]}


def test_it_answers_and_remembers_what_was_said(run: Run, chat: Run) -> None:
    ran = chat("I play the cello.\n\nWhat do I play?\n", answers=["How lovely!", "The cello."])
    assert (ran.code, ran.out) == (0, "How lovely!\nThe cello.\n")
    texts = [record["content"] for record in run("list", "--json").records]
    assert texts == [
        {"input": "What do I play?", "output": "The cello."},
        {"input": "I play the cello.", "output": "How lovely!"},
    ]


def test_the_model_is_told_what_is_remembered(run: Run, chat: Run, loopback: Loopback, talk: Path) -> None:
    run("import", str(talk))
    chat("hazelnuts?\n", "--system", "Speak like a pirate.", "--max-tokens", "7", answers=["Hazelnuts."])
    [received] = loopback.requests
    asked = received.body
    assert (received.path, asked["model"], asked["max_tokens"]) == ("/v1/chat/completions", "m", 7)
    assert asked["messages"][0]["content"].startswith("Speak like a pirate.")
    assert "allergic to hazelnuts" in json.dumps(asked["messages"])
    assert asked["messages"][-1] == {"role": "user", "content": "hazelnuts?"}


def test_the_key_comes_from_the_environment_alone(
    chat: Run, loopback: Loopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    chat("one\n", answers=["a"])
    monkeypatch.setenv("ZERDA_API_KEY", "secret")
    chat("two\n", answers=["b"])
    keys = [received.headers.get("Authorization") for received in loopback.requests]
    assert keys == [None, "Bearer secret"]


def test_json_is_a_line_for_each_turn(chat: Run) -> None:
    first, second = chat("one\ntwo\n", "--json", "--session", "s", answers=["a", "b"]).records
    assert (first["input"], first["output"]) == ("one", "a")
    assert second["tokens"] > 0


def test_an_answer_does_not_drive_the_terminal(chat: Run) -> None:
    assert chat("hi\n", answers=["\x1b[31mred\x1b]0;owned\x07"]).out == "red\n"


def test_where_no_one_answers_what_was_said_is_kept(run: Run, chat: Run) -> None:
    ran = chat("I play the cello.\n")
    assert ran.code == 1
    assert ran.err.startswith("zerda: ")
    assert "Traceback" not in ran.err
    assert [record["text"] for record in run("list", "--json").records] == ["I play the cello."]


def test_it_wants_an_endpoint_and_a_model(run: Run) -> None:
    assert run("chat", "--model", "m", input="").code == 2
    assert run("chat", "--base-url", "http://127.0.0.1:1/v1", input="").code == 2
