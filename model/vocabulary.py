"""Step 2: chooses what the model knows: frequent words, telling pairs of words, pieces of words."""

import argparse
import math
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import TypeVar

from model.cache import VOCABULARY, Sentence, read_sentences, write_lines
from zerda.memory.core.rules.text import words
from zerda.memory.embedding.static import MARKS, Vocabulary, pieces_of

# A dictionary's sentences name everything once; what people say to each other weighs more.
WEIGHT = {"wordnet": 1}
WEIGHT_OF_SPEECH = 3

Token = TypeVar("Token", str, tuple[str, str])


def count(sentences: Iterable[Sentence]) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """Weighted counts of words, and of two words side by side."""
    singles: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        weight, found = WEIGHT.get(sentence.source, WEIGHT_OF_SPEECH), words(sentence.text)
        for word in found:
            singles[word] += weight
        for pair in pairwise(found):
            pairs[pair] += weight
    return singles, pairs


def choose(sentences: Iterable[Sentence], *, size: int, pair_size: int, piece_size: int) -> Vocabulary:
    singles, pairs = count(sentences)
    known = [*MARKS, *_most(singles, size - len(MARKS))]
    telling = _telling_pairs(singles, pairs, set(known))
    return Vocabulary(
        tuple(known), tuple(_most(telling, pair_size)), tuple(_most(_pieces(singles), piece_size))
    )


def _most(scores: Counter[Token], size: int) -> list[Token]:
    """The highest first; ties in the order of the tokens, so that the same counts give the same list."""
    return sorted(scores, key=lambda token: (-scores[token], token))[:size]


def _telling_pairs(
    singles: Counter[str], pairs: Counter[tuple[str, str]], known: set[str]
) -> Counter[tuple[str, str]]:
    """Count times pointwise mutual information: "new york" and "did not" rather than "of the"."""
    total = sum(singles.values())
    return Counter(
        {
            (first, second): number * math.log(number * total / (singles[first] * singles[second]))
            for (first, second), number in pairs.items()
            if first in known and second in known
        }
    )


def _pieces(singles: Counter[str]) -> Counter[str]:
    """A piece counts once for each word that has it, more for frequent words."""
    scores: Counter[str] = Counter()
    for word, number in singles.items():
        for piece in set(pieces_of(word)):
            scores[piece] += 1 + math.log(number)
    return scores


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.vocabulary", description=__doc__)
    parser.add_argument("--words", type=int, default=40_000)
    parser.add_argument("--pairs", type=int, default=6_000)
    parser.add_argument("--pieces", type=int, default=14_000)
    asked = parser.parse_args()
    vocabulary = choose(read_sentences(), size=asked.words, pair_size=asked.pairs, piece_size=asked.pieces)
    lines = [f"word\t{word}" for word in vocabulary.words]
    lines += [f"pair\t{first} {second}" for first, second in vocabulary.pairs]
    lines += [f"piece\t{piece}" for piece in vocabulary.pieces]
    write_lines(VOCABULARY, lines)
    print(f"{len(vocabulary):,} tokens")


if __name__ == "__main__":
    main()
