"""What goes with an entry that is erased: what it stands for, and what was made of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from ..core.model import MemoryEntry, Query
from .archiving import successor

if TYPE_CHECKING:
    from ..core.model import Scope
    from ..storage.base import Store


def erase(
    store: Store,
    scope: Scope,
    entry_ids: Iterable[str],
    unlearn: Callable[[Scope, Collection[str]], None],
    delete: Callable[[Sequence[str]], Collection[str]] | None = None,
) -> set[str]:
    """Erase entries of the scope's own, in one transaction; return the ids of all that went.

    ``delete`` erases ids and tells which went, also beyond those; `Store.delete` does where it is None.

    With an entry go those that were merged into it or that it is the summary of. A summary that holds
    words of an erased entry goes too, and what else it stood for comes back. Profiles unlearn what these
    alone spoke for.
    """
    with store.transaction():
        asked = _own(store, scope, entry_ids)
        gone = {entry.id: entry for entry in asked}
        waiting = list(asked)
        while waiting:
            found = [one for one in _stood_for(store, scope, waiting.pop()) if one.id not in gone]
            gone.update((entry.id, entry) for entry in found)
            waiting += found
        back: set[str] = set()
        for summary in _summaries_of(store, scope, gone.values()):
            gone[summary.id] = summary
            back |= {entry.id for entry in _stood_for(store, scope, summary)}
        if delete is None:
            store.delete(scope, sorted(gone))
        erased = {*gone, *(delete(sorted(gone)) if delete else ())}
        store.mark(scope, sorted(back - erased), archived_at=None, archived_because=None)
        unlearn(scope, erased)
    return erased


def _own(store: Store, scope: Scope, entry_ids: Iterable[str]) -> list[MemoryEntry]:
    found = store.find(scope, Query(ids=tuple(entry_ids), archived=None, limit=None))
    return [entry for entry in found if scope.user_id in (None, entry.user_id)]


def _stood_for(store: Store, scope: Scope, entry: MemoryEntry) -> list[MemoryEntry]:
    """The archived entries in whose place this one stands."""
    sources = _own(store, scope, entry.sources) if entry.sources else []
    return [one for one in sources if successor(one) == entry.id]


def _summaries_of(store: Store, scope: Scope, entries: Iterable[MemoryEntry]) -> list[MemoryEntry]:
    """The summaries that hold words of these entries, and of those the summaries, and so on."""
    found: dict[str, MemoryEntry] = {}
    waiting = list(entries)
    while waiting:
        names = {one for entry in waiting if (one := successor(entry)) and one not in found}
        waiting = [one for one in _own(store, scope, names) if one.kind == "summary"] if names else []
        found.update((entry.id, entry) for entry in waiting)
    return list(found.values())
