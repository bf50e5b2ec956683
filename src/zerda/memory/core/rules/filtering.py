"""Filters as a mapping: read once, then the same question for every backend.

    {"tags": "work", "time": {"$gte": datetime(2026, 5, 1, tzinfo=UTC)}, "metadata.project.name": "Apollo"}
    {"$or": [{"kind": "fact"}, {"$not": {"metadata.draft": {"$exists": True}}}]}

Fields: ``session``, ``speaker``, ``kind``, ``origin``, ``source``, ``trust``, ``tags``, ``topics``, ``time``
(when it was said) and ``metadata.KEY``, where a dot leads into an inner mapping. Operators: ``$eq`` (a bare
value), ``$in`` (a bare list), ``$ne``, ``$nin``, ``$gt``, ``$gte``, ``$lt``, ``$lte``, ``$exists``; ``$and``,
``$or``, ``$not`` over
mappings. All that stands in one mapping must hold. A field with several values (tags, a list in the
metadata) meets a test if one of them does. Only like is compared with like: a number with numbers, a text
with texts; so what an entry lacks meets ``$ne`` and ``$nin``, and no other test.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isfinite
from typing import Any, Literal

from ...errors import InvalidInput
from ..model import MemoryEntry, Query, micros
from .time import in_utc

Op = Literal["in", "gt", "gte", "lt", "lte", "exists"]
Value = str | int | float | bool | None

COLUMNS = ("session", "speaker", "kind", "origin", "source", "trust")
LISTS = ("tags", "topics")
METADATA = "metadata."

MOST_TESTS, MOST_VALUES, DEEPEST = 100, 1_000, 16
"""Bounds of one filter, so that no question costs without end."""


@dataclass(frozen=True, slots=True)
class Test:
    """A field's value is in ``values``, stands in an order to the only one, or exists.

    ``path`` leads to a value of the metadata. Times are microseconds since 1970.
    """

    field: str
    op: Op
    values: tuple[Value, ...] = ()
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Every:
    """All parts hold."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One part holds at least."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Condition


Condition = Test | Every | Either | Not


def query_of(filters: Query | Mapping[str, Any] | None) -> Query:
    """The query that filters ask for; `InvalidInput` for an unknown field, operator or value."""
    if filters is None or isinstance(filters, Query):
        return filters or Query()
    return Query(where=condition(filters))


def condition(filters: Mapping[str, Any]) -> Condition:
    """What a mapping of filters asks for; `InvalidInput` where it makes no sense."""
    read = _mapping(filters, 0)
    if (tests := _count(read)) > MOST_TESTS:
        raise InvalidInput(f"the filter has {tests} tests; {MOST_TESTS} is the most")
    return read


def holds(asked: Condition, entry: MemoryEntry) -> bool:
    """Whether an entry meets a condition: the rule that every backend's SQL has to agree with."""
    match asked:
        case Every(parts):
            return all(holds(part, entry) for part in parts)
        case Either(parts):
            return any(holds(part, entry) for part in parts)
        case Not(part):
            return not holds(part, entry)
        case Test(_, "exists"):
            return bool(_told(asked, entry, whole=True))
        case Test(_, op, values):
            return any(_meets(told, op, value) for told in _told(asked, entry) for value in values)


# ── reading ──────────────────────────────────────────────────────────────────────────────────────────


def _mapping(given: object, depth: int) -> Condition:
    if not isinstance(given, Mapping):
        raise InvalidInput(f"a filter is a {type(given).__name__}; it is a mapping of fields to tests")
    if depth > DEEPEST:
        raise InvalidInput(f"the filter is nested more than {DEEPEST} deep; say it more simply")
    return Every(tuple(_item(key, value, depth) for key, value in given.items()))


def _item(key: object, value: object, depth: int) -> Condition:
    if key == "$not":
        return Not(_mapping(value, depth + 1))
    if key in ("$and", "$or"):
        parts = tuple(_mapping(one, depth + 1) for one in _list(value, str(key)))
        return Every(parts) if key == "$and" else Either(parts)
    field, path = _field(key)
    tests = value if isinstance(value, Mapping) else {_bare(value): value}
    if not tests:
        raise InvalidInput(f"the filter on {field} tests nothing; give a value, or an operator with one")
    return Every(tuple(_test(field, path, str(name), wanted) for name, wanted in tests.items()))


def _bare(value: object) -> str:
    return "$in" if isinstance(value, (list, tuple)) else "$eq"


