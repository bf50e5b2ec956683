"""Where a text names something."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Spot(NamedTuple):
    """A name in a text: from ``start`` to ``end``, with the type that the words around it tell."""

    start: int
    end: int
    name: str
    key: str
    type: str
    weight: float


def apart(spots: Iterable[Spot]) -> list[Spot]:
    """Those that do not overlap, in the order of the text; of two that do, the longer one."""
    given = sorted((spot for spot in spots if spot.key), key=lambda it: (it.start - it.end, it.start))
    taken = bytearray(max((spot.end for spot in given), default=0))
    kept: list[Spot] = []
    for spot in given:
        if not any(taken[spot.start : spot.end]):
            taken[spot.start : spot.end] = b"\1" * (spot.end - spot.start)
            kept.append(spot)
    return sorted(kept)
