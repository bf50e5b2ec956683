"""The pool: few connections for many files, in turn, and none carried through a fork."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from zerda.memory.core.model import Query, Scope
from zerda.memory.errors import StorageBusy, StorageError, StoreClosed
from zerda.memory.storage.folder import SQLiteFolder
from zerda.memory.storage.pool import FairLock, Pool
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import HashingEmbedder, draft

ALICE = Scope("acme", "alice")
EMBEDDER = HashingEmbedder(64)
SRC = Path(__file__).parents[2] / "src"


def waiting(lock: FairLock, count: int) -> None:
    """Return when that many threads wait at the lock."""
    arrived = threading.Event()
    while len(lock._gates) < count:
        arrived.wait(0.001)


def test_a_fair_lock_lets_threads_in_by_the_order_in_which_they_came() -> None:
    lock, order = FairLock(), list[int]()
    assert lock.acquire(1)

    def enter(number: int) -> None:
        assert lock.acquire(60)
        order.append(number)
        lock.release()

    threads = [threading.Thread(target=enter, args=(number,)) for number in range(12)]
    for number, thread in enumerate(threads):
        thread.start()
        waiting(lock, number + 1)
    lock.release()
    for thread in threads:
        thread.join(60)
    assert order == list(range(12))


def test_who_waits_in_vain_leaves_the_queue() -> None:
    lock = FairLock()
    assert lock.acquire(1)
    refused: list[bool] = []
    thread = threading.Thread(target=lambda: refused.append(lock.acquire(0.01)))
    thread.start()
    thread.join(60)
    assert refused == [False]
    lock.release()
    assert lock.acquire(0)


def test_many_files_share_few_connections_and_all_stay_usable(tmp_path: Path) -> None:
    pool = Pool(6)
    stores = [SQLiteStore(tmp_path / f"{number}.db", pool) for number in range(20)]
    for turn in range(3):
        for number, store in enumerate(stores):
            store.put(ALICE, [draft(f"kite {turn} of {number}", embedder=EMBEDDER)])
            assert pool.open_connections <= 6
    for store in stores:
        (vector,) = EMBEDDER.embed(["kite"])
        assert store.count(ALICE, Query()) == 3
        assert len(store.search_vectors(ALICE, vector, EMBEDDER.fingerprint, Query(), limit=9).hits) == 3
        assert pool.open_connections <= 6
    pool.close()
    assert pool.open_connections == 0


def test_the_file_least_recently_used_is_closed_first(tmp_path: Path) -> None:
    pool = Pool(3)
    stores = [SQLiteStore(tmp_path / f"{number}.db", pool) for number in range(4)]
    for number in (0, 1, 2, 0, 3):
        stores[number].count(ALICE, Query())
    assert [source.path.name for source in pool._files] == ["2.db", "0.db", "3.db"]
    pool.close()


def test_a_full_pool_makes_others_wait_but_never_who_holds_a_connection(tmp_path: Path) -> None:
    pool = Pool(1, wait_seconds=0.05)
    first, second = SQLiteStore(tmp_path / "1.db", pool), SQLiteStore(tmp_path / "2.db", pool)
    errors: list[BaseException] = []

    def look() -> None:
        try:
            second.count(ALICE, Query())
        except StorageBusy as error:
            errors.append(error)

    with first.transaction():
        second.put(ALICE, [draft("nested")])
        pool.unpool(second._source)
        thread = threading.Thread(target=look)
        thread.start()
        thread.join(60)
    assert [type(error) for error in errors] == [StorageBusy]
    assert second.count(ALICE, Query()) == 1
    pool.close()


def test_a_closed_pool_lets_calls_that_are_under_way_end(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "m.db")
    with store.transaction():
        store.put(ALICE, [draft("kite", id="x")])
        store.close()
    assert store._pool.open_connections == 0
    with pytest.raises(StoreClosed):
        store.get(ALICE, "x")
    with SQLiteStore(tmp_path / "m.db") as again:
        assert again.get(ALICE, "x").content == "kite"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows counts handles differently")
def test_more_tenants_than_file_handles(tmp_path: Path) -> None:
    program = """
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
from zerda.memory.core.model import Query, Scope
from zerda.memory.storage.folder import SQLiteFolder
from zerda.memory.testing import draft
folder = SQLiteFolder(sys.argv[1], durability="relaxed")
tenants = [f"tenant-{n}" for n in range(300)]
for tenant in tenants:
    folder.store(tenant).put(Scope(tenant, "u"), [draft("kite", id="x")])
assert all(folder.store(t).get(Scope(t, "u"), "x").content == "kite" for t in tenants)
assert folder.tenants() == tuple(sorted(tenants))
folder.close()
print("fine")
"""
    assert run(program, str(tmp_path / "memory")) == "fine\n"


def run(program: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program, *arguments],
        env={**os.environ, "PYTHONPATH": str(SRC)},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


# ── fork ─────────────────────────────────────────────────────────────────────────────────────────────

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

FORKING = """
import os, sys, threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)  # We fork beside threads: that is what is tested.
from zerda.memory.core.model import Query, Scope
from zerda.memory.errors import StorageError
from zerda.memory.storage.folder import SQLiteFolder
from zerda.memory.testing import HashingEmbedder, draft
ALICE, E = Scope("acme", "alice"), HashingEmbedder(64)
folder = SQLiteFolder(sys.argv[1], durability="relaxed")
store = folder.store("acme")

