"""How what is remembered fades."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.decay import CURVES, Curve, age_in_days, ebbinghaus, half_life_days, strength
from zerda.memory.testing import START

AGES = st.floats(0, 20_000)
SHARES = st.floats(0, 1)


@pytest.mark.parametrize("curve", CURVES)
def test_half_is_left_after_a_half_life_on_every_curve(curve: Curve) -> None:
    for uses, importance in ((0, 0.0), (3, 0.5), (0, 1.0)):
        days = half_life_days(rate=0.1, uses=uses, importance=importance)
        left = strength(days, rate=0.1, uses=uses, importance=importance, curve=curve)
        assert math.isclose(left, 0.5, abs_tol=1e-9)


@given(AGES, AGES, SHARES, st.integers(0, 500), st.sampled_from(CURVES))
def test_time_weakens(one: float, other: float, importance: float, uses: int, curve: Curve) -> None:
    young, old = sorted((one, other))
    left = [strength(age, rate=0.1, uses=uses, importance=importance, curve=curve) for age in (young, old)]
    assert 1.0 >= left[0] >= left[1] >= 0.0


@given(AGES, SHARES, st.integers(0, 500), st.sampled_from(CURVES))
def test_use_strengthens_and_importance_prolongs(
    age: float, importance: float, uses: int, curve: Curve
) -> None:
    plain = strength(age, rate=0.1, uses=uses, importance=importance, curve=curve)
    assert strength(age, rate=0.1, uses=uses + 1, importance=importance, curve=curve) >= plain
    assert strength(age, rate=0.1, uses=uses, importance=1.0, curve=curve) >= plain


@pytest.mark.parametrize("curve", CURVES)
def test_what_is_fresh_is_whole_and_a_rate_of_nothing_keeps_all(curve: Curve) -> None:
    assert strength(0, rate=0.1, curve=curve) == 1.0
    assert strength(100_000, rate=0, curve=curve) == 1.0


def test_a_half_life_is_the_rates_and_longer_with_importance_and_use() -> None:
    assert half_life_days(rate=0.1) == 10
    assert half_life_days(rate=0.1, importance=0.5) == 40
    assert half_life_days(rate=0.1, importance=1.0) == 160
    assert half_life_days(rate=0.1, uses=1) == pytest.approx(16.93, abs=0.01)


def test_old_memories_outlast_on_the_slower_curves() -> None:
    at = [strength(1_000, rate=0.1, curve=curve) for curve in ("exponential", "power", "ebbinghaus")]
    assert at == sorted(at)
    assert at[0] < 1e-20 < 0.05 < at[1]


def test_ebbinghaus_measured_savings_are_met() -> None:
    """His own table: 20 minutes 58 %, 1 hour 44 %, 1 day 34 %, 6 days 25 %, 31 days 21 %."""
    half = 10 ** (1.84 ** (1 / 1.25))
    measured = {
        20: 0.58,
        64: 0.44,
        526: 0.36,
        1_440: 0.34,
        2 * 1_440: 0.28,
        6 * 1_440: 0.25,
        31 * 1_440: 0.21,
    }
    for minutes, savings in measured.items():
        assert ebbinghaus(minutes / half) == pytest.approx(savings, abs=0.04)


def test_a_clock_that_jumped_back_makes_nothing_younger_than_new() -> None:
    assert age_in_days(START, START - timedelta(days=9)) == 0
    assert age_in_days(START, START + timedelta(hours=36)) == 1.5
