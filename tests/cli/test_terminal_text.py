"""What was said may not drive the terminal that shows it."""

import json
import logging
import unicodedata
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zerda.memory import Hit, MemoryEntry
from zerda.memory.cli import render

HOSTILE = st.text(
    st.characters() | st.sampled_from("\x1b\x9b\x9d\x90\x07\x9c[]\\;m0123\n\t\r\u202e\u2067\ud800"),
    max_size=40,
)


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x9b31mred", "red"),
        ("\x1b]0;title\x07text", "text"),
        ("\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("\x1b]52;c;cGFzdGU=\x9ctext", "text"),
        ("\x1bP1$r0m\x1b\\text", "text"),
        ("\x1bctext", "text"),
        ("\x1b(0text", "text"),
        ("safe\rfake", "safe\nfake"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("a\b\b\x7f\0z", "az"),
        ("\u202egnp.exe", "gnp.exe"),
        ("\ud800x", "x"),
        ("👩‍👩‍👧 שלום 你好 [bold]x[/bold] :smile:", "👩‍👩‍👧 שלום 你好 [bold]x[/bold] :smile:"),
    ],
)
def test_sequences_for_terminals_are_taken_out_and_words_stay(said: str, shown: str) -> None:
    assert render.clean(said) == shown


@given(HOSTILE)
@example("\x1b\x1b[0m[31m")
@example("\x1b\x9b[31m")
def test_no_control_character_is_ever_shown(said: str) -> None:
    shown = render.clean(said)
    assert {char for char in shown if unicodedata.category(char) in ("Cc", "Cs")} <= {"\n", "\t"}
    assert render.clean(shown) == shown
    shown.encode()


@given(HOSTILE)
def test_json_gives_back_what_was_said_and_holds_no_control_character(said: str) -> None:
    line = render.as_json({"text": said})
    assert json.loads(line) == {"text": said}
    assert not any(unicodedata.category(char) in ("Cc", "Cs") for char in line)


@given(HOSTILE)
def test_a_line_is_one_line(said: str) -> None:
    assert len(render.one_line(said).splitlines()) <= 1


def entry(**told: Any) -> MemoryEntry:
    at = datetime(2026, 3, 1, 10, 0, tzinfo=UTC)
    return MemoryEntry(id="e", tenant_id="t", content="x", occurred_at=at, recorded_at=at, **told)


def test_who_is_the_speaker_or_else_what_it_is() -> None:
    assert render.who(entry(speaker="Ana")) == "Ana"
    assert render.who(entry(kind="document")) == "document"


def test_reasons_come_largest_first_and_those_that_add_nothing_are_left_out() -> None:
    hit = Hit(entry(), 0.5, "x", {"words": 0.5, "prior": -0.75, "time": 0.0}, ("words", "recent"))
    assert render.why(hit) == "prior -0.75 · words +0.50 (proposed by words, recent)"
    assert render.why(Hit(entry(), 0.5, "x", {}, ("recent",))) == "nothing adds to it (proposed by recent)"


def test_json_of_an_entry_names_every_field_and_keeps_interactions_apart() -> None:
    said = {"input": "hi", "output": "hello"}
    record = json.loads(render.as_json(render.entry_record(entry(metadata={"a": [1]}))))
    assert record["occurred_at"] == "2026-03-01T10:00:00+00:00"
    assert record["metadata"] == {"a": [1]}
    other = MemoryEntry(**{**{f: record[f] for f in ("id", "tenant_id")}, "content": said,
                           "occurred_at": datetime.now(UTC), "recorded_at": datetime.now(UTC)})  # fmt: skip
    assert render.entry_record(other)["content"] == said


def test_a_warning_of_the_library_is_one_line_and_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    render.show_warnings()
    render.show_warnings()
    logging.getLogger("zerda.memory.somewhere").warning("first\nsecond\x1b[31m %s", "third")
    logging.getLogger("zerda.memory.somewhere").info("not told")
    assert capsys.readouterr().err == "zerda: first second third\n"


@pytest.mark.parametrize(
    ("count", "told"),
    [(0, "0 bytes"), (999, "999 bytes"), (1_500, "1.5 kB"), (2_000_000, "2.0 MB"), (3e9, "3.0 GB")],
)
def test_sizes_are_told_as_people_read_them(count: float, told: str) -> None:
    assert render.size(int(count)) == told
