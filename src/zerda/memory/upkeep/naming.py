"""Reading names out of what was kept: a save does not wait for it; whoever asks for names has it done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.rules.entities import naming_of

if TYPE_CHECKING:
    from ..core.model import Scope
    from ..core.seams import EntityExtractor
    from ..storage.base import Store

BATCH = 200
"""Entries whose names are kept in one transaction, so that a save may come between."""


def name_pending(
    store: Store, scope: Scope, extractor: EntityExtractor, *, session_id: str | None = None
) -> int:
    """Read the names of every live entry of the scope that this extractor would read; return how many.

    Of one session, where that is named. What is read stays read when it is interrupted; several processes
    may do it at once.
    """
    done = 0
    while batch := store.unnamed(
        scope, extractor.rule, limit=BATCH, session_id=session_id, besides=extractor.besides
    ):
        read = [(entry, naming_of(entry, extractor)) for entry in batch]
        done += store.put_names(scope, extractor.rule, read)
    return done
