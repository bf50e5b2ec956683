"""Values as JSON, and JSON as values again: the server writes, the client reads."""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")


def plain(value: object) -> Any:
    """A value as JSON has it: dataclasses as objects, times as ISO 8601, tuples as arrays."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(inner) for inner in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    return value


def as_bytes(value: object) -> bytes:
    """JSON in ASCII, so that lone surrogates and whatever else a text may hold survive."""
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii")


def revived(kind: type[T], told: Mapping[str, Any]) -> T:
    """A dataclass of what `plain` made of one. Fields that are not known here are passed over."""
    hints = _hints(kind)
    return kind(**{name: _value(hints[name], told[name]) for name in hints if name in told})


_known: dict[type[Any], dict[str, Any]] = {}


def _hints(kind: type[Any]) -> dict[str, Any]:
    """The types of a dataclass's fields, looked up once."""
    if kind not in _known:
        names = {field.name for field in fields(kind) if field.init}
        _known[kind] = {name: hint for name, hint in get_type_hints(kind).items() if name in names}
    return _known[kind]


def _value(hint: Any, told: Any) -> Any:
    if told is None:
        return None
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        wanted = (
            datetime if datetime in arguments else next(one for one in arguments if one is not type(None))
        )
        return _value(wanted, told) if len(arguments) == 2 else told
    if hint is datetime:
        return datetime.fromisoformat(told)
    if origin is tuple:
        return tuple(_value(arguments[0], one) for one in told)
    if is_dataclass(hint) and isinstance(hint, type):
        return revived(hint, told)
    return told
