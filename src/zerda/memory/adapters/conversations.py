"""Reads conversations out of files: JSON Lines, chat-API messages, LoCoMo.

Readers are generators of `Message` and `Fault`. They never raise for what a file contains: what cannot
be used is a `Fault` that names the place and the reason, and the rest goes on.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, BinaryIO, Literal, cast, get_args

from .locomo import read_locomo
from .records import TOOLS, Fault, Message, UnusableError, kind, message, parsed, usable

__all__ = [
    "FORMATS",
    "Fault",
    "Format",
    "Message",
    "as_note",
    "numbered",
    "read",
    "read_json_lines",
    "read_locomo",
    "read_messages",
]

Format = Literal["jsonl", "messages", "locomo"]
FORMATS: tuple[Format, ...] = get_args(Format)

MAX_LINE_BYTES = 8 << 20  # Some 1.3 million English words: no one says that at once.
MAX_DOCUMENT_BYTES = 256 << 20  # A document is parsed whole; LoCoMo's has 2.8 million bytes.

_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read(file: BinaryIO, format: Format | None = None) -> Iterator[Message | Fault]:
    """Everything that was said in a file, in order; the format is recognised where none is named.

    JSON Lines are read a line at a time, whatever the size of the file; other documents are read whole.
    """
    buffered = io.BufferedReader(cast(io.RawIOBase, file))  # Any object with readinto() serves.
    try:
        start = buffered.peek(64)
        if start.startswith(_UTF16_MARKS):
            yield Fault(1, "the file is UTF-16; save it as UTF-8")
        elif format == "jsonl" or (format is None and not _begins_a_list(start)):
            yield from read_json_lines(buffered)
        else:
            yield from _read_document(buffered, format)
    finally:
        buffered.detach()


def read_json_lines(file: BinaryIO) -> Iterator[Message | Fault]:
    """One object a line: ``{role|speaker, content, at?, user?, session?}``."""
    for number, line in _lines(file):
        if line is None:
            yield Fault(number, f"has more than {MAX_LINE_BYTES:,} bytes; split it into several messages")
        elif line.strip():
            yield usable(number, _message_in, line)


def read_messages(document: object) -> Iterator[Message | Fault]:
    """A list of chat-API messages: ``[{"role": …, "content": text or list of parts}, …]``."""
    if not isinstance(document, list):
        yield Fault(1, f"is {kind(document)}; a list of messages is wanted")
        return
    for number, record in enumerate(document, start=1):
        yield usable(number, message, record)


def numbered(messages: Iterable[Message], *, user: str) -> Iterator[tuple[str, Message]]:
    """Each message with its id, and with ``user`` where it names none.

    The id is made of who said what, when, and in whose session, and of how often the same was said
    before it among these messages: the same file gives the same ids again, and two equal messages
    within it differ. Costs some 200 bytes of memory a message.
    """
    said: Counter[tuple[str | None, bytes]] = Counter()
    for each in messages:
        owned = each if each.user is not None else replace(each, user=user)
        digest = _digest(owned)
        said[owned.conversation, digest] += 1
        occurrence = said[owned.conversation, digest]
        yield hashlib.sha256(digest + occurrence.to_bytes(8)).hexdigest()[:32], owned


def as_note(id: str, message: Message) -> dict[str, Any]:
    """A message as `AIMemoryManager.remember_many` takes it.

    Whoever imports a conversation of their own trusts it as if it were said here; what a tool said is
    untrusted.
    """
    by_a_tool = message.role in TOOLS
    return {
        "id": id,
        "content": message.content,
        "kind": "message",
        "speaker": message.speaker,
        "origin": "tool" if by_a_tool else "import",
        "trust": "untrusted" if by_a_tool else "user",
        "occurred_at": message.at,
        "session_id": message.session,
    }


def _begins_a_list(start: bytes) -> bool:
    return start.removeprefix(_UTF8_MARK).lstrip().startswith(b"[")


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """Lines with their numbers; None for one that is too long, of which no more is held than the bound."""
    number = 0
    while line := file.readline(MAX_LINE_BYTES + 1):
        number += 1
        too_long = len(line) > MAX_LINE_BYTES
        while too_long and line and not line.endswith(b"\n"):
            line = file.readline(MAX_LINE_BYTES)
        yield number, None if too_long else line


def _message_in(line: bytes) -> Message:
    return message(parsed(line))


def _read_document(file: BinaryIO, format: Format | None) -> Iterator[Message | Fault]:
    data = file.read(MAX_DOCUMENT_BYTES + 1)
    if len(data) > MAX_DOCUMENT_BYTES:
        yield Fault(1, f"has more than {MAX_DOCUMENT_BYTES:,} bytes; make it JSON Lines, which are streamed")
        return
    try:
        document = parsed(data)
    except UnusableError as error:
        yield Fault(error.line, str(error))
        return
    yield from _DOCUMENTS[format or _recognised(document)](document)


def _recognised(document: object) -> Format:
    match document:
        case [{"conversation": {}}, *_]:
            return "locomo"
        case _:
            return "messages"


_DOCUMENTS: dict[Format, Callable[[object], Iterator[Message | Fault]]] = {
    "messages": read_messages,
    "locomo": read_locomo,
}


def _digest(message: Message) -> bytes:
    """What makes a message itself; as JSON, which escapes what UTF-8 cannot hold (lone surrogates)."""
    at = message.at.isoformat() if message.at else None
    told = [message.user, message.session, message.role, message.speaker, at, message.content]
    return hashlib.sha256(json.dumps(told).encode()).digest()
