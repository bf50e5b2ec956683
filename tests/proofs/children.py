"""What the proofs run in processes of their own: ``python children.py PROGRAM ARGUMENT…``."""

import faulthandler
import itertools
import os
import resource
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TypeVar

from zerda.memory import AIMemoryManager, MemoryConfig, StorageBusy, StorageUnavailable
from zerda.memory.testing import HashingEmbedder
from zerda.memory.upkeep.indexing import Indexer

Answer = TypeVar("Answer")

WRITER = ("writer", "acme")
GROUP = 4  # Notes of one `remember_many`, which are kept together or not at all.


@contextmanager
def opened(folder: str, *, fast: bool = True, connections: int = 64) -> Iterator[AIMemoryManager]:
    """A memory in a folder, with an embedder that needs nothing; without ``fast``, vectors follow later."""
    config = MemoryConfig(persistence_path=folder, max_connections=connections)
    embedder = HashingEmbedder(256, fast=fast)
    with AIMemoryManager(config, embedder=embedder, enable_privacy_masking=False) as memory:
        yield memory


def said(name: str) -> str:
    """The text that is kept under a name: it holds a word that no other has."""
    return f"The code word of the day is {word(name)}. " + "Nothing else happened. " * (len(name) % 5)


def word(name: str) -> str:
    """The name as one word."""
    return "w" + "".join(char for char in name if char.isalnum()) + "z"


def save_until_killed(folder: str, run: str) -> None:
    """Save one and several at a time, for ever; tell each name on stdout once its save has returned."""
    with opened(folder, fast=False) as memory:
        for turn in range(1_000_000):
            names = [f"{run}-{turn}-{part}" for part in range(GROUP if turn % 3 == 0 else 1)]
            if len(names) == 1:
                memory.save_interaction(*WRITER, said(names[0]), "Noted.", id=names[0])
            else:
                memory.remember_many(*WRITER, [{"content": said(name), "id": name} for name in names])
            os.write(1, "".join(f"{name}\n" for name in names).encode())


def save_facts_until_killed(folder: str, tenant: str) -> None:
    """Save facts of one user for ever; tell id and word of each on stdout once its save has returned."""
    with opened(folder) as memory:
        for turn in range(1_000_000):
            fact = f"k{turn}q"
            entry = memory.save_interaction(
                "user0", tenant, f"The parcel {fact} is ready.", "Noted.", importance=0.9, tags=["killed"]
            )
            os.write(1, f"{entry.id} {fact}\n".encode())


def save_many_times(folder: str, run: str, times: str) -> None:
    """Save as often as told, when a line on stdin says so."""
    with opened(folder) as memory:
        sys.stdin.readline()
        for turn in range(int(times)):
            name = f"{run}-{turn}"
            memory.save_interaction(*WRITER, said(name), "Noted.", id=name)


def fork_and_work(folder: str, times: str) -> None:
    """Fork with an open memory, as often as told; parent and child both save, recall and flush, and go on."""
    with opened(folder, fast=False) as memory:
        for turn in range(int(times)):
            _work(memory, f"before-{turn}")
            child = os.fork()
            if child == 0:
                faulthandler.dump_traceback_later(300, exit=True)
                _work(memory, f"child-{turn}")
                os._exit(0)
            _work(memory, f"parent-{turn}")
            _, status = os.waitpid(child, 0)
            assert status == 0, f"the child of turn {turn} ended with {status}"
            assert memory.get(*WRITER, f"child-{turn}").text == said(f"child-{turn}")
    print("parent and child agree")


def fork_while_others_save(folder: str, times: str) -> None:
    """Fork as often as told while other threads save; each child saves and recalls, and is done."""
    done = threading.Event()

    def save(thread: int) -> None:
        for turn in itertools.count():
            if done.is_set():
                return
            new = " ".join(f"new{chr(97 + thread)}{turn}words{number}ings" for number in range(300))
            memory.remember("others", "acme", new)

    with opened(folder) as memory, ThreadPoolExecutor(4) as pool:
        _work(memory, "first")  # Python cannot fork while another thread imports; from here on all is.
        running = [pool.submit(save, thread) for thread in range(4)]
        try:
            for turn in range(int(times)):
                child = os.fork()
                if child == 0:
                    faulthandler.dump_traceback_later(60, exit=True)  # It waits for a lock that nobody holds.
                    _work(memory, f"child-{turn}")
                    os._exit(0)
                _, status = os.waitpid(child, 0)
                assert status == 0, f"the child of turn {turn} ended with {status}"
        finally:
            done.set()
        for each in running:
            each.result()
    print("every child worked")


