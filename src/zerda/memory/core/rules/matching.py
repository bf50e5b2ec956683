"""What a scope reaches and what a query describes: the rule that every backend's WHERE has to agree with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .filtering import holds
from .trusting import trusted_from

if TYPE_CHECKING:
    from ..model import MemoryEntry, Query, Scope


def reads(scope: Scope, entry: MemoryEntry) -> bool:
    """Whether a scope reaches an entry: its user's own, and what others share with the tenant."""
    return entry.tenant_id == scope.tenant_id and (
        scope.user_id is None or entry.user_id == scope.user_id or entry.visibility == "tenant"
    )


def owns(scope: Scope, entry: MemoryEntry) -> bool:
    """Whether a scope may change an entry: its user's own, or any for the tenant's own view."""
    return entry.tenant_id == scope.tenant_id and scope.user_id in (None, entry.user_id)


def matches(query: Query, entry: MemoryEntry) -> bool:
    """Whether every condition holds that the query sets.

    Of several kinds, speakers, origins, tags or topics one is enough. ``since``, ``until`` and
    ``min_importance`` are inclusive.
    """
    return (
        awake(query, entry)
        and (query.ids is None or entry.id in query.ids)
        and _one_of(query.kinds, entry.kind)
        and _one_of(query.speakers, entry.speaker)
        and _one_of(query.origins, entry.origin)
        and _any_of(query.tags, entry.tags)
        and _any_of(query.topics, entry.topics)
        and query.session_id in (None, entry.session_id)
        and query.promoted in (None, entry.promoted_at is not None)
        and query.pinned in (None, entry.pinned)
        and query.quarantined in (None, entry.quarantined)
        and entry.importance >= query.min_importance
        and _within(query, entry)
        and (query.where is None or holds(query.where, entry))
    )


def awake(query: Query, entry: MemoryEntry) -> bool:
    """Whether ``archived``, ``now``, ``as_of`` and ``min_trust`` let an entry be seen, if only beside one."""
    return (
        query.archived in (None, entry.archived_at is not None)
        and (query.now is None or entry.expires_at is None or entry.expires_at > query.now)
        and (query.as_of is None or entry.recorded_at <= query.as_of)
        and (query.min_trust is None or trusted_from(query.min_trust, entry.trust))
    )


def ordered(query: Query, entries: Iterable[MemoryEntry]) -> list[MemoryEntry]:
    """The entries in the query's order, ties newest first, as many as it wants.

    New and old go by ``seq``, the order of arrival: no clock moves it.
    """
    newest = sorted(entries, key=lambda entry: entry.seq, reverse=query.order != "oldest")
    if query.order == "important":
        newest.sort(key=lambda entry: -entry.importance)
    return newest[: query.limit]


def _one_of(wanted: tuple[str, ...], value: str | None) -> bool:
    return not wanted or value in wanted


def _any_of(wanted: tuple[str, ...], values: tuple[str, ...]) -> bool:
    return not wanted or any(value in wanted for value in values)


def _within(query: Query, entry: MemoryEntry) -> bool:
    return (
        entry.seq > query.after_seq
        and (query.before_seq is None or entry.seq < query.before_seq)
        and (query.since is None or entry.occurred_at >= query.since)
        and (query.until is None or entry.occurred_at <= query.until)
        and (query.recorded_since is None or entry.recorded_at >= query.recorded_since)
        and _put_away_within(query, entry)
    )


def _put_away_within(query: Query, entry: MemoryEntry) -> bool:
    at, end = entry.archived_at, entry.expires_at
    return (
        (query.archived_since is None or (at is not None and at >= query.archived_since))
        and (query.archived_before is None or (at is not None and at < query.archived_before))
        and (query.expired_by is None or (end is not None and end <= query.expired_by))
    )
