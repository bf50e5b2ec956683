"""What a server may refuse: a clear error each, nothing half written, and the next call works."""

from __future__ import annotations

import secrets
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

import postgres_server
from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.core.model import Query, Scope
from zerda.memory.errors import StorageBusy, StorageFull, StorageUnavailable
from zerda.memory.testing import HashingEmbedder, draft

pytest.importorskip("psycopg", reason="the extra postgres is not installed")

from zerda.memory.storage import postgres_driver
from zerda.memory.storage.postgres import PostgresStore
from zerda.memory.storage.postgres_driver import Database

pytestmark = postgres_server.NEEDED_HERE

ALICE, BOB = Scope("acme", "alice"), Scope("other", "bob")


@pytest.fixture
def store(postgres: str) -> Iterator[PostgresStore]:
    with PostgresStore(postgres) as store:
        store.put(ALICE, [draft("kite", id="x")])
        yield store


@contextmanager
def held(store: PostgresStore) -> Iterator[None]:
    """Another writer holds Alice's tenant meanwhile."""
    holds, done = threading.Event(), threading.Event()

    def hold() -> None:
        with store.transaction():
            store.put(ALICE, [draft("held", id="held")])
            holds.set()
            done.wait(60)

    with ThreadPoolExecutor(1) as pool:
        holding = pool.submit(hold)
        holds.wait(60)
        try:
            yield
        finally:
            done.set()
        holding.result()


def kept(store: PostgresStore, scope: Scope = ALICE) -> set[str]:
    return {entry.id for entry in store.find(scope, Query(limit=None))}


def test_a_writer_who_waited_in_vain_for_another_is_told_and_may_try_again(
    store: PostgresStore, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_driver, "_SETTINGS", ("SET lock_timeout = '100ms'",))
    with PostgresStore(postgres) as impatient:
        with held(store), pytest.raises(StorageBusy, match="try again"):
            impatient.put(ALICE, [draft("late", id="late")])
        assert kept(store) == {"x", "held"}
        impatient.put(ALICE, [draft("late", id="late")])
        assert kept(store) == {"x", "held", "late"}


def test_a_statement_that_the_server_gave_up_says_so_and_left_nothing(
    store: PostgresStore, postgres: str
) -> None:
    with PostgresStore(f"{postgres}%20-c%20statement_timeout%3D100ms") as hurried:
        with held(store), pytest.raises(StorageBusy, match="nothing was written, try again"):
            hurried.put(ALICE, [draft("late", id="late")])
        assert kept(hurried) == {"x", "held"}
        hurried.put(ALICE, [draft("late", id="late")])
        assert kept(hurried) == {"x", "held", "late"}


def test_where_every_connection_is_taken_the_caller_hears_of_it(
    postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PostgresStore(postgres) as first:
        first.put(BOB, [draft("kite", id="b")])
    monkeypatch.setattr(postgres_driver, "WAIT_SECONDS", 0.1)
    database = Database(postgres, connections=1)
    store = PostgresStore(database)
    with held(store), pytest.raises(StorageBusy, match=r"no connection to .* became free"):
        kept(store, BOB)
    assert kept(store, BOB) == {"b"}
    database.close()


def test_of_two_that_wait_for_each_other_one_is_told_and_the_other_is_done(
    store: PostgresStore, postgres: str
) -> None:
    meet = threading.Barrier(2)

    def write(first: Scope, second: Scope) -> str:
        try:
            with store.transaction():
                store.put(first, [draft("one", id=f"1-{first.user_id}")])
                meet.wait(60)
                store.put(second, [draft("two", id=f"2-{first.user_id}")])
        except StorageBusy as error:
            return "told" if "DeadlockDetected" in str(error) else str(error)
        return "done"

    store.put(BOB, [draft("kite", id="b")])
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(write, (ALICE, BOB), (BOB, ALICE)))
    assert sorted(ends) == ["done", "told"]
    winner = (ALICE, BOB)[ends.index("done")].user_id
    assert kept(store) | kept(store, BOB) == {"x", "b", f"1-{winner}", f"2-{winner}"}


def test_a_server_that_is_not_there_is_said_to_be_so(tmp_path: Path) -> None:
    with PostgresStore(f"postgresql://nobody@/none?host={tmp_path}") as store:
        with pytest.raises(StorageUnavailable, match="cannot be reached now"):
            store.find(ALICE, Query())
        with pytest.raises(StorageUnavailable, match="cannot be reached now"):
            store.put(ALICE, [draft("kite")])


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A disk of its own with room for little."""
    folder.mkdir()
    mount = shutil.which("mount")
    made = mount and subprocess.run(
        [mount, "-t", "tmpfs", "-o", "size=4m,mode=0777", "tmpfs", str(folder)], capture_output=True
    )
    if not made or made.returncode:
        pytest.skip("no right to mount a small disk")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def test_a_full_disk_is_said_to_be_full_reads_go_on_and_it_recovers() -> None:
    folder = Path(tempfile.gettempdir()) / f"zerda-small-disk-{secrets.token_hex(4)}"
    with small_disk(folder), postgres_server.lasting() as server, server.memory(new=True) as address:
        with PostgresStore(address) as store:
            store.put(ALICE, [draft("kite", id="x")])
            shutil.chown(folder, server.folder.owner())
            server.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
            _move(server, "small")
            acknowledged = _until_full(store)
            assert kept(store) == {"x", *acknowledged}
            assert store.get(ALICE, "x").content == "kite"
            with pytest.raises(StorageFull, match="no room to write"):
                store.put(ALICE, [draft(_noise(), id="once more")])
            _move(server, "pg_default")
            store.put(ALICE, [draft(_noise(), id="after")])
            assert kept(store) == {"x", "after", *acknowledged}
        server.execute("DROP TABLESPACE small")
    folder.rmdir()


def _until_full(store: PostgresStore) -> set[str]:
    """Save until there is no room; what was acknowledged."""
    acknowledged: set[str] = set()
    while len(acknowledged) < 1_000:
        name = str(len(acknowledged))
        try:
            store.put(ALICE, [draft(_noise(), id=name)])
        except StorageFull:
            return acknowledged
        acknowledged.add(name)
    raise AssertionError("the disk never became full")


def _noise() -> str:
    """A text that does not become smaller."""
    return secrets.token_hex(100_000)


def _move(server: postgres_server.Server, tablespace: str) -> None:
    ((schema,),) = server.execute("SELECT schemaname FROM pg_tables WHERE tablename = 'entries'")
    server.execute(f"ALTER TABLE {schema}.entries SET TABLESPACE {tablespace}")


def test_a_search_that_the_server_gave_up_is_named_beside_what_the_others_found(
    postgres: str, postgres_running: postgres_server.Server
) -> None:
    hurried = f"{postgres}%20-c%20statement_timeout%3D300ms"
    with AIMemoryManager(MemoryConfig(storage=hurried), embedder=HashingEmbedder()) as memory:
        entry = memory.remember("alice", "acme", "the red kite circles above the harbour")
        asked = ("alice", "acme", "where does the red kite circle?")
        with taken(postgres, "words"):
            hits = memory.recall(*asked, min_score=0)
        assert [hit.entry.id for hit in hits] == [entry.id]
        assert hits[0].sources == ("meaning",)
        assert any(lack.startswith("words: ") for lack in hits.degraded)
        assert memory.recall(*asked, min_score=0).degraded == ()


@contextmanager
def taken(address: str, table: str) -> Iterator[None]:
    """Nobody else reads the table meanwhile."""
    import psycopg

    with psycopg.connect(address) as connection:
        connection.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE".encode())
        yield
        connection.rollback()
