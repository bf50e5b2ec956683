from dataclasses import fields

from zerda.memory.core.model import Query
from zerda.memory.storage.base import Store
from zerda.memory.testing.store_contract.finding import CONDITIONS, EXCLUSIONS
from zerda.memory.testing.store_contract.sharing import CALLS

TRIED_ELSEWHERE = {"where", "after_seq", "before_seq", "order", "limit"}


def test_every_call_of_a_store_is_tried_on_a_closed_one():
    assert {name.split()[0] for name in CALLS} == Store.__abstractmethods__ - {"close"}


def test_every_condition_of_a_query_is_tried():
    queries = [query for query, _ in (*CONDITIONS.values(), *EXCLUSIONS.values())]
    plain = Query()
    tried = {
        field.name
        for field in fields(Query)
        if any(getattr(query, field.name) != getattr(plain, field.name) for query in queries)
    }
    assert tried == {field.name for field in fields(Query)} - TRIED_ELSEWHERE
