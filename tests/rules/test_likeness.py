"""What says the same is found; what only looks like it is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.likeness import groups, same, statement

LONG = " ".join(f"word{letter}{other}" for letter in "abcdefgh" for other in "klmnopqr")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like the green tea.", "i like  GREEN tea!"),
        ("Der Hund heißt Bello", "der Hund heisst Bello"),
        ("我喜欢茶", "我喜欢茶。"),
        ("Café in Lisbon", "cafe in lisbon"),
        (LONG + " apartment", LONG + " flat"),
    ],
)
def test_the_same_in_other_clothes_is_the_same(one: str, other: str) -> None:
    assert groups([statement(one), statement(other)], threshold=0.92) == [[0, 1]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I like tea", "I don't like tea"),
        ("我喜欢茶", "我不喜欢茶"),
        ("I gave her the book", "She gave me the book"),
        ("I flew to Rome", "I flew from Rome"),
        ("from Rome to Paris", "from Paris to Rome"),
        ("The shop is open.", "Is the shop open?"),
        ("flat 12", "flat 13"),
        (LONG + " for 12 euros", LONG + " for 13 euros"),
        (LONG + " with Anna", LONG + " with Clara"),
        (LONG + " is allowed", LONG + " is not allowed"),
        ("tea", "coffee"),
        ("!!!", "???"),
        ("", ""),
    ],
)
def test_a_small_difference_that_matters_is_one(one: str, other: str) -> None:
    assert not same(statement(one), statement(other), threshold=0.92)
    assert groups([statement(one), statement(other)], threshold=0.92) == []


@given(
    st.lists(
        st.sampled_from(["a b c", "a b c.", "b c a", "d", "not d", LONG, LONG + " x", LONG + " 7"]),
        max_size=12,
    )
)
def test_the_filter_loses_nothing_that_comparing_each_with_each_would_find(texts: list[str]) -> None:
    statements = [statement(text) for text in texts]
    leaders: list[int] = []
    expected: dict[int, list[int]] = {}
    for place, one in enumerate(statements):
        leader = next((it for it in leaders if same(statements[it], one, threshold=0.9)), None)
        if leader is None:
            leaders.append(place)
            expected[place] = [place]
        else:
            expected[leader].append(place)
    found = groups(statements, threshold=0.9)
    assert sorted(map(len, found)) == sorted(len(group) for group in expected.values() if len(group) > 1)
