"""Names in a text, and what it says of two of them: by capitals, and by the words that stand beside them.

No model, no word is guessed at: a capital that only begins a sentence, or any German noun, is a name only
where something beside it says so ("my sister", "works at", a well-known name). What is missed costs less
than what is wrong. The same text gives the same answer in the same order.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ..entities import DATE, ORGANISATION, OTHER, PERSON, PLACE, PRODUCT, TITLE, Mention, Naming
from .chunking import parts
from .entities_unspaced import UNSPACED, unspaced_spots
from .language import DEFAULT, detect, stop_words
from .languages.names import GIVEN, PLACES, NameWords, words_around_names
from .naming import LONGEST, given_in, joined, key_of
from .relations import ties_in, types_implied
from .spots import Spot, apart
from .text import fold
from .time_expressions import find_times

if TYPE_CHECKING:
    from ..model import MemoryEntry
    from ..seams import EntityExtractor

RULE = "1"
"""Version of these rules. Entries that were read by another are read again."""

MOST_CHARACTERS = 20_000
"""How much of an entry is read; a longer document is about what it names in its first pages."""

STRUCTURE, PHRASE, CUE, NOTHING = 3.0, 2.0, 1.0, 0.0
"""How sure a type is: by the name itself, by several words beside it, by one, by none."""


class RuleExtractor:
    """Finds names by these rules: a few hundred microseconds a text, the same answer everywhere.

    ``language`` is a code of `languages`; None finds out, text by text.
    """

    rule = f"rules {RULE}"
    besides = (f"llm {RULE}",)  # A model found what these find, and more.

    def __init__(self, language: str | None = None) -> None:
        self._language = language

    def extract(self, text: str, *, at: datetime | None = None) -> Naming:
        """As `extract`."""
        return extract(text, language=self._language, at=at)


def naming_of(entry: MemoryEntry, extractor: EntityExtractor) -> Naming:
    """What an entry names: what its metadata say, and what an extractor finds in its words."""
    read = (extractor.extract(text, at=entry.occurred_at) for _, text in parts(entry.content))
    return joined([given_in(entry.metadata), *read])


def extract(text: str, *, language: str | None = None, at: datetime | None = None) -> Naming:
    """The entities that a text names, in its order, and the ties between them.

    ``at`` is when it was said: with it the dates that it names are entities too, by their days.
    """
    sample = text[:MOST_CHARACTERS]
    code = language or detect(sample) or DEFAULT
    plain = _without_addresses(sample)
    words = words_around_names(code)
    found = (*_titles(plain, words), *_names(plain, code, words), *unspaced_spots(plain, code))
    spots = apart([spot for spot in found if spot.end - spot.start <= LONGEST])
    ties = ties_in(plain, spots, words)
    implied = types_implied(ties)
    mentions = [_mention(spots_of, implied) for spots_of in _grouped(spots).values()]
    dates = _dates(sample, code, at) if at is not None else []
    return joined([Naming(tuple(mentions), ties), Naming(tuple(dates))])


def _grouped(spots: Sequence[Spot]) -> Mapping[str, list[Spot]]:
    groups: dict[str, list[Spot]] = defaultdict(list)
    for spot in spots:
        groups[spot.key].append(spot)
    return groups


def _mention(spots: Sequence[Spot], implied: Mapping[str, str]) -> Mention:
    weights: dict[str, float] = defaultdict(float)
    if kind := implied.get(spots[0].key):
        weights[kind] = CUE
    for spot in spots:
        weights[spot.type] = max(weights[spot.type], spot.weight)
    kind = min(weights, key=lambda it: (-weights[it], it == OTHER, it))
    return Mention(spots[0].key, spots[0].name, kind, len(spots), weights[kind])


_MARKED = re.compile(r"\[[A-Z][A-Z0-9_]*\]|`[^`\n]{1,80}`|<[^<>\n]{1,80}>|\S+")
_ADDRESS = re.compile(r"://|@|\\|\w/\w|www\.")


def _without_addresses(text: str) -> str:
    """The text with addresses, code and placeholders of masking blank; positions stay."""
    return _MARKED.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    said = found[0]
    marked = said[0] in "[`<" and len(said) > 2
    return "\n" * len(said) if marked or _ADDRESS.search(said) else said


def _dates(text: str, code: str, at: datetime) -> list[Mention]:
    spans = [span for span in find_times(text, at, code) if not span.relative and span.grain != "span"]
    return [
        Mention(
            span.start.isoformat() if span.start == span.end else f"{span.start}..{span.end}",
            text[span.text_start : span.text_end],
            DATE,
            1,
            STRUCTURE,
        )
        for span in spans
    ]


# ── what stands in quotation marks ───────────────────────────────────────────────────────────────────

_QUOTED = re.compile(r"“([^“”\n]{2,60})”|\"([^\"\n]{2,60})\"|«\s?([^«»\n]{2,60}?)\s?»|„([^„“”\n]{2,60})[“”]")
_MOST_WORDS = 6


def _titles(text: str, words: NameWords) -> Iterator[Spot]:
    """What is quoted, if it looks like a name: begins with a capital, is short, and is no sentence."""
    for found in _QUOTED.finditer(text):
        group = found.lastindex or 1
        said = found[group].strip()
        if not (said[0].isupper() or said[0].isdigit()) or said[-1] in ".!?,…;:" or "\n" in said:
            continue
        if len(said.split()) <= _MOST_WORDS and not _spoken(text, found, words):
            start = found.start(group) + found[group].index(said)
            yield Spot(start, start + len(said), said, key_of(said), TITLE, STRUCTURE)


def _spoken(text: str, found: re.Match[str], words: NameWords) -> bool:
    """Whether a quotation is what somebody says."""
    before = fold(text[max(0, found.start() - 24) : found.start()]).rstrip(" ,:").split()
    after = fold(text[found.end() : found.end() + 24]).lstrip(" ,").split()
    said = {*before[-1:], *after[:1]}
    return bool(said & words.person_verbs) or text[: found.start()].rstrip().endswith(":")


# ── capitals ─────────────────────────────────────────────────────────────────────────────────────────


class _Word(NamedTuple):
    """A word of a text. ``first``: it begins a sentence or a quotation, so its capital tells nothing."""

    text: str
    folded: str
    start: int
    end: int
    sentence: int
    first: bool
    gap: str
    possessive: bool

    @property
    def capital(self) -> bool:
        return not self.text.islower() and any(map(str.isupper, self.text))

    @property
    def unusual(self) -> bool:
        """Capitals where no sentence puts them: BMW, YouTube, iPhone."""
        return len(self.text) > 1 and any(map(str.isupper, self.text[1:]))


_WORD = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W_]+(?:[-'’&][^\W_]+)*")
_ELIDED = re.compile(r"(?:[dljnsmtc]|qu|jusqu|dell|all|nell|dall|sull|un)['’](?=[^\W_]{2})", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s$")
_ENDS_SENTENCE = re.compile(r"[.!?…]+[\"”»)\]]*(?:\s|$)")
_BEGINS_QUOTATION = re.compile(r"[:\"“„«(]\s?$|[-*•–—]\s$")


def _words(text: str, code: str, words: NameWords) -> list[_Word]:
    found: list[_Word] = []
    sentence, end, first = 0, 0, True
    for match in _WORD.finditer(text):
        gap = text[end : match.start()]
        if (
            found
            and ("\n" in gap or _ENDS_SENTENCE.search(gap, 0, 40))
            and not _abbreviates(found[-1], gap, words)
        ):
            sentence, first = sentence + 1, True
        first = first or bool(_BEGINS_QUOTATION.search(gap[-3:]))
        start, stop = _bare(match, code)
        said = text[start:stop]
        possessive = stop < match.end()
        if UNSPACED.match(said):
            first = True
            end = match.end()
            continue
        found.append(_Word(said, fold(said), start, stop, sentence, first, gap, possessive))
        end, first = match.end(), False
    return found


def _bare(match: re.Match[str], code: str) -> tuple[int, int]:
    """A word without an article that is glued to it, and without a genitive's ``'s``."""
    said, start = match[0], match.start()
    if code in ("fr", "it") and (elided := _ELIDED.match(said)):
        start += elided.end()
    ending = _POSSESSIVE.search(said)
    return start, match.start() + ending.start() if ending else match.end()


def _abbreviates(word: _Word, gap: str, words: NameWords) -> bool:
    short = word.folded in words.titles or (len(word.text) == 1 and word.text.isupper() and word.text != "I")
    return gap.startswith(".") and "\n" not in gap and short


class _Reading(NamedTuple):
    """A text as words, with what the whole of it tells of them."""

    words: list[_Word]
    table: NameWords
    unnamed: frozenset[str]  # never a name: stop words, weekdays, languages
    beside: frozenset[str]  # these, and what stands before a name: titles, articles, "sister"
    midway: frozenset[str]  # written with a capital where no sentence begins
    lowered: frozenset[str]  # written without one
    headlines: frozenset[int]  # sentences that write every word with a capital


def _names(text: str, code: str, table: NameWords) -> Iterator[Spot]:
    reading = _reading(_words(text, code, table), code, table)
    before: Spot | None = None
    for first, last in _runs(reading):
        spot = _spot(text, reading, first, last, before)
        if spot:
            yield spot
            before = spot


def _reading(words: list[_Word], code: str, table: NameWords) -> _Reading:
    capitals: dict[int, list[bool]] = defaultdict(list)
    for word in words:
        if len(word.text) > 3:
            capitals[word.sentence].append(word.capital)
    german = table.nouns_are_capitalised
    if german:
        capitals.clear()
    return _Reading(
        words,
        table,
        _unnamed(code),
        _beside(code),
        frozenset(w.folded for w in words if w.capital and not w.first and not german),
        frozenset(w.folded for w in words if not w.capital),
        frozenset(n for n, said in capitals.items() if len(said) > 4 and sum(said) > 0.85 * len(said)),
    )


@cache
def _unnamed(code: str) -> frozenset[str]:
    return stop_words(code) | words_around_names(code).not_names


@cache
def _beside(code: str) -> frozenset[str]:
    table = words_around_names(code)
    return _unnamed(code) | table.titles | table.articles | table.kin.keys()


def _runs(reading: _Reading) -> Iterator[tuple[int, int]]:
    """Words that may make a name together, as first and last index."""
    at, words = 0, reading.words
    while at < len(words):
        if not words[at].capital:
            at += 1
            continue
        last = at
        while (following := _continued(reading, at, last)) is not None:
            last = following
        yield at, last
        at = last + 1


def _continued(reading: _Reading, first: int, last: int) -> int | None:
    """The index of the next capital that belongs to the name that runs from ``first`` to ``last``."""
    words, table = reading.words, reading.table
    if words[last].end - words[first].start > LONGEST:
        return None  # No name any more; looked at further, the work would grow with its square.
    for width in range(4):
        at = last + 1 + width
        if at >= len(words) or words[at].sentence != words[first].sentence:
            return None
        gap = words[at].gap
        if words[last].possessive or gap not in (" ", " & ", "-", ". ", " d'", " l'"):
            return None
        if width == 0 and gap == ". " and not _abbreviates(words[last], gap, table):
            return None
        if words[at].capital:
            inside = [word.folded for word in words[last + 1 : at]]
            return at if not inside or _joins(reading, first, last, inside, at) else None
        if words[at].text.isdigit() and width == 0:
            return at if _numbered(reading, first, last, at) else None
    return None


# Small words that stand between names as often as within one.
_LOOSE = frozenset("of|of the|de|di|da|do|du|des|del|della|von|fur|zu|vom|d'|d".split("|"))


def _joins(reading: _Reading, first: int, last: int, inside: list[str], at: int) -> bool:
    small = " ".join(inside)
    if small not in reading.table.joiners:
        return False
    before = [word.folded for word in reading.words[first : last + 1]]
    institution = bool(reading.table.organisation_words & {*before}) or before[0] in reading.table.place_words
    following = reading.words[at].folded
    if any(place.startswith(f"{' '.join(before)} {small} {following}") for place in _long_places()):
        return True
    if small not in _LOOSE:
        return institution or len(small) > 1
    return institution or (before[0] in GIVEN and following not in PLACES and following not in GIVEN
                           and small in ("de", "di", "da", "do", "von", "del"))  # fmt: skip


@cache
def _long_places() -> tuple[str, ...]:
    return tuple(sorted(place for place in PLACES if " " in place))


def _numbered(reading: _Reading, first: int, last: int, at: int) -> bool:
    """Whether a number belongs to what stands before it: iPhone 15, but not Lisbon 2019."""
    number, word = reading.words[at].text, reading.words[last]
    if len(number) > 3:
        return False
    return word.unusual or bool(_cue(reading, first, reading.table.before_product))


def _spot(text: str, reading: _Reading, first: int, last: int, before: Spot | None) -> Spot | None:
    """The name that a run is, without what only stands beside it; None where it is none."""
    words, table = reading.words, reading.table
    person = False
    while first <= last and (
        words[first].folded in reading.beside or (words[first].first and _only_begins(reading, first, last))
    ):
        person = words[first].folded in table.titles or words[first].folded in table.kin
        first += 1
    while last >= first and words[last].folded in reading.unnamed and not words[last].unusual:
        last -= 1
    if first > last or not any(word.capital and not word.text.isdigit() for word in words[first : last + 1]):
        return None
    person = person or bool(_kin_before(reading, first))
    kind, weight = _type(reading, first, last, person)
    if not _is_a_name(reading, first, last, kind, weight, before):
        return None
    start, end = words[first].start, words[last].end
    name = re.sub(r"\s+", " ", text[start:end])
    return Spot(start, end, name, key_of(name), kind, weight) if len(name) > 1 else None


def _only_begins(reading: _Reading, first: int, last: int) -> bool:
    """Whether the first word of a sentence is no part of the name that follows it."""
    word, table = reading.words[first], reading.table
    if first == last or word.folded in GIVEN | table.organisation_words or word.unusual:
        return False
    if word.folded in reading.lowered or word.folded.endswith(table.verb_endings or ("\0",)):
        return True
    rest = " ".join(one.folded for one in reading.words[first + 1 : last + 1])
    return reading.words[first + 1].folded in GIVEN or rest in PLACES


def _kin_before(reading: _Reading, first: int) -> bool:
    """ "my sister Ana", "meine Schwester Anna", "our boss, Ana"."""
    if first == 0 or reading.words[first - 1].sentence != reading.words[first].sentence:
        return False
    near = reading.words[first - 1]
    return (
        near.folded in reading.table.kin and reading.words[first].gap in (" ", ", ") and not near.possessive
    )


def _type(reading: _Reading, first: int, last: int, person: bool) -> tuple[str, float]:
    table, words = reading.table, reading.words[first : last + 1]
    folded = [word.folded for word in words]
    whole = " ".join(folded)
    if person:
        return PERSON, STRUCTURE
    if table.organisation_words & {*folded} and (len(words) > 1 or words[0].unusual):
        return ORGANISATION, STRUCTURE
    if whole in PLACES or _inflected_place(whole) or _has(table.place_words, folded):
        return PLACE, STRUCTURE
    if words[-1].text.isdigit() or words[0].text[0].islower():
        return PRODUCT, PHRASE
    cued = _cued_type(reading, first)
    if folded[0] in GIVEN and cued[1] < PHRASE:
        return PERSON, PHRASE
    if cued[1] > NOTHING:
        return cued
    return _type_after(reading, last)


def _has(place_words: frozenset[str], folded: list[str]) -> bool:
    """ "Lake Bled", "Abbey Road"."""
    return len(folded) > 1 and bool(place_words & {folded[0], folded[-1]})


def _inflected_place(whole: str) -> bool:
    return key_of(whole) in _place_keys()


@cache
def _place_keys() -> frozenset[str]:
    return frozenset(key_of(place) for place in PLACES if not place.isascii())


def _cued_type(reading: _Reading, first: int) -> tuple[str, float]:
    table = reading.table
    cues = (
        (ORGANISATION, table.before_organisation),
        (PRODUCT, table.before_product),
        (PLACE, table.before_place),
        (PERSON, table.before_person),
    )
    found = [(_cue(reading, first, phrases), kind) for kind, phrases in cues]
    most = max(length for length, _ in found)
    if not most:
        return OTHER, NOTHING
    kind = next(kind for length, kind in found if length == most)
    return kind, PHRASE if most > 1 else CUE


def _cue(reading: _Reading, first: int, phrases: frozenset[str]) -> int:
    """How many words beside a name, on its left, are a phrase of these; an article between is passed over."""
    words, sentence = reading.words, reading.words[first].sentence
    left: list[str] = []
    for word in reversed(words[max(0, first - 4) : first]):
        if word.sentence != sentence:
            break
        left.insert(0, word.folded)
    if first and "," in words[first].gap:
        return 0
    bare = left[:-1] if left and left[-1] in reading.table.articles else left
    for width in (3, 2, 1):
        for side in (left, bare):
            if len(side) >= width and " ".join(side[-width:]) in phrases:
                return width
    return 0


def _type_after(reading: _Reading, last: int) -> tuple[str, float]:
    """What the words after a name say of it: "… says", "…, my sister", "… is my brother"."""
    words, table = reading.words, reading.table
    after = [word for word in words[last + 1 : last + 5] if word.sentence == words[last].sentence]
    if after and after[0].gap == " " and after[0].folded in table.person_verbs:
        return PERSON, CUE
    if (
        any(word.folded in table.kin and not word.capital for word in after[1:4])
        and not words[last].possessive
    ):
        return PERSON, CUE
    if words[last].possessive and after and after[0].folded in table.kin:
        return PERSON, PHRASE
    return OTHER, NOTHING


def _is_a_name(
    reading: _Reading, first: int, last: int, kind: str, weight: float, before: Spot | None
) -> bool:
    """Whether a run is a name, given what beside it told of its type."""
    words, table = reading.words, reading.table
    one = words[first]
    if weight >= STRUCTURE or one.folded in GIVEN:
        return True
    if one.sentence in reading.headlines:
        return False
    told_twice = any(word.unusual for word in words[first : last + 1]) and not one.text.isupper()
    if told_twice or (one.text.isupper() and len(one.text) > 1 and one.sentence not in reading.headlines):
        return True
    if table.nouns_are_capitalised:
        return _is_a_name_among_nouns(reading, first, last, weight, before)
    if one.first and first == last:
        return weight > NOTHING or one.folded in reading.midway or one.possessive
    return True


def _is_a_name_among_nouns(
    reading: _Reading, first: int, last: int, weight: float, before: Spot | None
) -> bool:
    """In German: a word beside it tells, or it is joined to a name by "und"."""
    words, table = reading.words, reading.table
    if words[first].folded.endswith(table.verb_endings):
        return False
    left = words[first - 1] if first and words[first - 1].sentence == words[first].sentence else None
    if left and left.folded in table.articles and weight < PHRASE:
        return False
    joined_to = left is not None and left.folded == "und" and first >= 2 and before is not None
    if joined_to and before is not None and words[first - 2].end == before.end:
        return True
    return weight > NOTHING
