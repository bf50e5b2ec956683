"""Choosing among what competes."""

from datetime import UTC, datetime, timedelta

import pytest

from zerda.memory import ConfigError, MemoryEntry, MemorySelector

NOW = datetime(2026, 5, 7, 12, tzinfo=UTC)


def entry(name: str, *, hours_old: float = 0, importance: float = 0.5) -> MemoryEntry:
    at = NOW - timedelta(hours=hours_old)
    return MemoryEntry(
        id=name, tenant_id="acme", content=name, occurred_at=at, recorded_at=at, importance=importance
    )


def selector(**settings: float) -> MemorySelector:
    return MemorySelector(clock=lambda: NOW, **settings)  # type: ignore[arg-type]


def test_the_composite_is_what_its_weights_say() -> None:
    (chosen,) = selector().select("q", [entry("a", hours_old=24, importance=0.6)], {"a": 0.8})
    assert chosen.score == pytest.approx(0.5 * 0.8 + 0.2 * 0.5 + 0.3 * 0.6)
    assert (chosen.relevance, chosen.recency, chosen.importance) == (0.8, pytest.approx(0.5), 0.6)


def test_an_entry_without_a_score_competes_by_recency_and_importance() -> None:
    chosen = selector().select_entries("q", [entry("new"), entry("old", hours_old=1_000)], {"old": 0.9})
    assert [one.id for one in chosen] == ["old", "new"]


def test_what_scores_too_little_is_left_out_and_each_id_counts_once() -> None:
    weak, strong = entry("weak", hours_old=1_000, importance=0.1), entry("strong")
    assert selector().select_entries("q", [weak, strong, strong], {}) == [strong]


def test_no_more_than_top_k_and_equal_scores_keep_their_order() -> None:
    entries = [entry(name) for name in "dbac"]
    assert [one.id for one in selector(top_k=3).select_entries("q", entries)] == ["d", "b", "a"]


def test_a_clock_that_jumped_back_makes_nothing_more_than_new() -> None:
    (chosen,) = selector().select("q", [entry("a", hours_old=-100)])
    assert chosen.recency == 1.0


def test_an_explanation_names_ids_and_numbers_but_no_words() -> None:
    (line,) = selector().explain("q", [entry("a")], {"a": 0.8})
    assert line == "1. a: 0.750 = relevance 0.800, recency 1.000, importance 0.500"


@pytest.mark.parametrize(
    ("settings", "fault"),
    [
        ({"relevance_weight": 0.9}, "sum to 1.4"),
        ({"half_life_hours": 0}, "half_life"),
        ({"top_k": 0}, "top_k"),
    ],
)
def test_settings_that_cannot_work_are_refused(settings: dict[str, float], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        selector(**settings)
