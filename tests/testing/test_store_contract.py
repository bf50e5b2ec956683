from zerda.memory.storage.base import Store
from zerda.memory.testing.store_contract.sharing import CALLS


def test_every_call_of_a_store_is_tried_on_a_closed_one():
    assert {name.split()[0] for name in CALLS} == Store.__abstractmethods__ - {"close"}
