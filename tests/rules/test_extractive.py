"""A summary quotes; and what is no summary is told."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.extractive import Sentence, centrality, extract, fault_of, sentences

TEXT = (
    "I moved to Lisbon in May. The flat in Lisbon is near the river. What shall I do? "
    "I play the cello in a small orchestra in Lisbon. My sister Clara plays the cello too!\nok"
)


def test_a_text_is_cut_into_sentences_letter_by_letter() -> None:
    told = [
        one.text for one in sentences("It costs 3.50 euros. Really?! Yes…\nA line\n\n我搬到了里斯本。好！")
    ]
    assert told == ["It costs 3.50 euros.", "Really?!", "Yes…", "A line", "我搬到了里斯本。", "好！"]


@given(st.text(max_size=200))
def test_every_sentence_is_a_part_of_the_text_and_nothing_but_space_is_lost(text: str) -> None:
    told = [one.text for one in sentences(text)]
    assert all(one in text for one in told)
    assert "".join("".join(told).split()) == "".join(text.split())


def test_what_is_chosen_was_said_and_fits_and_stands_in_order() -> None:
    chosen = [one.text for one in extract(sentences(TEXT), most_words=25)]
    assert chosen
    assert sum(len(one.split()) for one in chosen) <= 25
    assert sorted(chosen, key=TEXT.index) == chosen
    assert not any(one.endswith("?") for one in chosen)


def test_what_only_repeats_is_left_out() -> None:
    given_ = [
        Sentence("I play the cello in Lisbon."),
        Sentence("I play my cello in Lisbon."),
        Sentence("The river is wide."),
    ]
    assert len(extract(given_, most_words=100)) == 2


def test_something_is_chosen_from_anything() -> None:
    assert extract([], most_words=5) == []
    assert extract([Sentence("why?")], most_words=5) == [Sentence("why?")]
    assert extract([Sentence("a very long sentence of many words")], most_words=1)


def test_what_is_like_much_else_is_central() -> None:
    texts = [Counter(text.split()) for text in ("a b c", "a b d", "a b e", "x y z")]
    ranks = centrality(texts)
    assert sum(ranks) == pytest.approx(1.0)
    assert min(ranks) == ranks[3]
    assert centrality([]) == []


@pytest.mark.parametrize(
    ("summary", "fault"),
    [
        ("Lives in Lisbon near the river and plays the cello.", None),
        ("", "empty"),
        ("  \n", "empty"),
        ("The stock market fell sharply today.", "were said"),
        ("Moved to Lisbon in May 2019.", "number"),
        ("cello " * 300, "words"),
        (TEXT + " " + TEXT, "shorter"),
    ],
)
def test_what_is_no_summary_is_told(summary: str, fault: str | None) -> None:
    told = fault_of(summary, [TEXT], most_words=60)
    assert (told is None) if fault is None else (told is not None and fault in told)
