"""Which language a text is in, and the few questions about it that depend on the language."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from .languages import LANGUAGES, FirstPerson, Language
from .languages.table import word_set
from .text import fold, is_unspaced

DEFAULT = "en"
"""The language of a text that gives no evidence."""

_GLANCE = 100  # Characters read first ...
_SAMPLE = 400  # ... and at most, where the first did not make the language clear.
_SCRIPT_SAMPLE = 60  # Characters counted by script.

_WORDS = re.compile(r"\w+")
_LATIN_LETTER = re.compile("[a-zA-Z]")
_OTHER_SCRIPT = re.compile(r"[\u0370-\u1dff\u2e80-\ud7ff\uf900-\ufaff\ufb1d-\ufdff\ufe70-\ufeff]")
_SCRIPT_RUNS = re.compile(
    "(?P<Latin>[a-zA-Z\u00c0-\u024f]+)|(?P<Cyrillic>[\u0400-\u052f]+)"
    "|(?P<Arabic>[\u0600-\u06ff\ufb50-\ufdff]+)"
    "|(?P<Han>[\u3400-\u4dbf\u4e00-\u9fff]+)|(?P<Kana>[\u3040-\u30ff\uff66-\uff9f]+)"
    "|(?P<Hangul>[\u1100-\u11ff\u3130-\u318f\uac00-\ud7af]+)|(?P<Thai>[\u0e00-\u0e7f]+)"
    "|(?P<Devanagari>[\u0900-\u097f]+)"
)
# Scripts that one of our languages owns.
_OWNERS = {"Kana": "ja", "Han": "zh", "Hangul": "ko", "Thai": "th", "Devanagari": "hi"}
# Letters of languages that share a script with ours: Persian, Urdu, Serbian, Macedonian, Nordic, Czech.
_STRANGERS = frozenset("پچژگکیٹڈђјљњћџѓќѕåøæőűřěůžšč")


def detect(text: str) -> str | None:
    """The code of the language that a text shows, or None where nothing in it tells.

    Looks at the first 400 characters: the script, then the stop words and the letters that few languages use.
    """
    if text.isascii() or not _OTHER_SCRIPT.search(text, 0, _SAMPLE):
        return _by_words(text, "Latin")
    script = _script(text)
    return _OWNERS.get(script) or _by_words(text, script)


def stop_words(language: str | None) -> frozenset[str]:
    """Folded words that say nothing about the topic; English ones for None, none for an unknown language."""
    known = LANGUAGES.get(language or DEFAULT)
    return known.stop_words if known else frozenset()


def asks_when(question: str, language: str | None = None) -> bool:
    """Whether a question asks for a time: when, how long, since when, what date, which year."""
    code = language or detect(question) or DEFAULT
    return code in LANGUAGES and _when_pattern(code).search(fold(question[:_SAMPLE])) is not None


_QUESTION_MARK = re.compile(r"[?？؟⁇⁈⁉՞፧\u037e][^\w?？؟]*\Z")


def is_question(text: str) -> bool:
    """Whether a text ends as a question: with a question mark of any script, or with a question particle."""
    tail = text.rstrip()[-32:]
    if _QUESTION_MARK.search(tail):
        return True
    last = _LAST_WORD.search(tail)
    return last is not None and _ends_as_question(fold(last["word"]), text)


_LAST_WORD = re.compile(r"(?P<word>(?:[^\W_]|[\u0e31-\u0e4e])+)[^\w]*\Z")


def _ends_as_question(word: str, text: str) -> bool:
    if is_unspaced(word):
        return word.endswith(_particles(spaced=False))
    return word in _particles(spaced=True) and detect(text) == "tr"


@cache
def _particles(*, spaced: bool) -> tuple[str, ...]:
    ends = (end for known in LANGUAGES.values() for end in known.question_ends)
    return tuple(end for end in ends if is_unspaced(end) is not spaced)


@cache
def _when_pattern(code: str) -> re.Pattern[str]:
    return re.compile("|".join(_word_start(phrase) for phrase in LANGUAGES[code].when_phrases))


def _word_start(phrase: str) -> str:
    return phrase if phrase.startswith("^") or is_unspaced(phrase.lstrip("(?:")) else rf"\b(?:{phrase})"


def _time_words(known: Language) -> frozenset[str]:
    times = known.times
    if times is None:
        return frozenset()
    groups = (times.months, times.weekdays, times.units, times.named, times.which, times.seasons)
    return frozenset(word for group in groups for word in group if word.isalpha() and word not in times.weak)


def _script(sample: str) -> str:
    first = _SCRIPT_RUNS.search(sample)
    if (
        first
        and first.lastgroup not in ("Latin", "Han")
        and not _LATIN_LETTER.search(sample, 0, _SCRIPT_SAMPLE)
    ):
        return first.lastgroup or ""
    letters: Counter[str] = Counter()
    for run in _SCRIPT_RUNS.finditer(sample, 0, _SCRIPT_SAMPLE):
        # A character of these scripts says about as much as two letters of an alphabet.
        weight = 2 if run.lastgroup in ("Han", "Kana", "Hangul") else 1
        letters[run.lastgroup or ""] += weight * (run.end() - run.start())
    # Japanese is written in both; Chinese never has kana.
    if letters["Kana"] and letters["Kana"] * 10 >= letters["Han"]:
        letters["Kana"] += letters.pop("Han", 0)
    return max(letters, key=letters.__getitem__, default="Latin")


def _by_words(text: str, script: str) -> str | None:
    best, clear = _guess(text[:_GLANCE], script)
    if not clear and len(text) > _GLANCE:
        best, _ = _guess(text[:_SAMPLE], script)
    return best


def _guess(sample: str, script: str) -> tuple[str | None, bool]:
    sample = sample.lower()
    words = _WORDS.findall(sample)
    scores = _scores(sample, words, script)
    best, second = _two_best(scores)
    # A text whose words are mostly unknown to us is in a language that we have no table for.
    if not best or scores[best] * 2 <= len(words) - 6:
        return None, False
    return best, scores[best] >= _CLEAR * max(2, scores.get(second, 0))


def _scores(sample: str, words: list[str], script: str) -> dict[str, int]:
    evidence, letters = _evidence(script)
    found: dict[str, int] = {}
    for owners in filter(None, map(evidence.get, words)):
        for code, weight in owners:
            found[code] = found.get(code, 0) + weight
    if not sample.isascii():
        present = set(sample)
        for letter in letters.keys() & present:
            for code in letters[letter]:
                found[code] = found.get(code, 0) + _LETTER
        against = _STRANGER * len(_STRANGERS & present)
        found = {code: score - against for code, score in found.items()}
    return found


def _two_best(scores: dict[str, int]) -> tuple[str, str]:
    best = second = ""
    for code, score in scores.items():
        if score > scores.get(best, 0):
            best, second = code, best
        elif score > scores.get(second, 0):
            second = code
    return best, second


# Set by hand: a letter weighs as much as a word that two languages share; clear is three times the next.
_LETTER, _STRANGER, _CLEAR = 2, 6, 2

_Evidence = tuple[dict[str, tuple[tuple[str, int], ...]], dict[str, tuple[str, ...]]]


@cache
def _evidence(script: str) -> _Evidence:
    """Words and letters of a script, each with the languages they speak for, rarer ones with more weight."""
    tables = [known for known in LANGUAGES.values() if script in known.scripts]
    owners: dict[str, list[str]] = {}
    letters: dict[str, list[str]] = {}
    for known in tables:
        for word in known.spelled | known.stop_words | _time_words(known):
            owners.setdefault(word, []).append(known.code)
        for letter in known.letters:
            letters.setdefault(letter, []).append(known.code)
    weights = {1: 4, 2: 2}
    return (
        {word: tuple((code, weights.get(len(codes), 1)) for code in codes) for word, codes in owners.items()},
        {letter: tuple(codes) for letter, codes in letters.items()},
    )


@dataclass(frozen=True, slots=True)
class _Mention:
    """A name found in a question: where, whose, and whether as a genitive."""

    start: int
    end: int
    name: str
    possessive: bool


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    folded: str


def named(question: str, names: Sequence[str], language: str | None = None) -> tuple[str, ...]:
    """Which of the given names a question mentions, in the order given.

    Whole words, in any case; the first name of a full name will do. A name that is also an ordinary word
    ("Will", "May") must be capitalised, and not because it begins a sentence.
    """
    found = {mention.name for mention in _mentions(question, names, _first_person(question, language))}
    return tuple(dict.fromkeys(name for name in names if name in found))


def rewrite_names(question: str, names: Sequence[str], language: str | None = None) -> str:
    """The question as the named person would speak of themselves: "Anna's dog" becomes "my dog".

    Only the names given are replaced, found as `named` finds them.
    """
    person = _first_person(question, language)
    if person is None:
        return question
    pieces: list[str] = []
    end = 0
    for mention in _mentions(question, names, person):
        pieces += (question[end : mention.start], person.possessive if mention.possessive else person.subject)
        end = mention.end
    return "".join((*pieces, question[end:]))


def _first_person(question: str, language: str | None) -> FirstPerson | None:
    known = LANGUAGES.get(language or detect(question) or DEFAULT)
    return known.first_person if known else None


_NOBODY = FirstPerson("", "")


def _mentions(question: str, names: Sequence[str], person: FirstPerson | None) -> list[_Mention]:
    unspaced = [name for name in names if _is_unspaced_name(name)]
    spaced = [name for name in names if not _is_unspaced_name(name)]
    found = [*_spaced_mentions(question, spaced, person or _NOBODY)] if spaced else []
    if unspaced:
        found += _unspaced_mentions(question, unspaced, person or _NOBODY)
    return sorted(found, key=lambda mention: mention.start)


def _is_unspaced_name(name: str) -> bool:
    return bool(name.strip()) and is_unspaced(name.strip())


# Marks (accents of decomposed text, vowel signs) belong to the word.
_NAME_WORDS = re.compile("(?:[^\\W_]|[\u0300-\u036f\u064b-\u0652\u0900-\u0e7f])+")
_TITLES = word_set("mr mrs ms miss dr prof sir herr frau m mme mlle sr sra dott sig dona don")
_ORDINARY = word_set(
    """april art august autumn bill bob chance charity chase christian daisy dawn dean dick drew earnest faith
    frank gene grace grant guy harmony heather holly hope hunter ivy jack jasmine jean joy june lily mark
    max melody mercy miles miss nick olive pat patience pearl penny ray rich rob robin rose ruby sandy sky
    star sue summer trip victor violet wade ward winter woody
    rosa clara luz sol mar dolores angel lobo leon valor paz blanca rosario marco fiore stella luna felice
    leo liebe mai ernst wolf stern engel"""
)


def _spaced_mentions(question: str, names: Iterable[str], person: FirstPerson) -> Iterator[_Mention]:
    words = [_Word(match.start(), match.end(), fold(match[0])) for match in _NAME_WORDS.finditer(question)]
    forms = _name_forms(names, person)
    position = 0
    while position < len(words):
        mention, used = _mention_at(question, words, position, forms, person)
        if mention:
            yield mention
        position += used


# First word -> (all words, name, whether it carries a glued genitive).
_Forms = dict[str, list[tuple[tuple[str, ...], str, bool]]]


def _name_forms(names: Iterable[str], person: FirstPerson) -> _Forms:
    forms: _Forms = {}
    for name in names:
        parts = [part for part in name.split() if fold(part).strip(".") not in _TITLES]
        for spelled in dict.fromkeys((name, " ".join(parts), *parts[:1])):
            *first, final = [fold(match[0]) for match in _NAME_WORDS.finditer(spelled)] or [""]
            if first or len(final) > 1 or (final and spelled == name):
                for last, possessive in _inflected(final, person):
                    key = (*first, last)
                    forms.setdefault(key[0], []).append((key, name, possessive))
    for known in forms.values():
        known.sort(key=lambda form: (-len(form[0]), form[2]))
    return forms


_ENDING_VOWELS = "аяиьіоеaoiye"  # Folded: й is и.


def _inflected(word: str, person: FirstPerson) -> Iterator[tuple[str, bool]]:
    yield word, False
    for ending in person.glued:
        yield word + ending, True
    if person.endings and len(word) > 2:
        stem = word[:-1] if word[-1] in _ENDING_VOWELS else word
        for ending in map(fold, person.endings):
            if stem + ending != word and len(stem) > 1:
                yield stem + ending, False


def _mention_at(
    question: str, words: list[_Word], position: int, forms: _Forms, person: FirstPerson
) -> tuple[_Mention | None, int]:
    """The name that begins at a word, if one does, and how many words to go on by."""
    for key, name, glued in forms.get(words[position].folded, ()):
        run = words[position : position + len(key)]
        if tuple(word.folded for word in run) != key:
            continue
        start, end = run[0].start, run[-1].end
        suffix = _suffix(question, end, key[-1], person)
        if len(key) == 1 and not _surely_a_name(question, run[0], bool(suffix)):
            continue
        before = words[position - 1] if position else None
        genitive = before is not None and before.folded in person.before and start - before.end == 1
        if genitive and before:
            start = before.start
        return _Mention(start, end + len(suffix), name, glued or genitive or bool(suffix)), len(key)
    return None, 1


def _suffix(question: str, end: int, word: str, person: FirstPerson) -> str:
    for suffix in person.suffixes:
        after = question[end + len(suffix) : end + len(suffix) + 1]
        if question.startswith(suffix, end) and not after.isalnum():
            # A lone apostrophe is a genitive after an s ("James' dog"), else the end of a quotation.
            return suffix if len(suffix) > 1 or word[-1] in "sxz" else ""
    return ""


def _surely_a_name(question: str, word: _Word, has_suffix: bool) -> bool:
    stop = any(word.folded in known.stop_words for known in _everyday_languages())
    if not stop and word.folded not in _ORDINARY and len(word.folded) > 1:
        return True
    if not question[word.start].isupper():
        return False
    return has_suffix or not stop or not _begins_sentence(question, word.start)


@cache
def _everyday_languages() -> tuple[Language, ...]:
    return tuple(LANGUAGES[code] for code in ("en", "de", "fr", "es", "it", "pt"))


def _begins_sentence(question: str, start: int) -> bool:
    before = question[max(0, start - 8) : start].rstrip(" \"'“”‘’«»([¿¡")
    return not before or before[-1] in ".?!:;\n…"


def _unspaced_mentions(question: str, names: Iterable[str], person: FirstPerson) -> Iterator[_Mention]:
    forms = [(form, name) for name in names for form in _unspaced_forms(name)]
    forms.sort(key=lambda form: -len(form[0]))
    taken = [False] * len(question)
    for form, name in forms:
        start = question.find(form)
        while start >= 0:
            end = start + len(form)
            if not any(taken[start:end]):
                taken[start:end] = [True] * len(form)
                end = _skip(question, end, person.titles)
                after = _skip(question, end, person.suffixes)
                yield _Mention(start, after, name, after > end)
            start = question.find(form, start + len(form))


def _unspaced_forms(name: str) -> Iterator[str]:
    """One Han character would be found everywhere; a Chinese name of three is called by its last two."""
    whole = name.strip()
    for part in dict.fromkeys((whole, *whole.split())):
        if len(part) > 1:
            yield part
    if len(whole) == 3 and all("\u4e00" <= char <= "\u9fff" for char in whole):
        yield whole[1:]


def _skip(question: str, end: int, endings: Iterable[str]) -> int:
    return next((end + len(ending) for ending in endings if question.startswith(ending, end)), end)
