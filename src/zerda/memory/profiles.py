"""What is known of users: one profile for each user of a tenant, learnt from what they say."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .after_fork import Lock
from .core.rules.ids import valid_id
from .core.rules.notes import importance_of
from .core.rules.profile import (
    TOPIC_HALF_LIFE_DAYS,
    Learnt,
    Observation,
    Trait,
    UserProfile,
    boost_of,
    learn,
    observation_of,
    retract,
)
from .core.rules.profile_text import context_lines
from .errors import InvalidInput
from .gate import whole_tenant
from .storage.memory import InMemoryStore

if TYPE_CHECKING:
    from .core.model import MemoryEntry, Scope
    from .core.seams import Clock
    from .storage.base import Store

PROFILES_FILE = "profiles.db"
TOP_TOPICS = 10  # Of all users together, in the statistics.


class UserProfileManager:
    """The profiles of one tenant's users.

    On its own it keeps them in ``persist_dir``, or in this process where that is None; a manager gives it
    the tenant's store, and then nothing is kept apart from the memories. A profile is a value: what is
    handed out does not change, and a change is a call. Any number of threads and processes; each change
    is one transaction.

    Args:
        persist_dir: folder of the file ``profiles.db``, made at the first call.
        auto_save: False keeps changes in this process until `save`.
        store: keeps the profiles in place of ``persist_dir``.
        half_life_days: after how long without new evidence what was learnt weighs half; None for never.
    """

    def __init__(
        self,
        persist_dir: str | os.PathLike[str] | None = None,
        auto_save: bool = True,
        *,
        store: Store | None = None,
        tenant_id: str = "default",
        half_life_days: float | None = TOPIC_HALF_LIFE_DAYS,
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        if half_life_days is not None and not half_life_days > 0:
            raise InvalidInput(f"half_life_days is {half_life_days!r}; it is more than 0, or None")
        self._tenant = whole_tenant(tenant_id)
        self._file = None if persist_dir is None or store else _opened(Path(persist_dir))
        self._store = store or (self._file if auto_save and self._file else InMemoryStore())
        self._half_life = half_life_days
        self._clock = clock
        self._lock = Lock(again=True)
        if self._file is not None and not auto_save:
            _copy(self._file, self._store, self._tenant)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────

    def get_or_create(self, user_id: str) -> UserProfile:
        """The user's profile; a blank one for a user of whom nothing is known."""
        return self._weighed(self._store.profile(self._scope(user_id)))

    def list_users(self) -> list[str]:
        """The users that have a profile, sorted."""
        return [profile.user_id for profile in self._store.profiles(self._tenant)]

    def evidence(self, user_id: str) -> tuple[Learnt, ...]:
        """Every value that was learnt, with how many entries speak for it and which: the heaviest first."""
        profile = self.get_or_create(user_id)
        traits: dict[Trait, None] = dict.fromkeys(one.trait for one in profile.learnt)
        return tuple(one for trait in traits for one in profile.evidence(trait))

    def to_context_string(self, user_id: str) -> str:
        """A few lines about the user for a model; empty where nothing was said or learnt."""
        return "\n".join(context_lines(self.get_or_create(user_id), self._clock()))

    def aggregate_stats(self) -> dict[str, Any]:
        """Numbers over all users of this tenant, and of no other."""
        profiles = self._store.profiles(self._tenant)
        total = sum(profile.total_interactions for profile in profiles)
        topics: Counter[str] = Counter()
        for profile in profiles:
            topics.update(profile.topic_frequency)
        ranked = sorted(topics.items(), key=lambda one: (-one[1], one[0]))
        return {
            "tenant_id": self._tenant.tenant_id,
            "user_count": len(profiles),
            "total_interactions": total,
            "avg_interactions_per_user": total / len(profiles) if profiles else 0.0,
            "avg_importance": sum(one.importance_sum for one in profiles) / total if total else 0.0,
            "top_global_topics": ranked[:TOP_TOPICS],
        }

    # ── changing ─────────────────────────────────────────────────────────────────────────────────

    def update_from_interaction(
        self,
        user_id: str,
        query: str = "",
        topics: Sequence[str] | None = None,
        importance: float = 0.5,
        *,
        entry_id: str | None = None,
        session_id: str | None = None,
    ) -> UserProfile:
        """Learn from one thing that the user said."""
        seen = Observation(
            query, self._clock(), importance_of(importance), tuple(topics or ()), entry_id, session_id
        )
        return self._change(user_id, lambda profile: learn(profile, seen))

    def learn(self, scope: Scope, entries: Iterable[MemoryEntry], known: UserProfile | None = None) -> None:
        """Learn from entries of one user, in the caller's transaction; ``known`` spares a reading."""
        seen = [one for entry in entries if (one := observation_of(entry))]
        if not seen:
            return
        profile = former = self._weighed(known or self._store.profile(scope))
        for one in seen:
            profile = learn(profile, one)
        self._store.put_profile(scope, profile, known=former)

    def unlearn(self, scope: Scope, entry_ids: Collection[str]) -> None:
        """Take back what entries that are erased spoke for, in the caller's transaction."""
        for profile in self._store.profiles(scope):
            left = retract(profile, entry_ids)
            if left != profile:
                self._store.put_profile(self._scope(profile.user_id), left)

    def set_preference(self, user_id: str, name: str, value: Any) -> UserProfile:
        """State a preference; it stands above what was learnt. None takes it back."""
        return self.set_preferences(user_id, {name: value})

    def set_preferences(self, user_id: str, preferences: Mapping[str, Any]) -> UserProfile:
        """State preferences beside those that were stated before; a value of None takes its one back."""
        for name in preferences:
            valid_id(name, "the name of a preference")

        def stated(profile: UserProfile) -> UserProfile:
            merged = {**profile.explicit_preferences, **preferences}
            kept = {name: value for name, value in merged.items() if value is not None}
            return replace(profile, explicit_preferences=kept)

        return self._change(user_id, stated)

    def update_retention_boost(self, user_id: str, boost: float) -> UserProfile:
        """Set what is added to the importance of all that this user saves; kept within 0 and 0.5."""
        return self._change(user_id, lambda one: replace(one, memory_retention_boost=boost_of(boost)))

    def delete(self, user_id: str) -> bool:
        """Erase a user's profile; whether there was one."""
        with self._lock:
            return self._store.delete_profiles(self._scope(user_id)) > 0

    def clear(self) -> int:
        """Erase the profiles of all users of this tenant; return how many there were."""
        with self._lock:
            return self._store.delete_profiles(self._tenant)

    def save(self) -> None:
        """Write what ``auto_save=False`` held back; else there is nothing to do."""
        with self._lock:
            if self._file is not None and self._file is not self._store:
                with self._file.transaction():
                    self._file.delete_profiles(self._tenant)
                    _copy(self._store, self._file, self._tenant)

    def close(self) -> None:
        """Close the file, where it was opened here."""
        if self._file is not None:
            self._file.close()

    def _change(self, user_id: str, change: Callable[[UserProfile], UserProfile]) -> UserProfile:
        scope = self._scope(user_id)
        with self._lock, self._store.transaction():
            self._store.put_profile(scope, change(self._weighed(self._store.profile(scope))))
            return self._weighed(self._store.profile(scope))

    def _weighed(self, profile: UserProfile) -> UserProfile:
        return replace(profile, half_life_days=self._half_life)

    def _scope(self, user_id: str) -> Scope:
        return replace(self._tenant, user_id=valid_id(user_id, "user_id"))


def _opened(folder: Path) -> Store:
    from .storage.sqlite import SQLiteStore

    return SQLiteStore(folder / PROFILES_FILE)


def _copy(source: Store, target: Store, tenant: Scope) -> None:
    for profile in source.profiles(tenant):
        target.put_profile(replace(tenant, user_id=profile.user_id), profile)
