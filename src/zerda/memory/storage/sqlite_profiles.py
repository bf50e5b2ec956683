"""Profiles in the tables of a SQLite file, within the transaction of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..core.rules.hashing import as_json
from ..core.rules.profile import Learnt, UserProfile
from ..errors import InvalidInput
from .driver import fetched
from .sql import Params, as_texts, content_from, insert, micros, moment

if TYPE_CHECKING:
    from apsw import Connection

    from ..core.model import Scope

_PROFILE = (
    "interactions", "sessions", "last_session", "query_words", "importance_sum", "retention_boost",
    "first_at", "last_at",
)  # fmt: skip
_LEARNT = ("trait", "value", "weight", "counted", "at", "entries")

# A scope without a user is the whole tenant.
_WITHIN = "tenant_id = :tenant AND (:user IS NULL OR user_id = :user)"


def user_of(scope: Scope) -> str:
    """The user of a scope that has one."""
    if scope.user_id is None:
        raise InvalidInput("a profile is one user's; this scope is the whole tenant")
    return scope.user_id


def read(db: Connection, scope: Scope) -> list[UserProfile]:
    """The profiles within the scope, by user id."""
    sql = f"SELECT code, user_id, {', '.join(_PROFILE)} FROM profiles WHERE {_WITHIN} ORDER BY user_id"
    rows = fetched(db, sql, _owner(scope))
    preferences = _grouped(db, "preferences", ("name", "value"), scope)
    learnt = _grouped(db, "learnt", _LEARNT, scope)
    return [
        _profile(
            scope.tenant_id,
            user_id,
            values,
            {name: _value(value) for name, value in preferences.get(code, ())},
            tuple(_learnt_from(row) for row in learnt.get(code, ())),
        )
        for code, user_id, *values in rows
    ]


def write(db: Connection, scope: Scope, profile: UserProfile, known: UserProfile | None = None) -> None:
    """Keep a profile; only rows that differ from the ``known`` one, or the kept one, are written."""
    params: Params = {
        "tenant": scope.tenant_id, "user": user_of(scope),
        "interactions": profile.total_interactions, "sessions": profile.session_count,
        "last_session": profile.last_session, "query_words": profile.query_words,
        "importance_sum": profile.importance_sum, "retention_boost": profile.memory_retention_boost,
        "first_at": micros(profile.first_at), "last_at": micros(profile.last_at),
    }  # fmt: skip
    columns = ", ".join(_PROFILE)
    values = ", ".join(f":{name}" for name in _PROFILE)
    changed = ", ".join(f"{name} = :{name}" for name in _PROFILE)
    rows = fetched(
        db,
        f"INSERT INTO profiles (tenant_id, user_id, {columns}) VALUES (:tenant, :user, {values})"
        f" ON CONFLICT (tenant_id, user_id) DO UPDATE SET {changed} RETURNING code",
        params,
    )
    code = int(rows[0][0])
    former = known or next(iter(read(db, scope)))
    preferences = [_preference_rows(one) for one in (former, profile)]
    _replace(db, "preferences", ("name", "value"), code, *preferences)
    _replace(
        db, "learnt", _LEARNT, code, *([_learnt_row(one) for one in it.learnt] for it in (former, profile))
    )


def delete(db: Connection, scope: Scope) -> int:
    """Erase the profiles within the scope, with preferences and evidence."""
    return len(fetched(db, f"DELETE FROM profiles WHERE {_WITHIN} RETURNING code", _owner(scope)))


def _owner(scope: Scope) -> Params:
    return {"tenant": scope.tenant_id, "user": scope.user_id}


def _grouped(
    db: Connection, table: str, columns: tuple[str, ...], scope: Scope
) -> dict[int, list[tuple[Any, ...]]]:
    """The rows of all profiles within the scope, by profile."""
    rows = fetched(
        db,
        f"SELECT profile, {', '.join(columns)} FROM profiles CROSS JOIN {table} ON profile = code"
        f" WHERE {_WITHIN} ORDER BY 1, 2, 3",
        _owner(scope),
    )
    grouped: dict[int, list[tuple[Any, ...]]] = {}
    for code, *row in rows:
        grouped.setdefault(code, []).append(tuple(row))
    return grouped


def _replace(
    db: Connection,
    table: str,
    columns: tuple[str, ...],
    code: int,
    former: list[tuple[Any, ...]],
    rows: list[tuple[Any, ...]],
) -> None:
    kept, given = set(former), set(rows)
    width = 1 if table == "preferences" else 2  # Columns of the key, which come first.
    key = columns[:width]
    names = {row[:width] for row in given}
    where = " AND ".join(f"{name} = :{name}" for name in key)
    db.executemany(
        f"DELETE FROM {table} WHERE profile = :profile AND {where}",
        [
            {"profile": code, **dict(zip(key, name, strict=True))}
            for name in sorted({row[:width] for row in kept} - names)
        ],
    )
    db.executemany(
        insert(table, ("profile", *columns)).replace("INSERT", "INSERT OR REPLACE", 1),
        [{"profile": code, **dict(zip(columns, row, strict=True))} for row in sorted(given - kept)],
    )


def _preference_rows(profile: UserProfile) -> list[tuple[Any, ...]]:
    given = profile.explicit_preferences.items()
    return [(name, as_json(value, "a preference")) for name, value in given]


def _learnt_row(one: Learnt) -> tuple[Any, ...]:
    entries = as_texts(one.entry_ids, "entry ids")
    return (one.trait, one.value, one.weight, one.count, micros(one.at), entries)


def _value(text: str) -> Any:
    return [] if text == "[]" else content_from(text)


def _learnt_from(row: tuple[Any, ...]) -> Learnt:
    trait, value, weight, count, at, entries = row
    moment_at = moment(at)
    assert moment_at is not None  # The column is NOT NULL.
    return Learnt(trait, value, weight, count, moment_at, tuple(content_from(entries)))


def _profile(
    tenant_id: str,
    user_id: str,
    values: list[Any],
    preferences: dict[str, Any],
    learnt: tuple[Learnt, ...],
) -> UserProfile:
    interactions, sessions, last_session, query_words, importance, boost, first_at, last_at = values
    return UserProfile(
        tenant_id=tenant_id, user_id=user_id, total_interactions=interactions, session_count=sessions,
        last_session=last_session, query_words=query_words, importance_sum=importance,
        memory_retention_boost=boost, first_at=moment(first_at), last_at=moment(last_at),
        explicit_preferences=preferences, learnt=learnt,
    )  # fmt: skip
