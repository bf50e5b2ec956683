"""What ids and filters look like, for the OpenAPI document. The memory itself checks them, and says why."""

from __future__ import annotations

from typing import Any

ID: dict[str, Any] = {
    "type": "string",
    "minLength": 1,
    "maxLength": 256,
    "pattern": "^[!-~]([ -~]*[!-~])?$",
    "description": "What is always taken; so are visible characters of every script, up to 256 bytes.",
}


def seen(value: str) -> str:
    """An id as it is, if every character of it can be seen."""
    if not value.isprintable() or value != value.strip():
        raise ValueError("it holds a character that cannot be seen, or begins or ends with a space")
    return value


_TEXT = {"type": "string", "pattern": "^[^\\x00]*$"}
_TEXTS = {"type": "array", "items": _TEXT, "maxItems": 1_000}
_ANY = {"anyOf": [_TEXT, {"type": "number"}, {"type": "boolean"}]}
_ANYS = {"type": "array", "items": _ANY, "maxItems": 1_000}
_ORDERED = {"anyOf": [_TEXT, {"type": "number"}]}
_TIME = {"type": "string", "format": "date-time"}
_EXISTS = {"type": "boolean"}


def _tests(**operators: dict[str, Any]) -> dict[str, Any]:
    """An object of tests, all of which must hold."""
    return {
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {f"${name}": told for name, told in operators.items()},
    }


_OF_TEXT = {
    "anyOf": [_TEXT, _TEXTS, _tests(eq=_TEXT, ne=_TEXT, nin=_TEXTS, exists=_EXISTS, **{"in": _TEXTS})]
}
_OF_TIME = _tests(eq=_TIME, ne=_TIME, gt=_TIME, gte=_TIME, lt=_TIME, lte=_TIME, exists=_EXISTS)
_OF_ANY = {
    "anyOf": [
        _ANY,
        _ANYS,
        _tests(
            eq=_ANY, ne=_ANY, nin=_ANYS, gt=_ORDERED, gte=_ORDERED, lt=_ORDERED, lte=_ORDERED,
            exists=_EXISTS, **{"in": _ANYS},
        ),
    ]
}  # fmt: skip

FILTER = "Filter"
_AGAIN = {"$ref": f"#/components/schemas/{FILTER}"}

FILTER_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "Fields with what they must be, or with tests; all that stands in one object must hold.",
    "additionalProperties": False,
    "properties": {
        **dict.fromkeys(
            ("session", "speaker", "kind", "origin", "source", "trust", "tags", "topics"), _OF_TEXT
        ),
        "time": _OF_TIME,
        "$and": {"type": "array", "items": _AGAIN, "maxItems": 10},
        "$or": {"type": "array", "items": _AGAIN, "maxItems": 10},
        "$not": _AGAIN,
    },
    "patternProperties": {r"^metadata(\.[A-Za-z0-9_]+)+$": _OF_ANY},
}


def with_filters(document: Any) -> Any:
    """The document with this schema in the place of every free object that is called so."""
    if isinstance(document, dict):
        if document.get("format") == FILTER:
            return dict(_AGAIN)
        return {name: with_filters(inner) for name, inner in document.items()}
    if isinstance(document, list):
        return [with_filters(inner) for inner in document]
    return document
