"""Any endpoint that speaks OpenAI's ``/chat/completions``: Ollama, llama.cpp, vLLM, LM Studio, providers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from ..errors import ConfigError, LLMError
from ..http import Endpoint, Pace

Message = Mapping[str, Any]
"""``{"role": "user", "content": "…"}``; further keys are passed on as they are."""


class OpenAICompatibleLLM:
    """A language model behind an endpoint; keeps `zerda.memory.LLMProtocol`. Used by any number of threads.

    What it is given leaves this machine for ``base_url``, the part before ``/chat/completions`` (without a
    path, ``/v1`` is meant). A call fails within about ``timeout_seconds``, all tries included.

    Args:
        temperature: None leaves it to the server; some models refuse any.
        limit_name: how the endpoint wants the bound on the answer called; OpenAI's own newer models
            know only "max_completion_tokens".

    Raises:
        LLMError: for every failure; the message tells the host and what went wrong, and no text.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None = None,
        *,
        timeout_seconds: float = 60.0,
        temperature: float | None = None,
        limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens",
        pace: Pace | None = None,
    ) -> None:
        if not model:
            raise ConfigError("the model of an LLM endpoint is ''; name one that it serves")
        self._endpoint = Endpoint(
            base_url, error=LLMError, api_key=api_key, timeout_seconds=timeout_seconds, pace=pace
        )
        self._model = model
        self._temperature = temperature
        self._limit_name = limit_name

    def generate(self, prompt: str, max_tokens: int = 256) -> str:
        """The answer to one prompt."""
        return self.chat([{"role": "user", "content": prompt}], max_tokens)

    def chat(self, messages: Sequence[Message], max_tokens: int = 256) -> str:
        """The answer to a conversation."""
        answer = self._endpoint.post("/chat/completions", self._body(messages, max_tokens))
        text = _field(_choice(answer), "message", "content")
        if not isinstance(text, str):
            raise LLMError(f"{self._who} answered without a text")
        return text

    def stream(self, messages: Sequence[Message], max_tokens: int = 256) -> Iterator[str]:
        """The answer in pieces as they come; here ``timeout_seconds`` bounds each silence.

        Leaving the loop early closes the connection when the generator is closed. An answer that breaks
        off raises `LLMError` after the pieces that came.
        """
        body = {**self._body(messages, max_tokens), "stream": True}
        finished = False
        for event in self._events(body):
            choice = _choice(event)
            if isinstance(piece := _field(choice, "delta", "content"), str) and piece:
                yield piece
            finished = finished or _field(choice, "finish_reason") is not None
        if not finished:
            raise LLMError(f"{self._who} broke off its answer")

    @property
    def _who(self) -> str:
        return f"the model {self._model} at {self._endpoint.where}"

    def _body(self, messages: Sequence[Message], max_tokens: int) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self._model, "messages": [dict(message) for message in messages]}
        body[self._limit_name] = max_tokens
        if self._temperature is not None:
            body["temperature"] = self._temperature
        return body

    def _events(self, body: Mapping[str, Any]) -> Iterator[Any]:
        """The JSON of each server-sent event up to ``[DONE]``, which counts as a finish."""
        for line in self._endpoint.lines("/chat/completions", body):
            name, _, data = line.strip().partition(b":")
            if name != b"data":  # Comments keep a connection alive; other fields do not concern us.
                continue
            if data.strip() == b"[DONE]":
                yield {"choices": [{"finish_reason": "done"}]}
                return
            yield self._event(data)

    def _event(self, data: bytes) -> Any:
        event = _parsed(data)
        if event is None:
            raise LLMError(f"{self._who} streamed something that is not JSON")
        if _field(event, "error") is not None:
            raise LLMError(f"{self._who} reported an error amid its answer")
        return event


def _parsed(data: bytes) -> Any:
    """None for what is not JSON; the parser's own error would carry the answer."""
    try:
        return json.loads(data)
    except ValueError:
        return None


def _choice(answer: Any) -> Any:
    choices = _field(answer, "choices")
    return choices[0] if isinstance(choices, list) and choices else None


def _field(value: Any, *names: str) -> Any:
    """What lies under these names, one within the other; None where the path ends early."""
    for name in names:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