def _field(key: object) -> tuple[str, tuple[str, ...]]:
    if key in (*COLUMNS, *LISTS, "time"):
        return str(key), ()
    if isinstance(key, str) and key.startswith(METADATA):
        path = tuple(key.removeprefix(METADATA).split("."))
        if all(map(_sound_key, path)):
            return "metadata", path
        raise InvalidInput(f"the filter {key[:60]!r} names no key; write metadata.KEY, or metadata.KEY.KEY")
    known = ", ".join((*COLUMNS, *LISTS, "time", "metadata.KEY", "$and", "$or", "$not"))
    raise InvalidInput(f"a filter has no field {str(key)[:60]!r}; it has {known}")


def _sound_key(key: str) -> bool:
    return bool(key) and key.isprintable() and not {'"', "\\"} & set(key)


_ORDERS: Mapping[str, Op] = {"$gt": "gt", "$gte": "gte", "$lt": "lt", "$lte": "lte"}


def _test(field: str, path: tuple[str, ...], name: str, wanted: object) -> Condition:
    if name in ("$eq", "$ne"):
        test: Condition = Test(field, "in", (_value(field, wanted),), path)
    elif name in ("$in", "$nin"):
        test = Test(field, "in", tuple(_value(field, one) for one in _list(wanted, name)), path)
    elif name == "$exists":
        if not isinstance(wanted, bool):
            raise InvalidInput(f"$exists is given a {type(wanted).__name__}; it takes True or False")
        return Test(field, "exists", path=path) if wanted else Not(Test(field, "exists", path=path))
    elif name in _ORDERS:
        return Test(field, _ORDERS[name], (_ordered_value(field, name, wanted),), path)
    else:
        known = ", ".join(("$eq", "$ne", "$in", "$nin", *_ORDERS, "$exists"))
        raise InvalidInput(f"a filter has no operator {name[:60]!r}; it has {known}")
    return Not(test) if name in ("$ne", "$nin") else test


def _value(field: str, value: object) -> Value:
    if field == "time":
        return micros(_moment(value))
    if isinstance(value, str):
        if "\0" in value or any(0xD800 <= ord(char) < 0xE000 for char in value):
            raise InvalidInput(f"a text for {field} holds NUL or a lone surrogate; leave it out")
        return value
    if field != "metadata":
        raise InvalidInput(f"{field} is compared with a {type(value).__name__}; it is text")
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)) and isfinite(value) and (type(value) is float or abs(value) < 2**63):
        return value
    raise InvalidInput(f"metadata is compared with a {type(value).__name__}; use text, numbers, True, None")


def _ordered_value(field: str, name: str, wanted: object) -> Value:
    value = _value(field, wanted)
    if field not in ("time", "metadata") or value is None or isinstance(value, bool):
        raise InvalidInput(f"{name} orders times, and numbers and texts of the metadata; not this {field}")
    return value


def _moment(value: object) -> datetime:
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise InvalidInput("time is compared with a text that is no ISO 8601 time") from None
    return in_utc(value, "time")


def _list(value: object, name: str) -> Sequence[object]:
    if not isinstance(value, (list, tuple)):
        raise InvalidInput(f"{name} is given a {type(value).__name__}; it takes a list")
    if len(value) > MOST_VALUES:
        raise InvalidInput(f"{name} is given {len(value)} values; {MOST_VALUES} is the most")
    return value


def _count(asked: Condition) -> int:
    match asked:
        case Every(parts) | Either(parts):
            return sum(map(_count, parts))
        case Not(part):
            return _count(part)
        case Test():
            return 1


# ── asking ───────────────────────────────────────────────────────────────────────────────────────────


def _told(test: Test, entry: MemoryEntry, *, whole: bool = False) -> Sequence[Any]:
    """What an entry says in a field: none, one or several values; ``whole`` keeps a list as one."""
    if test.field == "metadata":
        return _within(entry.metadata, test.path, whole=whole)
    if test.field in LISTS:
        told: tuple[str, ...] = getattr(entry, test.field)
        return told
    if test.field == "time":
        return (micros(entry.occurred_at),)
    value = entry.session_id if test.field == "session" else getattr(entry, test.field)
    return () if value is None else (value,)


def _within(value: Any, path: Sequence[str], *, whole: bool) -> Sequence[Any]:
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return ()
        value = value[key]
    return value if isinstance(value, (list, tuple)) and not whole else (value,)


def _meets(told: Any, op: Op, value: Value) -> bool:
    if _class(told) != _class(value):
        return False
    match op:
        case "in":
            return bool(told == value)
        case "gt":
            return bool(told > value)
        case "gte":
            return bool(told >= value)
        case "lt":
            return bool(told < value)
        case _:
            return bool(told <= value)


def _class(value: Any) -> object:
    """Values of one class are compared; those of a mapping or a list with nothing."""
    if isinstance(value, (bool, str)) or value is None:
        return type(value)
    return float if isinstance(value, (int, float)) else object()
