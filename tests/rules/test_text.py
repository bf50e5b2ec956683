"""One rule for what is stored and what is asked."""

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.text import MAX_TOKEN, fold, index_tokens, query_terms, stem, words


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Straße", "strasse"),
        ("Łódź", "lodz"),
        ("ёлка", "елка"),
        ("ΆΛΦΑ", "αλφα"),
        ("ＦＵＬＬ", "full"),
        ("İstanbul", "istanbul"),
        ("ﬁne", "fine"),
        ("مُحَمَّد", "مُحَمَّد"),
        ("हिन्दी", "हिन्दी"),
        ("がぎ", "がぎ"),
    ],
)
def test_what_a_reader_takes_for_the_same_is_folded(text: str, folded: str) -> None:
    assert fold(text) == unicodedata.normalize("NFC", folded)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Don't stop_it!", ["don", "t", "stop", "it"]),
        ("東京 is 大きい", ["東京", "is", "大きい"]),
        ("abc東京def", ["abc", "東京", "def"]),
        ("मैं दिल्ली", ["मैं", "दिल्ली"]),
        ("a\x00b\ud800c\ue000d", ["a", "b", "c", "d"]),
        ('NEAR("x" OR y*)', ["near", "x", "or", "y"]),
        ("", []),
    ],
)
def test_words_are_letters_digits_and_marks(text: str, found: list[str]) -> None:
    assert words(text) == found


def test_a_word_is_indexed_folded_and_stemmed() -> None:
    assert index_tokens("Running dogs") == (("running", "run", "dogs", "dog"), 2)
    assert "haus" in index_tokens("Häuser", "de").tokens


def test_an_unspaced_run_is_indexed_by_characters_and_pairs_and_asked_by_pairs() -> None:
    assert index_tokens("東京都") == (("東", "京", "都", "東京", "京都"), 3)
    assert query_terms("東京都") == [("東京",), ("京都",)]
    assert query_terms("京") == [("京",)]


def test_a_question_lacks_its_stop_words_unless_there_is_nothing_else() -> None:
    assert query_terms("Who runs", without={"who"}) == [("runs", "run")]
    assert query_terms("Who?", without={"who"}) == [("who",)]


def test_a_question_in_an_unspaced_script_lacks_the_pairs_that_say_nothing() -> None:
    assert query_terms("東京ですか", without={"です", "すか"}) == [("東京",), ("京で",)]
    assert query_terms("ですか", without={"です", "すか"}) == [("です",), ("すか",)]


@pytest.mark.parametrize(
    ("language", "forms"),
    [("ru", "новый новая новой новых"), ("tr", "gül gülleri güllerini"), ("es", "comer comió comía")],
)
def test_marks_are_read_before_a_word_is_stemmed(language: str, forms: str) -> None:
    assert len({stem(form, language) for form in forms.split()}) == 1


def test_a_question_without_marks_finds_what_was_written_with_them() -> None:
    (asked,) = query_terms("gullerini", "tr")
    assert set(asked) & set(index_tokens("güllerini", "tr").tokens)
    (asked,) = query_terms("güllerini", "tr")
    assert set(asked) & set(index_tokens("gullerini", "tr").tokens)


def test_a_question_in_another_language_also_matches_by_its_english_stem() -> None:
    assert query_terms("running", "de")[0][:2] == ("running", "run")


def test_an_endless_word_is_found_by_its_beginning() -> None:
    assert index_tokens("a" * 100_000).tokens[0] == "a" * MAX_TOKEN


def test_a_language_without_a_stemmer_keeps_its_words() -> None:
    assert stem("runs", "xx") == "runs"


def test_stemming_from_many_threads_gives_what_one_thread_gives() -> None:
    said = [
        f"{word}{ending}" for word in ("nation", "walk", "relat") for ending in ("al", "ing", "ed", "s")
    ] * 50
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda word: index_tokens(word).tokens, said))
    assert together == [index_tokens(word).tokens for word in said]


@given(st.text())
def test_any_text_is_taken_and_tokens_hold_no_separator(text: str) -> None:
    tokens, length = index_tokens(text)
    assert length <= len(tokens)
    assert all(unicodedata.category(char)[0] in "LNM" for token in tokens for char in token)


@given(st.text(), st.text())
def test_folding_twice_is_folding_once(one: str, two: str) -> None:
    assert fold(fold(one)) == fold(one)
    assert words(one + " " + two) == words(one) + words(two)
