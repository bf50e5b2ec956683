"""What one language brings to the rules: its words, and its ways to name a time.

Tables are written in natural spelling and folded once, when they are made. Only ``spelled`` keeps the
spelling: accents tell languages apart.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from ..text import fold

Unit = Literal["day", "week", "weekend", "month", "season", "year"]

# What a time pattern says. `time_expressions` has one function for each of these words.
Sense = Literal[
    "date",  # any of day, month, year, weekday, season
    "numeric",  # 7.5.2023 or 5/7/2023: which number is the month depends on the language
    "which",  # last / this / next + unit, weekday, month or season
    "before_last",  # the unit before the last
    "ago",  # n units back
    "ahead",  # n units on
    "named",  # yesterday, tonight, the other day
    "lasting",  # for n units, until now
    "nth",  # the second week of May
    "beside",  # the week before 9 June
    "decade",  # the 1990s
    "holiday",  # at Christmas
]


@dataclass(frozen=True, slots=True)
class TimePattern:
    """A template such as ``{n} {unit} ago``; a blank stands for any white space.

    ``strict`` patterns take the words in ``TimeWords.weak`` only when capitalised, and look ahead only where
    the sentence does not speak of the past.
    """

    sense: Sense
    template: str
    strict: bool = False


@dataclass(frozen=True, slots=True)
class TimeWords:
    """The words of time. Keys are flattened (`flat`), values are numbers that the rules calculate with."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]  # Monday is 0
    units: Mapping[str, tuple[Unit, int]]  # ("week", 2) for a fortnight, ("day", 0) for an hour
    numbers: Mapping[str, int]
    few: frozenset[str]  # in place of a number: "a few", "several"
    which: Mapping[str, int]  # last -1, this 0, next 1
    named: Mapping[str, tuple[int, int]]  # days from the anchor, first and last
    seasons: Mapping[str, int]  # spring 0 ... winter 3
    parts: Mapping[str, int]  # early 0, middle 1, late 2
    ordinals: Mapping[str, int]  # first 1 ... last -1
    sides: Mapping[str, int]  # before -1, of 0, after 1
    holidays: Mapping[str, tuple[int, int]]  # month, day
    since: frozenset[str]  # in front of a time: it runs until now
    weak: frozenset[str]  # also ordinary words or names: "may", "sat", "June"
    future: str  # a pattern: the sentence speaks of what is to come
    past: str
    month_first: bool  # 5/7/2023 is the 7th of May
    patterns: tuple[TimePattern, ...]


@dataclass(frozen=True, slots=True)
class FirstPerson:
    """How a speaker says what others say with the speaker's name: "Anna" is "I", "Anna's" is "my"."""

    subject: str
    possessive: str
    suffixes: tuple[str, ...] = ()  # after the name, as written: "'s", "的"
    before: frozenset[str] = frozenset()  # words in front that make a genitive: "de", "von"
    glued: tuple[str, ...] = ()  # genitive endings without apostrophe: "Annas"
    endings: tuple[str, ...] = ()  # case endings in place of a final vowel: "Анной"
    titles: tuple[str, ...] = ()  # after the name: "さん"


@dataclass(frozen=True, slots=True)
class Language:
    """One language. Words are folded as `text.fold` folds; ``spelled`` are the stop words as written."""

    code: str  # ISO 639-1
    name: str
    snowball: str | None
    scripts: frozenset[str]
    stop_words: frozenset[str]
    question_words: frozenset[str]
    pronouns: frozenset[str]
    spelled: frozenset[str]
    letters: str = ""  # letters that few other languages use
    when_phrases: tuple[str, ...] = ()  # patterns over folded text
    question_ends: tuple[str, ...] = ()
    first_person: FirstPerson | None = None
    times: TimeWords | None = None


def word_set(text: str) -> frozenset[str]:
    return frozenset(fold(text).split())


class _FlatCharacters(dict[int, int]):
    """Maps a code point to its plain form where that is one character; filled as it is asked."""

    def __missing__(self, code: int) -> int:
        plain = _ALIKE.get(chr(code)) or fold(chr(code))
        digit = unicodedata.decimal(chr(code), None)
        if digit is not None:
            plain = str(digit)
        self[code] = ord(plain) if len(plain) == 1 else code
        return self[code]


_flat_characters = _FlatCharacters()
# Spellings of Arabic that writers mix freely.
_ALIKE = dict(zip("أإآٱىة", "ااااي\u0647", strict=True))


