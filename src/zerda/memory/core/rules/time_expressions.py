"""Times named in a text: found, and resolved against the moment at which it was said.

Each language brings its words and templates (`languages`); here stands what they mean, once for all of them.
A unit that lies some units back is the whole calendar unit: "last week" and "a week ago" are the Monday to
Sunday before the anchor's week, "two years ago" is a calendar year. Seasons are those of the north.
"""

import math
import re
import unicodedata
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cache
from itertools import accumulate
from typing import Literal

from ..model import Grain, TimeSpan
from .language import DEFAULT, detect, is_question
from .languages import LANGUAGES, TimePattern, TimeWords
from .languages.table import Sense, Unit, flat
from .text import is_unspaced


def find_times(text: str, anchor: datetime, language: str | None = None) -> tuple[TimeSpan, ...]:
    """The times that a text names, in its order, as days of the anchor's own calendar.

    Without a year or another hint, tense decides ("we went in May", "we will go in May"); a question looks
    back; else the nearest. Raises nothing; what no calendar holds is left out. Takes time in proportion to
    the text. ``language`` is a code of `languages`; None finds out.
    """
    written = _written(text)
    for rules in _rules_for(text, written.flat, language):
        if found := tuple(_found(rules, written, anchor.date())):
            return found
    return ()


def has_time(text: str, language: str | None = None) -> bool:
    """Whether a text names a time at all; `find_times` costs more and may find no day for it."""
    written = _written(text)
    return any(
        next(_matches(rules, written), None) is not None for rules in _rules_for(text, written.flat, language)
    )


NEAR_DAYS = 7
"""A day up to a week beside the day asked for still counts a little: people misremember dates."""

_NEAR, _COARSE = 0.45, 0.25  # Set by hand.


def overlap(asked: Iterable[TimeSpan], span: TimeSpan) -> float:
    """How well a time fits the times asked for, from 0 to 1 (it lies within one of them).

    A coarser time falls with the fourth root of its length (a week for a day 0.6, a month 0.4, a year 0.2:
    set by hand), a near miss of a short time from 0.4 to 0.
    """
    return max((_fit(one, span) for one in asked), default=0.0)


def _fit(asked: TimeSpan, span: TimeSpan) -> float:
    shared = (min(asked.end, span.end) - max(asked.start, span.start)).days + 1
    if shared > 0:
        return math.pow(shared / _days(span), _COARSE)
    gap = 1 - shared
    if gap > NEAR_DAYS or max(_days(asked), _days(span)) > NEAR_DAYS:
        return 0.0
    return _NEAR * (1 - gap / (NEAR_DAYS + 1))


def _days(span: TimeSpan) -> int:
    return (span.end - span.start).days + 1


# --- the text ---


@dataclass(frozen=True, slots=True)
class _Written:
    """A text in composed form, the same flattened, and where in the original each character stands."""

    composed: str
    flat: str
    places: Sequence[int] | None

    def place(self, position: int) -> int:
        return position if self.places is None else self.places[position]


_CLUSTERS = re.compile("[^\u0300-\u036f\u3099\u309a]?[\u0300-\u036f\u3099\u309a]{0,8}", re.DOTALL)


def _written(text: str) -> _Written:
    if text.isascii() or unicodedata.is_normalized("NFC", text):
        return _Written(text, flat(text), None)
    clusters = [match[0] for match in _CLUSTERS.finditer(text) if match[0]]
    pieces = [unicodedata.normalize("NFC", cluster) for cluster in clusters]
    starts = accumulate(map(len, clusters), initial=0)
    places = [start for start, piece in zip(starts, pieces, strict=False) for _ in piece]
    composed = "".join(pieces)
    return _Written(composed, flat(composed), [*places, len(text)])


# --- the rules of a language ---


@dataclass(frozen=True, slots=True)
class _Rules:
    """The templates of one language, compiled into one to find; `_alone` reads what was found."""

    code: str
    words: TimeWords
    anywhere: re.Pattern[str]
    patterns: tuple[TimePattern, ...]
    lexicon: Mapping[str, str]
    right: str
    starts: frozenset[str] | None  # None for a script without spaces
    future: re.Pattern[str] | None
    past: re.Pattern[str] | None


