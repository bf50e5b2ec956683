"""What happens to connections: ended by the server, inherited by a child, shared by few."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import postgres_server
from zerda.memory.core.model import Query, Scope
from zerda.memory.errors import StorageUnavailable
from zerda.memory.testing import draft

pytest.importorskip("psycopg", reason="the extra postgres is not installed")

from zerda.memory.storage.postgres import PostgresStore
from zerda.memory.storage.postgres_driver import APPLICATION, Database

pytestmark = postgres_server.NEEDED_HERE

ALICE = Scope("acme", "alice")


@pytest.fixture
def store(postgres: str) -> Iterator[PostgresStore]:
    with PostgresStore(postgres) as store:
        store.put(ALICE, [draft("kite", id="x")])
        yield store


def end_connections(server: postgres_server.Server) -> int:
    """As a restart of the server does; how many there were."""
    ended = server.execute(
        f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{APPLICATION}'"
    )
    return len(ended)


def test_connections_that_the_server_ended_are_replaced(
    store: PostgresStore, postgres_running: postgres_server.Server
) -> None:
    for number in range(3):
        assert end_connections(postgres_running) > 0
        assert store.get(ALICE, "x").content == "kite"
        assert end_connections(postgres_running) > 0
        store.put(ALICE, [draft("more", id=str(number))])
    assert store.count(ALICE, Query()) == 4


def test_a_transaction_that_lost_its_connection_says_so_and_left_nothing(
    store: PostgresStore, postgres_running: postgres_server.Server
) -> None:
    def write() -> None:
        with store.transaction():
            store.put(ALICE, [draft("lost", id="y")])
            assert end_connections(postgres_running) > 0
            store.put(ALICE, [draft("lost too", id="z")])

    with pytest.raises(StorageUnavailable):
        write()
    assert [entry.id for entry in store.find(ALICE, Query())] == ["x"]
    assert store.put(ALICE, [draft("lost", id="y")])[0].id == "y"


def test_many_threads_share_few_connections(postgres: str) -> None:
    database = Database(postgres, connections=2)
    store = PostgresStore(database)

    def work(number: int) -> int:
        with store.transaction():
            store.put(ALICE, [draft("kite", id=str(number))])
            return store.count(ALICE, Query(ids=(str(number),)))

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(24))) == [1] * 24
    assert store.count(ALICE, Query()) == 24
    database.close()


@pytest.mark.skipif(not hasattr(os, "fork") or sys.platform == "darwin", reason="no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_child_opens_its_own_connections_and_leaves_the_parents_alone(store: PostgresStore) -> None:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            store.put(ALICE, [draft("of the child", id="child")])
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert store.get(ALICE, "child").content == "of the child"
    store.put(ALICE, [draft("of the parent", id="parent")])
    assert store.count(ALICE, Query()) == 3
