"""PostgreSQL's way to say what every dialect says: each condition names the tenant first."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..core.model import MemoryEntry, StoredPassage
from . import sql
from .sql import DESCRIBED, STORED, Dialect, Reach, Where, as_ids, selected

if TYPE_CHECKING:
    from ..core.model import Query, Scope
    from .postgres_driver import Link, Row

JOINED = (
    " JOIN scopes o ON o.tenant_id = e.tenant_id AND o.code = e.owner"
    " JOIN sessions t ON t.tenant_id = e.tenant_id AND t.code = e.session"
)
READ = f"SELECT {selected('e')} FROM entries e{JOINED}"

_MICROS = "(extract(epoch FROM {0}) * 1000000)::bigint"
STORED_HERE = STORED.replace("e.occurred_at", _MICROS.format("e.occurred_at")).replace(
    "e.last_access", _MICROS.format("e.last_access")
)


class PostgresDialect(Dialect):
    """Arrays as parameters, times as times; metadata are read from their copy ``told``."""

    session = "(SELECT session_id FROM sessions WHERE tenant_id = :tenant_id AND code = e.session)"

    def one_of(self, column: str, param: str) -> str:
        return f"{column} = ANY({param})"

    def holds_any(self, column: str, param: str) -> str:
        # Within a JSON text every quote has a backslash before it, so ',"…"' is a whole item.
        items = f"',' || substr({column}, 2)"
        return (
            f"EXISTS (SELECT 1 FROM unnest({param}::text[]) asked (value)"
            f" WHERE strpos({items}, ',' || asked.value) > 0)"
        )

    def path(self, keys: Sequence[str], param: Callable[[Any], str]) -> str:
        return "(e.told" + "".join(f" -> {param(_readable(key))}::text" for key in keys) + ")"

    def path_exists(self, column: str, path: str) -> str:
        return f"{path} IS NOT NULL"

    def path_meets(self, column: str, path: str, sign: str, param: str) -> str:
        items = f"CASE jsonb_typeof({path}) WHEN 'array' THEN {path} ELSE jsonb_build_array({path}) END"
        texts = "(told.value #>> '{}') COLLATE \"C\"", "(asked.value #>> '{}') COLLATE \"C\""
        return (
            f"({path} IS NOT NULL AND EXISTS (SELECT 1 FROM jsonb_array_elements({items}) told (value)"
            f" CROSS JOIN jsonb_array_elements({param}::jsonb) asked (value)"
            " WHERE jsonb_typeof(told.value) = jsonb_typeof(asked.value) AND CASE jsonb_typeof(told.value)"
            f" WHEN 'string' THEN {texts[0]} {sign} {texts[1]}"
            f" WHEN 'number' THEN told.value::numeric {sign} asked.value::numeric"
            f" WHEN 'boolean' THEN told.value::boolean {sign} asked.value::boolean"
            " WHEN 'null' THEN TRUE ELSE FALSE END))"
        )

    def listed(self, values: Sequence[Any]) -> Any:
        return list(values)

    def told(self, values: Sequence[Any]) -> Any:
        return readable(as_ids(list(values)))

    def time(self, at: datetime | None) -> Any:
        return at

    def of_tenant(self, table: str) -> str:
        return f"{table}.tenant_id = :tenant_id"

    def reached(self, reach: Reach, *, to_change: bool, few: bool) -> tuple[tuple[str, ...], str]:
        tenant = self.of_tenant("e")
        if reach.everyone:
            return (tenant,), tenant
        if to_change:
            return (together := f"{tenant} AND e.owner = :own",), together
        arms = tuple(f"{tenant} AND e.visible = :{name}" for name in ("own", "tenant"))
        return arms, f"{tenant} AND e.visible IN (:own, :tenant)"


DIALECT = PostgresDialect()


def where(scope: Scope, reach: Reach, query: Query, *, to_change: bool = False) -> Where:
    """The conditions of a call; ``:tenant_id`` is among their parameters."""
    conditions = sql.where(reach, query, DIALECT, to_change=to_change)
    conditions.params["tenant_id"] = scope.tenant_id
    return conditions


def order_of(query: Query) -> str:
    """The query's order over `selected`."""
    return {"newest": "seq DESC", "oldest": "seq ASC", "important": "importance DESC, seq DESC"}[query.order]


