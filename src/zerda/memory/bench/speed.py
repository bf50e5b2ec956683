"""What saving and recalling cost, at several sizes, in one run on one machine: compare rows, not machines."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

from zerda.memory import AIMemoryManager, MemoryConfig

QUESTIONS, SAVES = 60, 40
_USER, _TENANT = "reader", "bench"

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
    """What was measured at one number of entries."""

    entries: int
    embedder: str
    import_per_second: float
    save: Timing
    recall: Timing
    rows_per_recall: float
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


def measure(sizes: Sequence[int], embedders: Sequence[str]) -> Iterator[Size]:
    """Each size with each embedder; CPU time of this process, so that what else runs here counts little."""
    for embedder in embedders:
        for size in sizes:
            with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                yield _measured(size, embedder, Path(folder) / "memory")


def import_milliseconds() -> float:
    """CPU time to import the package, less that of an interpreter that does nothing; the best of five."""
    return min(_started("import zerda.memory") for _ in range(5)) - min(_started("pass") for _ in range(5))


def _measured(size: int, embedder: str, folder: Path) -> Size:
    config = MemoryConfig(persistence_path=str(folder), embedding_model=embedder)
    said = sentences()
    with AIMemoryManager(config, enable_privacy_masking=False) as memory:
        memory.remember("warm", "other", next(said))
        before = _resident()
        importing = _cpu(lambda: memory.remember_many(_USER, _TENANT, (next(said) for _ in range(size))))
        memory.flush()
        memory.recall(_USER, _TENANT, "Who repaired the violin?", min_score=0)
        grown = _resident() - before
        save = Timing.of([_cpu(lambda: memory.remember(_USER, _TENANT, next(said))) for _ in range(SAVES)])
        counted = _count_rows(memory)
        asked = questions(QUESTIONS)
        recall = Timing.of([_cpu(lambda q=q: memory.recall(_USER, _TENANT, q)) for q in asked])  # type: ignore[misc]
        rows = counted() / len(asked)
        disk = memory.stats(_TENANT)["bytes_on_disk"]
    return Size(
        size,
        embedder,
        size / importing,
        save,
        recall,
        rows,
        grown / size,
        disk / size,
        1_000 * _cpu(lambda: _open_and_ask(config)),
    )


def _open_and_ask(config: MemoryConfig) -> None:
    with AIMemoryManager(config, enable_privacy_masking=False) as memory:
        memory.recall(_USER, _TENANT, "Who repaired the violin?", min_score=0)


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


def _cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _resident() -> int:
    """Bytes of memory in use; the peak where the system tells no better."""
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1_024
    return pages * resource.getpagesize()


def _started(code: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1_000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
