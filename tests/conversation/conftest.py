"""Stores that a conversation can come back to: each call opens the same one, as another process would."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import postgres_server
from zerda.memory.storage.base import Store
from zerda.memory.storage.sqlite import SQLiteStore

Reopen = Callable[[], Store]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)])
def reopen(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reopen]:
    with ExitStack() as stack:
        if request.param == "sqlite":
            yield lambda: stack.enter_context(SQLiteStore(tmp_path / "chat.db"))
        else:
            from zerda.memory.storage.postgres import PostgresStore

            address = request.getfixturevalue("postgres")
            yield lambda: stack.enter_context(PostgresStore(address))
