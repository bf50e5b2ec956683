"""Profiles on PostgreSQL, within the transaction of the caller."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from ..core.rules.hashing import as_json
from ..core.rules.profile import Learnt, UserProfile
from ..errors import InvalidInput

if TYPE_CHECKING:
    from ..core.model import Scope
    from .postgres_driver import Link
    from .sql import Params

_PROFILE = (
    "interactions", "sessions", "last_session", "query_words", "importance_sum", "retention_boost",
    "first_at", "last_at",
)  # fmt: skip
_PREFERENCE = {"tenant_id": "text", "user_id": "text", "name": "text", "value": "text"}
_LEARNT = {
    "tenant_id": "text", "user_id": "text", "trait": "text", "value": "text", "weight": "double precision",
    "counted": "bigint", "at": "timestamptz", "entries": "text",
}  # fmt: skip

# A scope without a user is the whole tenant.
_WITHIN = "tenant_id = :tenant_id AND (:user_id::text IS NULL OR user_id = :user_id)"


def user_of(scope: Scope) -> str:
    """The user of a scope that has one."""
    if scope.user_id is None:
        raise InvalidInput("a profile is one user's; this scope is the whole tenant")
    return scope.user_id


def read(db: Link, scope: Scope) -> list[UserProfile]:
    """The profiles within the scope, by user id."""
    sql = f"SELECT user_id, {', '.join(_PROFILE)} FROM profiles WHERE {_WITHIN} ORDER BY user_id"
    preferences = _grouped(db, "preferences", "name, value", scope)
    learnt = _grouped(db, "learnt", "trait, value, weight, counted, at, entries", scope)
    return [
        _profile(scope.tenant_id, user_id, values, preferences[user_id], learnt[user_id])
        for user_id, *values in db.rows(sql, _owner(scope))
    ]


def write(db: Link, scope: Scope, profile: UserProfile, known: UserProfile | None) -> None:
    """Keep a profile; only what differs from the one that is known is written."""
    owner = {"tenant_id": scope.tenant_id, "user_id": user_of(scope)}
    params: Params = {
        **owner,
        "interactions": profile.total_interactions, "sessions": profile.session_count,
        "last_session": profile.last_session, "query_words": profile.query_words,
        "importance_sum": profile.importance_sum, "retention_boost": profile.memory_retention_boost,
        "first_at": profile.first_at, "last_at": profile.last_at,
    }  # fmt: skip
    values = ", ".join(f":{name}" for name in _PROFILE)
    changed = ", ".join(f"{name} = excluded.{name}" for name in _PROFILE)
    db.run(
        f"INSERT INTO profiles (tenant_id, user_id, {', '.join(_PROFILE)})"
        f" VALUES (:tenant_id, :user_id, {values}) ON CONFLICT (tenant_id, user_id) DO UPDATE SET {changed}",
        params,
    )
    before = known or next(iter(read(db, scope)), None)
    _replace(db, "preferences", _PREFERENCE, 1, owner, _preferences(before), _preferences(profile))
    _replace(db, "learnt", _LEARNT, 2, owner, _learnt(before), _learnt(profile))


def delete(db: Link, scope: Scope) -> int:
    """Erase the profiles within the scope, with preferences and evidence."""
    return db.run(f"DELETE FROM profiles WHERE {_WITHIN}", _owner(scope))


def _owner(scope: Scope) -> Params:
    return {"tenant_id": scope.tenant_id, "user_id": scope.user_id}


def _grouped(db: Link, table: str, columns: str, scope: Scope) -> defaultdict[str, list[tuple[Any, ...]]]:
    """The rows of all profiles within the scope, by user."""
    grouped: defaultdict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for user_id, *row in db.rows(f"SELECT user_id, {columns} FROM {table} WHERE {_WITHIN}", _owner(scope)):
        grouped[user_id].append(tuple(row))
    return grouped


def _replace(
    db: Link,
    table: str,
    columns: dict[str, str],
    width: int,
    owner: Params,
    before: set[tuple[Any, ...]],
    after: set[tuple[Any, ...]],
) -> None:
    """Write the rows that are new; ``width`` columns after the owner's are the key."""
    names = list(columns)[len(owner) :]
    key = names[:width]
    gone = sorted({row[:width] for row in before} - {row[:width] for row in after})
    if gone:
        arrays = ", ".join(f":{name}::text[]" for name in key)
        same = " AND ".join(f"t.{name} = gone.{name}" for name in key)
        db.run(
            f"DELETE FROM {table} t USING unnest({arrays}) gone ({', '.join(key)})"
            f" WHERE t.tenant_id = :tenant_id AND t.user_id = :user_id AND {same}",
            {**owner, **{name: [row[at] for row in gone] for at, name in enumerate(key)}},
        )
    changed = ", ".join(f"{name} = excluded.{name}" for name in names[width:])
    db.insert(
        table,
        columns,
        [{**owner, **dict(zip(names, row, strict=True))} for row in sorted(after - before)],
        more=f"ON CONFLICT (tenant_id, user_id, {', '.join(key)}) DO UPDATE SET {changed}",
    )


def _preferences(profile: UserProfile | None) -> set[tuple[Any, ...]]:
    given = profile.explicit_preferences.items() if profile else ()
    return {(as_json(name, "a name"), as_json(value, "a preference")) for name, value in given}


def _learnt(profile: UserProfile | None) -> set[tuple[Any, ...]]:
    return {
        (one.trait, as_json(one.value, "a value"), one.weight, one.count, one.at,
         as_json(one.entry_ids, "entry ids"))
        for one in (profile.learnt if profile else ())
    }  # fmt: skip


def _profile(
    tenant_id: str,
    user_id: str,
    values: list[Any],
    preferences: list[tuple[Any, ...]],
    learnt: list[tuple[Any, ...]],
) -> UserProfile:
    interactions, sessions, last_session, query_words, importance, boost, first_at, last_at = values
    told = sorted((trait, json.loads(value), *rest) for trait, value, *rest in learnt)
    return UserProfile(
        tenant_id=tenant_id, user_id=user_id, total_interactions=interactions, session_count=sessions,
        last_session=last_session, query_words=query_words, importance_sum=importance,
        memory_retention_boost=boost, first_at=first_at, last_at=last_at,
        explicit_preferences={json.loads(name): json.loads(value) for name, value in sorted(preferences)},
        learnt=tuple(
            Learnt(trait, value, weight, count, at, tuple(json.loads(entries)))
            for trait, value, weight, count, at, entries in told
        ),
    )  # fmt: skip
