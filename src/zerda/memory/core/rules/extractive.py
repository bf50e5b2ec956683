"""A summary made of sentences that were said, chosen by LexRank; and whether somebody else's is one at all.

Erkan & Radev 2004, *LexRank: Graph-based Lexical Centrality as Salience in Text Summarization*: a sentence
matters as far as it is like other sentences that matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log, sqrt

from .diversity import overlap
from .language import detect, is_question, stop_words
from .text import index_tokens

DAMPING = 0.85  # Brin & Page 1998, as LexRank takes it over.
LIKE = 0.1  # Cosine from which two sentences are joined: the threshold of Erkan & Radev.
STEPS = 50  # Damped by 0.85, what is left after 50 steps is below 0.0003.
TOO_MUCH_ALIKE = 0.5  # Share of words from which a sentence only repeats a chosen one.
MOST_SENTENCES_READ = 400  # The graph has their square; what comes later in a long text matters less.
SHORTEST = 3  # Words; less is no sentence.

GROUNDED = 0.6
"""Share of a summary's words that its sources hold. Paraphrases of ours lie above, other topics far below."""

_SENTENCE = re.compile(r"[^\n]+?(?:[.!?…]+(?=\s|$)|[。！？]|(?=\n)|$)")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as it was said, and by whom."""

    text: str
    speaker: str | None = None


def sentences(text: str, speaker: str | None = None) -> list[Sentence]:
    """The sentences of a text, each a part of it, letter by letter."""
    return [Sentence(said, speaker) for match in _SENTENCE.finditer(text) if (said := match.group().strip())]


def extract(given: Sequence[Sentence], *, most_words: int) -> list[Sentence]:
    """The sentences that say most, in their order, of at most ``most_words`` words together (one at least).

    Questions and fragments are passed over where there is anything else; what repeats a chosen sentence
    is left out.
    """
    telling = [one for one in given if _tells(one.text)] or list(given)
    read = telling[:MOST_SENTENCES_READ]
    weights = centrality([tokens_of(one.text) for one in read])
    order = sorted(range(len(read)), key=lambda place: (-weights[place], place))
    chosen: list[int] = []
    left = most_words
    for place in order:
        size = _length(read[place].text)
        if chosen and (size > left or _repeats(read[place], [read[one] for one in chosen])):
            continue
        chosen.append(place)
        left -= size
        if left <= 0:
            break
    return [read[place] for place in sorted(chosen)]


def centrality(texts: Sequence[Counter[str]]) -> list[float]:
    """The LexRank of each text among the others; they sum to 1."""
    count = len(texts)
    if count == 0:
        return []
    vectors = _weighted(texts)
    joined = [
        [other for other in range(count) if other != one and _cosine(vectors[one], vectors[other]) >= LIKE]
        for one in range(count)
    ]
    ranks = [1.0 / count] * count
    for _ in range(STEPS):
        lost = sum(rank for rank, links in zip(ranks, joined, strict=True) if not links)
        fresh = [(1.0 - DAMPING + DAMPING * lost) / count] * count
        for rank, links in zip(ranks, joined, strict=True):
            for other in links:
                fresh[other] += DAMPING * rank / len(links)
        ranks = fresh
    return ranks


def fault_of(summary: str, sources: Sequence[str], *, most_words: int) -> str | None:
    """Why a text is no summary of the sources, or None: it is empty, long, or about something else."""
    said = summary.strip()
    if not said:
        return "it is empty"
    size, whole = _length(said), sum(map(_length, sources))
    if size > 2 * most_words:
        return f"it has {size} words, {most_words} were asked for"
    if size >= whole:
        return "it is no shorter than what it stands for"
    known = {token for text in sources for token in tokens_of(text)}
    if set(_NUMBER.findall(said)) - {number for text in sources for number in _NUMBER.findall(text)}:
        return "it holds a number that was not said"
    words = tokens_of(said)
    grounded = sum(1 for word in words if word in known) / len(words) if words else 0.0
    return None if grounded >= GROUNDED else f"only {grounded:.0%} of its words were said"


@lru_cache(maxsize=2_048)
def tokens_of(text: str) -> Counter[str]:
    """The index tokens of a text that say something."""
    language = detect(text)
    silent = stop_words(language)
    return Counter(token for token in index_tokens(text, language).tokens if token not in silent)


def _tells(text: str) -> bool:
    return not is_question(text) and _length(text) >= SHORTEST


@lru_cache(maxsize=2_048)
def _length(text: str) -> int:
    return index_tokens(text).length


def _repeats(one: Sentence, chosen: Sequence[Sentence]) -> bool:
    words = frozenset(tokens_of(one.text))
    return any(overlap(words, frozenset(tokens_of(other.text))) >= TOO_MUCH_ALIKE for other in chosen)


def _weighted(texts: Sequence[Counter[str]]) -> list[dict[str, float]]:
    """tf-idf vectors of unit length."""
    held = Counter(token for text in texts for token in text)
    vectors: list[dict[str, float]] = []
    for text in texts:
        raw = {token: count * (1.0 + log(len(texts) / held[token])) for token, count in text.items()}
        length = sqrt(sum(value * value for value in raw.values()))
        vectors.append({token: value / length for token, value in raw.items()} if length else {})
    return vectors


def _cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    if len(one) > len(other):
        one, other = other, one
    return sum(value * other[token] for token, value in one.items() if token in other)
