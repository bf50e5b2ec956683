"""Asking a language model that somebody else wrote: it answers in time, or there is one kind of error."""

from __future__ import annotations

import queue
import threading
from typing import TYPE_CHECKING

from ..errors import LLMError

if TYPE_CHECKING:
    from ..core.seams import LLMProtocol


def ask(llm: LLMProtocol, prompt: str, *, max_tokens: int = 256, seconds: float) -> str:
    """The model's answer; `LLMError` where it fails, is slower than ``seconds``, or gives no text.

    A call that is too slow is left behind in a thread of its own: it cannot be stopped, and its answer is
    dropped. The error names the kind of failure and carries no text.
    """
    outcome: queue.SimpleQueue[object] = queue.SimpleQueue()
    worker = threading.Thread(
        target=_work, args=(llm, prompt, max_tokens, outcome), name="zerda-llm", daemon=True
    )
    worker.start()
    try:
        answer = outcome.get(timeout=seconds)
    except queue.Empty:
        raise LLMError(f"the language model gave no answer within {seconds:g} s") from None
    if isinstance(answer, LLMError):
        raise answer
    if isinstance(answer, BaseException):
        raise LLMError(f"the language model failed with {type(answer).__name__}") from None
    if not isinstance(answer, str):
        raise LLMError(f"the language model answered with a {type(answer).__name__}; it is text")
    return answer


def _work(llm: LLMProtocol, prompt: str, max_tokens: int, outcome: queue.SimpleQueue[object]) -> None:
    try:
        outcome.put(llm.generate(prompt, max_tokens))
    except Exception as error:  # noqa: BLE001 - another's code; whatever comes of it is handed over
        outcome.put(error)
