"""How answers are written, and what a repeated or conditional request means."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from fastapi import Header
from fastapi.responses import Response

from zerda.memory import MemoryEntry

from .callers import Caller
from .plain import as_bytes, plain


class Answer(Response):
    """JSON, made in the handler's thread."""

    media_type = "application/json"

    def __init__(self, value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(as_bytes(plain(value)), status, headers)


def entry_answer(entry: MemoryEntry, status: int = 200, **headers: str) -> Answer:
    """An entry with its tag."""
    return Answer(entry, status, {"ETag": tag(entry), **headers})


def tag(entry: MemoryEntry) -> str:
    """The entity tag of an entry: its version, and a digest of all but how often it was used."""
    told = as_bytes(plain(replace(entry, access_count=0, last_access=None)))
    return f'"{entry.version}-{hashlib.sha256(told).hexdigest()[:20]}"'


def meets(condition: str, entry: MemoryEntry) -> bool:
    """Whether a list of tags, or ``*``, names the entry as it is."""
    wanted = [one.strip().removeprefix("W/") for one in condition.split(",")]
    return "*" in wanted or tag(entry) in wanted


Repeatable = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=r"^[!-~]{1,255}$",
        description="The same key with the same body is kept once, however often it is sent; in every worker,"
        " and after a restart. With another body it is a conflict.",
    ),
]


def identified(given: str | None, key: str | None, caller: Caller, ordinal: int = 0) -> str | None:
    """The id under which to keep something: the one given, else one that the idempotency key makes.

    The store takes the same id with the same content once, so a repeated request needs no memory here.
    """
    if given is not None or key is None:
        return given
    told = "\0".join((caller.tenant_id, caller.identity.user_id, key, str(ordinal)))
    text = hashlib.sha256(f"zerda idempotency 1\0{told}".encode("utf-8", "backslashreplace")).hexdigest()
    return f"{text[:8]}-{text[8:12]}-8{text[13:16]}-a{text[17:20]}-{text[20:32]}"  # A UUID of version 8.


def listed(name: str, values: Any) -> Answer:
    """A list, within an object so that more can stand beside it."""
    return Answer({name: values})
