"""What has faded, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import TYPE_CHECKING, Any

from ..core.rules.decay import CURVES, Curve, age_in_days, strength
from ..errors import ConfigError

if TYPE_CHECKING:
    from ..core.model import MemoryEntry
    from ..core.seams import Clock

YOUNGEST = timedelta(days=1)
"""Nothing younger fades, whatever the rate."""


class ForgettingMechanism:
    """Tells what has faded: its strength, from importance, age and use, is below ``deletion_threshold``.

    Age counts from the last use, or from when the entry came in: an import of old conversations is new.
    Pinned entries, and what is younger than a day, have not faded. Nothing is changed here; upkeep archives
    what has faded, and a use or a restoration brings it back to full strength. It keeps no state: any
    number of threads may use one.

    Args:
        base_decay_rate: per day; an unimportant, unused entry loses half its strength in ``1 / rate`` days.
            0 lets nothing fade.
        min_importance: importance times strength below which an entry leaves short-term memory.
        deletion_threshold: strength below which an entry has faded.
        curve: "exponential", "power" or "ebbinghaus"; see `zerda.memory.core.rules.decay`.
    """

    def __init__(
        self,
        base_decay_rate: float = 0.1,
        min_importance: float = 0.1,
        deletion_threshold: float = 0.05,
        *,
        curve: Curve = "exponential",
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        for name, value in (
            ("base_decay_rate", base_decay_rate),
            ("min_importance", min_importance),
            ("deletion_threshold", deletion_threshold),
        ):
            if not isfinite(value) or not 0 <= value <= 1:
                raise ConfigError(f"{name} is {value!r}; it is a number from 0 to 1")
        if curve not in CURVES:
            raise ConfigError(f"curve is {curve!r}; it is one of {', '.join(CURVES)}")
        self.base_decay_rate = base_decay_rate
        self.min_importance = min_importance
        self.deletion_threshold = deletion_threshold
        self.curve: Curve = curve
        self._clock = clock

    def score_retention(self, entry: MemoryEntry, now: datetime | None = None) -> float:
        """How much of an entry is left, 0 to 1."""
        return strength(
            age_in_days(_since(entry), now or self._clock()),
            rate=self.base_decay_rate,
            uses=entry.access_count,
            importance=entry.importance,
            curve=self.curve,
        )

    def effective_importance(self, entry: MemoryEntry, now: datetime | None = None) -> float:
        """Importance times strength."""
        return entry.importance * self.score_retention(entry, now)

    def spares(self, entry: MemoryEntry, now: datetime) -> bool:
        """Whether an entry cannot fade now: it is pinned, or younger than a day."""
        return entry.pinned or now - _since(entry) < YOUNGEST

    def faded(self, entry: MemoryEntry, now: datetime | None = None) -> bool:
        """Whether an entry has faded."""
        at = now or self._clock()
        return not self.spares(entry, at) and self.score_retention(entry, at) < self.deletion_threshold

    def slipped(self, entry: MemoryEntry, now: datetime) -> bool:
        """Whether an entry has lost its place in short-term memory."""
        return not self.spares(entry, now) and self.effective_importance(entry, now) < self.min_importance

    def apply_to_single(self, entry: MemoryEntry) -> bool:
        """Whether the entry is still there."""
        return not self.faded(entry)

    def apply(self, entries: Iterable[MemoryEntry]) -> tuple[list[MemoryEntry], list[MemoryEntry]]:
        """What is still there, and what has faded, each in order; of nothing, two empty lists."""
        now = self._clock()
        alive: list[MemoryEntry] = []
        forgotten: list[MemoryEntry] = []
        for entry in entries:
            (forgotten if self.faded(entry, now) else alive).append(entry)
        return alive, forgotten

    def reason(self, entry: MemoryEntry, now: datetime | None = None) -> str:
        """Why an entry has faded, or is still there: numbers, no text of it."""
        at = now or self._clock()
        if entry.pinned:
            return "pinned"
        left, days = self.score_retention(entry, at), age_in_days(_since(entry), at)
        return (
            f"strength {left:.3f} ({'below' if left < self.deletion_threshold else 'from'}"
            f" {self.deletion_threshold:g}): importance {entry.importance:g}, used {entry.access_count} times"
            f", {days:.1f} days ago at last"
        )

    def report(self, entries: Sequence[MemoryEntry]) -> dict[str, Any]:
        """How many entries are there, how many have faded, their mean strength, and the settings."""
        alive, forgotten = self.apply(entries)
        now = self._clock()
        scores = [self.score_retention(entry, now) for entry in entries]
        return {
            "total": len(entries),
            "alive": len(alive),
            "forgotten": len(forgotten),
            "mean_retention": sum(scores) / len(scores) if scores else 0.0,
            "curve": self.curve,
            "base_decay_rate": self.base_decay_rate,
            "deletion_threshold": self.deletion_threshold,
        }


def _since(entry: MemoryEntry) -> datetime:
    """When an entry was last seen: used, or come in."""
    return max(entry.recorded_at, entry.last_access or entry.recorded_at)
