"""Several processes on one PostgreSQL server: whoever is killed and whatever restarts, nothing is lost."""

import subprocess
import time
from datetime import UTC, datetime

from children import said, word
from proving import COUNTS, Start, Told

import postgres_server
from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.testing import HashingEmbedder

pytestmark = postgres_server.NEEDED_HERE

TENANTS, PROCESSES = 10, 4
TOLD_BETWEEN_KILLS = 2 * TENANTS


def test_four_processes_serve_ten_tenants_while_they_are_killed_and_the_server_restarts(
    start: Start, told: Told
) -> None:
    acknowledged: list[str] = []
    with postgres_server.lasting() as server, server.memory() as address:
        working = [start("serve_tenants", address, f"p{number}x", TENANTS) for number in range(PROCESSES)]
        workers = [start("tend_tenants", address) for _ in range(2)]
        for round_ in range(COUNTS.kills_beside_a_server):
            acknowledged += _worked(working[0])
            acknowledged += _killed(working.pop(0))
            working.append(start("serve_tenants", address, f"r{round_}x", TENANTS))
            if round_ == COUNTS.kills_beside_a_server // 2:
                _killed(workers.pop(0))
                server.restart()
        for process in working:
            acknowledged += _worked(process)
            acknowledged += _killed(process)
        _all_tended(server, *workers)
        # A killed process' claims on passages end after two minutes; here their time has passed.
        server.execute(f"UPDATE {_schema(server)}.passages SET claimed_until = now()")
        _all_there(address, acknowledged)
    told(
        f"{PROCESSES} processes serve {TENANTS} tenants on one PostgreSQL server; one after the other is "
        "killed, one of two workers too, and the server restarts as after a crash",
        f"{COUNTS.kills_beside_a_server} kills, 1 restart, {len(acknowledged):,} acknowledged entries all "
        "there, each in its tenant, found by words and by meaning; nothing pending",
    )


def _schema(server: postgres_server.Server) -> str:
    ((schema,),) = server.execute("SELECT schemaname FROM pg_tables WHERE tablename = 'passages'")
    return str(schema)


def _worked(process: "subprocess.Popen[str]") -> list[str]:
    """What it acknowledges until it has worked for long enough."""
    assert process.stdout is not None
    names: list[str] = []
    until = time.monotonic() + COUNTS.seconds_between_kills
    while len(names) < TOLD_BETWEEN_KILLS or time.monotonic() < until:
        names.append(process.stdout.readline().strip())
        assert names[-1], process.stderr and process.stderr.read()
    return names


def _killed(process: "subprocess.Popen[str]") -> list[str]:
    """Kill it; what it had acknowledged beside. It was at work until then."""
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.poll() is None, process.stderr.read()
    process.kill()
    return [line.strip() for line in process.stdout if line.endswith("\n")]


def _all_tended(server: postgres_server.Server, worker: "subprocess.Popen[str]") -> None:
    """From now on every tenant gets its turn: none waits for the worker that is gone."""
    assert worker.stdout is not None
    assert worker.stderr is not None
    untended = f"SELECT count(*) FROM {_schema(server)}.tenants WHERE tended_at <= '{datetime.now(UTC)}'"
    while server.execute(untended) != [(0,)]:
        assert worker.stdout.readline(), worker.stderr.read()
    _killed(worker)


def _all_there(address: str, acknowledged: list[str]) -> None:
    config, embedder = MemoryConfig(storage=address), HashingEmbedder(256)
    with AIMemoryManager(config, embedder=embedder, enable_privacy_masking=False) as memory:
        kept = {f"tenant-{number}": _names(memory, f"tenant-{number}") for number in range(TENANTS)}
        assert all(name.startswith(f"{tenant}-") for tenant, names in kept.items() for name in names)
        assert set(acknowledged) <= set().union(*kept.values())
        for tenant in kept:
            memory.flush(tenant)
            memory.run_maintenance(tenant)
            assert memory.stats(tenant)["pending"] == 0
            assert memory.verify_audit(tenant).faults == ()
        for name in acknowledged[:: max(1, len(acknowledged) // 200)]:
            tenant = name.rsplit("-", 2)[0]
            by_words = memory.recall("writer", tenant, word(name), limit=1, min_score=0)
            by_meaning = memory.recall("writer", tenant, said(name), limit=1, min_score=0)
            assert by_words[0].entry.id == by_meaning[0].entry.id == name
            assert "meaning" in by_meaning[0].sources


def _names(memory: AIMemoryManager, tenant: str) -> set[str]:
    page = memory.list("writer", tenant, limit=500)
    names = [entry.id for entry in page.entries]
    while page.cursor:
        page = memory.list("writer", tenant, limit=500, cursor=page.cursor)
        names += [entry.id for entry in page.entries]
    assert len(set(names)) == len(names)
    return set(names)
