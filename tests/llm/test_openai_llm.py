"""A chat model behind an endpoint: whole answers, streams, and every way to fail."""

from __future__ import annotations

import json
import traceback
from typing import Any

import pytest

from loopback import Loopback, Raw, Received, chain
from zerda.memory.core.seams import LLMProtocol
from zerda.memory.errors import ConfigError, LLMError
from zerda.memory.http import Pace
from zerda.memory.llm import OpenAICompatibleLLM

SECRET = "the vault opens at noon"
ONCE = Pace(attempts=1)


def says(text: object) -> dict[str, Any]:
    return {"choices": [{"message": {"role": "assistant", "content": text}, "finish_reason": "stop"}]}


def echo(received: Received) -> dict[str, Any]:
    return says(received.body["messages"][-1]["content"].upper())


def events(*pieces: str, end: str = "data: [DONE]\n\n") -> Raw:
    deltas = [json.dumps({"choices": [{"delta": {"content": piece}}]}) for piece in pieces]
    body = ": keep-alive\n\n" + "".join(f"data: {delta}\r\n\r\n" for delta in deltas) + end
    return Raw(
        body.encode(), headers={"Content-Type": "text/event-stream", "Connection": "close"}, announced=None
    )


def model(loopback: Loopback, **options: Any) -> OpenAICompatibleLLM:
    return OpenAICompatibleLLM(loopback.url, "tiny", "sk-key", pace=ONCE, **options)


def test_it_keeps_the_protocol(loopback: Loopback) -> None:
    assert isinstance(model(loopback), LLMProtocol)


def test_a_prompt_is_answered(loopback: Loopback) -> None:
    loopback.answers = [echo]
    assert model(loopback).generate("hello", max_tokens=7) == "HELLO"
    (request,) = loopback.requests
    assert request.path == "/v1/chat/completions"
    assert request.headers["Authorization"] == "Bearer sk-key"
    assert request.body == {
        "model": "tiny", "messages": [{"role": "user", "content": "hello"}], "max_tokens": 7,
    }  # fmt: skip


def test_a_conversation_is_answered(loopback: Loopback) -> None:
    loopback.answers = [echo]
    messages = [{"role": "system", "content": "Shout."}, {"role": "user", "content": "hello"}]
    assert model(loopback, temperature=0.0).chat(messages) == "HELLO"
    assert loopback.requests[0].body["messages"] == messages
    assert loopback.requests[0].body["temperature"] == 0.0


def test_newer_models_get_the_limit_under_its_newer_name(loopback: Loopback) -> None:
    loopback.answers = [echo]
    model(loopback, limit_name="max_completion_tokens").generate("hello", 9)
    assert loopback.requests[0].body["max_completion_tokens"] == 9
    assert "max_tokens" not in loopback.requests[0].body


def test_a_stream_comes_in_pieces(loopback: Loopback) -> None:
    loopback.answers = [events("Hel", "", "lo ", "ö 日本")]
    pieces = list(model(loopback).stream([{"role": "user", "content": "hello"}]))
    assert pieces == ["Hel", "lo ", "ö 日本"]
    assert loopback.requests[0].body["stream"] is True


def test_a_stream_may_end_with_a_reason_instead_of_done(loopback: Loopback) -> None:
    reason = json.dumps({"choices": [{"delta": {}, "finish_reason": "length"}]})
    loopback.answers = [events("Hello", end=f"data: {reason}\n\n")]
    assert list(model(loopback).stream([])) == ["Hello"]


def test_what_comes_after_the_end_of_a_stream_is_not_read(loopback: Loopback) -> None:
    loopback.answers = [events("Hello", end="data: [DONE]\n\ndata: {broken\n\n")]
    assert list(model(loopback).stream([])) == ["Hello"]


def test_a_usage_event_without_choices_is_passed_over(loopback: Loopback) -> None:
    loopback.answers = [events("Hello", end='data: {"choices": [], "usage": {}}\n\ndata: [DONE]\n\n')]
    assert list(model(loopback).stream([])) == ["Hello"]


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("", "broke off"),
        ('data: {"the vault opens at noon\n\n', "not JSON"),
        ('data: {"error": {"message": "the vault opens at noon"}}\n\n', "reported an error"),
    ],
)  # fmt: skip
def test_a_stream_that_fails_gives_what_came_and_then_an_error(
    end: str, told: str, loopback: Loopback
) -> None:
    loopback.answers = [events("Hel", end=end)]
    stream = model(loopback).stream([])
    assert next(stream) == "Hel"
    with pytest.raises(LLMError, match=told) as caught:
        next(stream)
    assert not any(SECRET in f"{error} {vars(error)}" for error in chain(caught.value))


def test_leaving_a_stream_early_closes_it(loopback: Loopback) -> None:
    loopback.answers = [events("Hel", "lo")]
    stream = model(loopback).stream([])
    assert next(stream) == "Hel"
    stream.close()
    assert list(stream) == []


def test_a_stream_is_tried_again_only_before_it_begins(loopback: Loopback) -> None:
    loopback.answers = [Raw(status=503), events("Hello")]
    patient = OpenAICompatibleLLM(loopback.url, "tiny", pace=Pace(sleep=lambda seconds: None))
    assert list(patient.stream([])) == ["Hello"]
    assert len(loopback.requests) == 2


@pytest.mark.parametrize(
    "answer",
    [
        lambda received: {"choices": []},
        lambda received: says(None),
        lambda received: [received.body["messages"]],
        lambda received: Raw(f"<html>{received.body}</html>".encode()),
        lambda received: Raw(json.dumps(received.body).encode(), status=400),
        lambda received: Raw(json.dumps(received.body).encode(), status=500),
        Raw(b'{"choices": [', announced=50),
        Raw(status=302, headers={"Location": "http://127.0.0.1:9/"}),
    ],
    ids=["no choices", "no text", "a list", "HTML", "400", "500", "half", "redirect"],
)
def test_a_bad_answer_is_an_llm_error_without_the_text(answer: Any, loopback: Loopback) -> None:
    loopback.answers = [answer]
    with pytest.raises(LLMError) as caught:
        model(loopback).generate(SECRET)
    told = "".join(traceback.format_exception(caught.value))
    told += "".join(f"{error} {vars(error)} {getattr(error, 'doc', '')}" for error in chain(caught.value))
    assert SECRET not in told
    assert "sk-key" not in told


def test_a_silent_server_is_given_up(loopback: Loopback) -> None:
    loopback.answers = [loopback.hang]
    with pytest.raises(LLMError, match="did not answer in time"):
        model(loopback, timeout_seconds=0.05).generate("hello")


def test_a_lone_surrogate_is_no_obstacle(loopback: Loopback) -> None:
    loopback.answers = [echo]
    assert model(loopback).generate("a\ud800b") == "A?B"


def test_a_model_needs_a_name() -> None:
    with pytest.raises(ConfigError, match="name one"):
        OpenAICompatibleLLM("http://localhost", "")
