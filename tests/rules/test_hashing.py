from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.rules.hashing import as_json, content_hash
from zerda.memory.errors import InvalidInput


def test_the_hash_is_the_same_in_every_process():
    # Written out, so that a change of the rule shows: stored hashes would no longer match.
    assert content_hash("hello") == "5aa762ae383fbb727af3c7a36d4940a5b8c40a989452d2304fc958ff3f354e7a"


def test_the_order_of_keys_does_not_matter():
    assert content_hash({"input": "a", "output": "b"}) == content_hash({"output": "b", "input": "a"})


def test_a_read_only_view_says_the_same_as_its_dict():
    assert content_hash(MappingProxyType({"a": [1]})) == content_hash({"a": [1]})


@pytest.mark.parametrize("text", ["\ud800", "a\x00b", "", "😀", "\u202eabc", "x" * 1_000_000])
def test_any_string_has_a_hash(text):
    assert len(content_hash(text)) == 64


@given(st.text(), st.text())
def test_two_texts_share_a_hash_only_if_they_are_equal(one, other):
    assert (content_hash(one) == content_hash(other)) == (one == other)


def test_the_parts_of_an_interaction_are_not_run_together():
    assert content_hash({"input": "ab", "output": "c"}) != content_hash({"input": "a", "output": "bc"})


def test_a_content_that_json_cannot_hold_is_refused_without_quoting_it():
    with pytest.raises(InvalidInput) as caught:
        content_hash({"input": {"secret-word"}, "output": ""})
    assert "secret-word" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_a_content_that_holds_itself_is_refused():
    endless = {}
    endless["again"] = endless
    with pytest.raises(InvalidInput, match="metadata"):
        as_json(endless, "metadata")


def test_json_keeps_the_order_of_keys_unless_told_to_sort():
    assert as_json({"b": 1, "a": "\ud800é"}, "metadata") == r'{"b":1,"a":"\ud800\u00e9"}'
    assert as_json({"b": 1, "a": 2}, "metadata", sort_keys=True) == '{"a":2,"b":1}'
