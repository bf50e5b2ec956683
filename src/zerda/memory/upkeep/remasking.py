"""What is stored, masked by the rules of today: rewritten in its place, old bytes out of the files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..core.model import MemoryEntry, Query
from ..core.trust import Event, MaskReport, Receipt
from ..gate import narrowed
from ..intake import draft_of, time_ordered_id

if TYPE_CHECKING:
    from ..core.model import Draft, Scope
    from ..core.rules.profile import UserProfile
    from ..core.seams import Masker
    from ..core.transfer import Carried
    from ..intake import Intake
    from ..storage.base import Store
    from .receipts import Erasures

BATCH = 100
"""Entries that are rewritten in one transaction."""

Progress = Callable[[int, int], object]
"""Is told how many entries are through, of how many."""


@dataclass
class Remasking:
    """One pass over what is a scope's own. It may be stopped, or killed, and run again: what was rewritten
    holds nothing any more, so the next pass goes on with the rest, and completes the receipt."""

    store: Store
    scope: Scope
    intake: Intake
    masker: Masker
    erasures: Erasures
    embedded: Callable[[Sequence[Draft]], Sequence[Draft]]
    now: datetime
    max_words: int | None = None
    progress: Progress = lambda done, of: None
    preview: bool = False
    kinds: Counter[str] = field(default_factory=Counter)
    rewritten: int = 0
    profiles: int = 0
    _receipt: Receipt | None = None

    def run(self) -> MaskReport:
        """Look at everything; rewrite what holds something, unless it is a preview."""
        of, done = self.store.count(self.scope, Query(archived=None)), 0
        waiting: list[str] = []
        for done, one in enumerate(self.store.carried(self.scope), 1):
            if self._holds_something(one):
                waiting.append(one.entry.id)
            if len(waiting) >= BATCH:
                self._rewrite(waiting)
                waiting = []
            if done % BATCH == 0:
                self.progress(done, max(of, done))
        self._rewrite(waiting)
        self._mask_profiles()
        self.progress(done, max(of, done))
        if self._receipt is None and not self.preview:
            self.erasures.finish(self.scope.tenant_id)  # What a killed pass rewrote may lie in the files.
        if self._receipt is not None:
            self.erasures.complete(self._receipt)
            self._receipt = replace(self._receipt, complete=True)
            told = Event("mask", self.scope.actor, self.scope.user_id, count=self.rewritten)
            self.store.record(self.scope.tenant_id, [told])
        return MaskReport(done, self.rewritten, self.profiles, dict(self.kinds), self._receipt)

    def _holds_something(self, one: Carried) -> bool:
        found = list(_new_counts(self.intake, (*one.former, one.entry)))
        for counts in found:
            self.kinds.update(counts)
        return bool(found)

    def _rewrite(self, ids: Sequence[str]) -> None:
        if self.preview or not ids:
            self.rewritten += len(ids)
            return
        with self.store.transaction():
            # Read again: what was changed or erased since is as it is now.
            there = self.store.find(self.scope, Query(ids=tuple(ids), archived=None, limit=None))
            former = {one.id: self._former(one) for one in there}
            drafts = [draft_of(self.intake.masked_again(one), max_words=self.max_words) for one in there]
            for draft in self.embedded(drafts):
                scope = narrowed(self.scope, draft.entry.user_id) if draft.entry.user_id else self.scope
                self.store.rewrite(scope, draft, former[draft.entry.id])
            self.erasures.unlearn(self.scope, [one.id for one in there])
            self._keep_receipt(entries=len(there))

    def _former(self, entry: MemoryEntry) -> list[MemoryEntry]:
        if entry.version == 1:
            return []
        return [self.intake.masked_again(one) for one in self.store.history(self.scope, entry.id)[:-1]]

    def _mask_profiles(self) -> None:
        for profile in self.store.profiles(self.scope):
            _, counts = _masked_profile(self.masker, profile)
            self.kinds.update(counts)
            if not counts:
                continue
            if self.preview:
                self.profiles += 1
            else:
                with self.store.transaction():
                    scope = narrowed(self.scope, profile.user_id)
                    now, _ = _masked_profile(self.masker, self.store.profile(scope))
                    self.store.put_profile(scope, now)
                    self._keep_receipt(profiles=1)

    def _keep_receipt(self, *, entries: int = 0, profiles: int = 0) -> None:
        """With what goes, and incomplete until the bytes went too: whoever comes next finishes it."""
        if self._receipt is None:
            new = time_ordered_id(self.now)
            self._receipt = Receipt(id=new, tenant_id=self.scope.tenant_id, what="masking", at=self.now)
        self.rewritten += entries
        self.profiles += profiles
        counts = {"rewritten": self.rewritten, "profiles": self.profiles}
        self._receipt = replace(self._receipt, counts=counts)
        self.store.put_receipt(self._receipt)


def _new_counts(intake: Intake, entries: Sequence[MemoryEntry]) -> Iterator[Counter[str]]:
    """What the rules find in each of these that holds something."""
    for entry in entries:
        masked = intake.masked_again(entry)
        if masked is not entry:
            yield Counter(masked.masked) - Counter(entry.masked)


def _masked_profile(masker: Masker, profile: UserProfile) -> tuple[UserProfile, Counter[str]]:
    """The profile without what the rules find; a value that was learnt and holds something is dropped."""
    stated: dict[str, Any] = dict(profile.explicit_preferences)
    told, counts = masker.mask_value(stated)
    found = Counter(counts)
    kept = []
    for one in profile.learnt:
        _, counts = masker.mask_value(one.value)
        found.update(counts)
        if not counts:
            kept.append(one)
    return replace(profile, explicit_preferences=told, learnt=tuple(kept)), found
