"""Masking: what holds for every text."""

import random
from itertools import pairwise

import masking_texts
from hypothesis import given, settings
from hypothesis import strategies as st

from zerda.memory.security.masking import SensitiveDataMasker
from zerda.memory.security.recognizers.view import View

MASKER = SensitiveDataMasker()

values = st.builds(
    lambda name, seed: masking_texts.MAKERS[name][1](random.Random(seed)),
    st.sampled_from(sorted(masking_texts.MAKERS)),
    st.integers(0, 10_000),
)
words = st.sampled_from(
    [
        "phone",
        "cpf",
        "order",
        "card",
        "born",
        "password:",
        "ssn",
        "IBAN",
        "tel,",
        "is",
        "passport",
        "my",
        "电话",
        "пароль",
        "version",
        "[EMAIL_1]",
        "[PHONE_12]",
        "token=",
        "id",
        "+",
        "(",
        ")",
        "/",
        "-",
        "_",
        ".",
        ":",
        "@",
        "\u200b",
        "１",
        "at",
    ]
)
noise = st.text(max_size=6)
joints = st.sampled_from(["", " ", " ", ", ", "\n", "-", "_", ":", "\u200b", "："])
texts = st.lists(st.tuples(st.one_of(values, words, noise), joints), max_size=9).map(
    lambda parts: "".join(part + joint for part, joint in parts)
)


@settings(max_examples=400, deadline=None)
@given(texts)
def test_masking_twice_changes_nothing(text: str) -> None:
    masked, _ = MASKER.mask(text)
    assert MASKER.mask(masked) == (masked, {})


@settings(max_examples=300, deadline=None)
@given(texts)
def test_a_text_without_findings_is_the_same_object(text: str) -> None:
    found, (masked, counts) = MASKER.find(text), MASKER.mask(text)
    assert (masked is text) == (not found) == (not counts)


@settings(max_examples=300, deadline=None)
@given(texts)
def test_findings_are_in_order_apart_and_within_the_text(text: str) -> None:
    edges = [edge for each in MASKER.find(text) for edge in (each.start, each.end)]
    assert edges == sorted(edges)
    assert all(each.start < each.end <= len(text) for each in MASKER.find(text))


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_offsets_lead_to_the_value_whatever_stands_around_it(left: str, right: str) -> None:
    value = "anna.k@example.com"
    text = f"{left} {value} {right}"
    found = [
        each
        for each in MASKER.find(text)
        if each.start <= len(left) + 1 and each.end >= len(left) + 1 + len(value)
    ]
    assert len(found) == 1 or any(each.start < len(left) + 1 for each in MASKER.find(text))
    assert value not in MASKER.mask(text)[0]


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("aé１\u200b\ufe0f[EMAIL_1]٣-– \u00a0😀"), min_size=1, max_size=30))
def test_every_place_of_the_clean_text_leads_to_the_character_it_came_from(text: str) -> None:
    view = View(text)
    ends = [view.original(at, at + 1) for at in range(len(view.text))]
    assert all(left[1] <= right[0] for left, right in pairwise(ends))
    for at, (start, end) in enumerate(ends):
        assert view.text[at] == "\uffff" or View(text[start:end]).text == view.text[at]


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=6,
    )
)
def test_masking_a_nested_value_twice_changes_nothing(value: object) -> None:
    masked, _ = MASKER.mask_value(value)
    assert MASKER.mask_value(masked) == (masked, {})
