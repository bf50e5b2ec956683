"""Lets what a compressor decides come true in a store: sources are archived and linked, never lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from ..core.model import TRUSTS, Draft, MemoryEntry, Query
from ..errors import LLMError
from .archiving import MERGED, SUMMARISED, PutAway, batches, each, room
from .forgetting import YOUNGEST
from .memory_compressor import MemoryCompressor, Merge, survivor_of

if TYPE_CHECKING:
    from ..core.model import Scope
    from ..storage.base import Store

NEARLY_FULL = 0.8
"""Share of ``max_long_term`` above which long-term memory is compressed; it is compressed down to it."""

AT_ONCE, LEAST = 20, 3
"""Entries of one summary, at most and at least."""


@dataclass(frozen=True, slots=True)
class Compressed:
    """What a compression did. ``failures`` names what a language model did not do."""

    long_term: int
    needed: bool
    merged: int = 0
    summaries: int = 0
    summarised: int = 0
    failures: tuple[str, ...] = ()
    put_away: tuple[PutAway, ...] = ()


@dataclass(frozen=True, slots=True)
class Compression:
    """One compression of one tenant's long-term memory, as much as there is room for in a day."""

    store: Store
    scope: Scope
    compressor: MemoryCompressor
    most: int
    now: datetime
    redraft: Callable[[MemoryEntry], Draft]

    def run(self) -> Compressed:
        """Merge and summarise, if there is more than 80 % of ``most``; a failing model changes nothing."""
        count = self._count()
        if not count > self.most * NEARLY_FULL:
            return Compressed(count, needed=False)
        merged = [told for merge in self._duplicates() for told in self._merge(merge)]
        summaries, put_away, failures = self._summarise()
        return Compressed(count, True, len(merged), summaries, len(put_away), failures, (*merged, *put_away))

    def plan(self) -> Compressed:
        """What `run` would put away; no model is asked."""
        count = self._count()
        if not count > self.most * NEARLY_FULL:
            return Compressed(count, needed=False)
        merged = [told for merge in self._duplicates() for told in _told(merge)]
        left = room(self.store, self.scope, self.now)
        return Compressed(count, True, merged=len(merged[:left]), put_away=tuple(merged[:left]))

    # ── merging ──────────────────────────────────────────────────────────────────────────────────

    def _duplicates(self) -> Iterator[Merge]:
        for entries in self._by_owner():
            yield from self.compressor.find_duplicates(entries)

    def _merge(self, merge: Merge) -> list[PutAway]:
        with self.store.transaction():
            merge = self._as_it_is(merge)
            if not merge.merged:
                return []
            survivor = merge.survivor
            self.store.revise(self.scope, self.redraft(survivor_of(merge)))
            ids = [entry.id for entry in merge.merged]
            self._archive(ids, f"{MERGED}: {survivor.id}")
            uses = sum(entry.access_count for entry in merge.merged)
            last = max((one.last_access for one in merge.merged if one.last_access), default=None)
            if uses and last:
                self.store.count_uses(self.scope, {survivor.id: uses}, last)
        return _told(merge)

    def _as_it_is(self, merge: Merge) -> Merge:
        """The merge as far as its entries are what they were, and there is room."""
        fresh = self._unchanged((merge.survivor, *merge.merged))
        if merge.survivor.id not in fresh:
            return Merge(merge.survivor, ())
        left = [entry for entry in merge.merged if entry.id in fresh]
        return Merge(merge.survivor, tuple(left[: room(self.store, self.scope, self.now)]))

    # ── summarising ──────────────────────────────────────────────────────────────────────────────

    def _summarise(self) -> tuple[int, list[PutAway], tuple[str, ...]]:
        excess = self._count() - int(self.most * NEARLY_FULL)
        summaries, put_away = 0, list[PutAway]()
        for group in self._groups() if excess > 0 else ():
            wanted = min(len(group), max(LEAST, excess + 1), room(self.store, self.scope, self.now))
            if excess <= 0 or wanted < LEAST:
                break
            try:
                summary = self.compressor.summarise(group[:wanted])
            except LLMError as error:
                return summaries, put_away, (str(error),)  # It would most likely fail again.
            told = self._replace(summary, group[:wanted])
            summaries += bool(told)
            put_away += told
            excess -= max(0, len(told) - 1)
        return summaries, put_away, ()

    def _replace(self, summary: MemoryEntry, sources: Sequence[MemoryEntry]) -> list[PutAway]:
        with self.store.transaction():
            if len(self._unchanged(sources)) < len(sources):
                return []
            owner = replace(self.scope, user_id=summary.user_id)
            self.store.put(owner, [self.redraft(summary)])
            self._archive([entry.id for entry in sources], f"{SUMMARISED}: {summary.id}")
        reason = f"summarised with {len(sources) - 1} others"
        return [PutAway(entry.id, f"{SUMMARISED}: {summary.id}", reason) for entry in sources]

    def _groups(self) -> list[list[MemoryEntry]]:
        """What may be summarised together, in order of arrival; the oldest groups first."""
        groups = [
            group
            for entries in self._by_owner()
            for visibility in ("user", "tenant")
            for trust in TRUSTS  # Nothing less trusted stands in the place of what is more so.
            for group in batches(
                (
                    one
                    for one in entries
                    if (one.visibility, one.trust) == (visibility, trust) and _summable(one)
                ),
                AT_ONCE,
            )
        ]
        return sorted((one for one in groups if len(one) >= LEAST), key=lambda group: group[0].seq)

    # ── what both need ───────────────────────────────────────────────────────────────────────────

    def _count(self) -> int:
        return self.store.count(self.scope, Query(promoted=True))

    def _by_owner(self) -> Iterator[list[MemoryEntry]]:
        """The long-term entries that may be put away, a user at a time; last those that are nobody's."""
        for user_id in (*self.store.users(self.scope.tenant_id), None):
            owner = replace(self.scope, user_id=user_id)
            found = each(self.store, owner, Query(promoted=True))
            yield [entry for entry in found if entry.user_id == user_id and self._old_enough(entry)]

    def _old_enough(self, entry: MemoryEntry) -> bool:
        return self.now - entry.recorded_at >= YOUNGEST and entry.expires_at is None

    def _unchanged(self, entries: Sequence[MemoryEntry]) -> set[str]:
        known = {entry.id: entry for entry in entries}
        fresh = self.store.find(self.scope, Query(ids=tuple(known), limit=None))
        return {
            one.id
            for one in fresh
            if (one.version, one.pinned) == (known[one.id].version, known[one.id].pinned)
        }

    def _archive(self, ids: Sequence[str], because: str) -> None:
        self.store.mark(self.scope, ids, archived_at=self.now, archived_because=because)


def _summable(entry: MemoryEntry) -> bool:
    return not entry.pinned and entry.kind != "summary"


def _told(merge: Merge) -> list[PutAway]:
    because = f"{MERGED}: {merge.survivor.id}"
    return [PutAway(entry.id, because, f"says the same as {merge.survivor.id}") for entry in merge.merged]
