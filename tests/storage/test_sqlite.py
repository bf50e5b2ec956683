"""The SQLite store keeps the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from zerda.memory.storage.base import Store
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing.store_contract import StoreContract


class TestSQLiteStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with SQLiteStore(tmp_path / "m.db") as store:
            yield store

    @pytest.fixture
    def other(self, store: Store, tmp_path: Path) -> Store:
        return SQLiteStore(tmp_path / "m.db")

    @pytest.fixture
    def reopen(self, store: Store, tmp_path: Path) -> Callable[[], Store]:
        def again() -> Store:
            store.close()
            return SQLiteStore(tmp_path / "m.db")

        return again
