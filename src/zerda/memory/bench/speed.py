"""What saving and recalling cost, at several sizes, in one run on one machine: compare rows, not machines."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from statistics import fmean, median, quantiles
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from zerda.memory import AIMemoryManager, MemoryConfig, Permission, Query, embedder_named

from .timed import Timed, cpu

QUESTIONS, SAVES = 60, 40
NEAREST = 10  # Of so many nearest vectors, how many the two-stage search finds.
EXACT = 200_000  # Entries up to which it is held against an exact search, whose vectors all lie in memory.
_USER, _OTHERS, _TENANT = "reader", "others", "bench"

# Words of everyday talk; a Zipf-like draw from them gives postings of every length.
_NOUNS = """
    garden kettle bicycle violin harbour lantern recipe ticket window letter mountain station jacket
    bakery river teacher cousin puppy concert library museum kitchen notebook camera balcony market
    island orchard theatre blanket compass engine festival guitar hammer journal keyboard ladder
    mirror needle
""".split()
_VERBS = """
    bought repaired painted forgot visited cooked planned finished opened borrowed cleaned described
    enjoyed followed gathered handled imagined joined kept lost
""".split()
_NAMES = [
    f"{first}{last}"
    for first in ["Ma", "Li", "Jo", "Ka", "Ru", "Te", "No", "Sa"]
    for last in ["ra", "na", "li", "do", "mi", "so"]
]


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of CPU of one kind of call: median, and what 95 of 100 stay below."""

    p50: float
    p95: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Timing:
        cuts = quantiles(seconds, n=20)
        return cls(cuts[9] * 1_000, cuts[18] * 1_000)


@dataclass(frozen=True, slots=True)
class Size:
    """What was measured at one number of entries.

    ``beside`` are other users' entries in the same tenant; ``recall`` leaves the question's embedding out.
    ``two_stage`` is the share of the exactly nearest ten that the vector search finds, None where it was
    not measured; ``bytes_of_memory_per_entry`` what a process holds after its first recall.
    """

    entries: int
    beside: int
    embedder: str
    import_per_second: float
    save: Timing
    recall: Timing
    embedding_ms: float
    rows_per_recall: float
    two_stage: float | None
    bytes_of_memory_per_entry: float
    bytes_on_disk_per_entry: float
    open_and_first_recall_ms: float


def sentences(seed: int | str = 0) -> Iterator[str]:
    """Endless everyday sentences, the same for the same seed."""
    chance = random.Random(seed)
    while True:
        yield (
            f"{chance.choice(_NAMES)} {chance.choice(_VERBS)} the {_zipf(chance)} near the {_zipf(chance)} "
            f"and told {chance.choice(_NAMES)} about the {_zipf(chance)} number {chance.randrange(10_000)}."
        )


def measure(
    sizes: Sequence[int], embedders: Sequence[str], *, beside: int = 0, texts: Sequence[str] = ()
) -> Iterator[Size]:
    """Each size with each embedder; CPU time of this process, so that what else runs here counts little.

    What is saved are ``texts``, and `sentences` where those are too few.
    """
    for embedder in embedders:
        for size in sizes:
            with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                yield _Measuring(size, beside, embedder, Path(folder) / "memory", texts).run()


def import_milliseconds() -> float:
    """CPU time to import the package, less that of an interpreter that does nothing; the best of five."""
    return min(_started("import zerda.memory") for _ in range(5)) - min(_started("pass") for _ in range(5))


