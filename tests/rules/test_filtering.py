"""Filters: what is refused, and how they are read."""

from datetime import datetime

import pytest

from zerda.memory import InvalidInput
from zerda.memory.core.model import Query
from zerda.memory.core.rules.filtering import Every, Not, Test, condition, query_of

Test.__test__ = False  # A condition, no class of tests.


def nested(depth):
    return {"$not": nested(depth - 1)} if depth else {"tags": "x"}


@pytest.mark.parametrize(
    ("filters", "fault"),
    [
        ({"colour": "red"}, "no field 'colour'"),
        ({"user_id": "bob"}, "no field 'user_id'"),
        ({"tenant_id": "other"}, "no field 'tenant_id'"),
        ({3: "x"}, "no field '3'"),
        ({"$nor": []}, "no field '\\$nor'"),
        ({"tags": {"$regex": "x"}}, "no operator '\\$regex'"),
        ({"tags": {"$gt": "x"}}, "not this tags"),
        ({"kind": {"$lt": "x"}}, "not this kind"),
        ({"kind": 3}, "kind is compared with a int"),
        ({"tags": None}, "tags is compared with a NoneType"),
        ({"tags": {"$in": "work"}}, "takes a list"),
        ({"$or": {"tags": "x"}}, "takes a list"),
        ({"$not": ["x"]}, "it is a mapping"),
        ([("tags", "x")], "it is a mapping"),
        ({"speaker": {"$exists": 1}}, "True or False"),
        ({"time": datetime(2026, 5, 1)}, "without a zone"),
        ({"time": "yesterday"}, "no ISO 8601 time"),
        ({"time": 5}, "a datetime with a time zone"),
        ({"metadata.": 1}, "names no key"),
        ({"metadata.a..b": 1}, "names no key"),
        ({'metadata.a"b': 1}, "names no key"),
        ({"metadata.a\\b": 1}, "names no key"),
        ({"metadata.a\nb": 1}, "names no key"),
        ({"metadata": {"a": 1}}, "no field 'metadata'"),
        ({"tags": {}}, "tests nothing"),
        ({"metadata.a": {"b": 1}}, "no operator 'b'"),
        ({"metadata.a": float("nan")}, "use text, numbers"),
        ({"metadata.a": 2**63}, "use text, numbers"),
        ({"metadata.a": {"$gt": True}}, "orders times"),
        ({"metadata.a": "\0"}, "NUL"),
        ({"metadata.a": "\ud800"}, "surrogate"),
        ({"metadata.a": {"$in": [1] * 1_001}}, "1000 is the most"),
        ({"$or": [{"tags": "x"}] * 101}, "100 is the most"),
        (nested(17), "nested"),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(filters, fault):
    with pytest.raises(InvalidInput, match=fault):
        query_of(filters)


def test_a_bare_value_is_eq_and_a_bare_list_is_in():
    assert condition({"tags": "x"}) == condition({"tags": {"$eq": "x"}}) == condition({"tags": ["x"]})
    assert condition({"tags": ("x", "y")}) == Every((Every((Test("tags", "in", ("x", "y")),)),))


def test_ne_and_nin_are_what_eq_and_in_are_not():
    assert condition({"kind": {"$ne": "fact"}}) == Every((Every((Not(Test("kind", "in", ("fact",))),)),))
    assert condition({"kind": {"$nin": ["fact"]}}) == condition({"kind": {"$ne": "fact"}})


def test_a_dot_leads_into_an_inner_mapping():
    assert condition({"metadata.a.b": 1}) == Every((Every((Test("metadata", "in", (1,), ("a", "b")),)),))


def test_a_query_stays_as_it_is_and_none_asks_for_nothing():
    asked = Query(tags=("x",))
    assert query_of(asked) is asked
    assert query_of(None) == Query()
