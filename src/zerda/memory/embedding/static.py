"""Our own sentence model: a vector for every word it knows, summed; numpy alone, no download.

The file is made by ``model/`` at the root of the repository; `docs/own-model.md` tells how and how well.
Its parts, one after the other: the name of the format and a header in JSON (a line each), the vocabulary
(a token a line), one float32 scale a token, one row of int8 a token. The header's digest covers the rest
of the header and all that follows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.rules.text import MAX_TOKEN, words
from ..errors import EmbeddingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.model import Role

FORMAT = "zerda-static-1"
"""Names the file's layout and the way from a text to its tokens: who changes either counts it up."""

ENGLISH = Path(__file__).with_name("weights") / "english.zsm"

MARKS = ("?", "!")
"""Signs that are tokens by their presence: a question is not an answer."""

PIECE_LENGTHS = (
    3,
    4,
    5,
)  # Characters of a piece, the word's ends counted: Bojanowski et al. 2017 took 3 to 6.
TEXTS_AT_ONCE = 512  # Bounds the memory of a batch: some 15 MB at 30 words a text.


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a model knows, in the order of its rows: words and marks, pairs of words, pieces of words."""

    words: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    pieces: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words) + len(self.pairs) + len(self.pieces)


class Tokens:
    """Turns a text into the numbers of its tokens. Safe to share between threads."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        first_pair = len(vocabulary.words)
        first_piece = first_pair + len(vocabulary.pairs)
        self._words = {word: number for number, word in enumerate(vocabulary.words)}
        self._pairs = {pair: number for number, pair in enumerate(vocabulary.pairs, first_pair)}
        self._pieces = {piece: number for number, piece in enumerate(vocabulary.pieces, first_piece)}
        self._marks = [(mark, self._words[mark]) for mark in MARKS if mark in self._words]

    def of(self, text: str) -> list[tuple[int, float]]:
        """Number and share of each token: an unknown word's pieces together count as one word."""
        found = words(text)
        tokens: list[tuple[int, float]] = []
        for word in found:
            number = self._words.get(word)
            if number is None:
                tokens += self._in_pieces(word)
            else:
                tokens.append((number, 1.0))
        tokens += [(self._pairs[pair], 1.0) for pair in pairwise(found) if pair in self._pairs]
        # Marks alone tell nothing: a question in another script would lie near every other one.
        return tokens + [(number, 1.0) for mark, number in self._marks if tokens and mark in text]

    def known(self, text: str) -> float:
        """Share of the text's words that are known whole; 0 for a text without words."""
        found = words(text)
        return sum(word in self._words for word in found) / max(len(found), 1)

    # Not remembered: an unknown word is rare, and may be what a user wants forgotten.
    def _in_pieces(self, word: str) -> list[tuple[int, float]]:
        numbers = [self._pieces[piece] for piece in pieces_of(word) if piece in self._pieces]
        return [(number, 1 / len(numbers)) for number in numbers]


def pieces_of(word: str) -> Iterator[str]:
    """Every run of three to five characters of a word, its ends marked: a typo leaves most of them whole."""
    marked = f"<{word[:MAX_TOKEN]}>"
    for length in PIECE_LENGTHS:
        for start in range(len(marked) - length + 1):
            yield marked[start : start + length]


@dataclass(frozen=True, slots=True)
class Weights:
    """A model file that was read and checked; its rows stay on disk until they are needed."""

    header: Mapping[str, Any]
    vocabulary: Vocabulary
    scales: NDArray[np.float32]
    rows: NDArray[np.int8]


