"""What may be remembered: a note is sound, or one clear error names what is not."""

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from ...errors import InvalidInput
from ..model import KINDS, ORIGINS, TRUSTS, VISIBILITIES, Content, Note, Scope
from .ids import valid_id
from .time import in_utc

_FIELDS = {field.name for field in fields(Note)}

LEVELS = 100
"""Of lists and mappings in one another: Python's stack has 1,000 frames, masking takes some for each."""


def note_of(given: "Note | Mapping[str, Any] | str") -> Note:
    """A note out of a text, or of a mapping with ``content`` and other fields of `Note`."""
    if isinstance(given, Note):
        return given
    if isinstance(given, str):
        return Note(content=given)
    if not isinstance(given, Mapping):
        raise InvalidInput(f"a note is a {type(given).__name__}; it is text, a Note, or a mapping")
    if "content" not in given:
        raise InvalidInput(f"a note is a {type(given).__name__} without content")
    if unknown := sorted(str(key) for key in given.keys() - _FIELDS):
        raise InvalidInput(f"a note has no field {unknown[0]!r}; it has {', '.join(sorted(_FIELDS))}")
    if given["content"] is None:
        raise InvalidInput("content is a NoneType; it is text, or a mapping of JSON values")
    return Note(**{key: value for key, value in given.items() if value is not None})


def sound(note: Note, scope: Scope) -> Note:
    """The note with its values checked, in the form in which they are kept; `InvalidInput` names a fault."""
    return replace(
        note,
        content=_content(note.content),
        kind=_one_of(note.kind, KINDS, "kind"),
        id=None if note.id is None else valid_id(note.id, "id"),
        speaker=None if note.speaker is None else valid_id(note.speaker, "speaker"),
        origin=_one_of(note.origin, ORIGINS, "origin"),
        source=None if note.source is None else _source(note.source),
        trust=None if note.trust is None else _one_of(note.trust, TRUSTS, "trust"),
        importance=importance_of(note.importance),
        tags=_texts(note.tags, "tags"),
        topics=_texts(note.topics, "topics"),
        metadata=_metadata(note.metadata, scope),
        session_id=None if note.session_id is None else valid_id(note.session_id, "session_id"),
        occurred_at=None if note.occurred_at is None else in_utc(note.occurred_at, "occurred_at"),
        expires_at=None if note.expires_at is None else in_utc(note.expires_at, "expires_at"),
        visibility=None if note.visibility is None else _one_of(note.visibility, VISIBILITIES, "visibility"),
    )


def importance_of(value: object) -> float:
    """A finite number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise InvalidInput(f"importance is {value!r}; it is a number from 0 to 1")
    return float(value)


LONGEST_SOURCE = 2_000
"""Characters of a source: browsers take addresses of about so many."""


def _source(value: object) -> str:
    """A page's address, a tool's or a file's name: text without NUL and lone surrogates."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"source is a {type(value).__name__}; it is a text that is not empty")
    if len(value) > LONGEST_SOURCE or "\0" in value or any(0xD800 <= ord(char) < 0xE000 for char in value):
        raise InvalidInput(f"source has more than {LONGEST_SOURCE} characters, a NUL or a lone surrogate")
    return value


def _content(value: object) -> Content:
    if isinstance(value, str):
        return value
    if not isinstance(value, Mapping):
        raise InvalidInput(f"content is a {type(value).__name__}; it is text, or a mapping of JSON values")
    content: dict[str, Any] = _plain(value, "content")
    return content


def _one_of(value: Any, words: tuple[Any, ...], what: str) -> Any:
    if value not in words:
        raise InvalidInput(f"{what} is {value!r}; it is one of {', '.join(words)}")
    return value


def _texts(values: object, what: str) -> tuple[str, ...]:
    """Texts, each once, in order; one text alone is refused, since its letters would pass for texts."""
    if isinstance(values, str) or not isinstance(values, (list, tuple, set, frozenset)):
        raise InvalidInput(f"{what} is a {type(values).__name__}; it is a list of texts")
    ordered = sorted(values, key=str) if isinstance(values, (set, frozenset)) else values
    for value in ordered:
        if not isinstance(value, str):
            raise InvalidInput(f"{what} holds a {type(value).__name__}; it is a list of texts")
    return tuple(dict.fromkeys(ordered))


def _metadata(value: object, scope: Scope) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"metadata is a {type(value).__name__}; it is a mapping of JSON values")
    metadata: dict[str, Any] = _plain(value, "metadata")
    for key, owner in (("tenant_id", scope.tenant_id), ("user_id", scope.user_id)):
        if owner is not None and metadata.get(key, owner) != owner:
            raise InvalidInput(f"metadata[{key!r}] is not the {key} of the call; leave it out")
    if metadata.get("encrypted"):
        raise InvalidInput("metadata['encrypted'] is for the memory to say, where it has a key; leave it out")
    return metadata


def _plain(value: Any, what: str) -> Any:
    """The value as JSON gives it back: dicts with text keys, lists, texts, finite numbers, booleans, None."""
    if value == {}:
        return {}
    _check_shape(value, what)
    try:
        return json.loads(json.dumps(value, allow_nan=False, default=_mapping_as_dict))
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"{what} holds what JSON cannot keep ({type(error).__name__})") from None


def _mapping_as_dict(value: object) -> dict[Any, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)


def _check_shape(value: Any, what: str, levels: int = LEVELS) -> None:
    """JSON would quietly turn other keys into texts; a value may even hold itself."""
    if not isinstance(value, (Mapping, list, tuple)):
        return
    if not levels:
        raise InvalidInput(f"{what} has more than {LEVELS} levels, one within the other; make it flatter")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise InvalidInput(f"{what} has a key that is a {type(key).__name__}; keys are texts")
    for inner in value.values() if isinstance(value, Mapping) else value:
        _check_shape(inner, what, levels - 1)
