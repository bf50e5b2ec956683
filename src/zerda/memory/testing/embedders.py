"""An embedder that needs no model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..core.model import Role
from ..core.rules.text import index_tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class HashingEmbedder:
    """Texts that share words are near, others are not: an `Embedder` for tests.

    Deterministic over processes and machines. Each token adds 1 or takes 1 away in one dimension, so
    with few ``dimensions`` different words may meet. A text without words gives a zero row.
    """

    def __init__(
        self, dimensions: int = 64, *, name: str = "hashing", fast: bool = True, max_words: int | None = None
    ) -> None:
        self.dimensions = dimensions
        self.fast = fast
        self.max_words = max_words
        self.fingerprint = f"{name}-{dimensions}-1"

    def embed(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        """Unit rows of float32; passages and queries are read alike."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for token in index_tokens(text).tokens:
                place, sign = self._place(token)
                row[place] += sign
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        np.divide(rows, lengths, out=rows, where=lengths > 0)
        return rows

    def _place(self, token: str) -> tuple[int, int]:
        number = int.from_bytes(hashlib.blake2b(token.encode(), digest_size=8).digest(), "big")
        return (number >> 1) % self.dimensions, 1 if number & 1 else -1
