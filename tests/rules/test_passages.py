from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zerda.memory.core.rules.passages import passages_of
from zerda.memory.core.rules.text import index_tokens
from zerda.memory.testing import START

texts = st.text(alphabet=st.characters(), max_size=400)


def passages(content, **options):
    return passages_of(content, occurred_at=START, **options)


def test_a_text_is_one_passage():
    (passage,) = passages("The cat sleeps.")
    assert (passage.role, passage.start, passage.end, passage.length) == ("text", 0, 15, 3)
    assert {"cat", "sleep"} <= set(passage.tokens)


def test_an_interaction_has_a_passage_for_each_part():
    said = passages({"input": "Where is Rome?", "output": "In Italy."})
    assert [passage.role for passage in said] == ["input", "output"]
    assert [passage.question for passage in said] == [True, False]


@pytest.mark.parametrize("content", ["", " \n\t ", {"input": "", "output": " "}])
def test_nothing_said_is_no_passage(content):
    assert passages(content) == ()


def test_a_silent_part_has_no_passage():
    assert [passage.role for passage in passages({"input": "hi", "output": ""})] == ["input"]


def test_a_needle_at_the_end_of_a_long_text_is_in_a_passage():
    text = "The weather was fine that day. " * 4_000 + "The key lies under the blue stone."
    said = passages(text)
    assert "stone" in said[-1].tokens
    assert max(passage.length for passage in said) <= 180


def test_a_shorter_window_gives_shorter_passages():
    text = "One two three four five. " * 40
    assert max(passage.length for passage in passages(text, max_words=20)) <= 20


@settings(deadline=None)  # The first call reads the tables of languages.
@given(texts)
def test_every_character_that_can_be_seen_lies_in_a_passage(text):
    covered = {place for passage in passages(text) for place in range(passage.start, passage.end)}
    assert all(place in covered for place, char in enumerate(text) if not char.isspace())


@settings(deadline=None)  # The first call reads the tables of languages.
@given(texts, texts)
def test_a_passage_finds_its_words_again(question, answer):
    content = {"input": question, "output": answer}
    for passage in passages(content):
        again = index_tokens(content[passage.role][passage.start : passage.end], passage.language)
        assert (passage.tokens, passage.length) == again


def test_yesterday_is_the_day_before_it_was_said():
    (passage,) = passages("I met her yesterday.")
    (time,) = passage.times
    assert (time.start, time.end) == ((START - timedelta(days=1)).date(),) * 2
    assert "I met her yesterday."[time.text_start : time.text_end] == "yesterday"


@pytest.mark.parametrize("moment", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_the_ends_of_the_calendar_are_days_like_others(moment):
    (passage,) = passages_of("I met her yesterday and will see her tomorrow.", occurred_at=moment)
    assert passage.length == 9


def test_words_are_stemmed_in_the_language_of_their_text():
    (passage,) = passages("Die Katzen schlafen auf den Dächern und träumen von Mäusen.")
    assert passage.language == "de"
    assert {"katz", "schlaf", "dach"} <= set(passage.tokens)


def test_a_piece_that_does_not_tell_its_language_has_that_of_its_text():
    text = "Das ist die Liste, die ich dir von der Reise mitgebracht habe. " + "Aktenzeichen 4711. " * 400
    assert {passage.language for passage in passages(text)} == {"de"}