# What every language writes alike.
_COMMON = (
    TimePattern("date", r"{year}-{mon}-{day}(?:[t ]\d\d:\d\d[\d:.+z-]{0,20})?"),
    TimePattern("date", r"{year}[/.]{mon}[/.]{day}"),
    TimePattern("numeric", r"{first}[/.-]{second}[/.-](?:{year}|(?<=/){short_year})"),
    TimePattern("date", r"{year} ?[-–—] ?{year2}(?![-/.]\d)"),
    TimePattern("date", r"{mon}/{year}"),
)
_NUMBERS = {
    "year": r"(?:19|20)\d\d",
    "year2": r"(?:19|20)\d\d",
    "short_year": r"\d\d",
    "yr": r"(?:19|20)\d\d|['’]\d\d",
    "day": r"\d{1,2}(?!\d)",
    "day2": r"\d{1,2}(?!\d)",
    "mon": r"\d{1,2}(?!\d)",
    "first": r"\d{1,2}",
    "second": r"\d{1,2}",
    "decade": r"(?:19|20)\d0|[5-9]0",
    "era": r"\d{4}",
}
_HAN_NUMBERS = {
    "day": r"\d{1,2}(?!\d)|[一二三四五六七八九十]{1,3}",
    "mon": r"\d{1,2}(?!\d)|[一二三四五六七八九十]{1,2}",
}
_PLACEHOLDER = re.compile(r"\{([a-z_]\w*)\}")
_LOOKBEHIND = re.compile(r"(\(\?<[!=][^)]*\))")
# A number that hangs on a sign or another number is a price, a version, a part of a path.
_LEFT = r"(?<!\w)(?!(?<=[$€£¥#@/.,:+\-])\d)"
_LEFT_UNSPACED = r"(?!(?<=[\d$€£¥#@/.,:+\-])\d)"


@cache
def _rules(code: str) -> _Rules:
    """Compiled at first use: some hundredths of a second, once in a process."""
    words = _known_times(code)
    unspaced = _is_unspaced(words)
    patterns = (*_COMMON, *words.patterns)
    left, right = _LEFT, r"(?!\w)"
    if unspaced:
        left, right = _start_characters(words, patterns) + _LEFT_UNSPACED, r"(?!\d)"
    lexicon = _lexicon(words) | (_HAN_NUMBERS if unspaced else {})
    branches = (f"(?P<p{i}>{_expand(p, lexicon, capture=False)})" for i, p in enumerate(patterns))
    return _Rules(
        code=code,
        words=words,
        anywhere=re.compile(f"{left}(?:{'|'.join(branches)}){right}"),
        patterns=patterns,
        lexicon=lexicon,
        right=right,
        starts=None if unspaced else _starts(words, patterns),
        future=re.compile(words.future) if words.future else None,
        past=re.compile(words.past) if words.past else None,
    )


@cache
def _alone(code: str, index: int) -> re.Pattern[str]:
    rules = _rules(code)
    return re.compile(_expand(rules.patterns[index], rules.lexicon, capture=True) + rules.right)


def _is_unspaced(words: TimeWords) -> bool:
    return any(map(is_unspaced, words.units))


def _lexicon(words: TimeWords) -> dict[str, str]:
    digits = r"\d{1,3}"
    return _NUMBERS | {
        "n": "|".join((digits, _either((*words.numbers, *words.few)))),
        "unit": _either(words.units),
        "week": _either(word for word, unit in words.units.items() if unit == ("week", 1)),
        "weekend": _either(word for word, (unit, _) in words.units.items() if unit == "weekend"),
        "month": _either(words.months),
        "weekday": _either(words.weekdays),
        "season": _either(words.seasons),
        "which": _either(words.which),
        "named": _either(words.named),
        "part": _either(words.parts),
        "ord": _either(words.ordinals),
        "side": _either(words.sides),
        "holiday": _either(words.holidays),
    }


def _either(words: Iterable[str]) -> str:
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    escaped = (re.escape(word).replace(r"\ ", r"\s{1,4}").replace("'", "['’]") for word in longest_first)
    return "|".join(escaped) or "(?!)"  # no words: never