def put(name):
    store.put(ALICE, [draft(f"kite {name}", id=name, embedder=E)])

def near():
    return len(store.search_vectors(ALICE, E.embed(["kite"])[0], E.fingerprint, Query(), limit=999).hits)

def in_child(work):
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException:
            import traceback; traceback.print_exc(); os._exit(1)
        sys.stdout.flush()
        os._exit(0)
    return pid

def succeeded(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
"""


@forks
def test_parent_and_child_both_go_on(tmp_path: Path) -> None:
    program = """
put("before"); near()
def child():
    assert store.get(ALICE, "before")
    for n in range(20): put(f"child {n}")
    assert store.count(ALICE, Query()) >= 21 and near() >= 21
pid = in_child(child)
for n in range(20): put(f"parent {n}")
assert succeeded(pid)
assert store.count(ALICE, Query()) == near() == 41
folder.close()
print("fine")
"""
    assert run(FORKING + program, str(tmp_path)) == "fine\n"


@forks
def test_a_fork_beside_threads_that_write_and_read_neither_hangs_nor_loses(tmp_path: Path) -> None:
    program = """
# Words are stemmed once, before the forks: a lock within an import is not ours to keep through a fork.
put("child")
stop, errors = threading.Event(), []
def work(name):
    n = 0
    try:
        while not stop.is_set():
            put(f"{name} {n}"); near(); n += 1
    except BaseException as error:
        errors.append(error)
    counts[name] = n
counts = {}
threads = [threading.Thread(target=work, args=(name,)) for name in "abc"]
for thread in threads: thread.start()
for number in range(8):
    def child(): put(f"child {number}"); assert store.get(ALICE, f"child {number}"); near()
    assert succeeded(in_child(child))
stop.set()
for thread in threads: thread.join()
assert not errors, errors
assert store.count(ALICE, Query()) == sum(counts.values()) + 9
folder.close()
print("fine")
"""
    assert run(FORKING + program, str(tmp_path)) == "fine\n"


@forks
def test_a_transaction_belongs_to_the_process_that_began_it(tmp_path: Path) -> None:
    program = """
try:
    with store.transaction():
        put("of the parent")
        pid = os.fork()
        if pid == 0:
            assert store.count(ALICE, Query()) == 0
except StorageError as error:
    assert pid == 0 and "parent" in str(error)
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
assert store.count(ALICE, Query()) == 1
folder.close()
print("fine")
"""
    assert run(FORKING + program, str(tmp_path)) == "fine\n"


@forks
def test_a_child_that_ends_in_the_usual_way_leaves_the_parents_files_alone(tmp_path: Path) -> None:
    program = """
put("before")
pid = os.fork()
if pid == 0:
    sys.exit(0)  # Through the interpreter's end, where what is left is let go of.
assert succeeded(pid)
for n in range(5): put(f"after {n}")
assert os.path.getsize(store.path.as_posix() + "-wal") > 0
assert store.count(ALICE, Query()) == 6
folder.close()
print("fine")
"""
    assert run(FORKING + program, str(tmp_path)) == "fine\n"


@forks
def test_a_child_never_closes_what_it_inherited(tmp_path: Path) -> None:
    program = """
import gc, weakref
put("before"); near()
inherited = [weakref.ref(c) for file in folder._pool._files.values() for c in file.everything]
assert len(inherited) >= 3
def child():
    put("in the child")
    gc.collect()
    assert all(ref() is not None for ref in inherited)
    assert [ref().in_transaction for ref in inherited] == [False] * len(inherited)  # Raises once closed.
    mine = {id(c) for file in folder._pool._files.values() for c in file.everything}
    assert mine.isdisjoint(id(ref()) for ref in inherited)
assert succeeded(in_child(child))
folder.close()
print("fine")
"""
    assert run(FORKING + program, str(tmp_path)) == "fine\n"


def test_a_store_belongs_to_the_folder_that_closes_it(tmp_path: Path) -> None:
    folder = SQLiteFolder(tmp_path)
    store = folder.store("acme")
    store.count(ALICE, Query())
    folder.close()
    with pytest.raises(StoreClosed):
        store.count(ALICE, Query())
    with pytest.raises(StorageError):
        folder.store("acme")


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="no /proc here tells which files are open")
def test_a_memory_that_is_opened_and_closed_again_and_again_leaves_no_handle_and_no_thread(
    tmp_path: Path,
) -> None:
    from zerda.memory import AIMemoryManager, MemoryConfig
    from zerda.memory.testing import HashingEmbedder

    def once() -> tuple[int, int]:
        config = MemoryConfig(persistence_path=str(tmp_path / "memory"), indexing="background")
        with AIMemoryManager(config, embedder=HashingEmbedder(fast=False)) as memory:
            memory.remember("alice", "acme", "the red kite circles above the harbour")
            memory.recall("alice", "acme", "where is the kite?")
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count()

    first = once()
    assert {once() for _ in range(200)} == {first}
