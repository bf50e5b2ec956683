"""What one language brings to the search for names: the words that stand beside them, and what they tell.

Tables are written in natural spelling and folded once, when they are made.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ...text import fold
from ..table import flat


@dataclass(frozen=True, slots=True)
class Saying:
    """A way to say that two entities have to do with each other: ``{a} works at {b}``.

    The patterns are matched with the folded text ``before`` the first of the two, ``between`` them and
    ``after`` the second. ``backwards``: the object is named first.
    """

    relation: str
    before: re.Pattern[str] | None
    between: re.Pattern[str]
    after: re.Pattern[str] | None
    backwards: bool


@dataclass(frozen=True, slots=True)
class NameWords:
    """The words around names. All are folded; a phrase has single blanks."""

    titles: frozenset[str]  # before a person: "Mrs"
    kin: Mapping[str, str]  # "Schwester": "sister"
    person_verbs: frozenset[str]  # after a person who begins a sentence: "says"
    before_person: frozenset[str]  # "met", "with"
    before_place: frozenset[str]  # "in", "moved to"
    before_organisation: frozenset[str]  # "works at"
    before_product: frozenset[str]  # "my new"
    organisation_words: frozenset[str]  # within a name: "University", "GmbH"
    place_words: frozenset[str]  # within a name: "Street", "Lake"
    joiners: frozenset[str]  # small words within a name: "von", "de la"
    articles: frozenset[str]  # "the", "my": what follows is no person's bare name
    not_names: frozenset[str]  # capitalised, and no name: "Monday", "French", "Thanks"
    verb_endings: tuple[str, ...]  # a capitalised word that ends so begins a sentence, and no name
    sayings: tuple[Saying, ...]
    nouns_are_capitalised: bool


def phrases(text: str) -> frozenset[str]:
    """Folded phrases out of a list: commas between them, or blanks where there is none."""
    parts = text.split(",") if "," in text else text.split()
    return frozenset(" ".join(fold(part).split()) for part in parts if part.strip())


def name_words(
    *,
    kin: str,
    sayings: str,
    titles: str = "",
    person_verbs: str = "",
    before_person: str = "",
    before_place: str = "",
    before_organisation: str = "",
    before_product: str = "",
    organisation_words: str = "",
    place_words: str = "",
    joiners: str = "",
    articles: str = "",
    not_names: str = "",
    verb_endings: str = "",
    nouns_are_capitalised: bool = False,
    macros: Mapping[str, str] | None = None,
) -> NameWords:
    """`NameWords` from lists. ``kin`` is ``sister=sister, bro=brother``; ``sayings`` has one a line: the
    relation, and a template in which blanks are white space and ``{name}`` is a macro, a kin, or a role.
    """
    known = dict(_valued(kin))
    words = "|".join(sorted(map(re.escape, known), key=len, reverse=True))
    leading = {*phrases(titles), *phrases(articles), *known} or {"none"}
    blanks = {
        "kin": f"(?P<kin>{words})",
        "role": r"(?P<role>[\w-]+(?:\s[\w-]+)?)",
        "leading": "|".join(sorted(map(re.escape, leading), key=len, reverse=True)),
        **(macros or {}),
    }
    return NameWords(
        titles=phrases(titles),
        kin=known,
        person_verbs=phrases(person_verbs),
        before_person=phrases(before_person),
        before_place=phrases(before_place),
        before_organisation=phrases(before_organisation),
        before_product=phrases(before_product),
        organisation_words=phrases(organisation_words),
        place_words=phrases(place_words),
        joiners=phrases(joiners),
        articles=phrases(articles),
        not_names=phrases(not_names),
        verb_endings=tuple(verb_endings.split()),
        sayings=tuple(_saying(line, blanks) for line in sayings.strip().splitlines()),
        nouns_are_capitalised=nouns_are_capitalised,
    )


def _valued(text: str) -> list[tuple[str, str]]:
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    return [(fold(word.strip()), value.strip()) for words, _, value in pairs for word in words.split()]


def _saying(line: str, macros: Mapping[str, str]) -> Saying:
    relation, _, written = line.strip().partition(" ")
    template = re.sub(r"[^\x00-\x7f]+", lambda found: flat(found[0]), written)
    first, second = sorted(("{a}", "{b}"), key=template.index)
    before, rest = template.strip().split(first)
    between, after = rest.split(second)
    return Saying(
        relation,
        _pattern(before.lstrip(), macros, rf"(?:^|.*\W){{}}{_SPACE if before.endswith(' ') else ''}$"),
        _between(between, macros),
        _pattern(after.rstrip(), macros, "^{}"),
        backwards=first == "{b}",
    )


_SPACE = r"\s*"

# Others may stand between the two: "Ana and § work at", "Ana, who lives with §, works at", "Ana works at §
# and lives in", "knows § and"; and words that lead to a name: "knows my sister", "is a friend of Dr.".
_OTHERS_BEFORE = (
    r"(?:(?:\s*,|\s*[,;]?\s*{and}|\s*&)\s*§)*"
    r"(?:,\s*{who}\s[^;]{{0,60}}?,(?=\s)|,\s[^,§]{{1,40}},(?=\s))?"
    r"(?:\s*,?\s*{who}(?=\s)|\s*\S.{{0,60}}?[\s,]{and}(?=\s))?"
)
_OTHERS_AFTER = r"(?:\s*§\s*(?:,\s*{and}|,|{and}(?=\s)|&))*\s*(?:(?:{leading})\.?,?\s+){{0,3}}"
AND = "(?:and|und|et|y|e|и|und auch|and also)"
WHO = "(?:who|which|der|die|qui|que|che|которыи|которая)"


def _between(template: str, macros: Mapping[str, str]) -> re.Pattern[str]:
    core = _expanded(template, macros)
    head = _OTHERS_BEFORE.format(**{"and": AND, "who": WHO})
    tail = _OTHERS_AFTER.format(**{"and": AND, "leading": macros["leading"]})
    return re.compile(f"^{head}{core}{tail}$")


def _pattern(template: str, macros: Mapping[str, str], frame: str) -> re.Pattern[str] | None:
    if not template.strip():
        return None
    return re.compile(frame.replace("{}", _expanded(template.rstrip(), macros)))


def _expanded(template: str, macros: Mapping[str, str]) -> str:
    while (filled := re.sub(r"\{([a-z]\w*)\}", lambda found: macros[found[1]], template)) != template:
        template = filled
    folded = re.sub(r"[^\x00-\x7f]+", lambda found: flat(found[0]), template)
    return re.sub(" ", r"\\s+", folded)
