"""What embedders share: sound texts and windows on the way in, unit rows on the way out, a fingerprint."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.rules.chunking import chunks
from ..errors import EmbeddingError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from ..core.model import Role

READ_AT_ONCE = 1 << 20
DIGEST_LENGTH = 16  # Hex digits of a fingerprint: 64 bits, where a store meets a handful of models.


@dataclass(frozen=True, slots=True)
class Prefixes:
    """What an asymmetric model wants to read before a question and before what may answer it."""

    query: str = ""
    passage: str = ""

    def before(self, text: str, role: Role) -> str:
        return (self.query if role == "query" else self.passage) + text


def sound(text: str) -> str:
    """The text with lone surrogates replaced by U+FFFD, so that it can be written as UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


@dataclass(frozen=True, slots=True)
class Windows:
    """Texts cut into pieces that a model reads whole: each with its text's number and its weight."""

    pieces: list[str]
    owners: list[int]
    weights: list[float]
    texts: int

    def joined(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """One unit row for each text: the weighted mean of its pieces' rows."""
        return joined(rows, self.owners, self.weights, self.texts)


def windows(texts: Sequence[str], max_words: int | None) -> Windows:
    """Cut texts at sentence ends into pieces of at most ``max_words``; blank texts give none."""
    found = Windows([], [], [], len(texts))
    for number, text in enumerate(map(sound, texts)):
        for start, end in _spans(text, max_words):
            found.pieces.append(text[start:end])
            found.owners.append(number)
            found.weights.append(float(end - start))
    return found


def _spans(text: str, max_words: int | None) -> list[tuple[int, int]]:
    if not text.strip():
        return []
    return [(0, len(text))] if max_words is None else chunks(text, max_words=max_words)


def joined(
    rows: NDArray[np.float32], owners: Sequence[int], weights: Sequence[float], count: int
) -> NDArray[np.float32]:
    """Unit rows, one for each of ``count`` owners: the weighted mean of theirs, zero where none is."""
    means = np.zeros((count, rows.shape[1]), dtype=np.float32)
    np.add.at(means, list(owners), rows * np.asarray(weights, dtype=np.float32)[:, None])
    return unit_rows(means)


def unit_rows(rows: NDArray[Any]) -> NDArray[np.float32]:
    """Rows as float32 of length 1; a zero row stays zero."""
    wide = np.asarray(rows, dtype=np.float64)  # In float32 the square of a large number is infinite.
    lengths = np.sqrt(np.square(wide).sum(axis=1, keepdims=True))
    unit = np.divide(wide, lengths, out=np.zeros_like(wide), where=lengths > 0)
    return np.asarray(unit, dtype=np.float32)


def checked_rows(answer: ArrayLike, count: int, dimensions: int | None, who: str) -> NDArray[np.float32]:
    """What a model answered, as float32; `EmbeddingError` unless it is ``count`` rows of finite numbers."""
    rows = _as_rows(answer)
    if rows is None:
        raise EmbeddingError(f"{who} answered with vectors of different sizes, or with no numbers")
    if rows.ndim != 2 or rows.shape[0] != count or rows.shape[1] == 0:
        raise EmbeddingError(f"{who} answered with shape {rows.shape}; {count} vectors were asked for")
    if dimensions is not None and rows.shape[1] != dimensions:
        raise EmbeddingError(f"{who} answered with {rows.shape[1]} dimensions; before it had {dimensions}")
    if not np.isfinite(rows).all():
        raise EmbeddingError(f"{who} answered with a number that is not finite")
    return rows


def _as_rows(answer: ArrayLike) -> NDArray[np.float32] | None:
    """None where it is no table of numbers; numpy's own error would quote what it found instead."""
    try:
        with np.errstate(over="ignore"):  # What is too large becomes infinite, and is refused later.
            return np.asarray(answer, dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        return None


def file_sha256(path: Path) -> str:
    """SHA-256 of a file in hex; `EmbeddingError` where it cannot be read."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while block := file.read(READ_AT_ONCE):
                digest.update(block)
    except OSError as error:
        raise EmbeddingError(f"the model file {path.name} cannot be read: {error.strerror}") from error
    return digest.hexdigest()


def file_hashes(files: Iterable[Path], folder: Path) -> dict[str, str]:
    """SHA-256 by name within the folder, in the order of names."""
    return {path.relative_to(folder).as_posix(): file_sha256(path) for path in sorted(files)}


def fingerprint_of(name: str, facts: Mapping[str, object]) -> str:
    """``name/`` and a digest of everything that changes a vector."""
    text = json.dumps(facts, sort_keys=True)
    return f"{name}/{hashlib.sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]}"
