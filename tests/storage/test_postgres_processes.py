"""Several processes on one server: nothing acknowledged is lost, whoever is killed, and whatever restarts."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from killing import killed

import postgres_server
from zerda.memory.core.model import Query, Scope
from zerda.memory.errors import StorageBusy
from zerda.memory.storage.base import Store
from zerda.memory.testing import HashingEmbedder

pytest.importorskip("psycopg", reason="the extra postgres is not installed")

from zerda.memory.storage import postgres_driver
from zerda.memory.storage.postgres import PostgresStore
from zerda.memory.storage.postgres_driver import APPLICATION

pytestmark = [
    postgres_server.NEEDED_HERE,
    pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL"),
]

EMBEDDER = HashingEmbedder(64)
TENANTS = ("acme", "other", "third")
SRC = Path(__file__).parents[2] / "src"
ROUNDS = int(os.environ.get("ZERDA_PROVE_KILLS", "4"))

# Tells what was acknowledged. What fails for lack of the server is tried again, with the same id.
WRITER = """
import itertools, sys
from zerda.memory.core.model import Query, Scope
from zerda.memory.errors import StorageError
from zerda.memory.storage.postgres import PostgresStore
from zerda.memory.testing import HashingEmbedder, draft
address, name, tenants = sys.argv[1], sys.argv[2], sys.argv[3:]
embedder = HashingEmbedder(64)
with PostgresStore(address) as store:
    for number in itertools.count():
        tenant = tenants[number % len(tenants)]
        given = draft(f"kite {name} {number}", id=f"{tenant}-{name}-{number}", embedder=embedder)
        while True:
            try:
                store.put(Scope(tenant, "alice"), [given])
                found = store.find(Scope(tenant, "alice"), Query(limit=5))
                break
            except StorageError as error:
                print(f"! {type(error).__name__}", flush=True)
        print(given.entry.id, flush=True)
        assert all(entry.id.startswith(tenant) for entry in found), found
"""


@pytest.fixture
def memory(postgres_running: postgres_server.Server) -> Iterator[str]:
    with postgres_running.memory(new=True) as address:
        yield address


def writer(address: str, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, address, name, *TENANTS],
        env={**os.environ, "PYTHONPATH": str(SRC)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(process: subprocess.Popen[str], count: int) -> set[str]:
    """The next acknowledged ids."""
    ids: set[str] = set()
    while len(ids) < count:
        line = process.stdout.readline().strip() if process.stdout else ""
        assert line, process.stderr.read() if process.stderr else ""
        if not line.startswith("!"):
            ids.add(line)
    return ids


def ended(process: subprocess.Popen[str]) -> set[str]:
    """Kill it; what it had acknowledged beside."""
    return {line for line in killed(process) if not line.startswith("!")}


def all_there(store: Store, acknowledged: set[str]) -> None:
    """Every id is there, in its tenant alone, and is found by its words and by its vector."""
    for tenant in TENANTS:
        scope = Scope(tenant, "alice")
        kept = {entry.id for entry in store.find(scope, Query(limit=None))}
        assert {one for one in acknowledged if one.startswith(tenant)} <= kept
        assert all(one.startswith(tenant) for one in kept)
        words = store.search_words(scope, [("kite",)], Query(), limit=100_000)
        assert len(words.keys) == words.passages == words.frequencies["kite"] == len(kept)
        (vector,) = EMBEDDER.embed(["kite"])
        hits = store.search_vectors(scope, vector, EMBEDDER.fingerprint, Query(), limit=100_000).hits
        assert {key for key, _ in hits} == set(words.keys)
        assert store.check_audit(tenant)[1] == []
        assert store.traces(tenant, "none", []).clean


def test_what_was_acknowledged_survives_killed_processes_and_ended_connections(
    memory: str, postgres_running: postgres_server.Server
) -> None:
    acknowledged: set[str] = set()
    steady = writer(memory, "steady")
    for round_ in range(ROUNDS):
        process = writer(memory, f"r{round_}")
        acknowledged |= told(process, 3 + 4 * round_ % 7) | told(steady, 3)
        acknowledged |= ended(process)
        postgres_running.execute(
            f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{APPLICATION}'"
        )
        acknowledged |= told(steady, 3)
    acknowledged |= ended(steady)
    assert len(acknowledged) > 8 * ROUNDS
    with PostgresStore(memory) as store:
        all_there(store, acknowledged)


HOLDER = """
import sys, time
from zerda.memory.storage.postgres import PostgresStore
with PostgresStore(sys.argv[1]) as store, store.alone("acme"):
    print("mine", flush=True)
    time.sleep(600)
"""


def test_the_upkeep_of_a_killed_process_is_the_next_ones(
    memory: str,
) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, memory],
        env={**os.environ, "PYTHONPATH": str(SRC)},
        stdout=subprocess.PIPE,
        text=True,
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "mine\n"
    with PostgresStore(memory) as store:
        with store.alone("other"):
            pass
        with pytest.MonkeyPatch.context() as hurried:
            hurried.setattr(postgres_driver, "_SETTINGS", ("SET lock_timeout = '100ms'",))
            with pytest.raises(StorageBusy), store.alone("acme"):
                pytest.fail("two at once")
        killed(holder)
        with store.alone("acme"):
            pass
