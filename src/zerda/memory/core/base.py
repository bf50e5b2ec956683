"""What a chat memory and a retriever promise: the abstract classes, and their awaitable twins once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from .aio import awaitable


class BaseMemory(ABC):
    """A memory of one conversation: what went in and came out, and what a prompt should know of it.

    The twins ``asave_context``, ``aload_memory_variables`` and ``aclear`` follow an override.
    """

    @property
    @abstractmethod
    def memory_variables(self) -> list[str]:
        """The keys that `load_memory_variables` answers with."""

    @abstractmethod
    def save_context(self, inputs: Mapping[str, Any], outputs: Mapping[str, Any]) -> None:
        """Keep one turn."""

    @abstractmethod
    def load_memory_variables(self, inputs: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What a prompt should know before it answers ``inputs``."""

    @abstractmethod
    def clear(self) -> None:
        """Forget the conversation for ever."""

    asave_context = awaitable(save_context)
    aload_memory_variables = awaitable(load_memory_variables)
    aclear = awaitable(clear)


class BaseRetriever(ABC):
    """Takes documents in and finds those that answer a question."""

    @abstractmethod
    def add_documents(self, documents: Sequence[Any]) -> None:
        """Take documents in."""

    @abstractmethod
    def get_relevant_documents(self, query: str) -> list[Any]:
        """The documents that answer the question, best first; nothing is a normal answer."""

    aadd_documents = awaitable(add_documents)
    aget_relevant_documents = awaitable(get_relevant_documents)
