"""What backends do alike to entries on their way in."""

from __future__ import annotations

import hashlib
import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.rules.matching import reads
from ..core.rules.time import new_session
from ..core.rules.tombstones import not_free
from ..errors import EntryConflict, InvalidInput
from .sql import Params

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.model import MemoryEntry, Scope


@dataclass(slots=True)
class Session:
    """A session while entries join it: where its next passage goes, and when its last entry was said."""

    code: int
    session_id: str
    next_position: int
    last_at: datetime | None

    def take(self, count: int) -> range:
        """The next positions."""
        first = self.next_position
        self.next_position += count
        return range(first, first + count)


def same(scope: Scope, kept: MemoryEntry, given: MemoryEntry) -> bool:
    """Whether what is kept under an id is what is given, and within reach."""
    return reads(scope, kept) and kept.content_hash == given.content_hash


def conflict(scope: Scope, kept: MemoryEntry) -> EntryConflict:
    """Why an id cannot be given again; of an entry out of reach nothing is told."""
    if reads(scope, kept):
        return EntryConflict(f"the id {kept.id!r} is taken by other content; use another id")
    return not_free(kept.id)


class Joining(ABC):
    """Finds the session of each entry within a call."""

    _sessions: dict[tuple[int, str], Session]
    _current: dict[int, Session]

    def _session(self, owner: int, entry: MemoryEntry, gap: timedelta) -> Session:
        """The entry's session: the one it names, the one it joins, or a new one; the entry is its last."""
        session = (
            self._join(owner, entry, gap)
            if entry.session_id is None
            else self._named(owner, entry.session_id, derived=False)
        )
        session.last_at = entry.occurred_at
        return session

    def _join(self, owner: int, entry: MemoryEntry, gap: timedelta) -> Session:
        session = self._current.get(owner) or self._running(owner)
        if session is None or new_session(session.last_at, entry.occurred_at, gap):
            session = self._named(owner, derived_session_id(entry), derived=True)
            self._make_current(owner, session)
        else:
            session = self._sessions.setdefault((owner, session.session_id), session)
        self._current[owner] = session
        return session

    def _named(self, owner: int, session_id: str, *, derived: bool) -> Session:
        if (owner, session_id) not in self._sessions:
            known = self._known(owner, session_id)
            self._sessions[owner, session_id] = known or self._begin(owner, session_id, derived)
        return self._sessions[owner, session_id]

    @abstractmethod
    def _running(self, owner: int) -> Session | None:
        """The derived session that an entry of this owner may join."""

    @abstractmethod
    def _known(self, owner: int, session_id: str) -> Session | None:
        """The owner's session of this name, where it is kept."""

    @abstractmethod
    def _begin(self, owner: int, session_id: str, derived: bool) -> Session:
        """A new session, kept."""

    @abstractmethod
    def _make_current(self, owner: int, session: Session) -> None:
        """Let entries without a session join this one."""


def derived_session_id(entry: MemoryEntry) -> str:
    """The name of the session that this entry begins: short, and nobody's id."""
    return "auto-" + hashlib.blake2b(repr((entry.tenant_id, entry.id)).encode(), digest_size=8).hexdigest()


def as_read(entry: MemoryEntry, params: Params) -> dict[str, Any]:
    """The entry's mappings as JSON gives them back, and nobody else's."""
    if isinstance(entry.content, str) and not entry.metadata and not entry.masked:
        return {"metadata": {}, "masked": {}}
    return {name: json.loads(params[name]) for name in ("content", "metadata", "masked")}


def halves(vectors: NDArray[Any], count: int) -> NDArray[np.float16]:
    """Vectors as they are kept: a row for each of ``count`` passages, in float16."""
    if vectors.ndim != 2 or len(vectors) != count:
        raise InvalidInput(f"vectors have the shape {vectors.shape}; {count} rows were expected")
    return np.ascontiguousarray(vectors, dtype="<f2")
