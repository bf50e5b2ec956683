"""One large tenant and many small ones on a PostgreSQL server: what a recall costs, and what it finds."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zerda.memory import AIMemoryManager, ConfigError, Embedder, MemoryConfig, embedder_named
from zerda.memory.bench.speed import QUESTIONS, Timing, questions, sentences
from zerda.memory.bench.timed import clock

LARGE = "bench-large"
NEAREST = 10
_USER, _BATCH = "reader", 10_000
_SAME_COSINE = 2e-3  # Vectors are kept in half precision: nearer than that, two are equally near.


@dataclass(frozen=True, slots=True)
class Tenancy:
    """What was measured of one kind of tenant; times in milliseconds.

    ``call`` is by the clock, ``server`` the CPU of the server's processes a recall, where they run on this
    machine (else ``None``); ``found`` is the share of the ten nearest by exact comparison that a search by
    vectors found.
    """

    kind: str
    tenants: int
    entries: int
    imported_per_second: float
    call: Timing
    server: float | None
    found: float


@dataclass(frozen=True, slots=True)
class _Measuring:
    """A memory that is measured, and how to learn what its server has spent."""

    memory: AIMemoryManager
    embedder: Embedder
    spent: Callable[[], float | None]
    kept: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    def of(self, kind: str, tenants: Sequence[str], entries: int, seconds: float) -> Tenancy:
        """Ask a drawn tenant each question, after one that is not counted."""
        asked = list(zip(_drawn(tenants), questions(QUESTIONS), strict=False))
        for tenant, question in asked[:5]:
            self.memory.recall(_USER, tenant, question)
        before = self.spent()
        calls = [clock(lambda t=tenant, q=q: self.memory.recall(_USER, t, q)) for tenant, q in asked]  # type: ignore[misc]
        after = self.spent()
        server = None if before is None or after is None else 1_000 * (after - before) / len(asked)
        found = [self._found(tenant, entries, q) for tenant, q in asked]
        rate = len(tenants) * entries / seconds
        return Tenancy(
            kind, len(tenants), entries, rate, Timing.of(calls), server, 100 * float(np.mean(found))
        )

    def _found(self, tenant: str, entries: int, question: str) -> float:
        """The share of the nearest that it finds; what is nearest is reckoned here, from the sentences."""
        near = self.memory._bundle(tenant).semantic.search(question, k=NEAREST)
        (vector,) = self.embedder.embed([question], role="query")
        exact = np.sort(self._vectors(tenant, entries) @ vector)[-NEAREST:]
        return sum(score >= float(exact[0]) - _SAME_COSINE for _, score in near) / len(exact)

    def _vectors(self, tenant: str, entries: int) -> NDArray[np.float32]:
        """The vectors of a tenant's sentences; those of the large one are made once."""
        if (known := self.kept.get(tenant)) is not None:
            return known
        said = sentences(tenant)
        made = np.concatenate(
            [self.embedder.embed(list(islice(said, size))) for size in _batches(entries)], dtype=np.float32
        )
        if tenant == LARGE:
            self.kept[tenant] = made
        return made


def measure(storage: str, model: str, large: int, small: int, tenants: int) -> Iterator[Tenancy]:
    """The large tenant, then the small ones beside it; the tenants are cleared at the end."""
    embedder = embedder_named(model)
    if embedder is None:
        raise ConfigError(f"the embedder {model!r} makes no vectors; name another")
    names = [f"bench-small-{number}" for number in range(tenants)]
    config = MemoryConfig(storage=storage, embedding_model=model, mask_secrets=False)
    with AIMemoryManager(config, embedder=embedder, enable_privacy_masking=False) as memory:
        measuring = _Measuring(memory, embedder, _server_cpu(storage))
        try:
            importing = clock(lambda: _fill(memory, LARGE, large))
            filling = sum(clock(lambda n=name: _fill(memory, n, small)) for name in names)  # type: ignore[misc]
            memory.run_maintenance(LARGE)  # It makes the index of neighbours.
            yield measuring.of("large", [LARGE], large, importing)
            yield measuring.of("small", names, small, filling)
        finally:
            for name in (LARGE, *names):
                memory.clear_tenant(name)


def _fill(memory: AIMemoryManager, tenant: str, entries: int) -> None:
    said = sentences(tenant)
    for size in _batches(entries):
        memory.remember_many(_USER, tenant, list(islice(said, size)))
    memory.flush(tenant)


def _batches(entries: int) -> Iterator[int]:
    return (min(_BATCH, entries - start) for start in range(0, entries, _BATCH))


def _drawn(tenants: Sequence[str]) -> Iterator[str]:
    chance = random.Random(2)
    while True:
        yield chance.choice(tenants)


def _server_cpu(storage: str) -> Callable[[], float | None]:
    """Tells the seconds of CPU that the server's processes have taken; `None` where they are not here."""
    import psycopg

    connection = psycopg.connect(storage, autocommit=True)
    mine = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

    def spent() -> float | None:
        pids = [pid for (pid,) in connection.execute(mine)]
        known = [seconds for pid in pids if (seconds := _cpu_of(pid)) is not None]
        return sum(known) if pids and len(known) == len(pids) else None

    return spent


def _cpu_of(pid: int) -> float | None:
    """Seconds of CPU of a server process on this machine."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("ascii")
    except OSError:
        return None
    name, _, numbers = text.rpartition(")")
    fields = numbers.split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") if "postgres" in name else None
