"""What may be remembered, and what an id may be."""

import math
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.model import Note, Scope
from zerda.memory.core.rules.ids import uuid7, valid_id
from zerda.memory.core.rules.notes import note_of, sound
from zerda.memory.core.rules.time import in_utc
from zerda.memory.errors import InvalidInput

SCOPE = Scope("acme", "alice")


@pytest.mark.parametrize("value", ["alice", "a::b", "../x", "con", "Ünï-код", "a b", "x" * 256])
def test_an_id_that_a_person_can_see_is_kept_as_it_is(value: str) -> None:
    assert valid_id(value, "user_id") == value


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ("", "is empty"),
        ("a\x00b", "control character"),
        ("a\u200bb", "invisible"),
        ("\ud800", "lone surrogate"),
        ("a\u2028b", "line separator"),
        (" a", "white space"),
        ("é" * 129, "258 bytes; 256 is the most"),
        (7, "it is text"),
        (None, "it is text"),
    ],
)
def test_an_unsound_id_is_refused_with_its_fault(value: object, fault: str) -> None:
    with pytest.raises(InvalidInput, match=fault):
        valid_id(value, "user_id")


@given(st.integers(0, 2**48 - 1), st.integers(0, 2**74 - 1))
def test_a_uuid7_has_its_version_and_variant_and_sorts_by_time(at: int, chance: int) -> None:
    text = uuid7(at, chance)
    assert len(text) == 36
    assert text[14] == "7"
    assert text[19] in "89ab"
    assert at == 0 or uuid7(at - 1, chance) < text


@pytest.mark.parametrize("value", [-0.1, 1.1, math.nan, math.inf, "high", True, None])
def test_importance_runs_from_0_to_1(value: object) -> None:
    with pytest.raises(InvalidInput, match="importance"):
        sound(Note(content="x", importance=value), SCOPE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "fields",
    [
        {"tags": "work"},
        {"tags": [1]},
        {"kind": "poem"},
        {"origin": "moon"},
        {"visibility": "all"},
        {"metadata": {"x": math.nan}},
        {"metadata": {"x": object()}},
        {"metadata": {1: "x"}},
        {"metadata": {"x": [{2: 3}]}},
        {"metadata": {"user_id": "bob"}},
        {"metadata": {"tenant_id": "other"}},
        {"occurred_at": datetime(2026, 1, 1)},
        {"occurred_at": "2026-01-01"},
        {"content": 7},
        {"content": None},
        {"speaker": ""},
        {"session_id": "a\nb"},
    ],
)
def test_an_unsound_note_is_refused(fields: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        sound(Note(**{"content": "x", **fields}), SCOPE)  # type: ignore[arg-type]


def test_no_error_repeats_what_was_said() -> None:
    with pytest.raises(InvalidInput) as caught:
        sound(Note(content="x", metadata={"secret": {"my diary": object()}}), SCOPE)
    assert "diary" not in str(caught.value)
    assert caught.value.__cause__ is None


def test_metadata_comes_back_as_json_keeps_it() -> None:
    note = sound(Note(content="x", metadata={"a": (1, 2), "tenant_id": "acme"}), SCOPE)
    assert note.metadata == {"a": [1, 2], "tenant_id": "acme"}


def test_tags_are_told_once_and_in_order() -> None:
    assert sound(Note(content="x", tags=("b", "a", "b")), SCOPE).tags == ("b", "a")


def test_a_note_is_made_of_text_or_of_a_mapping() -> None:
    assert note_of("hello") == Note(content="hello")
    assert note_of({"content": "hi", "speaker": "Ann", "tags": None}) == Note(content="hi", speaker="Ann")
    with pytest.raises(InvalidInput, match="no field 'colour'"):
        note_of({"content": "hi", "colour": "red"})
    with pytest.raises(InvalidInput, match="without content"):
        note_of({"text": "hi"})


def test_times_are_kept_in_utc_and_years_beyond_it_are_refused() -> None:
    berlin = timezone(timedelta(hours=1))
    assert in_utc(datetime(2026, 1, 1, tzinfo=berlin), "at") == datetime(2025, 12, 31, 23, tzinfo=UTC)
    with pytest.raises(InvalidInput, match="years 1 to 9999"):
        in_utc(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=5))), "at")
