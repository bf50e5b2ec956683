"""A chat memory that folds what is long ago into a summary."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..core.model import MemoryEntry
from ..core.rules.budget import Count
from ..core.rules.tokens import estimate_tokens
from ..errors import ConfigError, LLMError
from ..llm.asking import Asking
from .buffer import ConversationBufferMemory

if TYPE_CHECKING:
    from ..core.seams import LLMProtocol

log = logging.getLogger(__name__)

PROMPT = """
Summarise this conversation in a few sentences. Keep names, numbers, dates and decisions. Invent nothing.
""".strip()
RECENT = "The recent conversation:"


class ConversationSummaryMemory(ConversationBufferMemory):
    """A summary of the earlier conversation, and the later turns word for word.

    When both together exceed ``max_token_limit``, the older turns are folded into the summary, until the
    turns that are left take half of it. A model that fails changes nothing: every turn is still shown,
    ``last_error`` tells why, and the next turn tries again. Folded turns stay kept in the store.
    """

    def __init__(
        self,
        llm: LLMProtocol,
        max_token_limit: int = 2_000,
        *,
        summary_prompt_template: str = PROMPT,
        count: Count = estimate_tokens,
        time_limit_seconds: float = 30.0,
        **settings: Any,
    ) -> None:
        if max_token_limit < 1:
            raise ConfigError(f"max_token_limit is {max_token_limit!r}; it is at least 1")
        super().__init__(**settings)
        self.llm = llm
        self.max_token_limit = max_token_limit
        self.last_error: LLMError | None = None
        self._prompt = summary_prompt_template
        self._count = count
        self._asking = Asking(llm)
        self._seconds = time_limit_seconds

    def save_context(self, inputs: Any, outputs: Any) -> None:
        """Keep one turn, then fold if there is too much."""
        super().save_context(inputs, outputs)
        if self._tokens(self._remembered()) > self.max_token_limit:
            self.force_summarize(keep_tokens=self.max_token_limit // 2)

    def load_memory_variables(self, inputs: Any = None) -> dict[str, Any]:
        """Summary and later turns; with ``return_messages`` the summary is a message of the system."""
        summary, turns = self.get_summary(), self._shown(self._remembered())
        if not summary:
            return {self.memory_key: turns}
        if isinstance(turns, list):
            return {self.memory_key: [{"role": "system", "content": summary}, *turns]}
        return {self.memory_key: f"{summary}\n\n{RECENT}\n{turns}" if turns else summary}

    def get_summary(self) -> str:
        """The summary; empty before there is one."""
        summary = self._turns.summary()
        return summary.text if summary else ""

    def force_summarize(self, *, keep_tokens: int = 0) -> bool:
        """Fold the older turns, all but the last ``keep_tokens``, into the summary; whether it was done."""
        turns = self._remembered()
        folded = turns[: self._older(turns, keep_tokens)]
        if not folded:
            return False
        try:
            text = self._asking.ask(self._asked(folded), self._room(), seconds=self._seconds).strip()
            if not text or self._count(text) > 4 * self._room():
                raise LLMError("the language model gave no summary, or one that is longer than it may be")
        except LLMError as error:
            self.last_error = error
            log.warning("the conversation stays as it is: %s", error)
            return False
        self.last_error = None
        self._turns.add_summary(text, folded[-1].seq)
        return True

    def _remembered(self) -> list[MemoryEntry]:
        return self._turns.all(after=self._turns.folded())

    def _asked(self, folded: Sequence[MemoryEntry]) -> str:
        said = "\n".join(entry.text for entry in folded)
        before = self.get_summary()
        return "\n\n".join([self._prompt, *([f"So far: {before}"] if before else []), said])

    def _older(self, turns: Sequence[MemoryEntry], keep_tokens: int) -> int:
        """How many turns, from the oldest on, do not fit into what is kept."""
        kept = 0
        while kept < len(turns) and self._tokens(turns[len(turns) - kept - 1 :]) <= keep_tokens:
            kept += 1
        return len(turns) - kept

    def _tokens(self, turns: Sequence[MemoryEntry]) -> int:
        return self._count(self.get_summary()) + sum(self._count(entry.text) for entry in turns)

    def _room(self) -> int:
        return max(32, self.max_token_limit // 4)
