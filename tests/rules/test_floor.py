"""From a score to a probability."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.model import TimeSpan
from zerda.memory.core.rules.floor import FULL, RELEVANCE_FLOOR, Calibration, written_as_names
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


def test_the_same_score_says_more_in_a_small_memory() -> None:
    three, forty, many = (CURVE.probability(1.0, passages=n) for n in (3, 40, 10_000))
    assert three > forty > many == CURVE.probability(1.0, passages=FULL)
    assert CURVE.probability(1.0, passages=0) < 0.5


@given(scores, scores, st.booleans())
def test_a_higher_score_is_never_less_probable(one: float, other: float, unknown: bool) -> None:
    low, high = sorted((one, other))
    for curve in (CURVE, *(weights.calibration for weights in PRESETS.values())):
        assert 0 <= curve.probability(low, unknown=unknown) <= curve.probability(high, unknown=unknown) <= 1


@pytest.mark.parametrize("kind", sorted(PRESETS))
def test_the_floor_lets_full_matches_through_and_holds_faint_ones_back(kind: str) -> None:
    weights = PRESETS[kind]
    everything = weights.words + 0.6 * weights.meaning
    assert weights.calibration.probability(everything) > RELEVANCE_FLOOR * 10
    assert weights.calibration.probability(0.1 * everything) < RELEVANCE_FLOOR


@pytest.mark.parametrize(
    ("question", "language", "names"),
    [
        ("When did Marta move to Łódź?", "en", {"marta", "lodz"}),
        ("Marta? Where did O'Neill go. Then what", "en", {"o", "neill"}),
        ("where does marta live", "en", set()),
        ("«Dove abita Marta?» chiese", "it", {"marta"}),
        ("Wo ist der Hund von Marta?", "de", set()),
        ("マルタはどこに住んでいますか", "ja", set()),
        ("", None, set()),
    ],
)
def test_names_are_words_with_a_capital_that_begin_no_sentence(
    question: str, language: str | None, names: set[str]
) -> None:
    assert written_as_names(question, language) == names


def test_a_month_is_no_name() -> None:
    question = "What did Marta do in May?"
    may = TimeSpan(date(2023, 5, 1), date(2023, 5, 31), "month", text_start=18, text_end=24)
    assert written_as_names(question, "en", [may]) == {"marta"}


@given(st.text())
def test_any_question_is_read(question: str) -> None:
    for name in written_as_names(question, None):
        assert name == name.casefold()
