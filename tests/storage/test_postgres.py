"""The PostgreSQL store keeps the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

import postgres_server
from zerda.memory.storage.base import Store, Stores
from zerda.memory.testing.store_contract import StoreContract, StoresContract

pytestmark = postgres_server.NEEDED_HERE


class TestPostgresStore(StoreContract):
    @pytest.fixture
    def store(self, postgres: str) -> Iterator[Store]:
        from zerda.memory.storage.postgres import PostgresStore

        with PostgresStore(postgres) as store:
            yield store

    @pytest.fixture
    def other(self, store: Store, postgres: str) -> Store:
        from zerda.memory.storage.postgres import PostgresStore

        return PostgresStore(postgres)

    @pytest.fixture
    def reopen(self, store: Store, postgres: str) -> Callable[[], Store]:
        from zerda.memory.storage.postgres import PostgresStore

        def again() -> Store:
            store.close()
            return PostgresStore(postgres)

        return again


class TestPostgresStores(StoresContract):
    @pytest.fixture
    def stores(self, postgres: str) -> Iterator[Stores]:
        from zerda.memory.storage.postgres import PostgresStores

        stores = PostgresStores(postgres)
        yield stores
        stores.close()

    @pytest.fixture
    def others(self, stores: Stores, postgres: str) -> Stores:
        from zerda.memory.storage.postgres import PostgresStores

        return PostgresStores(postgres)
