"""Choosing, among what competes for a place before the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from ..core.model import MemoryEntry
from ..core.rules.decay import age_in_days
from ..core.seams import Clock
from ..errors import ConfigError


@dataclass(frozen=True, slots=True)
class Selected:
    """An entry with its composite score and what it is made of."""

    entry: MemoryEntry
    score: float
    relevance: float
    recency: float
    importance: float


class MemorySelector:
    """Ranks entries by relevance, recency and importance, and keeps the best.

    The weights sum to 1. Recency halves every ``half_life_hours``. What scores below ``min_score`` is
    left out. It keeps no state: any number of threads may use one.
    """

    def __init__(
        self,
        *,
        relevance_weight: float = 0.5,
        recency_weight: float = 0.2,
        importance_weight: float = 0.3,
        half_life_hours: float = 24.0,
        min_score: float = 0.1,
        top_k: int = 10,
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        total = relevance_weight + recency_weight + importance_weight
        if abs(total - 1.0) > 1e-6:
            raise ConfigError(f"the weights sum to {total:g}; relevance, recency and importance sum to 1")
        if half_life_hours <= 0:
            raise ConfigError(f"half_life_hours is {half_life_hours!r}; it is more than 0")
        if top_k < 1:
            raise ConfigError(f"top_k is {top_k!r}; it is at least 1")
        self._weights = (relevance_weight, recency_weight, importance_weight)
        self._half_life_days = half_life_hours / 24.0
        self._min_score = min_score
        self._top_k = top_k
        self._clock = clock

    def select(
        self, query: str, candidates: Sequence[MemoryEntry], scores: Mapping[str, float] | None = None
    ) -> list[Selected]:
        """The best of the candidates, best first; ``scores`` tells the relevance (0 to 1) by entry id.

        An entry without a score has relevance 0: it competes by recency and importance alone. Each id
        counts once; equal scores keep the candidates' order. ``query`` is what the scores answer.
        """
        return self.rank(query, candidates, scores)[: self._top_k]

    def rank(
        self, query: str, candidates: Sequence[MemoryEntry], scores: Mapping[str, float] | None = None
    ) -> list[Selected]:
        """As `select`, all of them."""
        now = self._clock()
        unique: dict[str, MemoryEntry] = {}
        for entry in candidates:
            unique.setdefault(entry.id, entry)
        judged = [self._judge(entry, (scores or {}).get(entry.id, 0.0), now) for entry in unique.values()]
        kept = [one for one in judged if one.score >= self._min_score]
        return sorted(kept, key=lambda one: -one.score)

    def select_entries(
        self, query: str, candidates: Sequence[MemoryEntry], scores: Mapping[str, float] | None = None
    ) -> list[MemoryEntry]:
        """The entries that `select` chooses."""
        return [one.entry for one in self.select(query, candidates, scores)]

    def explain(
        self, query: str, candidates: Sequence[MemoryEntry], scores: Mapping[str, float] | None = None
    ) -> list[str]:
        """A line for each chosen entry: its score and what it is made of. It repeats no text."""
        return [
            f"{place}. {one.entry.id}: {one.score:.3f} = relevance {one.relevance:.3f}"
            f", recency {one.recency:.3f}, importance {one.importance:.3f}"
            for place, one in enumerate(self.select(query, candidates, scores), 1)
        ]

    def _judge(self, entry: MemoryEntry, relevance: float, now: datetime) -> Selected:
        recency = 0.5 ** (age_in_days(entry.occurred_at, now) / self._half_life_days)
        features = (relevance, recency, entry.importance)
        score = sum(weight * value for weight, value in zip(self._weights, features, strict=True))
        return Selected(entry, score, *features)
