"""What callers pass: checked, and in the form in which it is used. `InvalidInput` names what is not sound."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..core.model import Query
from ..core.rules.filtering import query_of
from ..core.rules.time import in_utc
from ..errors import InvalidInput

MOST = 10**18 - 1
"""A limit above it asks for no more: the largest of its digits that a database's 64 bits can count."""


def text_of(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is a {type(value).__name__}; it is text")
    return value


def narrowed_of(filters: Query | Mapping[str, Any] | None, as_of: datetime | None) -> Query:
    """What a caller's filters ask for, as of a moment."""
    query = query_of(filters)
    return query if as_of is None else query.only(as_of=in_utc(as_of, "as_of"))


def whole_of(value: object, what: str, *, least: int = 1) -> int:
    """A whole number; one that no memory can hold means all."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise InvalidInput(f"{what} is {value!r}; it is a whole number from {least}")
    return min(value, MOST)


def flag_of(value: object, what: str) -> bool:
    """True or False; any other value may have been meant either way."""
    if not isinstance(value, bool):
        raise InvalidInput(f"{what} is {value!r}; it is True or False")
    return value


def score_of(value: object, what: str, default: float) -> float:
    """A number that scores are held against, not NaN, which is above and below nothing."""
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        raise InvalidInput(f"{what} is {value!r}; it is a number")
    return value


def cursor_of(cursor: object) -> int | None:
    if cursor is None:
        return None
    if not isinstance(cursor, str) or not cursor.isdecimal() or len(cursor) > len(str(MOST)):
        raise InvalidInput(f"cursor is {str(cursor)[:40]!r}; give the one of the page before")
    return int(cursor)