# "In May 2023" is not "in May" and 2023.
_NO_YEAR = r"(?!,?\s{1,4}(?:d\w{1,2}\s{1,4}|of\s{1,4})?['’]?\d)"


def _expand(pattern: TimePattern, lexicon: Mapping[str, str], *, capture: bool) -> str:
    """A template as a pattern; its placeholders capture only where it is read alone."""
    pieces = _LOOKBEHIND.split(pattern.template)
    spaced = "".join(
        piece
        if _LOOKBEHIND.fullmatch(piece)
        else piece.replace("[ ", r"[\s").replace(" ?", r"\s{0,4}").replace(" ", r"\s{1,4}")
        for piece in pieces
    )
    group = "(?P<{}>{})" if capture else "(?:{1})"
    expanded = _PLACEHOLDER.sub(lambda found: group.format(found[1], lexicon[found[1]]), flat(spaced))
    lacks_year = pattern.sense == "date" and pattern.template.endswith(("{month}", "{season}"))
    return expanded + _NO_YEAR if lacks_year else expanded


def _starts(words: TimeWords, patterns: Iterable[TimePattern]) -> frozenset[str]:
    """Words that a match may begin with: those of the lists and those that stand in a template."""
    templates = (pattern.template for pattern in patterns)
    return frozenset(_WORDS.findall(flat(" ".join((*_phrases(words), *templates)))))


def _start_characters(words: TimeWords, patterns: Iterable[TimePattern]) -> str:
    """The same for a script without spaces: a look at the next character."""
    literal = {char for pattern in patterns for char in pattern.template if not char.isascii()}
    return f"(?=[0-9{''.join(sorted(literal | {phrase[0] for phrase in _phrases(words)}))}])"


def _phrases(words: TimeWords) -> Iterator[str]:
    lists = (words.months, words.weekdays, words.units, words.numbers, words.few, words.which, words.named)
    for group in (*lists, words.seasons, words.parts, words.ordinals, words.sides, words.holidays):
        yield from group


# A day, a month, a short year, a decade; or a year. Prices, counts and numbers of things have other lengths.
_DIGITS = re.compile(r"(?<![0-9])(?:[0-9]{1,2}|(?:19|20)[0-9]{2})(?![0-9])")
_WORDS = re.compile(r"\w+")
_PLACES = re.compile(r"['’](?=[0-9])|\w+")


def _rules_for(text: str, plain: str, language: str | None) -> Iterator[_Rules]:
    """The languages to read a text in: its own, if it may name a time at all."""
    code = language or detect(text)
    if code:
        if code in _speaking_of_time() and (_DIGITS.search(plain) or _signs_of_time(code, plain)):
            yield _rules(code)
        return
    # Nothing tells the language: bare dates are read as English, words of time as whose they are.
    for code in _speaking_of_time():
        if _signs_of_time(code, plain) or (code == DEFAULT and _DIGITS.search(plain)):
            yield _rules(code)


@cache
def _speaking_of_time() -> Mapping[str, TimeWords]:
    return {code: known.times for code, known in LANGUAGES.items() if known.times}


def _known_times(code: str) -> TimeWords:
    return _speaking_of_time()[code]


def _signs_of_time(code: str, plain: str) -> bool:
    """Whether a text has one of the words, or characters, of which every time without a digit has one."""
    pattern = _sign_pattern(code)
    if pattern:
        return pattern.search(plain) is not None
    return not _sign_words(code).isdisjoint(_WORDS.findall(plain))


def _telling(words: TimeWords) -> Iterator[str]:
    for group in (words.months, words.weekdays, words.units, words.named, words.seasons, words.holidays):
        # One Chinese numeral is a weekday only behind the word for week, which tells enough.
        yield from (word for word in group if group is not words.weekdays or word not in words.numbers)


@cache
def _sign_words(code: str) -> frozenset[str]:
    """Single words as they are; of a phrase that has none of them, its longest word."""
    phrases = [_WORDS.findall(phrase) for phrase in _telling(_known_times(code))]
    single = {phrase[0] for phrase in phrases if len(phrase) == 1}
    prefixed = {before + word for before in _PREFIXES.get(code, ()) for word in single}
    return frozenset(
        single | prefixed | {max(phrase, key=len) for phrase in phrases if single.isdisjoint(phrase)}
    )


