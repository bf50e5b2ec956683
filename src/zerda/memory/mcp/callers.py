"""Whose memory a call is about: settled before it, and never by its arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from zerda.memory import AIMemoryManager

NAMES_SOMEBODY = frozenset({"actor", "principal", "tenant", "tenant_id", "user", "user_id"})
"""Arguments by which a call would name whose memory it wants; no tool has one of them."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A user of a tenant, and the memory as that user may use it."""

    memory: AIMemoryManager
    user_id: str
    tenant_id: str

    @classmethod
    def of(cls, memory: AIMemoryManager, user_id: str, tenant_id: str) -> Caller:
        """The caller whom whoever started the server named: a user acting for themselves."""
        return cls(memory.acting_as(user_id), user_id, tenant_id)

    @property
    def who(self) -> tuple[str, str]:
        """What every verb of the manager asks first."""
        return self.user_id, self.tenant_id

    async def refuse(self, what: str) -> None:
        """Put a refused call into the audit."""
        await self.memory.arecord_refusal(*self.who, f"mcp {what}")

    def names_another(self, arguments: Mapping[str, Any]) -> bool:
        """Whether the arguments say whose memory they want, and it is not the caller's."""
        mine = {self.user_id, f"user:{self.user_id}", self.tenant_id}
        return any(arguments[name] not in mine for name in NAMES_SOMEBODY & arguments.keys())


Whose = Callable[[], Caller]
"""Tells whose call is being served."""
