"""Chat memories that give back what was said: all of it, or the last turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..core.base import BaseMemory
from ..core.model import MemoryEntry
from ..core.rules.chunking import parts
from ..errors import ConfigError
from .turns import Turns, picked

if TYPE_CHECKING:
    from ..core.seams import Clock
    from ..storage.base import Store


class ConversationBufferMemory(BaseMemory):
    """A whole conversation, word for word.

    `load_memory_variables` answers ``{memory_key: text}``, a line a turn's part behind ``human_prefix`` and
    ``ai_prefix``; with ``return_messages`` a list of ``{"role", "content"}``, which the caller may change.

    Args:
        input_key, output_key: under which `save_context` finds the texts; None takes the only key.
        store, tenant_id, user_id, session_id: where it is kept; without a store, in this process. Without a
            ``user_id`` it is that of a user named "default".
    """

    def __init__(
        self,
        return_messages: bool = False,
        input_key: str | None = "input",
        output_key: str | None = "output",
        memory_key: str = "history",
        *,
        human_prefix: str = "user",
        ai_prefix: str = "assistant",
        store: Store | None = None,
        tenant_id: str = "default",
        user_id: str | None = None,
        session_id: str = "conversation",
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        self.return_messages = return_messages
        self.input_key = input_key
        self.output_key = output_key
        self.memory_key = memory_key
        self.human_prefix = human_prefix
        self.ai_prefix = ai_prefix
        self._turns = Turns(store, tenant_id=tenant_id, user_id=user_id, session_id=session_id, clock=clock)

    @property
    def memory_variables(self) -> list[str]:
        """The one key that is answered."""
        return [self.memory_key]

    def save_context(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
        """Keep one turn; `InvalidInput` where a text is missing."""
        said = picked(inputs, self.input_key, "inputs")
        self._turns.add(said, picked(outputs, self.output_key, "outputs"))

    def load_memory_variables(self, inputs: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What was said, oldest first."""
        return {self.memory_key: self._shown(self._remembered())}

    def get_messages(self, limit: int | None = None) -> list[dict[str, Any]]:
        """The last ``limit`` turns (all without one) as dicts of input, output, timestamp, oldest first."""
        entries = self._turns.all() if limit is None else self._turns.newest(limit)
        return [{**dict(parts(entry.content)), "timestamp": entry.occurred_at} for entry in entries]

    def get_memory_stats(self) -> dict[str, Any]:
        """The type and the number of turns."""
        return {"type": type(self).__name__, "turns": self._turns.count(), "memory_key": self.memory_key}

    def clear(self) -> None:
        """Erase the conversation for ever."""
        self._turns.clear()

    def _remembered(self) -> list[MemoryEntry]:
        return self._turns.all()

    def _shown(self, entries: Sequence[MemoryEntry]) -> str | list[dict[str, str]]:
        said = [pair for entry in entries for pair in parts(entry.content)]
        if self.return_messages:
            roles = {"input": "user", "output": "assistant"}
            return [{"role": roles[role], "content": text} for role, text in said]
        prefixes = {"input": self.human_prefix, "output": self.ai_prefix}
        return "\n".join(f"{prefixes[role]}: {text}" for role, text in said)


class ConversationBufferWindowMemory(ConversationBufferMemory):
    """The last ``k`` turns of a conversation; the others stay kept, they are only not shown."""

    def __init__(self, k: int = 5, **settings: Any) -> None:
        if k < 1:
            raise ConfigError(f"k is {k!r}; it is at least 1")
        super().__init__(**settings)
        self.k = k

    def get_window_info(self) -> dict[str, Any]:
        """``k``, how many turns there are, and how many of them are shown."""
        turns = self._turns.count()
        return {"k": self.k, "turns": turns, "shown": min(self.k, turns)}

    def _remembered(self) -> list[MemoryEntry]:
        return self._turns.newest(self.k)