_PREFIXES = {"ar": "وبلفك"}  # One-letter words that are written onto the next.


@cache
def _sign_pattern(code: str) -> re.Pattern[str] | None:
    words = _known_times(code)
    if not _is_unspaced(words):
        return None
    return re.compile(_either(_telling(words)))


def _matches(rules: _Rules, written: _Written) -> Iterator[tuple[TimePattern, re.Match[str]]]:
    for found in _places(rules, written.flat):
        index = int((found.lastgroup or "p0")[1:])
        pattern = rules.patterns[index]
        match = _alone(rules.code, index).match(written.flat, found.start())
        if match and _surely_a_time(rules.words, pattern, match, written.composed):
            yield pattern, match


def _places(rules: _Rules, plain: str) -> Iterator[re.Match[str]]:
    if rules.starts is None:
        yield from rules.anywhere.finditer(plain)
        return
    end = 0
    for word in _PLACES.finditer(plain):
        if word.start() >= end and _may_start(rules.starts, word[0]):
            found = rules.anywhere.match(plain, word.start())
            if found:
                end = found.end()
                yield found


def _may_start(starts: frozenset[str], word: str) -> bool:
    # Arabic writes its one-letter words onto the next.
    return word in starts or word[0] in "0123456789'’" or word[1:] in starts


def _surely_a_time(words: TimeWords, pattern: TimePattern, match: re.Match[str], composed: str) -> bool:
    """A word such as "may" or "sun" does not stand alone, and in a strict pattern only with a capital."""
    for group in ("month", "weekday", "season"):
        if group in match.re.groupindex and match[group] in words.weak:
            capital = composed[match.start(group)].isupper()
            return match[group] != match[0] and (capital or not pattern.strict)
    return True


# --- what a match says ---

Tense = Literal["past", "future", "unknown"]


@dataclass(frozen=True, slots=True)
class _Said:
    """The parts of one match as numbers, and the day and tense in which it was said."""

    anchor: date
    tense: Tense
    strict: bool = False
    number: int | None = None
    few: bool = False
    unit: Unit | None = None
    multiple: int = 1
    plural: bool = False
    month: int | None = None
    weekday: int | None = None
    season: int | None = None
    day: int | None = None
    day2: int | None = None
    year: int | None = None
    year2: int | None = None
    which: int | None = None
    part: int | None = None
    ordinal: int | None = None
    side: int | None = None
    named: tuple[int, int] | None = None
    holiday: tuple[int, int] | None = None
    decade: int | None = None
    numbers: tuple[int, int] | None = None
    month_first: bool = False


def _found(rules: _Rules, written: _Written, anchor: date) -> Iterator[TimeSpan]:
    question = is_question(written.composed)
    for pattern, match in _matches(rules, written):
        said = replace(_said(rules, match, anchor, question=question), strict=pattern.strict)
        try:
            span = _MEANINGS[pattern.sense](said)
        except (ValueError, OverflowError):  # a date that no calendar has
            continue
        if span:
            if pattern.sense not in _MEASURED:
                span = _until_now(rules.words, match, span, anchor)
            start, end = written.place(match.start()), written.place(match.end())
            yield replace(span, text_start=start, text_end=end)