def reach_of(link: Link, scope: Scope) -> Reach:
    """The scope in the database's numbers."""
    rows = link.rows(
        "SELECT shared, code FROM scopes WHERE tenant_id = :tenant AND user_id IN ('', :user)"
        " AND (shared OR user_id = :user)",
        {"tenant": scope.tenant_id, "user": scope.user_id or ""},
    )
    codes: dict[bool, int] = dict(rows)
    everyone = scope.user_id is None
    return Reach(codes.get(True, 0), 0 if everyone else codes.get(False, 0), everyone)


def codes_of(link: Link, scope: Scope) -> list[int]:
    """The numbers of all that the scope may see."""
    rows = link.rows(
        "SELECT code FROM scopes WHERE tenant_id = :tenant"
        " AND (shared OR :user::text IS NULL OR user_id = :user) ORDER BY code",
        {"tenant": scope.tenant_id, "user": scope.user_id},
    )
    return [code for (code,) in rows]


def entry_from(row: Row) -> MemoryEntry:
    """The entry that `READ` read."""
    return sql.entry_from(row, as_it_is)


def stored_from(row: Row) -> StoredPassage:
    """The passage that `STORED_HERE`, ``matching`` and the vector tell."""
    return StoredPassage(*row)


def as_it_is(at: datetime | None) -> datetime | None:
    """A time is a time here."""
    return at


ENTRY_TYPES = {
    "tenant_id": "text", "seq": "bigint", "tenant": "bigint", "owner": "bigint", "session": "bigint",
    "id": "text",
    "recorded_at": "timestamptz", "promoted_at": "timestamptz", "archived_at": "timestamptz",
    "archived_because": "text", "expires_at": "timestamptz", "pinned": "boolean", "access_count": "bigint",
    "last_access": "timestamptz", "version": "integer", "kind": "text", "content": "text",
    "occurred_at": "timestamptz", "importance": "double precision", "tags": "text", "topics": "text",
    "metadata": "text", "told": "jsonb", "speaker": "text", "origin": "text", "source": "text",
    "sources": "text", "trust": "text", "flags": "text", "visible": "bigint", "masked": "text",
    "content_hash": "text",
}  # fmt: skip
"""Every column of an entry with its type."""

VERSION_TYPES = {"tenant_id": "text", "entry": "bigint", **{name: ENTRY_TYPES[name] for name in DESCRIBED}}

PASSAGE_TYPES = {
    "tenant_id": "text", "key": "bigint", "entry": "bigint", "scope": "bigint", "live": "boolean",
    "session": "bigint", "position": "bigint", "role": "text", "start_at": "bigint", "end_at": "bigint",
    "language": "text", "question": "boolean", "times": "text", "length": "bigint", "tokens": "text",
    "embedded": "bigint",
}  # fmt: skip


# ── metadata that the database can read ──────────────────────────────────────────────────────────────

_ESCAPES = re.compile(
    r"\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})"  # a character beyond the first 65,536
    r"|\\u(0000|d[89a-f][0-9a-f]{2})"  # NUL, or half of one
    r"|\\[^u]"
)
_STAND_INS = 0x10F000  # Private use: 2,048 for halves of characters, and one for NUL.


def readable(text: str) -> str:
    """JSON that jsonb takes: NUL and lone surrogates give way to private characters, NaN to null.

    Only filters read it; what is handed out is the text as it was given.
    """
    if "NaN" in text or "Infinity" in text:
        text = json.dumps(json.loads(text, parse_constant=lambda _: None))
    if "\\u0000" not in text and "\\ud" not in text:
        return text
    return _ESCAPES.sub(_stand_in, text)


def _stand_in(found: re.Match[str]) -> str:
    if found[3] is None:
        return found[0]
    code = int(found[3], 16)
    return chr(_STAND_INS + (code - 0xD800 if code else 0x800))


def _readable(key: str) -> str:
    return str(json.loads(readable(json.dumps(key))))
