"""BM25 over the scope's own numbers."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.bm25 import Corpus, Term, attainable, bm25, by_term, counted, idf, matrix

CORPUS = Corpus(passages=100, mean_length=10.0)
RARE = Term(("violin",), df=1)
COMMON = Term(("music",), df=60)

terms_ = st.lists(
    st.builds(Term, st.tuples(st.sampled_from("abcdef")), st.integers(0, 100)),
    max_size=6,
    unique_by=lambda t: t.tokens,
)
counts_ = st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 50))


def test_the_formula_by_hand() -> None:
    rarity = log(1 + 99.5 / 1.5)
    assert bm25([RARE], CORPUS, {"violin": 2}, length=20) == pytest.approx(rarity * 2 * 1.5 / (2 + 0.5 * 1.5))


def test_a_rare_word_outweighs_a_common_one() -> None:
    assert bm25([RARE], CORPUS, {"violin": 1}, 10) > bm25([COMMON], CORPUS, {"music": 1}, 10)


def test_the_same_words_in_fewer_words_score_higher() -> None:
    assert bm25([RARE], CORPUS, {"violin": 1}, 5) > bm25([RARE], CORPUS, {"violin": 1}, 50)


def test_a_word_and_its_stem_are_one_word() -> None:
    term = Term(("violins", "violin"), df=3)
    both = bm25([term], CORPUS, {"violins": 1, "violin": 1}, 10)
    assert both == bm25([term], CORPUS, {"violin": 1}, 10)


def test_more_mentions_than_the_scope_counts_do_no_harm() -> None:
    assert idf(Term(("x",), df=5), Corpus(passages=2, mean_length=1.0)) > 0


def test_an_empty_scope_and_an_empty_question_score_nothing() -> None:
    empty = Corpus(passages=0, mean_length=0.0)
    assert bm25([RARE], empty, {}, 0) == 0
    assert attainable([], CORPUS) == 0


def test_the_score_is_made_of_its_terms() -> None:
    terms, counts = [RARE, COMMON], {"violin": 1, "music": 2}
    rare, common = by_term(terms, CORPUS, counts, 10)
    assert (rare, common) == (bm25([RARE], CORPUS, counts, 10), bm25([COMMON], CORPUS, counts, 10))
    assert bm25(terms, CORPUS, counts, 10) == rare + common


@given(terms_, counts_, st.integers(0, 200))
def test_no_passage_exceeds_what_is_attainable(
    terms: list[Term], counts: dict[str, int], length: int
) -> None:
    score = bm25(terms, CORPUS, counts, length)
    assert 0 <= score <= attainable(terms, CORPUS) * (1 + 1e-9)


@given(terms_, counts_, st.integers(1, 200), st.sampled_from("abcdef"))
def test_saying_a_word_once_more_never_lowers_the_score(
    terms: list[Term], counts: dict[str, int], length: int, word: str
) -> None:
    more = {**counts, word: counts.get(word, 0) + 1}
    assert bm25(terms, CORPUS, more, length) >= bm25(terms, CORPUS, counts, length) - 1e-9


@given(terms_, counts_, st.integers(1, 200))
def test_words_that_were_not_asked_for_change_nothing(
    terms: list[Term], counts: dict[str, int], length: int
) -> None:
    assert bm25(terms, CORPUS, {**counts, "unasked": 9}, length) == bm25(terms, CORPUS, counts, length)


texts_ = st.lists(st.lists(st.sampled_from(["a", "b", "ab", "aa", "日", "日本"]), max_size=9), max_size=9)


@given(texts_, st.sampled_from([("a",), ("ab", "b"), ("日本", "aa"), ("z",)]))
def test_counting_many_texts_at_once_counts_each(texts: list[list[str]], tokens: tuple[str, ...]) -> None:
    said = counted([" ".join(text) for text in texts], [Term(tokens, df=1)])
    assert said.tolist() == [[max(text.count(token) for token in tokens)] for text in texts]


@given(terms_, st.lists(counts_, max_size=5))
def test_many_passages_at_once_score_as_each_alone(terms: list[Term], passages: list[dict[str, int]]) -> None:
    texts = [" ".join(token for token, n in counts.items() for _ in range(n)) for counts in passages]
    lengths = [sum(counts.values()) for counts in passages]
    scores = matrix(terms, CORPUS, counted(texts, terms), np.array(lengths))
    alone = [by_term(terms, CORPUS, counts, n) for counts, n in zip(passages, lengths, strict=True)]
    assert scores.tolist() == [pytest.approx(list(each)) for each in alone]