def _said(rules: _Rules, match: re.Match[str], anchor: date, *, question: bool) -> _Said:
    words = rules.words
    groups = {name: _blanks.sub(" ", value) for name, value in match.groupdict().items() if value}
    number = groups.get("n")
    spelled_unit = next((groups[name] for name in ("unit", "week", "weekend") if name in groups), "")
    unit, multiple = words.units.get(spelled_unit, (None, 1))
    return _Said(
        anchor=anchor,
        tense=_tense(rules, match, question=question),
        number=None if number is None or number in words.few else _number(number, words.numbers),
        few=number in words.few,
        unit=unit,
        multiple=multiple,
        plural="unit" in groups and number is None and groups["unit"][-1:] == "s",
        month=_number(groups["mon"], {}) if "mon" in groups else words.months.get(groups.get("month", "")),
        weekday=words.weekdays.get(groups.get("weekday", "")),
        season=words.seasons.get(groups.get("season", "")),
        day=_number(groups["day"], {}) if "day" in groups else None,
        day2=_digits(groups.get("day2")),
        year=_year(groups),
        year2=_digits(groups.get("year2")),
        which=words.which.get(groups.get("which", "")),
        part=words.parts.get(groups.get("part", "")),
        ordinal=words.ordinals.get(groups.get("ord", "")),
        side=words.sides.get(groups.get("side", "")),
        named=words.named.get(groups.get("named", "")),
        holiday=words.holidays.get(groups.get("holiday", "")),
        decade=_digits(groups.get("decade", "").lstrip("'’") or None),
        numbers=(int(groups["first"]), int(groups["second"])) if "first" in groups else None,
        month_first=words.month_first and "." not in match[0],
    )


_blanks = re.compile(r"\s+|(?<=\w)’(?=\w)")


def _digits(text: str | None) -> int | None:
    return int(text) if text else None


_HAN_DIGITS = {char: value for value, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}


def _number(text: str, numbers: Mapping[str, int]) -> int:
    if text.isdecimal():
        return int(text)
    if text in numbers:
        return numbers[text]
    tens, ten, ones = text.rpartition("十")
    value = 10 * _HAN_DIGITS.get(tens, 1) if ten else 0
    return value + _HAN_DIGITS.get(ones, 0)


def _year(groups: Mapping[str, str]) -> int | None:
    if "era" in groups:
        return int(groups["era"]) - 543  # the Buddhist era of Thai calendars
    written = groups.get("year") or groups.get("yr") or groups.get("short_year")
    if written is None:
        return None
    year = int(written.lstrip("'’"))
    return year if year > 99 else year + (2000 if year < 70 else 1900)


_WINDOW = 80  # Characters on either side that may tell the tense.
_SENTENCE_END = re.compile(r"[.!?…。！？\n]")


def _tense(rules: _Rules, match: re.Match[str], *, question: bool) -> Tense:
    text = match.string
    before = _SENTENCE_END.split(text[max(0, match.start() - _WINDOW) : match.start()])[-1]
    after = _SENTENCE_END.split(text[match.end() : match.end() + _WINDOW])[0]
    around = f"{before} {after}"
    future = rules.future is not None and rules.future.search(around) is not None
    past = rules.past is not None and rules.past.search(around) is not None
    if future != past:
        return "future" if future else "past"
    return "past" if question else "unknown"


# Here the word for "since" measures from the anchor itself.
_MEASURED: frozenset[Sense] = frozenset({"ago", "ahead", "lasting"})


def _until_now(words: TimeWords, match: re.Match[str], span: TimeSpan, anchor: date) -> TimeSpan:
    """After a word like "since", a time runs until the anchor."""
    before = match.string[max(0, match.start() - 12) : match.start()].split()[-1:]
    first = match[0].split()[:1]
    if span.grain == "span" or span.start > anchor or not words.since.intersection((*before, *first)):
        return span
    return replace(span, end=anchor, grain="span", relative=True)


# --- meanings ---

Days = tuple[date, date]


def _relative(days: Days, grain: Grain) -> TimeSpan:
    return TimeSpan(*days, grain, relative=True)


def _date(said: _Said) -> TimeSpan | None:
    if said.year2 is not None and said.year is not None:
        days = _whole("year", date(said.year, 1, 1))[0], _whole("year", date(said.year2, 1, 1))[1]
        return TimeSpan(*days, "span", relative=False) if days[0] <= days[1] else None
    found = _calendar_days(said)
    if found is None:
        return None
    days, grain = found
    return TimeSpan(*_narrowed(days, said.part), grain, relative=said.year is None)


_FORESIGHT = 30  # A bare number of years beyond is a title: "Cyberpunk 2077".


