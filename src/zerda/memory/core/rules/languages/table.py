"""What one language brings to the rules: its words, and its ways to name a time.

Tables are written in natural spelling and folded once, when they are made. Only ``spelled`` keeps the
spelling: accents tell languages apart.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..text import fold

Unit = Literal["day", "week", "weekend", "month", "season", "year"]

# What a time pattern says. `time_expressions` has one function for each of these words.
Sense = Literal[
    "date",  # any of day, month, year, weekday
    "which",  # last / this / next + unit, weekday, month or season
    "ago",  # n units back
    "ahead",  # n units on
    "named",  # yesterday, tonight, the day before
    "lasting",  # for n units, until now
    "since",  # from a date until now
    "past_units",  # the last n units
    "nth",  # the second week of May
    "beside",  # the week before 9 June
    "decade",  # the 1990s
    "vague",  # recently, the other day
]


@dataclass(frozen=True, slots=True)
class TimePattern:
    """A template such as ``{n} {unit} ago``; a blank stands for any white space.

    ``strict`` patterns take the words in ``TimeWords.weak`` only when capitalised.
    """

    sense: Sense
    template: str
    strict: bool = False


@dataclass(frozen=True, slots=True)
class TimeWords:
    """The words of time; keys are folded, values are numbers that the rules calculate with."""

    months: Mapping[str, int]
    weekdays: Mapping[str, int]  # Monday is 0
    units: Mapping[str, tuple[Unit, int]]
    numbers: Mapping[str, int]
    few: frozenset[str] = frozenset()  # numbers that are not one: "a few", "several"
    which: Mapping[str, int] = field(default_factory=dict)  # last -1, this 0, next 1
    named: Mapping[str, tuple[int, int]] = field(default_factory=dict)  # days from the anchor, first and last
    seasons: Mapping[str, int] = field(default_factory=dict)  # spring 0 ... winter 3
    parts: Mapping[str, int] = field(default_factory=dict)  # early 0, middle 1, late 2
    ordinals: Mapping[str, int] = field(default_factory=dict)  # first 1 ... last -1
    sides: Mapping[str, int] = field(default_factory=dict)  # before -1, of 0, after 1
    weak: frozenset[str] = frozenset()  # also ordinary words or names: "may", "sat", "June"
    future: str = ""  # a pattern: the sentence speaks of what is to come
    past: str = ""
    month_first: bool = False  # 5/7/2023 is the 7th of May
    patterns: tuple[TimePattern, ...] = ()


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


def word_values(text: str) -> dict[str, int]:
    """``"jan january=1, feb=2"`` as a mapping; a word of more than one part is joined by ``_``."""
    values: dict[str, int] = {}
    for part in fold(text).split(","):
        words, _, value = part.partition("=")
        values.update(dict.fromkeys(_phrases(words), int(value)))
    return values


def in_order(text: str, start: int = 1) -> dict[str, int]:
    """``"jan january, feb february"`` numbered from ``start``, one number for each comma."""
    return {
        word: number for number, words in enumerate(fold(text).split(","), start) for word in _phrases(words)
    }


def unit_words(**units: str) -> dict[str, tuple[Unit, int]]:
    """``day="day days", week2="fortnight"``: a digit at the end of the key is a multiple."""
    found: dict[str, tuple[Unit, int]] = {}
    for key, words in units.items():
        unit = key.rstrip("0123456789")
        multiple = int(key[len(unit) :] or 1)
        for name in ("day", "weekend", "week", "month", "season", "year"):
            if name == unit:
                found.update(dict.fromkeys(_phrases(fold(words)), (name, multiple)))
    return found


def named_days(text: str) -> dict[str, tuple[int, int]]:
    """``"yesterday=-1, the_other_day=-7..-1"``: days from the anchor."""
    days: dict[str, tuple[int, int]] = {}
    for part in fold(text).split(","):
        words, _, value = part.partition("=")
        first, _, last = value.strip().partition("..")
        days.update(dict.fromkeys(_phrases(words), (int(first), int(last or first))))
    return days


def _phrases(words: str) -> list[str]:
    return [word.replace("_", " ") for word in words.split()]


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
        when_phrases=tuple(fold(phrase) for phrase in when_phrases),
        question_ends=tuple(fold(question_ends).split()),
        first_person=first_person,
        times=times,
    )
