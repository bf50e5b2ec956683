"""Each step of the ranking alone, and all of them together."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.model import TimeSpan
from zerda.memory.core.rules import ranking
from zerda.memory.core.rules.ranking import (
    PRESETS,
    STEPS,
    Background,
    Pool,
    Question,
    Ranked,
    Step,
    Utterance,
    best_of_entries,
    time_match,
)

MINILM = PRESETS["minilm"]
ASKED = Question(attainable=10.0)
BARE = MINILM.without("neighbours", "speaker", "time", "dates", "session", "prior", "standing")


def told(key: int = 1, *, position: int | None = None, session: int = 1, **more: object) -> Utterance:
    given_ = {
        "entry_id": str(key),
        "session": session,
        "position": key if position is None else position,
        **more,
    }
    return Utterance(key=key, **given_)  # type: ignore[arg-type]


def rank(question: Question, pool: list[Utterance], weights: ranking.Weights) -> list[Ranked]:
    return list(ranking.rank(question, Pool.of(pool), weights))


def given_to(step: Callable[..., Any], pool: list[Utterance], *more: Any) -> list[float]:
    """What a step adds to, or multiplies, each utterance of a pool."""
    return step(
        Pool.of(pool), *(np.array(one, float) if isinstance(one, list) else one for one in more)
    ).tolist()  # type: ignore[no-any-return]


def keys(ranked: list[Ranked]) -> list[int]:
    return [one.utterance.key for one in ranked]


utterances = st.builds(
    Utterance,
    key=st.integers(0, 10_000),
    entry_id=st.sampled_from("abcdefgh"),
    session=st.integers(0, 3),
    position=st.integers(0, 9),
    words=st.just(()) | st.tuples(st.floats(0, 5), st.floats(0, 5)),
    meaning=st.none() | st.floats(-1, 1),
    speaker=st.none() | st.sampled_from(["ann", "ben", "cat"]),
    length=st.integers(0, 100),
    question=st.booleans(),
    has_time=st.booleans(),
    time_match=st.floats(0, 1),
    importance=st.floats(0, 1),
    strength=st.floats(0, 1),
)
pools = st.lists(utterances, max_size=25, unique_by=lambda u: u.key)
questions = st.builds(
    Question,
    attainable=st.just(0.0) | st.floats(10, 100),
    named=st.frozensets(st.sampled_from(["ann", "ben"])),
    asks_when=st.booleans(),
    unknown=st.booleans(),
    background=st.none() | st.builds(Background, st.floats(-0.5, 0.9), st.floats(0, 0.5)),
)
presets = st.sampled_from(sorted(PRESETS)).map(PRESETS.__getitem__)


# One step at a time.


def test_words_count_as_a_share_of_what_is_attainable() -> None:
    pool = [told(1, words=(3.0, 2.0)), told(2)]
    assert given_to(ranking.words_evidence, pool, ASKED, MINILM) == [MINILM.words * 0.5, 0]
    assert given_to(ranking.words_evidence, pool, Question(attainable=0.0), MINILM) == [0, 0]


def test_a_missing_or_negative_cosine_is_no_evidence() -> None:
    pool = [told(1, meaning=0.5), told(2, meaning=-0.5), told(3)]
    assert given_to(ranking.meaning_evidence, pool, ASKED, MINILM) == pytest.approx(
        [MINILM.meaning * 0.5, 0, 0]
    )


def test_a_model_with_a_narrow_band_of_cosines_is_read_against_the_background() -> None:
    generic = replace(PRESETS["generic"], meaning=1.0)
    narrow = replace(ASKED, background=Background(mean=0.8, sd=0.03))
    ordinary, near = given_to(
        ranking.meaning_evidence, [told(1, meaning=0.8), told(2, meaning=0.92)], narrow, generic
    )
    assert ordinary == pytest.approx(ranking.TYPICAL.mean)
    assert near == pytest.approx(ranking.TYPICAL.mean + 4 * ranking.TYPICAL.sd)


def test_a_background_without_spread_says_nothing() -> None:
    flat = replace(ASKED, background=Background(mean=0.8, sd=0.0))
    assert given_to(ranking.meaning_evidence, [told(1, meaning=0.9)], flat, PRESETS["generic"]) == [0.0]


NEAR = replace(BARE, words=10.0, words_before=(0.5, 0.4), words_after=(0.2,), words_asked=0.5)


def test_an_answer_is_found_by_the_words_before_it() -> None:
    pool = [told(1, words=(1.0,)), told(2), told(3), told(4)]
    assert given_to(ranking.neighbours_words, pool, ASKED, NEAR) == [0, 0.5, 0.4, 0]


def test_what_comes_after_counts_too() -> None:
    pool = [told(1), told(2), told(3, words=(1.0,))]
    assert given_to(ranking.neighbours_words, pool, ASKED, NEAR) == [0, 0.2, 0]


def test_what_a_question_asked_counts_more_for_its_answer() -> None:
    pool = [told(1, words=(1.0,), question=True), told(2), told(3)]
    assert given_to(ranking.neighbours_words, pool, ASKED, NEAR) == [0, 0.75, 0.4]


def test_a_word_counts_once_where_it_is_said_best() -> None:
    same = [told(1, words=(1.0, 0.0)), told(2, words=(1.0, 0.0))]
    assert given_to(ranking.neighbours_words, same, ASKED, NEAR) == [0, 0]
    another = [told(1, words=(0.0, 1.0)), told(2, words=(1.0, 0.0))]
    assert given_to(ranking.neighbours_words, another, ASKED, NEAR) == [0.2, 0.5]


def test_of_several_neighbours_the_best_counts_for_each_word() -> None:
    pool = [told(1, words=(1.0,)), told(2, words=(1.0,)), told(3)]
    assert given_to(ranking.neighbours_words, pool, ASKED, NEAR)[2] == 0.5


def test_neighbours_are_of_the_same_session() -> None:
    pool = [told(1, position=1, words=(1.0,), meaning=0.5), told(2, position=2, session=2)]
    assert given_to(ranking.neighbour_evidence, pool, ASKED, [0.5, 0], NEAR) == [0, 0]


def test_a_gap_between_positions_is_kept() -> None:
    pool = [told(1, position=1, words=(1.0,)), told(2, position=3)]
    assert given_to(ranking.neighbours_words, pool, ASKED, NEAR) == [0, 0.4]


def test_of_a_long_neighbour_the_best_passage_counts_for_each_word() -> None:
    pool = [told(1, position=1, words=(1.0, 0.0)), told(2, position=1, words=(0.5, 2.0)), told(3, position=2)]
    assert given_to(ranking.neighbours_words, pool, ASKED, NEAR)[2] == pytest.approx(0.5 + 1.0)


def test_meaning_comes_back_from_what_follows() -> None:
    pool = [told(1), told(2), told(3, session=2)]
    assert given_to(ranking.shares, pool, [0.1, 0.5, 0.9], (0.2,)) == pytest.approx([0.1, 0, 0])


def test_of_a_long_neighbour_the_best_passage_gives_its_meaning() -> None:
    pool = [told(1, position=1), told(2, position=2), told(3, position=2)]
    assert given_to(ranking.shares, pool, [0, 0.5, 0.9], (0.2,))[0] == pytest.approx(0.18)


def spoken(named: frozenset[str], *speakers: str | None, scores: tuple[float, ...] = ()) -> list[float]:
    """What each of those who spoke gets, where the question names these."""
    pool = Pool.of([told(key, speaker=one) for key, one in enumerate(speakers)])
    question = replace(ASKED, named=named)
    return ranking.speaker_evidence(pool, question, np.array(scores or (1.0,) * len(pool)), MINILM).tolist()


def test_what_the_named_person_said_counts_more() -> None:
    given = spoken(frozenset({"ann"}), "ann", "ben", None)
    assert given == pytest.approx([MINILM.said + (1 + MINILM.said) * MINILM.speaker, 0, 0])


def test_what_others_say_of_the_named_person_counts_a_little_more() -> None:
    pool = Pool.of([told(1, speaker="ben", mentions=True), told(2, speaker="ben"), told(3, mentions=True)])
    named = replace(ASKED, named=frozenset({"ann"}))
    given = ranking.speaker_evidence(pool, named, np.array([1.0, 1.0, 0.0]), MINILM).tolist()
    assert given == [MINILM.mentioned, 0, 0]


def test_that_somebody_spoke_is_no_evidence_by_itself() -> None:
    assert spoken(frozenset({"ann"}), "ann", "ann", scores=(0.0, 0.1))[0] == 0


def test_a_weak_passage_of_the_named_person_gains_more_than_its_share() -> None:
    weak, strong = spoken(frozenset({"ann"}), "ann", "ann", scores=(0.5, 2.0))
    assert weak / 0.5 > strong / 2.0 > 0


@pytest.mark.parametrize("named", [frozenset[str](), frozenset({"ann", "ben"})])
def test_with_nobody_or_several_named_all_count_alike(named: frozenset[str]) -> None:
    assert spoken(named, "ann", "cat") == [0, 0]


def test_a_model_of_another_language_is_half_believed() -> None:
    pool = Pool.of([told(1, meaning=0.5)])
    english, german, unknown = (
        ranking.meaning_evidence(pool, replace(ASKED, language=one), MINILM)[0] for one in ("en", "de", None)
    )
    assert english == unknown == pytest.approx(0.5 * MINILM.meaning)
    assert german == pytest.approx(MINILM.foreign * english)
    of_all = ranking.meaning_evidence(pool, replace(ASKED, language="de"), replace(MINILM, languages=None))
    assert of_all[0] == english


def test_a_told_time_counts_more_when_it_is_asked_for() -> None:
    pool = [told(1, has_time=True), told(2)]
    assert given_to(ranking.telling_a_time, pool, ASKED, MINILM) == [1 + MINILM.time, 1]
    assert given_to(ranking.telling_a_time, pool, replace(ASKED, asks_when=True), MINILM) == [
        1 + MINILM.time + MINILM.time_asked,
        1,
    ]


def test_a_question_counts_less_and_its_reply_more() -> None:
    question, reply, other = given_to(ranking.prior, [told(1, question=True), told(2), told(3)], MINILM)
    assert question < other < reply


def test_a_reply_is_the_next_utterance_of_the_session() -> None:
    apart = [told(1, question=True), told(2, session=2), told(4)]
    assert given_to(ranking.prior, apart, MINILM)[1:] == [1, 1]


def test_a_very_short_utterance_counts_a_little_less() -> None:
    nothing, short, full, long = given_to(
        ranking.prior, [told(i, length=n) for i, n in enumerate((0, 2, 40, 400))], MINILM
    )
    assert 0 < nothing < short < full == long


def test_importance_and_strength_only_break_ties() -> None:
    dull = told(1, words=(5.0,), importance=0.0, strength=0.0)
    vivid = told(2, words=(5.0,), importance=1.0, strength=1.0, session=2)
    assert keys(rank(ASKED, [dull, vivid], MINILM)) == [2, 1]
    assert keys(rank(ASKED, [dull._replace(words=(6.0,)), vivid], MINILM)) == [1, 2]


def test_what_was_said_beside_the_best_gains() -> None:
    best, beside, elsewhere, nothing = (
        told(1, words=(9.0,)),
        told(8, words=(2.0,)),
        told(3, words=(2.0,), session=2),
        told(9),
    )
    share = MINILM.session
    given_ = given_to(ranking.session_evidence, [best, beside, elsewhere, nothing], [9, 2, 2, 0], MINILM)
    assert given_ == pytest.approx([share * 9, share * 9, share * 2, 0])


# Dates.


def span(start: str, end: str | None = None, *, grain: str = "day") -> TimeSpan:
    return TimeSpan(date.fromisoformat(start), date.fromisoformat(end or start), grain)  # type: ignore[arg-type]


MAY = span("2023-05-01", "2023-05-31", grain="month")
SEVENTH = span("2023-05-07")


@pytest.mark.parametrize(
    ("asked", "about", "said_on", "expected"),
    [
        ([SEVENTH], [SEVENTH], "2023-06-30", 1.0),  # "on the 7th", told as "the 7th" weeks later
        ([SEVENTH], [], "2023-05-07", 0.8),  # said on that day
        ([SEVENTH], [], "2023-05-09", 0.24),  # said two days later
        ([SEVENTH], [], "2023-05-06", 0.0),  # said the day before
        ([SEVENTH], [], "2023-05-15", 0.0),  # said long after
        ([SEVENTH], [MAY], "2023-06-30", 0.48),  # "in May" holds the day, but is no day
        ([MAY], [SEVENTH], "2023-06-30", 0.48),
        ([MAY], [], "2023-05-09", 0.4),
        ([MAY], [], "2023-06-01", 0.0),
        ([MAY, SEVENTH], [SEVENTH], "2023-06-30", 1.0),  # the best of several
        ([], [SEVENTH], "2023-05-07", 0.0),
    ],
)
def test_dates_meet(asked: list[TimeSpan], about: list[TimeSpan], said_on: str, expected: float) -> None:
    assert time_match(asked, about, date.fromisoformat(said_on)) == expected


# All together.


def test_an_entry_stands_by_its_best_passage() -> None:
    pool = [
        told(1, entry_id="long", words=(1.0,)),
        told(2, entry_id="long", words=(9.0,)),
        told(3, entry_id="other", words=(5.0,), session=2),
    ]
    best = best_of_entries(rank(ASKED, pool, BARE))
    assert [(one.utterance.entry_id, one.utterance.key) for one in best] == [("long", 2), ("other", 3)]


def test_equal_utterances_come_by_key() -> None:
    pool = [told(key, session=key, words=(4.0,)) for key in (3, 1, 2)]
    assert keys(rank(ASKED, pool, MINILM)) == [1, 2, 3]


def test_nothing_proposed_is_nothing_found() -> None:
    assert rank(ASKED, [], MINILM) == []


def test_without_any_evidence_nothing_is_probable() -> None:
    (only,) = rank(ASKED, [told(1, meaning=-0.2)], MINILM)
    assert (only.score, only.probability) == (0, 0)


@given(questions, pools, presets, st.randoms())
def test_the_order_of_the_pool_does_not_matter(
    question: Question, pool: list[Utterance], weights: ranking.Weights, random: object
) -> None:
    shuffled = list(pool)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert rank(question, shuffled, weights) == rank(question, pool, weights)


@given(questions, pools, presets)
def test_probability_lies_between_0_and_1_and_falls_along_the_list(
    question: Question, pool: list[Utterance], weights: ranking.Weights
) -> None:
    found = [one.probability for one in rank(question, pool, weights)]
    assert found == sorted(found, reverse=True)
    assert all(0 <= p <= 1 for p in found)


@given(questions, pools, presets)
def test_the_parts_make_up_the_score(
    question: Question, pool: list[Utterance], weights: ranking.Weights
) -> None:
    for one in rank(question, pool, weights):
        assert sum(one.parts.values()) == pytest.approx(one.score, abs=1e-9)


@given(questions, pools, presets, st.sampled_from(sorted(STEPS)))
def test_a_step_switched_off_adds_nothing(
    question: Question, pool: list[Utterance], weights: ranking.Weights, step: Step
) -> None:
    part = {"meaning": "meaning", "words": "words"}.get(step, step)
    assert all(one.parts[part] == 0 for one in rank(question, pool, weights.without(step)))


@given(questions, pools, presets, utterances)
def test_an_unrelated_passage_changes_no_score(
    question: Question, pool: list[Utterance], weights: ranking.Weights, stranger: Utterance
) -> None:
    stranger = stranger._replace(key=-1, session=99)
    found = [one for one in rank(question, [*pool, stranger], weights) if one.utterance.key != -1]
    assert found == rank(question, pool, weights)


@given(questions, pools, presets, st.floats(0.1, 5))
def test_more_words_in_common_never_lower_a_passage(
    question: Question, pool: list[Utterance], weights: ranking.Weights, more: float
) -> None:
    if not pool:
        return
    first, second = pool[0].words or (0.0, 0.0)
    better = pool[0]._replace(words=(first + more, second))
    before, after = rank(question, pool, weights), rank(question, [better, *pool[1:]], weights)
    assert _score(after, better.key) >= _score(before, better.key) - 1e-9


def _score(ranked: list[Ranked], key: int) -> float:
    return next(one.score for one in ranked if one.utterance.key == key)
