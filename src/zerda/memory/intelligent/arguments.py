"""What callers pass: checked, and in the form in which it is used. `InvalidInput` names what is not sound."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from ..core.model import TRUSTS, Query, Trust
from ..core.rules.filtering import query_of
from ..core.rules.time import in_utc
from ..errors import InvalidInput

LEAST = ("untrusted", "quarantined")
"""To ask for so little trust is to ask for none: what is in quarantine is not found in any case."""

MOST = 10**18 - 1
"""A limit above it asks for no more: the largest of its digits that a database's 64 bits can count."""


def text_of(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is a {type(value).__name__}; it is text")
    return value


def narrowed_of(
    filters: Query | Mapping[str, Any] | None, as_of: datetime | None, min_trust: Trust = "untrusted"
) -> Query:
    """What a caller's filters ask for, as of a moment, of what is trusted so far."""
    query = query_of(filters)
    if as_of is not None:
        query = query.only(as_of=in_utc(as_of, "as_of"))
    least = min(min_trust, query.min_trust or min_trust, key=TRUSTS.index)
    return query if least in LEAST else query.only(min_trust=least)


def trust_of(value: Trust | None, default: Trust) -> Trust:
    """A degree of trust."""
    if value is None:
        return default
    if value not in TRUSTS:
        raise InvalidInput(f"min_trust is {value!r}; it is one of {', '.join(TRUSTS)}")
    return value


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
