"""Repeats stand back; nothing is lost."""

from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.diversity import overlap, repeats_last, spread_out


def said(text: str) -> frozenset[str]:
    return frozenset(text.split())


texts = st.lists(st.lists(st.sampled_from("abcd"), max_size=4).map(" ".join), max_size=20)


def test_overlap_is_the_share_of_words_in_common() -> None:
    assert overlap(said("a b c"), said("b c d")) == 0.5
    assert overlap(frozenset(), frozenset()) == 1
    assert overlap(said("a"), frozenset()) == 0


def test_a_repeat_makes_room_for_something_else() -> None:
    assert repeats_last(["a b", "b a", "c"], said) == ["a b", "c", "b a"]


def test_what_differs_enough_keeps_its_place() -> None:
    assert repeats_last(["a b c", "a b d", "a b e"], said) == ["a b c", "a b d", "a b e"]


def test_only_the_first_hits_are_compared() -> None:
    assert repeats_last(["a", "a", "b", "b"], said, depth=2) == ["a", "a", "b", "b"]


@given(texts)
def test_repeats_last_loses_and_adds_nothing(items: list[str]) -> None:
    assert sorted(repeats_last(items, said)) == sorted(items)


@given(texts)
def test_repeats_last_keeps_the_best_in_front(items: list[str]) -> None:
    assert repeats_last(items, said)[:1] == items[:1]


def test_spreading_prefers_what_is_unlike_the_chosen() -> None:
    order = {"a b": 1.0, "a b c": 0.9, "d": 0.5}
    spread = spread_out(list(order), order.__getitem__, lambda x, y: overlap(said(x), said(y)), weight=1.0)
    assert spread == ["a b", "d", "a b c"]


@given(texts, st.integers(0, 30))
def test_spreading_with_no_weight_keeps_the_order(items: list[str], depth: int) -> None:
    numbered = list(enumerate(items))
    same = spread_out(
        numbered, lambda i: -i[0], lambda x, y: overlap(said(x[1]), said(y[1])), weight=0, depth=depth
    )
    assert same == numbered
