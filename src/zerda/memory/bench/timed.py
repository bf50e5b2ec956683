"""What work costs: CPU time, time by the clock, and an embedder that tells what its questions cost."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from zerda.memory import Embedder


def cpu(work: Callable[[], object]) -> float:
    """Seconds of this process's CPU."""
    start = time.process_time()
    work()
    return time.process_time() - start


def clock(work: Callable[[], object]) -> float:
    """Seconds by the clock."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Timed:
    """An embedder with the shape of ``inner``; ``seconds`` sums the CPU time of its questions."""

    def __init__(self, inner: Embedder) -> None:
        self.inner = inner
        self.seconds = 0.0

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    @property
    def fast(self) -> bool:
        return self.inner.fast

    @property
    def max_words(self) -> int | None:
        return self.inner.max_words

    def embed(self, texts: Sequence[str], *, role: Any = "passage") -> NDArray[Any]:
        start = time.process_time()
        vectors = self.inner.embed(texts, role=role)
        if role == "query":
            self.seconds += time.process_time() - start
        return vectors
