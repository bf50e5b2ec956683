"""What a forked child finds: every lock free, threads of its own, nothing that is the parent's to write."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.after_fork import Lock, renew_in_child
from zerda.memory.core.model import Query, Scope
from zerda.memory.storage.memory import InMemoryStore
from zerda.memory.testing import HashingEmbedder, draft, tick

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning"),  # That is what is tested.
]
ALICE = ("alice", "acme")


def in_child(work: Callable[[], object]) -> bool:
    """Whether the work ended well in a forked child; one that hangs is ended by its alarm."""
    child = os.fork()
    if not child:
        import faulthandler

        faulthandler.dump_traceback_later(30, exit=True)
        failed = 1
        try:
            work()
            failed = 0
        finally:
            os._exit(failed)
    return os.waitpid(child, 0)[1] == 0


class Held:
    """Another thread is within the lock until the block ends."""

    def __init__(self, lock: Lock) -> None:
        self._lock, self._in, self._go = lock, threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._hold)

    def _hold(self) -> None:
        with self._lock:
            self._in.set()
            self._go.wait(60)

    def __enter__(self) -> None:
        self._thread.start()
        self._in.wait(60)

    def __exit__(self, *ended: object) -> None:
        self._go.set()
        self._thread.join()


@pytest.mark.parametrize("again", [False, True])
def test_a_lock_that_another_thread_held_is_free_in_the_child(again: bool) -> None:
    lock = Lock(again=again)

    def enter() -> None:
        with lock:
            pass

    with Held(lock):
        assert in_child(enter)
        assert lock._lock.acquire(blocking=False) is False
    enter()


def test_what_is_gone_is_not_made_anew() -> None:
    class Counted:
        renewed = 0

        def renew(self) -> None:
            Counted.renewed += 1

    kept, gone = Counted(), Counted()
    renew_in_child(kept)
    renew_in_child(gone)
    del gone
    assert in_child(lambda: check(Counted.renewed == 1))


def check(claim: bool) -> None:
    assert claim


def opened(folder: Path, **settings: object) -> AIMemoryManager:
    config = MemoryConfig(persistence_path=str(folder), **settings)  # type: ignore[arg-type]
    return AIMemoryManager(config, embedder=HashingEmbedder(64), clock=tick())


def locks_of(memory: AIMemoryManager) -> dict[str, Lock]:
    bundle = memory._bundle("acme")
    return {
        "manager": memory._lock,
        "threads": memory._threads._lock,
        "uses": memory._uses._lock,
        "reads": memory._reads._lock,
        "indexer": memory._indexer._lock,
        "stores": memory._stores._lock,  # type: ignore[attr-defined]
        "working memory": bundle.working._lock,
        "profiles": bundle.profiles._lock,
        "upkeep": bundle.upkeep,
    }


NAMES = (
    "manager", "threads", "uses", "reads", "indexer", "stores", "working memory", "profiles", "upkeep",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_child_works_whichever_lock_another_thread_held(tmp_path: Path, name: str) -> None:
    with opened(tmp_path) as memory:
        memory.save_interaction(*ALICE, "The lantern is lit.", "Good.")
        memory.build_context(*ALICE, "lantern")
        locks = locks_of(memory)
        assert locks.keys() == set(NAMES)

        def work() -> None:
            memory.save_interaction(*ALICE, "The kite flies.", "High.", id="of the child")
            memory.remember("alice", "omega", "Another tenant.")
            assert memory.build_context(*ALICE, "lantern").entries
            memory.set_preferences(*ALICE, {"answers": "short"})
            memory.run_maintenance("acme")
            memory.flush()
            asyncio.run(memory.arecall(*ALICE, "kite"))
            memory.close()

        with Held(locks[name]):
            assert in_child(work)
        assert memory.get(*ALICE, "of the child").text


def test_the_threads_of_the_twins_are_the_childs_own(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        asyncio.run(memory.asave_interaction(*ALICE, "The lantern is lit.", "Good."))
        assert in_child(lambda: asyncio.run(memory.arecall(*ALICE, "lantern")))
        asyncio.run(memory.arecall(*ALICE, "lantern"))


def test_a_use_is_written_once_by_the_process_that_counted_it(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.save_interaction(*ALICE, "The lantern is lit.", "Good.", id="one")
        memory.build_context(*ALICE, "lantern")
        assert in_child(memory.close)
        memory.flush()
        assert memory.get(*ALICE, "one").access_count == 1


def test_a_store_in_memory_takes_back_what_another_thread_was_amid() -> None:
    store, scope = InMemoryStore(), Scope("acme", "alice")
    store.put(scope, [draft("before", id="before")])
    begun, go_on = threading.Event(), threading.Event()

    def amid() -> None:
        with store.transaction():
            store.put(scope, [draft("half", id="half")])
            begun.set()
            go_on.wait(60)

    thread = threading.Thread(target=amid)
    thread.start()
    begun.wait(60)

    def work() -> None:
        assert store.count(scope, Query()) == 1
        store.put(scope, [draft("of the child", id="child")])
        assert store.count(scope, Query()) == 2

    assert in_child(work)
    go_on.set()
    thread.join()
    assert store.count(scope, Query()) == 2


def test_a_memory_that_keeps_nothing_works_in_a_child(tmp_path: Path) -> None:
    with opened(tmp_path, enable_persistence=False) as memory:
        memory.save_interaction(*ALICE, "The lantern is lit.", "Good.", id="one")
        assert in_child(lambda: check(memory.get(*ALICE, "one").id == "one"))