def fork_with_a_tenant_waiting() -> None:
    """Fork while the indexer is at work and the same tenant waits again; the child's own must index it."""
    parent, begun, go_on, child_worked = os.getpid(), threading.Event(), threading.Event(), threading.Event()

    def work(tenant_id: str) -> None:
        begun.set()
        if os.getpid() == parent:
            go_on.wait(60)
        else:
            child_worked.set()

    indexer = Indexer(work)
    indexer.nudge("acme")
    begun.wait(60)
    indexer.nudge("acme")
    child = os.fork()
    if child == 0:
        indexer.nudge("acme")
        os._exit(0 if child_worked.wait(5) else 1)
    go_on.set()
    assert os.waitpid(child, 0)[1] == 0, "the child's indexer never worked"
    indexer.close()
    print("the child indexed")


def _work(memory: AIMemoryManager, name: str) -> None:
    memory.remember(*WRITER, said(name), id=name)
    assert memory.recall(*WRITER, word(name), limit=1, min_score=0)[0].entry.id == name
    memory.flush()
    assert "meaning" in memory.recall(*WRITER, said(name), limit=1, min_score=0)[0].sources


def serve_tenants(address: str, run: str, tenants: str) -> None:
    """Save and recall for tenants in turn, for ever, on a server; tell each name that was saved."""
    embedder = HashingEmbedder(256, fast=False)
    config = MemoryConfig(storage=address, max_connections=4)
    with AIMemoryManager(config, embedder=embedder, enable_privacy_masking=False) as memory:
        for turn in itertools.count():
            tenant = f"tenant-{turn % int(tenants)}"
            _serve(memory, tenant, f"{tenant}-{run}-{turn}")


def _serve(memory: AIMemoryManager, tenant: str, name: str) -> None:
    _until_served(lambda: memory.remember("writer", tenant, said(name), id=name))
    os.write(1, f"{name}\n".encode())
    asked = partial(memory.recall, "writer", tenant, word(name), limit=5, min_score=0)
    hits = _until_served(asked)
    while hits.degraded:  # The server turned away one of its searches.
        hits = _until_served(asked)
    assert hits[0].entry.id == name
    others = _until_served(lambda: memory.recall("writer", "tenant-0", word(name), min_score=0))
    assert all(hit.entry.id.startswith("tenant-0-") for hit in others), "another tenant's entry"


def tend_tenants(address: str) -> None:
    """Tend the tenants of a server as a worker does, each a second after its last turn; tell each name."""
    config = MemoryConfig(storage=address, max_connections=4)
    with AIMemoryManager(config, embedder=HashingEmbedder(256, fast=False)) as memory:
        while True:
            before = datetime.now(UTC) - timedelta(seconds=1)
            tenant = _until_served(partial(memory.claim_maintenance, before))
            if tenant is not None:
                _until_served(partial(memory.flush, tenant))
                _until_served(partial(memory.run_maintenance, tenant))
                os.write(1, f"{tenant}\n".encode())


def _until_served(work: Callable[[], Answer]) -> Answer:
    """What the server turned away is asked again, as an application would."""
    while True:
        try:
            return work()
        except (StorageUnavailable, StorageBusy):
            continue


def touch_tenants(folder: str, tenants: str, open_files: str, connections: str) -> None:
    """Save for each of many tenants, then ask each, with few files open at a time; print the most seen."""
    limit = int(open_files)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    names = [f"tenant-{number}" for number in range(int(tenants))]
    most = 0
    with opened(folder, connections=int(connections)) as memory:
        for name in names:
            memory.remember("writer", name, said(name), id="first")
            most = max(most, _open_files())
        for name in names:
            (hit,) = memory.recall("writer", name, word(name), min_score=0)
            assert hit.entry.text == said(name)
            most = max(most, _open_files())
    print(most)


def _open_files() -> int:
    return len(os.listdir("/dev/fd"))


PROGRAMS = {
    program.__name__: program
    for program in (
        save_until_killed,
        save_facts_until_killed,
        save_many_times,
        fork_and_work,
        fork_while_others_save,
        fork_with_a_tenant_waiting,
        touch_tenants,
        serve_tenants,
        tend_tenants,
    )
}

if __name__ == "__main__":
    PROGRAMS[sys.argv[1]](*sys.argv[2:])
