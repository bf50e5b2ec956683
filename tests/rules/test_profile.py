"""What is learnt of a user, from which evidence, and what fades."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.profile import (
    KEPT_EVIDENCE,
    KEPT_TOPICS,
    MOST_BOOST,
    Observation,
    UserProfile,
    boosted,
    interests,
    learn,
    observation_of,
    retract,
    weight_at,
)
from zerda.memory.core.rules.profile_cues import cues_in
from zerda.memory.core.rules.profile_text import context_lines
from zerda.memory.testing import START, draft

BLANK = UserProfile(tenant_id="acme", user_id="alice")
DAY = timedelta(days=1)


def after(*seen: Observation, half_life_days: float | None = 30.0) -> UserProfile:
    profile = replace(BLANK, half_life_days=half_life_days)
    for one in seen:
        profile = learn(profile, one)
    return profile


def said(text: str, *topics: str, day: int = 0, **fields: str) -> Observation:
    return Observation(text, START + day * DAY, topics=topics, **fields)  # type: ignore[arg-type]


def test_of_a_stranger_nothing_is_claimed() -> None:
    assert (BLANK.preferred_language, BLANK.verbosity, BLANK.response_style) == ("en", "medium", "neutral")
    assert (BLANK.avg_query_length, BLANK.avg_importance, BLANK.topics_of_interest) == (0.0, 0.0, ())
    assert context_lines(BLANK) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wo kann ich hier gut essen gehen?", "de"),
        ("Où est la gare la plus proche ?", "fr"),
        ("Где находится вокзал и как туда пройти?", "ru"),
        ("駅はどこですか", "ja"),
        ("Where is the station?", "en"),
    ],
)
def test_the_language_is_that_of_most_of_what_was_said(text: str, language: str) -> None:
    once = "Dove è la stazione della città?"
    assert after(said(once), said(text), said(text)).preferred_language == language


def test_a_language_that_is_not_spoken_any_more_gives_way() -> None:
    german = [said("Wo kann ich hier gut essen gehen?", day=n) for n in range(10)]
    english = [said("Where can I get something to eat around here?", day=365 + n) for n in range(3)]
    assert after(*german, *english).preferred_language == "en"
    assert after(*german, *english, half_life_days=None).preferred_language == "de"


@pytest.mark.parametrize(
    ("text", "manner"),
    [
        ("Please explain it briefly.", ("verbosity", "brief")),
        ("Erkläre es bitte Schritt für Schritt.", ("verbosity", "detailed")),
        ("Réponse courte, s'il te plaît.", ("verbosity", "brief")),
        ("Explícamelo paso a paso", ("verbosity", "detailed")),
        ("Объясни кратко", ("verbosity", "brief")),
        ("簡潔に教えて", ("verbosity", "brief")),
        ("Dear Sir, may I ask a question?", ("style", "formal")),
        ("Sehr geehrte Damen und Herren", ("style", "formal")),
        ("hey, gonna need some help lol", ("style", "casual")),
        ("why does parse() fail?", ("style", "technical")),
    ],
)
def test_a_manner_is_heard_in_several_languages(text: str, manner: tuple[str, str]) -> None:
    assert manner in cues_in(text)


@pytest.mark.parametrize(
    "text",
    ["The import duties rose.", "They walked in shortage of time", "Yo quiero agua", "a breve distanza"],
)
def test_ordinary_words_are_no_cue(text: str) -> None:
    assert cues_in(text) == []


def test_a_manner_counts_from_the_second_time_on() -> None:
    assert after(said("briefly: why?")).verbosity == "medium"
    assert after(said("briefly: why?"), said("briefly: how?")).verbosity == "brief"


def test_what_was_stated_stands_above_what_was_learnt() -> None:
    profile = after(*[said("Erkläre es kurz gesagt, wie geht das?")] * 3)
    stated = replace(
        profile, explicit_preferences={"language": "fr", "verbosity": "detailed", "style": "warm"}
    )
    assert (profile.preferred_language, profile.verbosity) == ("de", "brief")
    assert (stated.preferred_language, stated.verbosity, stated.response_style) == ("fr", "detailed", "warm")


def test_topics_are_ranked_by_weight_and_fade() -> None:
    old = [said("x", "chess", day=n) for n in range(5)]
    new = [said("x", " Tea  Ceremony ", day=200 + n) for n in range(2)]
    profile = after(*old, *new)
    assert profile.topics_of_interest == ("tea ceremony", "chess")
    assert profile.topic_frequency == {"chess": 5, "tea ceremony": 2}
    assert interests(profile, START + 201 * DAY, floor=0.1) == ("tea ceremony",)
    assert after(*old, *new, half_life_days=None).topics_of_interest == ("chess", "tea ceremony")


def test_a_word_is_a_topic_from_the_third_entry_on() -> None:
    texts = ["my violoncello lesson", "the violoncello needs new strings", "my violoncello teacher"]
    assert after(*map(said, texts[:2])).topics_of_interest == ()
    assert after(*map(said, texts)).topics_of_interest == ("violoncello",)


def test_what_masking_left_is_no_topic() -> None:
    assert after(*[said("write to [EMAIL_ADDRESS] or [CREDIT_CARD_1]")] * 3).topics_of_interest == ("write",)


def test_each_value_names_the_newest_of_its_evidence() -> None:
    profile = after(*[said("x", "tea", entry_id=f"{n}") for n in range(50)])
    (tea,) = profile.evidence("topic")
    assert (tea.count, tea.entry_ids) == (50, tuple(str(n) for n in range(50 - KEPT_EVIDENCE, 50)))


def test_only_the_strongest_topics_are_kept() -> None:
    profile = after(*[said("x", f"topic {n}", day=n) for n in range(KEPT_TOPICS + 20)])
    assert len(profile.evidence("topic")) == KEPT_TOPICS
    assert "topic 0" not in profile.topic_frequency
    assert f"topic {KEPT_TOPICS + 19}" in profile.topic_frequency


def test_numbers_are_kept_of_what_was_said() -> None:
    seen = [
        Observation("one two three", START, 0.25, session_id="a"),
        Observation("one", START + DAY, 0.75, session_id="a"),
        Observation("", START - DAY, 0.5, session_id="b"),
    ]
    profile = after(*seen)
    assert (profile.total_interactions, profile.session_count) == (3, 2)
    assert (profile.avg_query_length, profile.avg_importance) == (4 / 3, 0.5)
    assert (profile.first_at, profile.last_at) == (START, START + DAY)


def test_what_is_retracted_leaves_only_what_others_say_too() -> None:
    profile = after(
        said("x", "tea", entry_id="1"),
        said("x", "tea", "clinic", entry_id="2"),
        said("x", "tea", entry_id="3"),
    )
    left = retract(profile, {"2"})
    assert [(one.value, one.count, one.entry_ids) for one in left.evidence("topic")] == [
        ("tea", 2, ("1", "3"))
    ]
    assert retract(left, {"1", "3"}).learnt == ()
    assert retract(profile, {"unknown"}) == profile


@given(st.lists(st.tuples(st.integers(-400, 400), st.sampled_from(["tea", "chess", "go"])), max_size=30))
def test_no_clock_makes_a_weight_grow_beyond_its_count(seen: list[tuple[int, str]]) -> None:
    profile = after(*[said("", topic, day=day) for day, topic in seen])
    for one in profile.learnt:
        assert 0 < one.weight <= one.count
        assert weight_at(one, one.at - DAY, 30.0) == one.weight


@given(st.floats(0, 1), st.floats(0, MOST_BOOST))
def test_a_boost_never_lowers_and_never_passes_one(importance: float, boost: float) -> None:
    assert importance <= boosted(importance, boost) <= 1


def test_a_profile_learns_from_what_the_user_said_alone() -> None:
    fields = {"user_id": "alice"}
    exchange = draft({"input": "I like tea", "output": "So do I"}, **fields).entry
    seen = observation_of(exchange)
    assert seen is not None
    assert seen.text == "I like tea"
    for other in (
        draft("x", kind="message", speaker="bob", **fields),
        draft("x", kind="message", origin="web", **fields),
        draft("x", kind="document", **fields),
        draft("x", kind="message"),
    ):
        assert observation_of(other.entry) is None


def test_the_lines_for_a_model_hold_what_is_known_on_one_line_each() -> None:
    profile = after(*[said("Erkläre es kurz gesagt, wie geht das?", "Tea", "Cello")] * 2)
    stated = replace(profile, explicit_preferences={"note": "a\nb" + "x" * 500, "diet": ["vegan"]})
    lines = context_lines(stated, START)
    assert lines[:4] == [
        "Language: German",
        "Length of answers: brief",
        "Interests: cello, tea",
        'Prefers: diet = ["vegan"]',
    ]
    assert all("\n" not in line and len(line) < 300 for line in lines)
