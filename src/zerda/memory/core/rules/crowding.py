"""So that no many, and no loud, take the places of the few: near copies, and shares of a context."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import floor
from typing import TYPE_CHECKING, Generic, TypeVar

from ..model import TRUSTS
from .trusting import source_of, trusted_from

if TYPE_CHECKING:
    from ..model import MemoryEntry, Trust

T = TypeVar("T")

NEAR = 0.8
"""Share of common words from which two texts are near copies (our own choice: a page with another date)."""

FEWEST_WORDS = 4
"""Of shorter texts equal words say little: "yes" is said of many things."""

PLACES_OF_TRUSTED = 3
"""Near copies that users said keep so many places: a correction differs from what it corrects by a word."""


@dataclass(frozen=True, slots=True)
class Said:
    """The different words of a text, and how far it is trusted."""

    words: frozenset[str]
    trust: Trust = "user"


@dataclass(slots=True)
class Place(Generic[T]):
    """What takes a place, and what gave up its own to it: ``copies`` for good, ``beside`` if others ask."""

    one: T
    said: Said
    copies: list[T] = field(default_factory=list)
    beside: list[T] = field(default_factory=list)
    near: int = 0


def collapsed(ranked: Iterable[T], said: Callable[[T], Said], most: int) -> list[Place[T]]:
    """The best, in order, at most ``most``; a near copy of a better one gives up its place to it.

    Something trusted gives way to nothing that is less so. Of trusted near copies that are not the same
    words, three keep their places, and more stand ``beside`` them, for the places that nobody else takes.
    """
    places: list[Place[T]] = []
    for one in ranked:
        if len(places) == most:
            break
        mine = said(one)
        found = next((place for place in places if _is_near(mine, place.said)), None)
        if found is None:
            places.append(Place(one, mine))
        elif mine.words == found.said.words or not trusted_from("user", mine.trust):
            found.copies.append(one)
        elif (near := found.near + 1) < PLACES_OF_TRUSTED:
            found.near = near
            places.append(Place(one, mine))
        else:
            found.beside.append(one)
    return places


def refilled(places: Sequence[Place[T]], most: int) -> list[Place[T]]:
    """The places with what stands beside them behind, as far as there is room."""
    beside = [Place(one, place.said) for place in places for one in place.beside]
    return [*places, *beside[: max(0, most - len(places))]]


def _is_near(mine: Said, theirs: Said) -> bool:
    return TRUSTS.index(theirs.trust) <= TRUSTS.index(mine.trust) and near_copies(mine, theirs)


def near_copies(one: Said, other: Said) -> bool:
    """Whether two texts have nearly the same words."""
    fewer, more = sorted((len(one.words), len(other.words)))
    if fewer < FEWEST_WORDS or fewer < NEAR * more:
        return False
    common = len(one.words & other.words)
    return common >= NEAR * (fewer + more - common)


@dataclass(frozen=True, slots=True)
class Shares:
    """How much of a context what is not trusted may take."""

    per_source: int = 3
    untrusted: float = 0.5


def admitted(
    ranked: Sequence[MemoryEntry], shares: Shares, most: int
) -> tuple[list[MemoryEntry], dict[str, str]]:
    """The entries that get a place, in order, and why others do not, by id.

    A source has ``per_source`` places at the most. What is untrusted has its share of the places, and of
    the rest what trusted entries leave.
    """
    chosen: dict[str, MemoryEntry] = {}
    refused: dict[str, str] = {}
    sources: Counter[str] = Counter()
    waiting: list[MemoryEntry] = []
    untrusted = 0
    for entry in ranked:
        source = source_of(entry)
        if trusted_from("user", entry.trust):
            chosen[entry.id] = entry
        elif source is not None and sources[source] >= shares.per_source:
            refused[entry.id] = f"{shares.per_source} of its source are enough"
        else:
            sources[source or ""] += source is not None
            if untrusted < max(1, floor(shares.untrusted * most)):
                chosen[entry.id] = entry
                untrusted += 1
            else:
                waiting.append(entry)
                refused[entry.id] = "enough is untrusted"
        if len(chosen) == most:
            break
    for entry in waiting[: max(0, most - len(chosen))]:
        chosen[entry.id] = entry
        del refused[entry.id]
    return [entry for entry in ranked if entry.id in chosen], refused
