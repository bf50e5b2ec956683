"""What an entry is when it travels between stores: with its versions, its places, its vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .model import Draft, MemoryEntry

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Place:
    """Where a passage lies: its characters in a part of the entry, and its position in the session."""

    role: str
    start: int
    end: int
    position: int


@dataclass(frozen=True, slots=True)
class Carried:
    """An entry on its way from one store into another.

    ``former`` are its former versions, oldest first. ``derived_session`` says that we named its session;
    ``current_session`` that an entry without one would join it. ``vectors`` has a row for each place, all
    of one ``fingerprint``, or is None. ``draft`` is what a store is given: made by whoever carries in.
    """

    entry: MemoryEntry
    former: tuple[MemoryEntry, ...] = ()
    places: tuple[Place, ...] = ()
    derived_session: bool = False
    current_session: bool = False
    vectors: NDArray[Any] | None = None
    fingerprint: str | None = None
    draft: Draft | None = None
