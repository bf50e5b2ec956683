"""Readers of conversation files: what goes in comes out, and no file makes them fall."""

import io
import json
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.adapters import conversations
from zerda.memory.adapters.conversations import Fault, Format, Message, as_note, numbered, read, read_locomo


def items(data: bytes | str, format: Format | None = None) -> list[Message | Fault]:
    return list(read(io.BytesIO(data.encode() if isinstance(data, str) else data), format))


def only(data: bytes | str, format: Format | None = None) -> Message | Fault:
    [item] = items(data, format)
    return item


def fault(data: bytes | str, format: Format | None = None) -> str:
    item = only(data, format)
    assert isinstance(item, Fault)
    return item.reason


def ids(*messages: Message, user: str = "me") -> list[str]:
    return [id for id, _ in numbered(messages, user=user)]


# ── JSON Lines ───────────────────────────────────────────────────────────────────────────────────────


def test_a_line_tells_who_what_when_and_whose() -> None:
    line = '{"role": "user", "speaker": "Ana", "content": "hola", "at": "2026-03-01T18:30:00+02:00", '
    line += '"user": "u1", "session": 7, "mood": "good"}'
    at = datetime(2026, 3, 1, 16, 30, tzinfo=UTC)
    assert only(line) == Message("Ana", "hola", role="user", at=at, user="u1", session="7")


def test_a_role_alone_is_the_speaker() -> None:
    assert only('{"role": "assistant", "content": "hi"}') == Message("assistant", "hi", role="assistant")


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of this machine is fixed")
def test_a_time_without_a_zone_is_in_utc_wherever_the_machine_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    try:
        message = only('{"role": "user", "content": "x", "at": "2026-03-01T18:30"}')
    finally:
        monkeypatch.undo()
        time.tzset()
    assert message.at == datetime(2026, 3, 1, 18, 30, tzinfo=UTC)


@pytest.mark.parametrize("key", ["at", "occurred_at", "timestamp", "created_at"])
def test_the_words_of_most_programs_for_when_are_known(key: str) -> None:
    message = only(f'{{"role": "user", "content": "x", "{key}": "2026-03-01T18:30Z"}}')
    assert message.at == datetime(2026, 3, 1, 18, 30, tzinfo=UTC)


def test_at_goes_before_other_words_for_when_unless_it_is_empty() -> None:
    line = '{"role": "user", "content": "x", "timestamp": "2025-03-01T18:30Z", "at": '
    assert only(f'{line}"2026-03-01T18:30Z"}}').at == datetime(2026, 3, 1, 18, 30, tzinfo=UTC)
    assert only(f"{line}null}}").at == datetime(2025, 3, 1, 18, 30, tzinfo=UTC)


def test_a_time_with_z_is_in_utc() -> None:
    message = only('{"role": "user", "content": "x", "at": "2026-03-01T18:30Z"}')
    assert message.at == datetime(2026, 3, 1, 18, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("at", "moment"),
    [
        ("0", datetime(1970, 1, 1, tzinfo=UTC)),
        ("-1.5", datetime(1969, 12, 31, 23, 59, 58, 500_000, tzinfo=UTC)),
        ('"2026-03-01"', datetime(2026, 3, 1, tzinfo=UTC)),
        ('"2026-03-01T00:00:00Z"', datetime(2026, 3, 1, tzinfo=UTC)),
        ("null", None),
    ],
)
def test_times_are_iso_8601_or_seconds_since_1970(at: str, moment: datetime | None) -> None:
    assert only(f'{{"role": "user", "content": "x", "at": {at}}}').at == moment


def test_a_malformed_line_is_named_by_its_number_and_the_rest_goes_on() -> None:
    found = items('{"role": "user", "content": "one"}\n\nnonsense\n{"role": "user", "content": "two"}\n')
    assert [(type(item).__name__, item.line) for item in found] == [
        ("Message", 1),
        ("Fault", 3),
        ("Message", 4),
    ]


def test_a_file_of_lines_is_read_as_it_is_asked_for() -> None:
    read_so_far = []

    class Endless(io.RawIOBase):
        def readable(self):
            return True

        def readinto(self, buffer):
            line = b'{"role": "user", "content": "again"}\n'
            buffer[: len(line)] = line
            read_so_far.append(len(line))
            return len(line)

    messages = read(Endless())
    assert [next(messages).content for _ in range(100)] == ["again"] * 100
    assert len(read_so_far) < 200


def test_a_line_that_is_too_long_is_skipped_without_being_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversations, "MAX_LINE_BYTES", 100)
    asked = []

    class Counting(io.BytesIO):
        def readline(self, size=-1):
            asked.append(size)
            return super().readline(size)

    long = b'{"role": "user", "content": "' + b"x" * 1_000 + b'"}\n{"role": "user", "content": "after"}'
    first, second = conversations.read_json_lines(Counting(long))
    assert first == Fault(1, "has more than 100 bytes; split it into several messages")
    assert (second.content, second.line) == ("after", 2)
    assert max(asked) == 101
    assert min(asked) > 0