def _calendar_days(said: _Said) -> tuple[Days, Grain] | None:
    """The days of a date that lacks any of its parts, and how exact it is."""
    if said.day is not None and said.day2 is not None:
        return _choose(_in_years(said, _day_range), said), "span"
    if said.month is not None and said.day is not None:
        return _choose(_in_years(said, _month_day), said), "day"
    if said.month is not None:
        return _choose(_in_years(said, _month), said), "month"
    if said.season is not None:
        return _choose(_in_years(said, _season), said), "season"
    if said.year is not None:
        if said.year > said.anchor.year + _FORESIGHT:
            return None
        return _whole("year", date(said.year, 1, 1)), "year"
    if said.weekday is not None:
        return _choose(_weekdays_around(said), said), "day"
    if said.day is not None:
        return _choose(list(_days_of_months(said)), said), "day"
    return None


def _in_years(said: _Said, days: Callable[[_Said, int], Days | None]) -> list[Days]:
    anchor = said.anchor.year
    # Eight years hold a 29 February.
    years = (said.year,) if said.year is not None else range(anchor - 8, anchor + 9)
    return [found for year in years if 1 <= year < 9999 and (found := days(said, year))]


def _day(year: int, month: int, day: int) -> date | None:
    return date(year, month, day) if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1] else None


def _month_day(said: _Said, year: int) -> Days | None:
    found = _day(year, said.month or 0, said.day or 0)
    return (found, found) if found else None


def _day_range(said: _Said, year: int) -> Days | None:
    first, last = _day(year, said.month or 0, said.day or 0), _day(year, said.month or 0, said.day2 or 0)
    return (first, last) if first and last and first <= last else None


def _month(said: _Said, year: int) -> Days | None:
    first = _day(year, said.month or 0, 1)
    return _whole("month", first) if first else None


def _season(said: _Said, year: int) -> Days:
    return _whole("season", date(year, 3 * (said.season or 0) + 3, 1))


def _weekdays_around(said: _Said) -> list[Days]:
    ahead = ((said.weekday or 0) - said.anchor.weekday()) % 7 or 7
    days = (said.anchor + timedelta(ahead - 7 * weeks) for weeks in ((0, 1) if ahead < 7 else (0, 2)))
    return [(day, day) for day in days]


def _days_of_months(said: _Said) -> Iterator[Days]:
    for months in (-2, -1, 0, 1, 2):
        first = _shifted("month", said.anchor.replace(day=1), months)
        day = _day(first.year, first.month, said.day or 0)
        if day:
            yield day, day


def _choose(spans: Sequence[Days], said: _Said, tense: Tense | None = None) -> Days:
    """The latest that has begun, the first that has not ended, or the nearest; ValueError if none."""
    anchor, tense = said.anchor, tense or said.tense
    if tense == "past":
        spans = [days for days in spans if days[0] <= anchor] or spans
    elif tense == "future":
        spans = [days for days in spans if days[1] >= anchor] or spans
    return min(spans, key=lambda days: (_distance(days, anchor), days[0] > anchor))


def _distance(days: Days, anchor: date) -> int:
    return max((days[0] - anchor).days, (anchor - days[1]).days, 0)


