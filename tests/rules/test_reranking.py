"""Two rankings become one."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory import Hit
from zerda.memory.core.rules.reranking import reordered, sound
from zerda.memory.testing import draft


def hits(*scores: float) -> list[Hit]:
    """Hits a, b, c … with these raw scores, falling probabilities and equal texts."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    entries = [draft("x", id=name, occurred_at=at).entry for name in "abcdefghij"[: len(scores)]]
    return [
        Hit(entry, 1 / (2 + place), "x", {"words": score})
        for place, (entry, score) in enumerate(zip(entries, scores, strict=True))
    ]


def ids(found: tuple[Hit, ...]) -> str:
    return "".join(hit.entry.id for hit in found)


def test_a_share_of_one_takes_the_second_order_alone() -> None:
    assert ids(reordered(hits(3, 2, 1), [0.1, 0.2, 0.9], 1)) == "cba"


def test_a_share_of_nothing_keeps_the_first_order() -> None:
    assert ids(reordered(hits(3, 2, 1), [0.1, 0.2, 0.9], 0)) == "abc"


def test_between_them_both_count() -> None:
    assert ids(reordered(hits(3.0, 2.9, 0.0), [0.0, 1.0, 0.9], 0.3)) == "bac"


def test_places_keep_their_probabilities_and_parts_tell_the_judgement() -> None:
    found = reordered(hits(2, 1), [0.0, 5.0], 1)
    assert [(hit.entry.id, hit.score, hit.parts["judged"]) for hit in found] == [
        ("b", 1 / 2, 5),
        ("a", 1 / 3, 0),
    ]


def test_equal_judgements_keep_the_first_order() -> None:
    assert ids(reordered(hits(1, 3, 2), [7, 7, 7], 1)) == "abc"


@pytest.mark.parametrize("judged", [[], [1.0], [1.0, float("nan")], [float("inf"), 0.0], [1.0, 2.0, 3.0]])
def test_what_is_no_number_for_each_hit_is_no_judgement(judged: list[float]) -> None:
    assert not sound(judged, 2)
    assert sound([0.0, -3.5], 2)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=10), st.floats(0, 1), st.data())
def test_none_is_lost_and_scores_fall(scores: list[float], share: float, data: st.DataObject) -> None:
    told = data.draw(st.lists(st.floats(-1e6, 1e6), min_size=len(scores), max_size=len(scores)))
    found = reordered(hits(*scores), told, share)
    assert sorted(ids(found)) == sorted("abcdefghij"[: len(scores)])
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
