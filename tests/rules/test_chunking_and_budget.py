"""How texts are cut, for the index and for a budget."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.budget import cut, shares
from zerda.memory.core.rules.chunking import CHUNK_WORDS, MAX_CHUNK_CHARS, chunks, parts
from zerda.memory.core.rules.tokens import estimate_tokens


def test_a_short_text_is_one_chunk_and_white_space_is_none() -> None:
    assert chunks("Hello there.") == [(0, 12)]
    assert chunks(" \n ") == []


def test_a_long_text_is_cut_at_sentence_ends() -> None:
    text = " ".join(f"This is sentence number {n} of the long story." for n in range(100))
    spans = chunks(text)
    assert len(spans) > 3
    assert all(text[start:end].strip().endswith("story.") for start, end in spans)


def test_neighbouring_chunks_overlap_a_little() -> None:
    text = " ".join(f"This is sentence number {n} of the long story." for n in range(100))
    spans = chunks(text)
    assert all(later[0] < earlier[1] for earlier, later in pairwise(spans))


def test_the_last_sentence_of_twenty_thousand_words_is_in_a_chunk_of_its_size() -> None:
    text = "word " * 20_000 + "The needle is blue."
    last = text[slice(*chunks(text)[-1])]
    assert "needle is blue" in last
    assert len(last.split()) <= CHUNK_WORDS


@given(st.text(alphabet=st.sampled_from("ab 。.!?\n\t東"), max_size=600), st.integers(2, 30))
def test_every_character_is_in_a_chunk_and_no_chunk_is_too_long(text: str, most: int) -> None:
    spans = chunks(text, max_words=most)
    covered = {place for start, end in spans for place in range(start, end)}
    assert all(char.isspace() or place in covered for place, char in enumerate(text))
    assert all(end - start <= MAX_CHUNK_CHARS for start, end in spans)
    assert all(len(text[start:end].split()) <= most for start, end in spans)
    assert spans == sorted(set(spans))


def test_a_text_without_spaces_is_cut_by_characters() -> None:
    spans = chunks("x" * 10_000)
    assert max(end - start for start, end in spans) <= MAX_CHUNK_CHARS
    assert spans[-1][1] == 10_000


def test_an_interaction_has_two_parts() -> None:
    assert parts({"input": "a", "output": "b"}) == [("input", "a"), ("output", "b")]
    assert parts("a") == [("text", "a")]
    assert parts({"x": 1}) == [("text", '{"x": 1}')]


WANTED = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 500), min_size=1)


@given(st.integers(0, 1_000), WANTED)
def test_shares_never_exceed_the_budget_or_what_is_wanted(budget: int, wanted: dict[str, int]) -> None:
    given_out = shares(budget, wanted, dict.fromkeys(wanted, 0.25))
    assert sum(given_out.values()) <= budget
    assert all(given_out[name] <= wanted[name] for name in wanted)
    assert sum(given_out.values()) == min(budget, sum(wanted.values()))


def test_a_cut_ends_with_a_sentence_if_it_can_else_with_a_word() -> None:
    assert cut("One two three. Four five six.", 5, lambda text: len(text.split())) == "One two three. …"
    assert cut("one two three four", 3, lambda text: len(text.split())) == "one two …"
    assert cut("short", 5, estimate_tokens) == "short"
    assert cut("something", 0, estimate_tokens) == ""


@pytest.mark.parametrize("whole", ["👩‍👩‍👧", "🇩🇪", "👍🏽", "é", "❤️"])
def test_a_cut_never_parts_what_a_reader_sees_as_one_character(whole: str) -> None:
    for room in range(1, len(whole) * 4):
        kept = cut(whole * 4, room, len, mark="")
        assert kept == whole * (len(kept) // len(whole))


@given(st.text(), st.integers(0, 50))
def test_a_cut_text_fits(text: str, tokens: int) -> None:
    kept = cut(text, tokens, estimate_tokens)
    assert kept == "" or estimate_tokens(kept) <= tokens


def test_the_estimate_grows_with_the_text_and_knows_scripts() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("Hello, world!") >= 4
    assert estimate_tokens("東京都に住んでいます") == 10
    assert estimate_tokens("a b c") == 3
