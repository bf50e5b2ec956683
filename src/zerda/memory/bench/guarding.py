"""What protection and upkeep cost: access, keys, erasure, maintenance beside readers, many calls at once."""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

from zerda.memory import AIMemoryManager, MemoryConfig, Permission, WrongKey, rotate_root_key
from zerda.memory.bench.speed import questions, sentences
from zerda.memory.bench.timed import clock, cpu

CHECKS, PAIRS, CALLS = 5_000, 150, 600
_USER, _GONE, _TENANT = "reader", "leaving", "bench"
_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class Figure:
    """Something measured: ``value`` in ``unit``, and ``most``, which it is meant to stay below."""

    what: str
    value: float
    unit: str
    most: float


def measure(entries: int, leaving: int, tenants: int) -> Iterator[Figure]:
    """Each figure as it is known. ``leaving`` of the ``entries`` are of the user who is erased.

    Keys are changed in a memory of so many ``tenants``. CPU time of this process but where another unit
    says "by the clock".
    """
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        config = MemoryConfig(persistence_path=str(Path(folder) / "memory"), mask_secrets=False)
        with AIMemoryManager(config, enable_privacy_masking=False) as memory:
            _fill(memory, _USER, entries - leaving)
            _fill(memory, _GONE, leaving)
            yield from _access(memory)
            yield from _at_once(memory)
            yield from _maintained(memory, entries)
            yield from _erased(memory, entries)
        yield from _keyed(Path(folder), min(entries, 10_000))
        yield from _keys_changed(Path(folder) / "tenants", tenants)


def _fill(memory: AIMemoryManager, user: str, entries: int) -> None:
    said = sentences(user)
    for start in range(0, entries, _BATCH):
        memory.remember_many(user, _TENANT, islice(said, min(_BATCH, entries - start)))
    memory.flush(_TENANT)


def _access(memory: AIMemoryManager) -> Iterator[Figure]:
    memory.grant("agent:bench", _TENANT, "reader", on_behalf_of=_USER)
    for who, one in (("a user", memory), ("a delegate", memory.acting_as("agent:bench"))):
        check = partial(one._gate.require, _USER, _TENANT, Permission.READ)
        spent = min(cpu(partial(_again, check)) for _ in range(5))
        yield Figure(f"one check of access, {who}", 1e6 * spent / CHECKS, "µs", 10)


def _again(check: Callable[[], object]) -> None:
    for _ in range(CHECKS):
        check()


def _at_once(memory: AIMemoryManager) -> Iterator[Figure]:
    """How long the event loop was kept from its work by many awaited calls."""
    asked = questions(CALLS)

    async def calls() -> list[float]:
        gaps: list[float] = []
        watching = asyncio.create_task(_watch(gaps))
        half: Sequence[Awaitable[object]] = [memory.arecall(_USER, _TENANT, one) for one in asked[::2]]
        rest = [memory.aremember(_USER, _TENANT, one) for one in asked[1::2]]
        await asyncio.gather(*half, *rest)
        watching.cancel()
        return gaps

    gaps = asyncio.run(calls())
    yield Figure(
        f"{CALLS} awaited calls at once: gap of the event loop, p95 by the clock",
        1_000 * quantiles(gaps, n=20)[18], "ms", 100,
    )  # fmt: skip


async def _watch(gaps: list[float]) -> None:
    while True:
        before = time.perf_counter()
        await asyncio.sleep(0.001)
        gaps.append(time.perf_counter() - before)


def _maintained(memory: AIMemoryManager, entries: int) -> Iterator[Figure]:
    waits: list[float] = []
    done = threading.Event()

    def read() -> None:
        for question in cycle(questions(CALLS)):
            waits.append(clock(partial(memory.recall, _USER, _TENANT, question)))
            if done.is_set():
                return

    reader = threading.Thread(target=read)
    reader.start()
    seconds = clock(lambda: memory.run_maintenance(_TENANT))
    done.set()
    reader.join()
    yield Figure(f"maintenance of {entries:,} entries, by the clock", seconds, "s", 30)
    yield Figure("the longest recall meanwhile, by the clock", max(waits), "s", 2)


def _erased(memory: AIMemoryManager, entries: int) -> Iterator[Figure]:
    spent, begun = time.process_time(), time.perf_counter()
    receipt = memory.forget_user(_GONE, _TENANT)
    spent, seconds = time.process_time() - spent, time.perf_counter() - begun
    yield Figure(f"{receipt.counts['entries']:,} entries erased of {entries:,}", spent, "s", 1)
    yield Figure("the same, by the clock", seconds, "s", 1)


def _keyed(folder: Path, entries: int) -> Iterator[Figure]:
    """Saves and recalls with and without a key, in turn."""
    key = secrets.token_bytes(32)
    plain, sealed = (_opened(folder / name, given) for name, given in (("plain", None), ("sealed", key)))
    with plain, sealed:
        for memory in (plain, sealed):
            _fill(memory, _USER, entries)
        said = list(islice(sentences("keyed"), PAIRS))
        saves = _in_turn(lambda memory, text: memory.remember(_USER, _TENANT, text), (plain, sealed), said)
        recalls = _in_turn(
            lambda memory, text: memory.recall(_USER, _TENANT, text), (plain, sealed), questions(PAIRS)
        )
    for what, (without, with_key) in (("a save", saves), ("a recall", recalls)):
        yield Figure(f"what a key adds to {what}", 100 * (with_key / without - 1), "%", 20)


def _in_turn(
    work: Callable[[AIMemoryManager, str], object], memories: Sequence[AIMemoryManager], texts: Iterable[str]
) -> list[float]:
    """The CPU seconds of each memory, which take turns at every text."""
    spent = [0.0 for _ in memories]
    for text in texts:
        for place, memory in enumerate(memories):
            spent[place] += cpu(partial(work, memory, text))
    return spent


def _keys_changed(folder: Path, tenants: int) -> Iterator[Figure]:
    old, new = "the passphrase of before, long enough", "the passphrase of afterwards, long enough"
    with _opened(folder, old, embedder="none", lasting=False) as memory:
        for number in range(tenants):
            memory.remember(_USER, f"tenant-{number}", "Anything.")
    yield Figure("a wrong passphrase is refused, by the clock", clock(lambda: _refused(folder)), "s", 1.5)
    rotated = clock(lambda: rotate_root_key(folder, old, new))
    yield Figure(f"the root key of {tenants:,} tenants is changed, by the clock", rotated, "s", 2)


def _refused(folder: Path) -> None:
    try:
        with _opened(folder, "another passphrase, long enough", embedder="none") as memory:
            memory.recall(_USER, "tenant-0", "anything")
    except WrongKey:
        return
    raise AssertionError("a wrong key opened a memory")


def _opened(
    folder: Path, key: bytes | str | None, *, embedder: str = "auto", lasting: bool = True
) -> AIMemoryManager:
    config = MemoryConfig(
        persistence_path=os.fspath(folder),
        embedding_model=embedder,
        mask_secrets=False,
        durability="full" if lasting else "relaxed",
    )
    return AIMemoryManager(config, encryption_key=key, enable_privacy_masking=False)
