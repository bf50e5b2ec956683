"""What has faded, told from importance, age and use; and what is left of a log by a simulated clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from zerda.memory import ConfigError, ForgettingMechanism
from zerda.memory.bench.forgetting import what_is_left
from zerda.memory.testing import START, draft

DAY = timedelta(days=1)


def at(days: float, **settings: Any) -> ForgettingMechanism:
    return ForgettingMechanism(clock=lambda: START + days * DAY, **settings)


def entry(**fields: Any) -> Any:
    return draft("the fennec sleeps", **fields).entry


def test_of_nothing_there_is_nothing_to_say() -> None:
    forgetting = at(9)
    assert forgetting.apply([]) == ([], [])
    assert forgetting.report([])["mean_retention"] == 0.0


def test_what_is_old_and_unused_has_faded_and_the_rest_is_there() -> None:
    old, used, important = (
        entry(),
        entry(access_count=5, last_access=START + 150 * DAY),
        entry(importance=0.9),
    )
    pinned, young = entry(pinned=True), entry(occurred_at=START + 199.5 * DAY)
    alive, forgotten = at(200).apply([old, used, important, pinned, young])
    assert alive == [used, important, pinned, young]
    assert forgotten == [old]
    assert [at(200).apply_to_single(one) for one in (old, used)] == [False, True]


def test_age_counts_from_when_an_entry_came_in() -> None:
    imported = replace(entry(), occurred_at=START - 5_000 * DAY)
    assert at(2).score_retention(imported) == at(2).score_retention(entry())
    assert not at(2).faded(imported)


def test_reading_the_score_changes_nothing_however_often() -> None:
    forgetting, one = at(100), entry()
    assert len({forgetting.score_retention(one) for _ in range(5)}) == 1
    assert forgetting.effective_importance(one) == one.importance * forgetting.score_retention(one)


def test_a_rate_of_nothing_lets_nothing_fade() -> None:
    assert at(90_000, base_decay_rate=0.0).apply_to_single(entry(importance=0.0))


def test_a_reason_is_numbers_and_no_text() -> None:
    told = at(200).reason(entry())
    assert told == "strength 0.031 (below 0.05): importance 0.5, used 0 times, 200.0 days ago at last"
    assert at(200).reason(entry(pinned=True)) == "pinned"


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("base_decay_rate", -1),
        ("base_decay_rate", float("nan")),
        ("deletion_threshold", 2),
        ("curve", "linear"),
    ],
)
def test_a_setting_that_cannot_work_is_refused(setting: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=setting):
        ForgettingMechanism(**{setting: value})


@pytest.mark.parametrize(
    ("curve", "threshold"), [("exponential", 0.05), ("power", 0.25), ("ebbinghaus", 0.4)]
)
def test_of_a_log_of_a_month_all_is_left_and_of_two_years_what_mattered(curve: Any, threshold: float) -> None:
    forgetting = ForgettingMechanism(curve=curve, deletion_threshold=threshold)
    month, half_year, two_years = (what_is_left(days, forgetting) for days in (30, 180, 720))
    assert all(left.share == 1.0 for left in month.values())
    assert half_year["important"].share == half_year["worth keeping"].share == 1.0
    assert 0.6 < half_year["ordinary"].share < 1.0
    assert half_year["small talk"].share < 0.5
    shares = [left.share for left in two_years.values()]
    assert shares == sorted(shares)
    assert shares[0] < 0.2
    assert shares[-1] > 0.75


@pytest.mark.parametrize("curve", ["power", "ebbinghaus"])
def test_the_slower_curves_keep_all_at_the_default_threshold(curve: Any) -> None:
    left = what_is_left(400, ForgettingMechanism(curve=curve))
    assert all(one.share == 1.0 for one in left.values())