def flat(text: str) -> str:
    """Fold character for character, so that positions stay: case, accents, digits of every script.

    Any string is taken; the result is as long as the text.
    """
    return text.lower() if text.isascii() else text.translate(_flat_characters)


def time_words(
    *,
    months: str,
    weekdays: str,
    units: Mapping[str, str],
    numbers: str,
    few: str,
    which: str,
    named: str,
    patterns: str,
    seasons: str = "",
    parts: str = "",
    ordinals: str = "",
    sides: str = "",
    holidays: str = "",
    since: str = "",
    weak: str = "",
    future: str = "",
    past: str = "",
    month_first: bool = False,
) -> TimeWords:
    """`TimeWords` from lists: commas between meanings, blanks between spellings, ``_`` for a blank in one.

    Months, weekdays, seasons and parts are counted; elsewhere a meaning is given as ``=value``
    (``the_other_day=-7..-1``, ``christmas=12-25``). ``patterns`` has one a line: its sense, ``!`` where
    strict, its template.
    """
    return TimeWords(
        months=_counted(months, 1),
        weekdays=_counted(weekdays, 0),
        units={word: _unit(key) for key, words in units.items() for word in _phrases(words)},
        numbers={word: int(value) for word, value in _valued(numbers).items()},
        few=frozenset(_phrases(few)),
        which={word: int(value) for word, value in _valued(which).items()},
        named={word: _pair(value, "..") for word, value in _valued(named).items()},
        seasons=_counted(seasons, 0),
        parts=_counted(parts, 0),
        ordinals={word: int(value) for word, value in _valued(ordinals).items()},
        sides={word: int(value) for word, value in _valued(sides).items()},
        holidays={word: _pair(value, "-") for word, value in _valued(holidays).items()},
        since=frozenset(_phrases(since)),
        weak=frozenset(_phrases(weak)),
        future=flat(_joined(future)),
        past=flat(_joined(past)),
        month_first=month_first,
        patterns=tuple(_pattern(line) for line in patterns.strip().splitlines()),
    )


def _joined(pattern: str) -> str:
    return re.sub(r"\s*\n\s*", "", pattern)


def _phrases(words: str) -> list[str]:
    return [word.replace("_", " ") for word in flat(words).split()]


def _counted(text: str, start: int) -> dict[str, int]:
    return {word: n for n, words in enumerate(text.split(","), start) for word in _phrases(words)}


def _valued(text: str) -> dict[str, str]:
    parts = [part.partition("=") for part in text.split(",") if part.strip()]
    return {word: value.strip() for words, _, value in parts for word in _phrases(words)}


def _pair(value: str, between: str) -> tuple[int, int]:
    first, _, last = value.partition(between)
    return int(first), int(last or first)


def _unit(key: str) -> tuple[Unit, int]:
    name = key.rstrip("0123456789")
    return _UNITS[name], int(key[len(name) :] or 1)


_UNITS: Mapping[str, Unit] = {unit: unit for unit in get_args(Unit)}


def _pattern(line: str) -> TimePattern:
    word, _, template = line.strip().partition(" ")
    return TimePattern(_SENSES[word.rstrip("!")], template.strip(), strict=word.endswith("!"))


def _folded(pattern: str) -> str:
    r"""A pattern over folded text: its words folded, its escapes as they are (``\W`` is not ``\w``)."""
    return "".join(part if part.startswith("\\") else fold(part) for part in re.split(r"(\\.)", pattern))


_SENSES: Mapping[str, Sense] = {sense: sense for sense in get_args(Sense)}


def language(
    code: str,
    name: str,
    *,
    scripts: str,
    questions: str,
    pronouns: str,
    others: str,
    snowball: str | None = None,
    letters: str = "",
    when_phrases: tuple[str, ...] = (),
    question_ends: str = "",
    first_person: FirstPerson | None = None,
    times: TimeWords | None = None,
) -> Language:
    """A `Language` from plain lists; question words and pronouns are stop words too."""
    everything = f"{questions} {pronouns} {others}"
    return Language(
        code=code,
        name=name,
        snowball=snowball,
        scripts=frozenset(scripts.split()),
        stop_words=word_set(everything),
        question_words=word_set(questions),
        pronouns=word_set(pronouns),
        spelled=frozenset(everything.lower().split()),
        letters=letters,
        when_phrases=tuple(_folded(phrase) for phrase in when_phrases),
        question_ends=tuple(fold(question_ends).split()),
        first_person=first_person,
        times=times,
    )