class StaticEmbedder:
    """The default embedder: some 20,000 texts a second on one core, safe to share between threads.

    Opens its file when first asked for anything. A text in which it knows nothing gives a zero row;
    `coverage` tells how much of a text it knows. The order of words hardly counts.

    Raises `EmbeddingError`, when first used, if the file is missing or is not what was made.
    """

    fast: bool = True
    max_words: int | None = None

    def __init__(self, path: Path = ENGLISH) -> None:
        self._path = path
        self._loaded: tuple[Weights, Tokens] | None = None

    @property
    def fingerprint(self) -> str:
        header = self._model()[0].header
        return f"{FORMAT}/{header['dimensions']}/{header['sha256'][:12]}"

    @property
    def dimensions(self) -> int:
        return int(self._model()[0].header["dimensions"])

    def embed(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        """Unit rows; the same for a passage and a query, and the same alone or in a batch."""
        weights, tokens = self._model()
        vectors = np.zeros((len(texts), weights.rows.shape[1]), dtype=np.float32)
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            batch = slice(start, start + TEXTS_AT_ONCE)
            _add_rows(vectors[batch], weights, [tokens.of(text) for text in texts[batch]])
        lengths = np.sqrt(np.square(vectors).sum(axis=1, keepdims=True))
        np.divide(vectors, lengths, out=vectors, where=lengths > 0)
        return vectors

    def coverage(self, text: str) -> float:
        """Share of the text's words that the model knows, 0 to 1: where it is low, trust the words more."""
        return self._model()[1].known(text)

    def _model(self) -> tuple[Weights, Tokens]:
        # No lock, which a fork could leave taken: two threads that both read the file get the same.
        if self._loaded is None:
            weights = read_weights(self._path)
            self._loaded = weights, Tokens(weights.vocabulary)
        return self._loaded


def _add_rows(vectors: NDArray[np.float32], weights: Weights, texts: list[list[tuple[int, float]]]) -> None:
    """Puts the sum of each text's token rows into its row of ``vectors``."""
    filled = [row for row, tokens in enumerate(texts) if tokens]
    if not filled:
        return
    numbers, shares = zip(*chain.from_iterable(texts), strict=True)
    ids = np.array(numbers, dtype=np.intp)
    factors = weights.scales[ids] * np.array(shares, dtype=np.float32)
    starts = np.cumsum([0, *(len(texts[row]) for row in filled[:-1])])
    vectors[filled] = np.add.reduceat(weights.rows[ids] * factors[:, None], starts, axis=0)


def read_weights(path: Path) -> Weights:
    """Opens a model file. Raises `EmbeddingError` if it is missing, of another format, or damaged."""
    try:
        with path.open("rb") as file:
            if file.readline() != f"{FORMAT}\n".encode():
                raise EmbeddingError(f"{path.name} is not a {FORMAT} file")
            header = json.loads(file.readline())
            body = file.tell()
        content = np.memmap(path, dtype=np.uint8, mode="r", offset=body)
    except (OSError, ValueError) as error:
        raise EmbeddingError(f"the sentence model {path.name} cannot be read: {error}") from error
    if not isinstance(header, dict) or digest(header, [content]) != header.get("sha256"):
        raise EmbeddingError(
            f"the sentence model {path.name} is damaged: its content does not match its digest"
        )
    return _weights(header, content)


def _weights(header: Mapping[str, Any], content: NDArray[np.uint8]) -> Weights:
    text_end = header["vocabulary_bytes"]
    listed = content[:text_end].tobytes().decode("utf-8").splitlines()
    first_pair = header["words"]
    first_piece = first_pair + header["pairs"]
    vocabulary = Vocabulary(
        tuple(listed[:first_pair]),
        tuple(_pair(line) for line in listed[first_pair:first_piece]),
        tuple(listed[first_piece:]),
    )
    rows_start = text_end + 4 * len(listed)
    scales = np.frombuffer(content[text_end:rows_start].tobytes(), dtype="<f4")
    rows = content[rows_start:].view(np.int8).reshape(len(listed), header["dimensions"])
    return Weights(header, vocabulary, scales, rows)


def _pair(line: str) -> tuple[str, str]:
    first, second = line.split(" ")
    return first, second


def write_weights(path: Path, header: Mapping[str, Any], weights: Weights) -> None:
    """Writes a model file that `read_weights` opens; the same weights give the same bytes."""
    vocabulary = weights.vocabulary
    lines = [*vocabulary.words, *(" ".join(pair) for pair in vocabulary.pairs), *vocabulary.pieces]
    listed = "".join(f"{line}\n" for line in lines).encode("utf-8")
    parts = [listed, weights.scales.astype("<f4").tobytes(), weights.rows.tobytes()]
    full = {
        **header,
        "dimensions": weights.rows.shape[1],
        "words": len(vocabulary.words),
        "pairs": len(vocabulary.pairs),
        "pieces": len(vocabulary.pieces),
        "vocabulary_bytes": len(listed),
    }
    full["sha256"] = digest(full, parts)
    path.write_bytes(b"".join([f"{FORMAT}\n{json.dumps(full, sort_keys=True)}\n".encode(), *parts]))


def digest(header: Mapping[str, Any], parts: Iterable[Any]) -> str:
    """SHA-256 of a header without its own digest, and of what follows it."""
    described = {name: value for name, value in header.items() if name != "sha256"}
    sha256 = hashlib.sha256(json.dumps(described, sort_keys=True).encode())
    for part in parts:
        sha256.update(part)
    return sha256.hexdigest()
