"""The SQLite store keeps the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from zerda.memory.core.entities import Naming
from zerda.memory.core.model import Scope
from zerda.memory.storage.base import Store
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import draft
from zerda.memory.testing.store_contract import StoreContract

ALICE = Scope("acme", "alice")


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


# ── what is not read for names yet ───────────────────────────────────────────────────────────────────


def steps_of(store: SQLiteStore, ask: Callable[[], object]) -> int:
    """The steps, in tens, that SQLite takes for a call."""
    taken = [0]

    def count() -> bool:
        taken[0] += 1
        return False

    with store._reader() as lease:
        lease.connection.set_progress_handler(count, 10)
    ask()
    with store._reader() as lease:
        lease.connection.set_progress_handler(None)
    return taken[0]


@pytest.mark.parametrize("scope", [ALICE, Scope("acme")], ids=["a user", "the tenant"])
def test_asking_what_lacks_names_costs_the_same_however_much_there_is(tmp_path: Path, scope: Scope) -> None:
    with SQLiteStore(tmp_path / "m.db") as store:
        store.put(ALICE, [draft(f"kite {number}", id=str(number)) for number in range(100)])
        few = steps_of(store, lambda: store.unnamed(scope, "rule", limit=20))
        store.put(ALICE, [draft(f"kite {number}", id=str(number)) for number in range(100, 1_100)])
        many = steps_of(store, lambda: store.unnamed(scope, "rule", limit=20))
        assert few > 0
        assert many < 1.5 * few
        while batch := store.unnamed(scope, "rule", limit=500):
            store.put_names(scope, "rule", [(entry, Naming()) for entry in batch])
        assert steps_of(store, lambda: store.unnamed(scope, "rule", limit=20)) < few
