"""Entries to put into a store, made by the core's own rules."""

from __future__ import annotations

import uuid
from typing import Any

from ..core.model import Content, Draft, MemoryEntry
from ..core.rules.chunking import CHUNK_WORDS, parts
from ..core.rules.hashing import content_hash
from ..core.rules.passages import passages_of, text_of
from ..core.seams import Embedder
from .clocks import START


def draft(
    content: Content, *, embedder: Embedder | None = None, max_words: int = CHUNK_WORDS, **fields: Any
) -> Draft:
    """An entry of this content with its passages, and with vectors where an ``embedder`` is given.

    ``fields`` are those of `MemoryEntry`. Without them: an id of its own, said and recorded at
    `START`, tenant "acme" and no user (a store puts the scope's in their place).
    """
    said = [role for role, _ in parts(content)]
    given: dict[str, Any] = {
        "occurred_at": START,
        "kind": "interaction" if "input" in said else "note",
        **fields,
    }
    given = {"id": str(uuid.uuid4()), "tenant_id": "acme", "recorded_at": given["occurred_at"], **given}
    entry = MemoryEntry(content=content, content_hash=content_hash(content), **given)
    passages = passages_of(content, occurred_at=entry.occurred_at, max_words=max_words)
    if embedder is None:
        return Draft(entry, passages)
    vectors = embedder.embed([text_of(content, passage) for passage in passages])
    return Draft(entry, passages, vectors, embedder.fingerprint)
