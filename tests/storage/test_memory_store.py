import pytest

from zerda.memory.storage.memory import InMemoryStore
from zerda.memory.testing import StoreContract


class TestInMemoryStore(StoreContract):
    @pytest.fixture
    def store(self):
        with InMemoryStore() as store:
            yield store
