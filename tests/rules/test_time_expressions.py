"""Times named in a text, resolved against the moment at which it was said."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.model import TimeSpan
from zerda.memory.core.rules.language import stop_words
from zerda.memory.core.rules.languages import LANGUAGES
from zerda.memory.core.rules.time_expressions import find_times, has_time, overlap

WEDNESDAY = datetime(2023, 6, 14, 12, tzinfo=UTC)
Example = tuple[str, datetime, str, str]


def examples() -> list[Example]:
    """Rows of language, anchor, text and the days it names: one file, so that a change shows as a diff."""
    lines = Path(__file__).with_name("time_examples.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(code, datetime.fromisoformat(anchor), text, days) for code, anchor, text, days in rows]


EXAMPLES = examples()


@pytest.mark.parametrize(("code", "anchor", "text", "days"), EXAMPLES)
def test_each_example_names_its_days(code: str, anchor: datetime, text: str, days: str) -> None:
    found = find_times(text, anchor, code)
    assert "; ".join(f"{span.start}..{span.end}" for span in found) == days
    assert has_time(text, code) or not found


@pytest.mark.parametrize("code", ["en", "de", "fr", "es", "it", "pt", "ru", "zh", "ja", "ar"])
def test_each_language_has_examples_enough(code: str) -> None:
    assert sum(row[0] == code for row in EXAMPLES) >= 25


def only(text: str, anchor: datetime = WEDNESDAY, language: str | None = "en") -> TimeSpan:
    (span,) = find_times(text, anchor, language)
    return span


def test_a_span_tells_where_it_stands_in_the_text() -> None:
    for text in ("We met last Friday, in Rome", "Cafe\u0301 last Friday", "ＡＢ last Friday 🙂"):
        span = only(text)
        assert text[span.text_start : span.text_end] == "last Friday"


@pytest.mark.parametrize(
    ("text", "grain", "relative"),
    [
        ("yesterday", "day", True),
        ("on 7 May 2023", "day", False),
        ("on 7 May", "day", True),
        ("last week", "week", True),
        ("in May 2023", "month", False),
        ("last summer", "season", True),
        ("in 2022", "year", False),
        ("last weekend", "span", True),
        ("a few days ago", "span", True),
    ],
)
def test_grain_and_whether_it_hangs_on_the_anchor(text: str, grain: str, relative: bool) -> None:
    span = only(text)
    assert (span.grain, span.relative) == (grain, relative)


def test_tense_decides_where_no_year_is_said() -> None:
    assert only("We went in May").start == date(2023, 5, 1)
    assert only("We will go in May").start == date(2024, 5, 1)
    assert only("What happened in July?").start == date(2022, 7, 1)
    assert only("What will happen in July?").start == date(2023, 7, 1)


def test_a_month_that_is_a_verb_is_no_time() -> None:
    for text in ("It may rain", "May I?", "They march on", "March! he said", "this may be"):
        assert find_times(text, WEDNESDAY, "en") == ()


def test_without_a_language_the_text_tells_it() -> None:
    assert only("Ich war gestern im Park", language=None).start == date(2023, 6, 13)
    assert only("gestern", language=None).start == date(2023, 6, 13)
    assert only("2023-05-07", language=None).start == date(2023, 5, 7)
    assert only("je l'ai vu avant-hier", language=None).start == date(2023, 6, 12)


def test_an_unknown_language_names_no_times() -> None:
    assert find_times("yesterday", WEDNESDAY, "xx") == ()
    assert not has_time("yesterday", "xx")


def test_the_day_itself_is_not_the_last_of_its_name() -> None:
    friday, may, christmas = datetime(2023, 6, 16), datetime(2023, 5, 31), datetime(2023, 12, 25)
    assert only("last Friday", friday).start == date(2023, 6, 9)
    assert only("next Friday", friday).start == date(2023, 6, 23)
    assert only("last May", may).start == date(2022, 5, 1)
    assert only("last Christmas", christmas).start == date(2022, 12, 25)


def test_a_year_far_ahead_is_a_title() -> None:
    assert find_times("I play Cyberpunk 2077", WEDNESDAY, "en") == ()
    assert only("back in 1977").start == date(1977, 1, 1)


def test_days_that_no_calendar_has_are_left_out() -> None:
    first, last = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
    assert find_times("31 February 2023 and 13/13/2023", WEDNESDAY, "en") == ()
    assert find_times("900 years ago", first, "en") == ()
    assert find_times("yesterday, last month", first, "en") == ()
    assert find_times("tomorrow, next year, next week", last, "en") == ()
    assert only("on 29 February").start == date(2024, 2, 29)


ORDINARY = sorted(stop_words("en") - {"now", "may", "march"} | {"dog", "house", "green", "music"})
TIMES = [
    "last Friday",
    "yesterday",
    "in May",
    "2 weeks ago",
    "7 May 2023",
    "2023",
    "上周五",
    "hier",
    "vor",
    "am",
]
anchors = st.datetimes(timezones=st.none() | st.just(UTC))
texts = st.text() | st.lists(st.sampled_from([*TIMES, *ORDINARY, "0", "９", "-", "/", "."])).map(" ".join)
codes = st.none() | st.sampled_from(sorted(LANGUAGES))


@given(texts, anchors, codes)
def test_any_text_and_anchor_are_taken(text: str, anchor: datetime, code: str | None) -> None:
    ends = [0]
    for span in find_times(text, anchor, code):
        assert span.start <= span.end
        assert ends[-1] <= span.text_start < span.text_end <= len(text)
        ends.append(span.text_end)


@given(st.lists(st.sampled_from(ORDINARY)).map(" ".join), anchors)
def test_ordinary_words_name_no_time(text: str, anchor: datetime) -> None:
    assert find_times(text, anchor) == ()
    assert not has_time(text)


WEEKLY = [
    *[("en", f"{which} {day}") for which in ("last", "next") for day in ("Monday", "Friday", "Sunday")],
    ("en", "last week"),
    ("en", "yesterday"),
    ("en", "two weekends ago"),
    ("de", "letzten Freitag"),
    ("fr", "vendredi dernier"),
    ("zh", "上周五"),
    ("ja", "先週の金曜日"),
    ("ru", "в прошлую пятницу"),
    ("ar", "الجمعة الماضية"),
]


@given(st.sampled_from(WEEKLY), st.integers(-500, 500), st.integers(0, 6))
def test_whole_weeks_shift_what_hangs_on_the_week(row: tuple[str, str], weeks: int, day: int) -> None:
    code, text = row
    anchor, by = WEDNESDAY + timedelta(day), timedelta(weeks=weeks)
    before, after = only(text, anchor, code), only(text, anchor + by, code)
    assert (after.start, after.end) == (before.start + by, before.end + by)


def days(start: str, end: str | None = None) -> TimeSpan:
    return TimeSpan(date.fromisoformat(start), date.fromisoformat(end or start), "span")


DAY, WEEK = days("2023-05-07"), days("2023-05-01", "2023-05-07")
MONTH, YEAR = days("2023-05-01", "2023-05-31"), days("2023-01-01", "2023-12-31")


def test_a_time_within_the_time_asked_for_fits_whole() -> None:
    assert overlap([DAY], DAY) == overlap([MONTH], DAY) == overlap([YEAR], MONTH) == 1


def test_a_coarser_time_fits_less() -> None:
    fits = [overlap([DAY], span) for span in (DAY, WEEK, MONTH, YEAR)]
    assert fits == sorted(set(fits), reverse=True)
    assert fits[-1] > 0


def test_a_near_miss_counts_a_little_and_a_far_one_nothing() -> None:
    near, farther, far = (overlap([DAY], days(f"2023-05-{day}")) for day in ("08", "12", "15"))
    assert overlap([DAY], DAY) > near > farther > far == 0
    assert overlap([DAY], days("2023-06-20")) == 0
    assert overlap([MONTH], days("2023-06-01")) == 0


def test_the_best_of_the_times_asked_for_counts() -> None:
    assert overlap([days("2020-01-01"), DAY], DAY) == 1
    assert overlap([], DAY) == 0


spans = st.tuples(st.dates(), st.dates()).map(sorted).map(lambda pair: TimeSpan(pair[0], pair[1], "span"))


@given(st.lists(spans, max_size=3), spans)
def test_a_fit_runs_from_nothing_to_one(asked: list[TimeSpan], span: TimeSpan) -> None:
    assert 0 <= overlap(asked, span) <= 1
