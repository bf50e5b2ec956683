"""What was said, read out of JSON: the values that all readers share, and how a record becomes one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

INSTRUCTIONS = ("system", "developer")
TOOLS = ("tool", "function")


@dataclass(frozen=True, slots=True)
class Message:
    """Something that was said.

    ``speaker`` is the name, or the role where there is none. ``at`` is aware and in UTC. ``user``,
    ``session`` and ``conversation`` are None where the file does not tell. ``line`` is its place in the
    file (see `Fault`) and does not count when messages are compared.
    """

    speaker: str
    content: str
    role: str | None = None
    at: datetime | None = None
    user: str | None = None
    session: str | None = None
    conversation: str | None = None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a file that cannot be used, and why. It quotes nothing that was said.

    ``line`` counts lines of JSON Lines, and messages within any other document, from 1.
    """

    line: int
    reason: str


class UnusableError(Exception):
    """Why a record cannot be used; readers turn it into a `Fault`. ``line`` counts within the record."""

    def __init__(self, reason: str, line: int = 1) -> None:
        super().__init__(reason)
        self.line = line


def usable(line: int, make: Callable[[Any], Message], record: object) -> Message | Fault:
    """The message that ``make`` finds in a record, or the fault that tells why it finds none."""
    try:
        return replace(make(record), line=line)
    except UnusableError as error:
        return Fault(line, str(error))


def parsed(data: bytes) -> object:
    """The JSON value, or `UnusableError`. NaN and its kin are not JSON, whatever Python's reader takes."""
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError as error:
        raise UnusableError(f"is not UTF-8 (byte {error.start + 1})") from error
    except RecursionError as error:
        raise UnusableError("is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise UnusableError(f"is not JSON: {error.msg} (column {error.colno})", error.lineno) from error
    except ValueError as error:  # An integer with more digits than Python converts.
        raise UnusableError("holds a number that is too long") from error


TIMES = ("at", "occurred_at", "timestamp", "created_at")
"""Where a message says when it was said: our own words first, then what most chat programs write."""


def message(record: object) -> Message:
    """The message in ``{role|speaker|name, content, at?, user?, session?}``, or `UnusableError`."""
    if not isinstance(record, Mapping):
        raise UnusableError(f"is {kind(record)}; an object with role or speaker, and content is wanted")
    role = _name(record, "role")
    speaker = _name(record, "speaker") or _name(record, "name") or role
    if speaker is None:
        raise UnusableError("has neither role nor speaker")
    if role in INSTRUCTIONS:
        raise UnusableError(f"role {role}: an instruction, not something that was said")
    return Message(
        speaker,
        _said(record.get("content")),
        role=role,
        at=_moment(next((record[key] for key in TIMES if record.get(key) is not None), None)),
        user=label(record, "user"),
        session=label(record, "session"),
    )


def label(record: Mapping[str, Any], key: str) -> str | None:
    """Text, or the number by which some programs name a user or a session."""
    value = record.get(key)
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else _name(record, key)


def kind(value: object) -> str:
    """What a JSON value is, without quoting it."""
    match value:
        case None:
            return "missing"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "text"
        case list():
            return "a list"
        case _:
            return "an object"


def _refuse_constant(name: str) -> object:
    raise UnusableError(f"is not JSON: {name}")


def _name(record: Mapping[str, Any], key: str) -> str | None:
    value = record.get(key)
    if value is not None and not isinstance(value, str):
        raise UnusableError(f"{key} is {kind(value)}; it is text")
    return value or None


def _said(content: object) -> str:
    text = "\n".join(map(_part, content)) if isinstance(content, list) else content
    if not isinstance(text, str):
        raise UnusableError(f"content is {kind(text)}; it is text or a list of parts")
    if not text.strip():
        raise UnusableError("content is empty")
    return text


def _part(part: object) -> str:
    """The text of a part; what has none (a picture, a file) leaves its type in brackets."""
    match part:
        case str(text) | {"text": str(text)}:
            return text
        case {"type": str(kind_of_part)}:
            return f"[{kind_of_part}]"
        case _:
            raise UnusableError(f"a part of content is {kind(part)}; it has text or a type")


def _moment(value: object) -> datetime | None:
    """A time in UTC, from ISO 8601 (without a zone: it is UTC) or from seconds since 1970."""
    try:
        match value:
            case None:
                return None
            case str():
                at = datetime.fromisoformat(value)
                return (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
            case int() | float() if not isinstance(value, bool):
                return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=value)
            case _:
                raise UnusableError(f"at is {kind(value)}; it is a time such as 2026-03-01T18:30:00Z")
    except (ValueError, OverflowError) as error:
        raise UnusableError("at is no time from year 1 to 9999 (such as 2026-03-01T18:30:00Z)") from error
