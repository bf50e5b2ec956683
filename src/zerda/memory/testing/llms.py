"""A language model that says what it was told to say."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from ..errors import LLMError


class ScriptedLLM:
    """Answers from a list, in order, and remembers what it was asked in ``prompts``.

    An exception in the list is raised in its place. Asked beyond the list, it raises `LLMError`.
    """

    def __init__(self, answers: Iterable[str | Exception] = ()) -> None:
        self.prompts: list[str] = []
        self._answers = iter(tuple(answers))
        self._lock = threading.Lock()

    def generate(self, prompt: str, max_tokens: int = 256) -> str:
        """The next answer of the list, whole."""
        with self._lock:
            self.prompts.append(prompt)
            answer = next(self._answers, None)
        if answer is None:
            raise LLMError(f"no answer is left for prompt {len(self.prompts)}; give ScriptedLLM more of them")
        if isinstance(answer, Exception):
            raise answer
        return answer
