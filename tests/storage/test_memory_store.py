import pytest

from zerda.memory.storage.memory import InMemoryStore, InMemoryStores
from zerda.memory.testing import StoreContract, StoresContract


class TestInMemoryStore(StoreContract):
    @pytest.fixture
    def store(self):
        with InMemoryStore() as store:
            yield store


class TestInMemoryStores(StoresContract):
    @pytest.fixture
    def stores(self):
        stores = InMemoryStores()
        yield stores
        stores.close()