def test_a_line_of_the_greatest_length_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    line = b'{"role": "user", "content": "x"}\n'
    monkeypatch.setattr(conversations, "MAX_LINE_BYTES", len(line))
    assert isinstance(only(line), Message)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    found = items(b'\xef\xbb\xbf{"role": "user", "content": "a"}\r\n{"role": "user", "content": "b"}\r\n')
    assert [item.content for item in found] == ["a", "b"]


def test_what_was_said_stays_as_it_was() -> None:
    text = " \ud800 \x00 {0.__class__} <|endoftext|> \u202e '; DROP TABLE entries; -- \n"
    assert only(json.dumps({"role": "user", "content": text})).content == text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"role": "user", "content": "\xff"}', "is not UTF-8 (byte 30)"),
        (b'\xff\xfe{\x00"\x00', "the file is UTF-16; save it as UTF-8"),
        (b'{"role": "user", "content": "a\x00b"}', "is not JSON: Invalid control character at (column 31)"),
        (b'{"role": "user", "content": NaN}', "is not JSON: NaN"),
        (b'{"role": "user", "content": -Infinity}', "is not JSON: -Infinity"),
        (b'{"role": "user", "content": 5}', "content is a number; it is text or a list of parts"),
        (b'{"role": "user", "content": true}', "content is true or false; it is text or a list of parts"),
        (b'{"role": "user", "content": {}}', "content is an object; it is text or a list of parts"),
        (b'{"role": "user"}', "content is missing; it is text or a list of parts"),
        (b'{"role": "user", "content": " \\n"}', "content is empty"),
        (b'{"role": "user", "content": []}', "content is empty"),
        (b'{"role": "user", "content": [5]}', "a part of content is a number; it has text or a type"),
        (b'{"content": "x"}', "has neither role nor speaker"),
        (b'{"role": 5, "content": "x"}', "role is a number; it is text"),
        (b'{"role": "user", "content": "x", "user": true}', "user is true or false; it is text"),
        (
            b'{"role": "system", "content": "x"}',
            "role system: an instruction, not something that was said",
        ),
        (b'"text"', "is text; an object with role or speaker, and content is wanted"),
        (b'{"a":' * 100_000, "is nested too deeply"),
        (b'{"at": ' + b"9" * 5_000 + b"}", "holds a number that is too long"),
    ],
)
def test_what_cannot_be_used_is_a_fault_that_tells_why(line: bytes, reason: str) -> None:
    assert fault(line) == reason


@pytest.mark.parametrize(
    "at", ['"soon"', "1e999", "1e18", '"0001-01-01T00:00:00+14:00"', '"9999-12-31T23:00:00-05:00"']
)
def test_a_time_that_python_cannot_hold_is_a_fault(at: str) -> None:
    assert fault(f'{{"role": "user", "content": "x", "at": {at}}}').startswith("at is no time")


@pytest.mark.parametrize("at", ["true", "[]", "{}"])
def test_a_time_is_text_or_a_number(at: str) -> None:
    assert "it is a time such as" in fault(f'{{"role": "user", "content": "x", "at": {at}}}')


def test_faults_quote_nothing_that_was_said() -> None:
    assert "secret" not in repr(
        items(b'{"role": "user", "content": secret}\n["secret"]\n{"content": "secret"}')
    )


KEYS = ["role", "speaker", "content", "at", "user", "session", "conversation", "text", "type", "session_1"]
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(KEYS), inner),
    max_leaves=20,
)


@given(st.lists(st.binary() | json_values.map(lambda value: json.dumps(value).encode())).map(b"\n".join))
def test_no_bytes_make_a_reader_fall(data: bytes) -> None:
    for format in (None, *conversations.FORMATS):
        assert all(isinstance(item, Message | Fault) for item in items(data, format))


# ── chat messages ────────────────────────────────────────────────────────────────────────────────────


def test_a_list_of_chat_messages_is_recognised() -> None:
    found = items(
        """ [{"role": "system", "content": "be kind"},
        {"role": "user", "name": "Ana", "content": [{"type": "text", "text": "look"}, {"type": "image_url"}]},
        {"role": "assistant", "content": null, "tool_calls": []},
        {"role": "tool", "content": "42"}]"""
    )
    assert found[1] == Message("Ana", "look\n[image_url]", role="user")
    assert found[3] == Message("tool", "42", role="tool")
    assert [item.line for item in found if isinstance(item, Fault)] == [1, 3]


def test_a_broken_document_is_one_fault_with_its_line() -> None:
    assert only('[{"role": "user",\n"content": oops}]') == Fault(
        2, "is not JSON: Expecting value (column 12)"
    )


def test_an_empty_file_says_nothing() -> None:
    assert items("") == items("\n \n") == items("[]") == []


