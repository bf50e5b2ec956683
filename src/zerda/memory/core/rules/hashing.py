"""Values as text: JSON that any database can hold, and one number for the same thing said."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any

from ...errors import InvalidInput


def content_hash(content: str | Mapping[str, Any]) -> str:
    """The SHA-256 of a content in hex: the same in every process, whatever the order of its keys.

    Any string is taken, lone surrogates too. `InvalidInput` where JSON cannot hold the content.
    """
    return hashlib.sha256(as_json(content, "content", sort_keys=True).encode("ascii")).hexdigest()


def as_json(value: object, what: str, *, sort_keys: bool = False) -> str:
    """The value as ASCII text, so that NUL and lone surrogates survive wherever text does.

    `InvalidInput` for what JSON cannot hold; ``what`` names it there.
    """
    try:
        return _SORTED(value) if sort_keys else _AS_GIVEN(value)
    except (TypeError, ValueError, RecursionError) as error:
        # The encoder's own words may quote the value, so only their kind is told.
        raise InvalidInput(
            f"{what} is no JSON ({type(error).__name__}); use texts, numbers, booleans, None, lists and dicts"
        ) from None


def _plain(value: object) -> dict[Any, Any]:
    """A mapping that is no dict, such as a read-only view of one."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError


# An encoder made once; `json.dumps` would make one for every value.
_AS_GIVEN = json.JSONEncoder(separators=(",", ":"), default=_plain).encode
_SORTED = json.JSONEncoder(separators=(",", ":"), default=_plain, sort_keys=True).encode


def texts_in(value: object) -> Iterator[str]:
    """Every text in a JSON value, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield key
            yield from texts_in(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from texts_in(one)