class _Measuring:
    """One size with one embedder, in a folder of its own."""

    def __init__(
        self, size: int, beside: int, embedder: str, folder: Path, texts: Sequence[str] = ()
    ) -> None:
        self._size, self._beside, self._name = size, beside, embedder
        self._config = MemoryConfig(persistence_path=str(folder), embedding_model=embedder)
        model = embedder_named(embedder)
        self._timed = None if model is None else Timed(model)
        self._said = chain(texts, sentences())
        self._mine: list[str] = []

    def run(self) -> Size:
        with self._opened() as memory:
            memory.remember("warm", "other", "Anything.")
            memory.remember_many(_OTHERS, _TENANT, islice(self._said, self._beside))
            self._mine = list(islice(self._said, self._size))
            importing = cpu(lambda: memory.remember_many(_USER, _TENANT, self._mine))
            memory.flush()
            memory.recall(_USER, _TENANT, "Who repaired the violin?", min_score=0)
            save = Timing.of([self._save(memory) for _ in range(SAVES)])
            rows = _count_rows(memory)
            asked = [self._recall(memory, question) for question in questions(QUESTIONS)]
            total = self._size + self._beside
            found = Size(
                self._size,
                self._beside,
                self._name,
                self._size / importing,
                save,
                Timing.of([seconds for seconds, _ in asked]),
                1_000 * median([seconds for _, seconds in asked]),
                rows() / len(asked),
                self._two_stage(memory),
                0.0,
                memory.stats(_TENANT)["bytes_on_disk"] / total,
                0.0,
            )
        opening = 1_000 * cpu(self._open_and_ask)
        tracemalloc.start()
        held = self._open_and_ask()
        tracemalloc.stop()
        return replace(found, bytes_of_memory_per_entry=held / total, open_and_first_recall_ms=opening)

    def _opened(self) -> AIMemoryManager:
        config = replace(self._config, mask_secrets=False)
        return AIMemoryManager(config, embedder=self._timed, enable_privacy_masking=False)

    def _save(self, memory: AIMemoryManager) -> float:
        text = next(self._said)
        self._mine.append(text)
        return cpu(lambda: memory.remember(_USER, _TENANT, text))

    def _recall(self, memory: AIMemoryManager, question: str) -> tuple[float, float]:
        """The CPU seconds of a recall without its embedding, and of that."""
        before = self._timed.seconds if self._timed else 0.0
        whole = cpu(lambda: memory.recall(_USER, _TENANT, question))
        embedding = (self._timed.seconds if self._timed else 0.0) - before
        return whole - embedding, embedding

    def _open_and_ask(self) -> int:
        """Bytes of Python's and numpy's that the open memory holds, where they are traced."""
        with self._opened() as memory:
            memory.recall(_USER, _TENANT, "Who repaired the violin?", min_score=0)
            return tracemalloc.get_traced_memory()[0]

    def _two_stage(self, memory: AIMemoryManager) -> float | None:
        """Of the ten nearest vectors by an exact search, the share that the store's search finds."""
        if self._timed is None or len(self._mine) > EXACT:
            return None
        scope = memory._may(_USER, _TENANT, Permission.READ)
        asked = self._mine[:: max(1, len(self._mine) // QUESTIONS)][:QUESTIONS] + questions(QUESTIONS)
        kept = self._timed.embed(self._mine).astype(np.float16).astype(np.float32)
        store, name = memory._bundle(_TENANT).store, self._timed.fingerprint
        return fmean(
            _share(kept @ vector, store.search_vectors(scope, vector, name, Query(), limit=NEAREST).hits)
            for vector in self._timed.embed(asked, role="query")
        )


def _share(cosines: Any, hits: Sequence[tuple[int, float]]) -> float:
    """The share of the nearest that the hits are. Texts that lie equally near are equally good."""
    least = float(np.partition(cosines, -NEAREST)[-NEAREST])
    return sum(cosine >= least - 1e-5 for _, cosine in hits) / NEAREST


def questions(count: int) -> list[str]:
    """Questions about such sentences, always the same."""
    chance = random.Random(1)
    return [f"What did {chance.choice(_NAMES)} tell about the {_zipf(chance)}?" for _ in range(count)]


def _zipf(chance: random.Random) -> str:
    return _NOUNS[min(int(chance.paretovariate(0.7)) - 1, len(_NOUNS) - 1)]


def _count_rows(memory: AIMemoryManager) -> Callable[[], int]:
    """Count the passages that recalls read from now on."""
    store: Any = memory._bundle(_TENANT).store
    read, rows = store.passages, [0]

    def counting(*args: Any, **kwargs: Any) -> Any:
        found = read(*args, **kwargs)
        rows[0] += len(found)
        return found

    store.passages = counting
    return lambda: rows[0]


def _started(code: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1_000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
