"""What is left of a log, by a simulated clock: how much a forgetting mechanism archives, and of what."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from zerda.memory import ForgettingMechanism, MemoryEntry

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)

CLASSES: Mapping[str, tuple[float, float]] = {
    "small talk": (0.0, 0.2),
    "ordinary": (0.3, 0.5),
    "worth keeping": (0.6, 0.7),
    "important": (0.8, 1.0),
}
"""Bounds of importance, and in `WEIGHTS` how much of a log falls between them."""

WEIGHTS = (0.25, 0.5, 0.15, 0.10)
PER_DAY = 6  # Exchanges; a person who talks to an assistant most days.
USED_AGAIN = 0.1  # Share of days on which something former is needed, for each entry of the day.


@dataclass(frozen=True, slots=True)
class Left:
    """Of a class of entries: how many were said, how many are live, and how many of them were ever used."""

    said: int
    live: int
    used: int

    @property
    def share(self) -> float:
        """The live part."""
        return self.live / self.said if self.said else 1.0


def what_is_left(days: int, forgetting: ForgettingMechanism, *, seed: int = 1) -> dict[str, Left]:
    """Talk for so many days, let what fades fade once a week, and count, by class of importance."""
    chance = random.Random(seed)
    live: list[MemoryEntry] = []
    said: dict[str, int] = dict.fromkeys(CLASSES, 0)
    for day in range(days):
        now = START + day * DAY
        today = [_entry(chance, now, number) for number in range(PER_DAY)]
        for entry in today:
            said[class_of(entry)] += 1
        live = _used([*live, *today], chance, now)
        if day % 7 == 6:
            live = [entry for entry in live if not forgetting.faded(entry, now)]
    return {
        name: Left(
            said[name],
            sum(class_of(entry) == name for entry in live),
            sum(class_of(entry) == name and entry.access_count > 0 for entry in live),
        )
        for name in CLASSES
    }


def class_of(entry: MemoryEntry) -> str:
    """The class that an entry's importance falls into."""
    return next(name for name, (_, high) in CLASSES.items() if entry.importance <= high)


def table(settings: Iterable[tuple[str, ForgettingMechanism]], days: Iterable[int] = (30, 180, 720)) -> str:
    """The shares that are left, as Markdown."""
    lines = ["| curve | days | " + " | ".join(CLASSES) + " |", "|---|---|" + "---|" * len(CLASSES)]
    for name, forgetting in settings:
        for count in days:
            left = what_is_left(count, forgetting)
            lines.append(
                f"| {name} | {count} | " + " | ".join(f"{it.share:.0%}" for it in left.values()) + " |"
            )
    return "\n".join(lines)


def _entry(chance: random.Random, now: datetime, number: int) -> MemoryEntry:
    low, high = chance.choices(list(CLASSES.values()), WEIGHTS)[0]
    return MemoryEntry(
        id=f"{now.date()}-{number}",
        tenant_id="simulated",
        content="",
        occurred_at=now,
        recorded_at=now,
        importance=round(chance.uniform(low, high), 2),
    )


def _used(live: list[MemoryEntry], chance: random.Random, now: datetime) -> list[MemoryEntry]:
    """Some former entries are put into a context: the more important, the rather."""
    places = [place for place in range(PER_DAY) if chance.random() < USED_AGAIN]
    weights = [0.05 + entry.importance for entry in live]
    for place in chance.choices(range(len(live)), weights, k=len(places)) if live else ():
        entry = live[place]
        live[place] = replace(entry, access_count=entry.access_count + 1, last_access=now)
    return live