def _narrowed(days: Days, part: int | None) -> Days:
    """The early, middle or late third."""
    if part is None:
        return days
    third = max(1, ((days[1] - days[0]).days + 1) // 3)
    if part == 0:
        return days[0], days[0] + timedelta(third - 1)
    if part == 2:
        return days[1] - timedelta(third - 1), days[1]
    return days[0] + timedelta(third), days[1] - timedelta(third)


def _numeric(said: _Said) -> TimeSpan | None:
    first, second = said.numbers or (0, 0)
    day, month = (second, first) if said.month_first else (first, second)
    if month > 12:
        day, month = month, day
    found = date(said.year or 0, month, day)
    return TimeSpan(found, found, "day", relative=False)


def _which(said: _Said) -> TimeSpan | None:
    which = said.which if said.which is not None else said.side or 0
    if said.which is None and said.side == 0:
        return None  # "the week of"
    if said.unit is not None:
        return _which_unit(said, which)
    if said.weekday is not None:
        return _relative(_which_of(_weekdays_around(said), said, which), "day")
    if said.month is not None:
        return _relative(_which_of(_in_years(said, _month), said, which), "month")
    if said.season is not None:
        return _relative(_which_of(_in_years(said, _season), said, which), "season")
    return None


def _which_unit(said: _Said, which: int) -> TimeSpan | None:
    if said.unit is None or (said.unit == "day" and said.side is None) or said.multiple == 0:
        return None  # "this day", "last minute"
    if said.unit == "year" and (said.month or said.season is not None):
        found = _calendar_days(replace(said, year=said.anchor.year + which, weekday=None))
        return _relative(*found) if found else None
    if said.unit == "month" and said.day is not None:
        first = _shifted("month", said.anchor.replace(day=1), which)
        day = first.replace(day=said.day)
        return _relative((day, day), "day")
    if said.unit == "weekend" and which == 0 and said.tense == "past" and said.anchor.weekday() < 5:
        which = -1  # "this weekend was fun", said on a Monday
    days = _whole(said.unit, _shifted(said.unit, said.anchor, which * said.multiple))
    if said.weekday is not None:
        day = days[0] + timedelta((said.weekday - days[0].weekday()) % 7)
        return _relative((day, day), "day")
    return _relative(_narrowed(days, said.part), _grain(said.unit))


def _which_of(spans: Sequence[Days], said: _Said, which: int) -> Days:
    """Of the days of a weekday, month or season: the last before, the first after, or this year's."""
    anchor = said.anchor
    if which < 0:
        return max(days for days in spans if days[1] < anchor)
    if which > 0:
        return min(days for days in spans if days[0] > anchor)
    if said.weekday is not None:
        day = anchor + timedelta((said.weekday - anchor.weekday()) % 7)
        return _choose([*spans, (day, day)], said, "past" if said.tense == "past" else "future")
    return _choose([days for days in spans if days[0].year == anchor.year] or spans, said, "unknown")


def _before_last(said: _Said) -> TimeSpan | None:
    if said.weekday is not None:
        day = _which_of(_weekdays_around(said), said, -1)[0] - timedelta(7)
        return _relative((day, day), "day")
    return _back(said, 2)


def _ago(said: _Said) -> TimeSpan | None:
    if said.weekday is not None:
        day = _which_of(_weekdays_around(said), said, -1)[0] - timedelta(7 * ((said.number or 1) - 1))
        return _relative((day, day), "day")
    if said.few or (said.plural and said.multiple == 1):
        return _back(said, 5, 2)
    return _back(said, 1 if said.number is None else said.number)


def _ahead(said: _Said) -> TimeSpan | None:
    if said.strict and said.tense == "past":
        return None  # "I finished it in two weeks"
    if said.few:
        return _back(said, -2, -5)
    return _back(said, -(1 if said.number is None else said.number))


def _back(said: _Said, first: int, last: int | None = None) -> TimeSpan | None:
    """The whole unit so many units before the anchor, or all from ``first`` to ``last``."""
    if said.unit is None:
        return None
    start, end = (
        _whole(said.unit, _shifted(said.unit, said.anchor, -number * said.multiple))
        for number in (first, first if last is None else last)
    )
    return _relative((start[0], end[1]), _grain(said.unit) if last is None else "span")


def _lasting(said: _Said) -> TimeSpan | None:
    if said.unit is None or said.multiple == 0:
        return None
    number = 3 if said.few or said.plural else 1 if said.number is None else said.number
    return _relative((_shifted(said.unit, said.anchor, -number * said.multiple), said.anchor), "span")


def _named(said: _Said) -> TimeSpan | None:
    first, last = said.named or (0, 0)
    days = said.anchor + timedelta(first), said.anchor + timedelta(last)
    return _relative(days, "day" if first == last else "span")


def _nth(said: _Said) -> TimeSpan | None:
    """The second week, weekend or Friday of a month, and the last."""
    if said.ordinal is None:
        return None
    first, last = _choose(_in_years(said, _month), said)
    weekday = 5 if said.unit == "weekend" else said.weekday
    if weekday is None:
        length = {"day": 1, "week": 7}.get(said.unit or "", 0) * said.multiple
        start = (
            last - timedelta(length - 1)
            if said.ordinal < 0
            else first + timedelta(length * (said.ordinal - 1))
        )
    elif said.ordinal < 0:
        length, start = 1, last - timedelta((last.weekday() - weekday) % 7)
    else:
        length = 1
        start = first + timedelta((weekday - first.weekday()) % 7 + 7 * (said.ordinal - 1))
    if length == 0 or start > last:
        return None
    end = start + timedelta(1 if said.unit == "weekend" else length - 1)
    grain = _grain(said.unit) if said.unit else "day"
    return TimeSpan(start, end, grain, relative=said.year is None)


def _beside(said: _Said) -> TimeSpan | None:
    """The week, weekend, month or Friday before, of or after a date."""
    found = _calendar_days(replace(said, weekday=None))
    if found is None or said.side is None:
        return None
    (start, end), absolute = found[0], said.year is not None
    edge = {-1: start, 0: start, 1: end}[said.side]
    if said.weekday is not None or said.unit == "weekend":
        weekday, length = (5, 2) if said.weekday is None else (said.weekday, 1)
        day = _weekday_beside(edge, weekday, said.side)
        return TimeSpan(day, day + timedelta(length - 1), "day" if length == 1 else "span", not absolute)
    if said.unit is None:
        return None
    if said.unit == "week" and said.side:
        days = (
            (start - timedelta(7), start - timedelta(1))
            if said.side < 0
            else (end + timedelta(1), end + timedelta(7))
        )
    else:
        days = _whole(said.unit, _shifted(said.unit, edge, said.side * said.multiple))
    return TimeSpan(*days, _grain(said.unit), not absolute)


def _weekday_beside(edge: date, weekday: int, side: int) -> date:
    if side < 0:
        return edge - timedelta((edge.weekday() - weekday - 1) % 7 + 1)
    if side > 0:
        return edge + timedelta((weekday - edge.weekday() - 1) % 7 + 1)
    return edge + timedelta(weekday - edge.weekday())


def _decade(said: _Said) -> TimeSpan | None:
    if said.decade is None:
        return None
    first = said.decade if said.decade > 99 else 1900 + said.decade
    return TimeSpan(
        *_narrowed((date(first, 1, 1), date(first + 9, 12, 31)), said.part), "span", relative=False
    )


def _holiday(said: _Said) -> TimeSpan | None:
    if said.holiday is None:
        return None
    said = replace(said, month=said.holiday[0], day=said.holiday[1])
    spans = _in_years(said, _month_day)
    days = _choose(spans, said) if said.which is None else _which_of(spans, said, said.which)
    return TimeSpan(*days, "day", relative=said.year is None)


_MEANINGS: Mapping[Sense, Callable[[_Said], TimeSpan | None]] = {
    "date": _date,
    "numeric": _numeric,
    "which": _which,
    "before_last": _before_last,
    "ago": _ago,
    "ahead": _ahead,
    "named": _named,
    "lasting": _lasting,
    "nth": _nth,
    "beside": _beside,
    "decade": _decade,
    "holiday": _holiday,
}


# --- the calendar ---


def _grain(unit: Unit) -> Grain:
    return "span" if unit == "weekend" else unit


def _whole(unit: Unit, day: date) -> Days:
    """The calendar unit that a day lies in; a weekend is that of its week."""
    if unit == "week":
        first = day - timedelta(day.weekday())
        return first, first + timedelta(6)
    if unit == "weekend":
        saturday = day + timedelta(5 - day.weekday())
        return saturday, saturday + timedelta(1)
    if unit == "month":
        return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])
    if unit == "season":
        first = _shifted("month", day.replace(day=1), -(day.month % 3))
        return first, _shifted("month", first, 3) - timedelta(1)
    if unit == "year":
        return date(day.year, 1, 1), date(day.year, 12, 31)
    return day, day


_DAYS: Mapping[Unit, int] = {"day": 1, "week": 7, "weekend": 7}
_MONTHS: Mapping[Unit, int] = {"month": 1, "season": 3, "year": 12}


def _shifted(unit: Unit, day: date, number: int) -> date:
    if unit in _DAYS:
        return day + timedelta(_DAYS[unit] * number)
    year, month = divmod(day.year * 12 + day.month - 1 + _MONTHS[unit] * number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
