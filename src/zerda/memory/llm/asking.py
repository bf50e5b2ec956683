"""Asking a language model that somebody else wrote: it answers in time, or there is one kind of error."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ..core.patience import Patience
from ..errors import LLMError

if TYPE_CHECKING:
    from ..core.seams import LLMProtocol


class Asking:
    """Asks one model; one that hangs again and again is left alone for a while. For any number of threads."""

    def __init__(self, llm: LLMProtocol) -> None:
        self._llm = llm
        self._patience = Patience("the language model", LLMError)

    def ask(self, prompt: str, max_tokens: int = 256, *, seconds: float) -> str:
        """The model's answer; `LLMError` where it fails, is slower than ``seconds``, or gives no text.

        The error names the kind of failure and carries no text.
        """
        answer: object = self._patience.wait_for(partial(self._llm.generate, prompt, max_tokens), seconds)
        if not isinstance(answer, str):
            raise LLMError(f"the language model answered with a {type(answer).__name__}; it is text")
        return answer
