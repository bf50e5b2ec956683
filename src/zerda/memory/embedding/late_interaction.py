"""Late interaction: each token of a question beside each token of a hit, with a sentence model at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .local import LocalEmbedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.model import Hit

SHARE = 0.2
"""How much it counts beside the first ranking: measured with all-MiniLM-L6-v2, which was not made for it."""

MOST_WINDOWS = 2
"""Windows of a long hit that are read."""


class LateInteraction:
    """Judges by the best likeness that each token of the question finds in a hit (ColBERT's MaxSim).

    It needs no other model than the extra ``[local]`` brings: some 10 ms a hit, on this machine. Keeps
    `zerda.memory.Reranker`.
    """

    def __init__(self, embedder: LocalEmbedder | None = None, *, share: float = SHARE) -> None:
        self.share = share
        self._embedder = embedder or LocalEmbedder()

    def judge(self, question: str, hits: Sequence[Hit]) -> list[float]:
        """The mean of the best likenesses; 0 where one of the two says nothing to the model."""
        (asked,) = self._embedder.token_rows([question], role="query")
        said = self._embedder.token_rows([hit.text for hit in hits], most_windows=MOST_WINDOWS)
        return [max_sim(asked, one) for one in said]


def max_sim(asked: NDArray[np.float32], said: NDArray[np.float32]) -> float:
    """For each row of the question its nearest one of the text, in the mean."""
    if not len(asked) or not len(said):
        return 0.0
    return float((asked @ said.T).max(axis=1).mean())
