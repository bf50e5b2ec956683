"""Reads LoCoMo's file: conversations of many sessions, for measuring recall."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from .records import Fault, Message, UnusableError, kind, label, message, usable

_SESSION = re.compile(r"session_([0-9]{1,6})")
_SPOKEN_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2}) ([ap])m on ([0-9]{1,2}) ([A-Z][a-z]+), ([0-9]{4})")
# Not strptime: its month names follow the locale.
_MONTHS = ["January", "February", "March", "April", "May", "June", "July",
           "August", "September", "October", "November", "December"]  # fmt: skip

_Reading = tuple[Callable[[Any], Message], object]
"""How a turn is read, and the turn."""


def read_locomo(document: object) -> Iterator[Message | Fault]:
    """The turns of LoCoMo's samples, with speaker, session and the session's time.

    A picture's caption is part of what was said: ``text [shares caption]``. Questions are not read.
    """
    if not isinstance(document, list):
        yield Fault(1, f"is {kind(document)}; LoCoMo is a list of conversations")
        return
    readings = (reading for index, sample in enumerate(document, 1) for reading in _turns(index, sample))
    for number, (read_turn, turn) in enumerate(readings, start=1):
        yield usable(number, read_turn, turn)


def _turns(index: int, sample: object) -> Iterator[_Reading]:
    conversation = sample.get("conversation") if isinstance(sample, dict) else None
    if not isinstance(sample, dict) or not isinstance(conversation, dict):
        yield _refused(f"sample {index} is {kind(sample)} without a conversation")
        return
    name = label(sample, "sample_id") or f"conversation-{index}"
    for session in sorted(filter(_SESSION.fullmatch, conversation), key=_session_number):
        yield from _session_turns(name, session, conversation)


def _session_turns(name: str, session: str, conversation: Mapping[str, Any]) -> Iterator[_Reading]:
    turns, at = conversation[session], _spoken_time(conversation.get(f"{session}_date_time"))
    if not isinstance(turns, list):
        yield _refused(f"{session} of {name} is {kind(turns)}; it is a list of turns")
    elif at is None:
        yield _refused(f"{session} of {name} lacks a time such as '1:56 pm on 8 May, 2023'")
    else:

        def read_turn(turn: object) -> Message:
            return replace(message(_as_record(turn)), at=at, session=session, conversation=name)

        yield from ((read_turn, turn) for turn in turns)


def _as_record(turn: object) -> object:
    match turn:
        case {"speaker": speaker, "text": str(text), "blip_caption": str(caption)}:
            return {"speaker": speaker, "content": f"{text} [shares {caption}]".strip()}
        case {"speaker": speaker, "text": text}:
            return {"speaker": speaker, "content": text}
        case _:
            return turn


def _refused(reason: str) -> _Reading:
    def refuse(_: object) -> Message:
        raise UnusableError(reason)

    return refuse, None


def _session_number(session: str) -> int:
    return int(session.removeprefix("session_"))


def _spoken_time(text: object) -> datetime | None:
    """``1:56 pm on 8 May, 2023``; LoCoMo names no zone, so it is UTC."""
    found = _SPOKEN_TIME.fullmatch(text) if isinstance(text, str) else None
    if found is None or found[5] not in _MONTHS:
        return None
    hour = int(found[1]) % 12 + (12 if found[3] == "p" else 0)
    month, day, year = _MONTHS.index(found[5]) + 1, int(found[4]), int(found[6])
    try:
        return datetime(year, month, day, hour, int(found[2]), tzinfo=UTC)
    except ValueError:
        return None
