"""What every view of a store does alike."""

from collections.abc import Iterable
from dataclasses import replace

from ..core.model import MemoryEntry, Note, Scope
from ..gate import whole_tenant
from ..intake import Intake
from ..storage.base import Store


def outward(entry: MemoryEntry) -> MemoryEntry:
    """The entry as a tier shows it: its metadata tells tenant and user, and what was masked."""
    told = {"tenant_id": entry.tenant_id, "user_id": entry.user_id, "masked": dict(entry.masked) or None}
    known = {key: value for key, value in told.items() if value is not None}
    return replace(entry, metadata={**entry.metadata, **known})


class View:
    """A store, a scope, and what is put in through this door."""

    def __init__(self, store: Store, tenant_id: str, *, scope: Scope | None, intake: Intake) -> None:
        self._store = store
        self._scope = scope or whole_tenant(tenant_id)
        self._intake = intake
        self.tenant_id = self._scope.tenant_id

    def _put(self, note: Note) -> MemoryEntry:
        return self._store.put(self._scope, [self._intake.draft(self._scope, note)])[0]

    @staticmethod
    def _outward(entries: Iterable[MemoryEntry]) -> list[MemoryEntry]:
        return [outward(entry) for entry in entries]
