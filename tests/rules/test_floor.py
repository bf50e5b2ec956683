"""From a score to a probability."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.floor import Calibration
from zerda.memory.core.rules.ranking import PRESETS

CURVE = Calibration(intercept=-3.0, slope=2.0, unknown=1.5)
scores = st.floats(0, 1e300, allow_nan=False)


def test_the_curve_by_hand() -> None:
    assert CURVE.probability(1.0) == pytest.approx(1 / (1 + 2.718281828459045**3))


def test_no_evidence_has_no_probability() -> None:
    assert CURVE.probability(0.0) == 0
    assert CURVE.probability(-1.0) == 0


def test_a_question_about_somebody_unknown_is_answered_with_less_trust() -> None:
    assert CURVE.probability(2.0, unknown=True) < CURVE.probability(2.0)


@given(scores, scores, st.booleans())
def test_a_higher_score_is_never_less_probable(one: float, other: float, unknown: bool) -> None:
    low, high = sorted((one, other))
    for curve in (CURVE, *(weights.calibration for weights in PRESETS.values())):
        assert 0 <= curve.probability(low, unknown=unknown) <= curve.probability(high, unknown=unknown) <= 1