def test_a_document_that_is_too_large_is_told_to_come_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversations, "MAX_DOCUMENT_BYTES", 10)
    assert "make it JSON Lines" in fault('[{"role": "user", "content": "x"}]')


def test_a_named_format_is_taken_at_its_word() -> None:
    assert "is a list" in fault("[]", "jsonl")
    assert fault("{}", "messages") == "is an object; a list of messages is wanted"


# ── LoCoMo ───────────────────────────────────────────────────────────────────────────────────────────


def sample(**conversation: object) -> dict[str, object]:
    return {"sample_id": "conv-1", "qa": [{"question": "not imported"}], "conversation": conversation}


def test_locomo_turns_have_speaker_session_and_time() -> None:
    document = [
        sample(
            speaker_a="Ana",
            session_10_date_time="12:05 am on 2 May, 2023",
            session_10=[{"speaker": "Ben", "dia_id": "D10:1", "text": "later"}],
            session_2_date_time="1:56 pm on 8 May, 2023",
            session_2=[{"speaker": "Ana", "text": "look", "blip_caption": "a dog", "query": "leak"}],
            session_3_date_time="1:56 pm on 8 May, 2023",
        )
    ]
    at = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    told = {"session": "session_2", "conversation": "conv-1"}
    assert items(json.dumps(document)) == [
        Message("Ana", "look [shares a dog]", at=at, **told),
        Message(
            "Ben",
            "later",
            at=datetime(2023, 5, 2, 0, 5, tzinfo=UTC),
            session="session_10",
            conversation="conv-1",
        ),
    ]


@pytest.mark.parametrize("time", [None, 5, "8 May", "1:56 pm on 31 June, 2023", "1:56 pm on 8 Mai, 2023"])
def test_a_session_without_a_time_is_a_fault_and_the_next_goes_on(time: object) -> None:
    turn = [{"speaker": "Ana", "text": "hi"}]
    first = sample(session_1=turn, session_1_date_time=time)
    second = sample(session_1=turn, session_1_date_time="1:56 pm on 8 May, 2023")
    bad, good = read_locomo([first, second])
    assert bad.reason == "session_1 of conv-1 lacks a time such as '1:56 pm on 8 May, 2023'"
    assert (good.content, good.line) == ("hi", 2)


def test_a_broken_sample_is_a_fault_and_the_next_goes_on() -> None:
    good = sample(session_1=[5], session_1_date_time="1:56 pm on 8 May, 2023")
    found = list(read_locomo([7, {"conversation": []}, sample(session_1={}), good]))
    assert [item.line for item in found if isinstance(item, Fault)] == [1, 2, 3, 4]


# ── ids ──────────────────────────────────────────────────────────────────────────────────────────────


def test_the_same_file_gives_the_same_ids_and_equal_messages_differ() -> None:
    ok = Message("Ana", "ok")
    first = ids(ok, Message("Ben", "ok"), ok)
    assert first == ids(ok, Message("Ben", "ok"), ok)
    assert len(set(first)) == 3


def test_ids_do_not_depend_on_what_stands_between() -> None:
    ok, other = Message("Ana", "ok"), Message("Ben", "hm")
    assert ids(ok, other, ok)[::2] == ids(ok, ok)


@pytest.mark.parametrize(
    "other",
    [
        Message("Ben", "ok"),
        Message("Ana", "ok."),
        Message("Ana", "ok", role="user"),
        Message("Ana", "ok", at=datetime(2026, 1, 1, tzinfo=UTC)),
        Message("Ana", "ok", user="you"),
        Message("Ana", "ok", session="s"),
        Message("An", "aok"),
    ],
)
def test_whatever_makes_a_message_itself_is_in_its_id(other: Message) -> None:
    assert ids(Message("Ana", "ok")) != ids(other)


def test_a_message_without_a_user_is_of_the_default_one() -> None:
    assert ids(Message("Ana", "ok"), user="u") == ids(Message("Ana", "ok", user="u"))
    [(_, owned)] = numbered([Message("Ana", "ok")], user="u")
    assert owned.user == "u"


def test_conversations_of_one_file_are_counted_apart() -> None:
    one, two = Message("Ana", "ok", conversation="1"), Message("Ana", "ok", conversation="2")
    assert ids(one, two, two)[1:] == ids(two, two)
    assert len(set(ids(two, two))) == 2


def test_ids_exist_for_what_utf_8_cannot_hold() -> None:
    assert ids(Message("\ud800", "\udfff"))


def test_a_note_says_what_remember_takes() -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    assert as_note("id", Message("Ana", "ok", role="tool", at=at, session="s")) == {
        "id": "id",
        "content": "ok",
        "kind": "message",
        "speaker": "Ana",
        "origin": "tool",
        "trust": "untrusted",
        "occurred_at": at,
        "session_id": "s",
    }
