"""Where an erased id or a text may hide in a column."""

from __future__ import annotations

import json
from collections.abc import Iterator

from ..core.rules.hashing import texts_in
from ..core.rules.ids import MAX_ID_BYTES


def possible_ids(value: str) -> Iterator[str]:
    """The value, and where it is JSON each text in it, if it may be an id."""
    if len(value) <= MAX_ID_BYTES:
        yield value
    if value[:1] in '[{"' and value not in ("[]", "{}"):
        try:
            yield from (text for text in texts_in(json.loads(value)) if len(text) <= MAX_ID_BYTES)
        except ValueError:
            return


def forms(text: str) -> tuple[str, ...]:
    """A text as it was said, and as JSON writes it."""
    return tuple(dict.fromkeys((text, json.dumps(text)[1:-1])))
