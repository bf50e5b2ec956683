"""Whether two texts say the same: rather missed than wrong, since "not" is a short word."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from .language import detect, is_question, stop_words
from .text import fold, words

ARTICLES = frozenset(
    "a an the der die das ein eine einen le la les un une des el los las una il lo gli het een".split()
)
"""Words that may differ between two texts that say the same."""

NEGATIONS = frozenset(
    fold(word)
    for word in (
        "no not never none nothing without cannot t nicht kein keine keinen nie ohne pas jamais sans rien ne"
        " nunca sin jamás non mai senza não nem sem niet geen nooit zonder nie nigdy bez не нет никогда без"
        " ні ніколи değil yok hiç لا ليس बिना नहीं"
    ).split()
)

_NAME = re.compile(r"(?<![.!?…]\s)(?<!^)\b[^\W\d_a-z]\w*")


@dataclass(frozen=True, slots=True)
class Statement:
    """A text as it is compared: its words in order without articles, and whether it asks."""

    words: tuple[str, ...]
    asks: bool
    language: str | None
    names: frozenset[str]

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Neighbouring words, with both ends."""
        return frozenset(zip(("", *self.words), (*self.words, ""), strict=True))


def statement(text: str) -> Statement:
    """What of a text counts when it is compared."""
    said = tuple(word for word in words(text) if word not in ARTICLES)
    names = frozenset(fold(name) for name in _NAME.findall(text))
    return Statement(said, is_question(text), detect(text), names)


def same(one: Statement, other: Statement, *, threshold: float) -> bool:
    """Whether two texts say the same.

    They do where their words are the same in the same order. Else they share at least ``threshold`` of
    their pairs of words, and what differs is no number, name, negation or small word.
    """
    if one.asks != other.asks or not one.words:
        return False
    if one.words == other.words:
        return True
    pairs, others = one.pairs, other.pairs
    if len(pairs & others) < threshold * len(pairs | others):
        return False
    differing = (Counter(one.words) - Counter(other.words)) + (Counter(other.words) - Counter(one.words))
    return bool(differing) and not any(_matters(word, one, other) for word in differing)


def groups(statements: Sequence[Statement], *, threshold: float) -> list[list[int]]:
    """The places of texts that say the same, in groups of two and more, in order.

    Only texts that share one of their rarest pairs are compared (the prefix filter of Chaudhuri, Ganti &
    Kaushik 2006), so the work does not grow with the square.
    """
    leaders: list[int] = []
    found: dict[int, list[int]] = {}
    seen: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    rarity = Counter(pair for one in statements for pair in one.pairs)
    for place, one in enumerate(statements):
        prefix = list(_prefix(one, rarity, threshold))
        near = dict.fromkeys(leader for pair in prefix for leader in seen[pair])
        leader = next((it for it in near if same(statements[it], one, threshold=threshold)), None)
        if leader is not None:
            found.setdefault(leader, [leader]).append(place)
            continue
        leaders.append(place)
        for pair in prefix:
            seen[pair].append(place)
    return [found[leader] for leader in leaders if leader in found]


def _prefix(one: Statement, rarity: Counter[tuple[str, str]], threshold: float) -> Iterator[tuple[str, str]]:
    """The rarest pairs, as many as two texts that are alike must share one of."""
    ordered = sorted(one.pairs, key=lambda pair: (rarity[pair], pair))
    yield from ordered[: len(ordered) - ceil(threshold * len(ordered)) + 1]


def _matters(word: str, one: Statement, other: Statement) -> bool:
    names = one.names | other.names
    small = stop_words(one.language) | stop_words(other.language)
    return word in names or word in NEGATIONS or word in small or any(char.isdigit() for char in word)
