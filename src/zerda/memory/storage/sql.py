"""What every SQL backend shares: columns, conditions, and how rows become values.

`where` is the only function that writes a WHERE for a scope and a query.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..core import model
from ..core.entities import Mention, Sighting, Tie
from ..core.model import MemoryEntry, Passage
from ..core.rules.filtering import LISTS, Either, Every, Not, Test
from ..core.rules.hashing import as_json
from ..core.rules.tombstones import Tombstone
from ..core.rules.trusting import trusts_from
from ..core.trust import Receipt
from ..errors import StorageDamaged

if TYPE_CHECKING:
    from ..core.model import Query
    from ..core.rules.filtering import Condition, Op

Row = tuple[Any, ...]
Params = dict[str, Any]
Time = Callable[[datetime | None], Any]
"""A time as a column holds it."""

Moment = Callable[[Any], datetime | None]
"""The time that a column holds."""

DESCRIBED = (
    "version", "kind", "content", "occurred_at", "importance", "tags", "topics", "metadata", "speaker",
    "origin", "source", "sources", "trust", "flags", "visible", "masked", "content_hash",
)  # fmt: skip
"""What a new version says anew; the rest of an entry stays as it is."""

ENTRY_ONLY = (
    "seq", "tenant", "owner", "session", "id", "recorded_at", "promoted_at", "archived_at",
    "archived_because", "expires_at", "pinned", "access_count", "last_access",
)  # fmt: skip

ENTRY_COLUMNS = (*ENTRY_ONLY, *DESCRIBED)

PASSAGE_COLUMNS = (
    "key", "entry", "scope", "live", "session", "position", "role", "start_at", "end_at", "language",
    "question", "times", "length", "tokens", "embedded",
)  # fmt: skip


Stones = tuple[tuple[Tombstone, str], ...]

MENTION_COLUMNS = ("entry", "key", "name", "type", "count", "weight")
TIE_COLUMNS = ("entry", "subject", "relation", "object")


def insert(table: str, columns: Iterable[str]) -> str:
    """An INSERT of named parameters."""
    names = list(columns)
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(f':{name}' for name in names)})"


def selected(described: str) -> str:
    """The columns that `entry_from` reads: an entry ``e``, its owner ``o``, its session ``t``.

    ``described`` is the table that tells its descriptions: ``e``, or a former version.
    """
    return (
        "e.seq AS seq, e.id, o.tenant_id, o.user_id, t.session_id, e.recorded_at, e.promoted_at,"
        " e.archived_at, e.archived_because, e.expires_at, e.pinned, e.access_count,"
        " e.last_access, e.tenant, " + ", ".join(f"{described}.{name} AS {name}" for name in DESCRIBED)
    )


# ── scopes and conditions ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Reach:
    """A scope as this file numbers it: its tenant, and its user's own; 0 where there is none yet.

    ``everyone`` is the tenant's own view. A number belongs to one tenant alone, so a condition on any of
    them is one on the tenant too.
    """

    tenant: int
    own: int
    everyone: bool

    @property
    def visible(self) -> tuple[int, ...]:
        """What a user's scope may see."""
        return (self.own, self.tenant)


class Dialect(ABC):
    """Where two databases say the same thing differently; what is not abstract is SQLite's way."""

    session = "(SELECT session_id FROM sessions WHERE code = e.session)"
    """The name of an entry's session."""

    @abstractmethod
    def one_of(self, column: str, param: str) -> str:
        """The column's value is in the parameter, a list."""

    @abstractmethod
    def holds_any(self, column: str, param: str) -> str:
        """The column, a JSON list of texts, shares one with the parameter, a list of JSON texts."""

    @abstractmethod
    def path_exists(self, column: str, path: str) -> str:
        """The column, a JSON mapping, has something at the path, if only null."""

    @abstractmethod
    def path_meets(self, column: str, path: str, sign: str, param: str) -> str:
        """What is at the path, or an item of a list there, compares so with a value of the parameter.

        Only numbers with numbers, texts with texts, booleans with booleans, null with null.
        """

    def path(self, keys: Sequence[str], param: Callable[[Any], str]) -> str:
        """A path that leads through these keys, made of parameters."""
        return param("$" + "".join(f'."{key}"' for key in keys))

    def listed(self, values: Sequence[Any]) -> Any:
        """A list as a parameter."""
        return as_ids(values)

    def told(self, values: Sequence[Any]) -> Any:
        """Values of any kind as a parameter that metadata are compared with."""
        return as_ids(values)

    def time(self, at: datetime | None) -> Any:
        """A time as a parameter."""
        return micros(at)

    def of_tenant(self, table: str) -> str:
        """The table's row is of the caller's tenant."""
        return f"{table}.tenant = :tenant"

    def reached(self, reach: Reach, *, to_change: bool, few: bool) -> tuple[tuple[str, ...], str]:
        """What the scope reaches of an entry ``e``: in disjoint parts, and at once.

        Where other conditions leave ``few``, they lead, and the scope only filters.
        """
        arms, together = _reached(reach, to_change)
        if few:  # "+" keeps the scope's index out.
            return (together := together.replace("e.", "+e."),), together
        return arms, together


@dataclass(frozen=True, slots=True)
class Where:
    """The conditions of a call on an entry ``e``. ``reach`` may be replaced by one of its ``arms``."""

    arms: tuple[str, ...]
    reach: str
    awake: str
    matching: str
    params: Params

    @property
    def seen(self) -> str:
        """Within the scope, and awake: what may at least stand beside a match."""
        return f"{self.reach} AND {self.awake}"

    @property
    def sql(self) -> str:
        """All conditions."""
        return f"{self.seen} AND {self.matching}"

    def each_arm(self) -> list[str]:
        """All conditions, for disjoint parts of the scope: each is one stretch of an index."""
        return [f"{arm} AND {self.awake} AND {self.matching}" for arm in self.arms]


def where(reach: Reach, query: Query, dialect: Dialect, *, to_change: bool = False) -> Where:
    """What the scope reaches and the query describes; `core.rules.matching` is the same in Python.

    ``to_change`` reaches only what is the user's own.
    """
    conditions = _conditions(query, dialect)
    params: Params = {"tenant": reach.tenant, "own": reach.own}
    for _, values in conditions:
        params.update(values)
    awake, awake_params = _awake(query, dialect.time)
    arms, together = dialect.reached(reach, to_change=to_change, few=_few(query))
    return Where(
        arms=arms,
        reach=together,
        awake=awake,
        matching=" AND ".join(sql for sql, _ in conditions) or "TRUE",
        params={**params, **awake_params},
    )


def _reached(reach: Reach, to_change: bool) -> tuple[tuple[str, ...], str]:
    if reach.everyone:
        return ("e.tenant = :tenant",), "e.tenant = :tenant"
    if to_change:
        return ("e.owner = :own",), "e.owner = :own"
    return ("e.visible = :own", "e.visible = :tenant"), "e.visible IN (:own, :tenant)"


def _awake(query: Query, time: Time) -> tuple[str, Params]:
    given: list[tuple[bool, str, Params]] = [
        (query.archived is False, "e.archived_at IS NULL", {}),
        (query.archived is True, "e.archived_at IS NOT NULL", {}),
        (query.now is not None, "(e.expires_at IS NULL OR e.expires_at > :now)", {"now": time(query.now)}),
        (query.as_of is not None, "e.recorded_at <= :as_of", {"as_of": time(query.as_of)}),
        *_trusted(query),
    ]
    parts = [(sql, params) for on, sql, params in given if on]
    params = {name: value for _, named in parts for name, value in named.items()}
    return " AND ".join(sql for sql, _ in parts) or "TRUE", params


def _trusted(query: Query) -> list[tuple[bool, str, Params]]:
    """From ``min_trust`` on: a few words, of which the column is one."""
    words = trusts_from(query.min_trust) if query.min_trust else ()
    names = [f"trust{number}" for number in range(len(words))]
    listed = ", ".join(f":{name}" for name in names)
    return [(bool(words), f"e.trust IN ({listed})", dict(zip(names, words, strict=True)))]


def _conditions(query: Query, dialect: Dialect) -> list[tuple[str, Params]]:
    """Every condition that is set, with its parameters."""
    q, time = query, dialect.time
    within = dialect.of_tenant("sessions")
    session = f"e.session IN (SELECT code FROM sessions WHERE {within} AND session_id = :session_id)"
    given: list[tuple[object, str, Any]] = [
        (
            q.ids is not None,
            f"{dialect.of_tenant('e')} AND {dialect.one_of('e.id', ':ids')}",
            ("ids", q.ids),
        ),
        (q.kinds, dialect.one_of("e.kind", ":kinds"), ("kinds", q.kinds)),
        (q.speakers, dialect.one_of("e.speaker", ":speakers"), ("speakers", q.speakers)),
        (q.origins, dialect.one_of("e.origin", ":origins"), ("origins", q.origins)),
        (q.tags, dialect.holds_any("e.tags", ":tags"), ("tags", [as_json(tag, "tag") for tag in q.tags])),
        (
            q.topics,
            dialect.holds_any("e.topics", ":topics"),
            ("topics", [as_json(t, "topic") for t in q.topics]),
        ),
    ]
    listed = [(sql, {name: dialect.listed(value)}) for on, sql, (name, value) in given if on]
    plain: list[tuple[bool, str, Params]] = [
        (q.session_id is not None, session, {"session_id": q.session_id}),
        (q.since is not None, "e.occurred_at >= :since", {"since": time(q.since)}),
        (q.until is not None, "e.occurred_at <= :until", {"until": time(q.until)}),
        (q.min_importance > 0, "e.importance >= :min_importance", {"min_importance": q.min_importance}),
        (q.promoted is not None, "(e.promoted_at IS NOT NULL) = :promoted", {"promoted": q.promoted}),
        (q.pinned is not None, "e.pinned = :pinned", {"pinned": q.pinned}),
        (q.after_seq > 0, "e.seq > :after_seq", {"after_seq": q.after_seq}),
        (q.before_seq is not None, "e.seq < :before_seq", {"before_seq": q.before_seq}),
        (
            q.archived_since is not None,
            "e.archived_at >= :put_since",
            {"put_since": time(q.archived_since)},
        ),
        (
            q.archived_before is not None,
            "e.archived_at < :put_until",
            {"put_until": time(q.archived_before)},
        ),
        (q.quarantined is True, f"coalesce({_QUARANTINED}, FALSE)", {}),
        (q.quarantined is False, f"NOT coalesce({_QUARANTINED}, FALSE)", {}),
        (
            q.recorded_since is not None,
            "e.recorded_at >= :recorded_since",
            {"recorded_since": time(q.recorded_since)},
        ),
        (q.expired_by is not None, "e.expires_at <= :expired_by", {"expired_by": time(q.expired_by)}),
    ]
    filters = [] if q.where is None else [_Filter(dialect).sql(q.where)]
    return listed + [(sql, params) for on, sql, params in plain if on] + filters


_QUARANTINED = f"substr(e.archived_because, 1, {len(model.QUARANTINED)}) = '{model.QUARANTINED}'"


class _Filter:
    """A filter as SQL; values and paths are parameters. `core.rules.filtering.holds` is its oracle."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._params: Params = {}

    def sql(self, asked: Condition) -> tuple[str, Params]:
        """The condition, never NULL, with its parameters."""
        return self._written(asked), self._params

    def _written(self, asked: Condition) -> str:
        match asked:
            case Every(parts):
                return self._joined(parts, " AND ", "TRUE")
            case Either(parts):
                return self._joined(parts, " OR ", "FALSE")
            case Not(part):
                return f"NOT {self._written(part)}"
            case Test():
                return f"coalesce({self._test(asked)}, FALSE)"

    def _joined(self, parts: Sequence[Condition], word: str, nothing: str) -> str:
        return f"({word.join(self._written(part) for part in parts) or nothing})"

    def _test(self, test: Test) -> str:
        if test.field == "metadata":
            path = self._dialect.path(test.path, self._param)
            if test.op == "exists":
                return self._dialect.path_exists("e.metadata", path)
            asked = self._param(self._dialect.told(test.values))
            return self._dialect.path_meets("e.metadata", path, _SIGNS[test.op], asked)
        if test.field in LISTS:
            if test.op == "exists":
                return f"e.{test.field} <> '[]'"
            items = [as_json(value, test.field) for value in test.values]
            return self._dialect.holds_any(f"e.{test.field}", self._list(items))
        column = self._dialect.session if test.field == "session" else f"e.{_COLUMNS[test.field]}"
        if test.op == "exists":
            return f"{column} IS NOT NULL"
        if test.op == "in":
            return self._dialect.one_of(column, self._list(self._values(test)))
        return f"{column} {_SIGNS[test.op]} {self._param(self._values(test)[0])}"

    def _values(self, test: Test) -> Sequence[Any]:
        if test.field != "time":
            return test.values
        return [self._dialect.time(moment(value)) for value in test.values if isinstance(value, int)]

    def _list(self, values: Sequence[Any]) -> str:
        return self._param(self._dialect.listed(values))

    def _param(self, value: Any) -> str:
        name = f"filter{len(self._params)}"
        self._params[name] = value
        return f":{name}"


_SIGNS: Mapping[Op, str] = {"in": "=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
_COLUMNS = {"speaker": "speaker", "kind": "kind", "origin": "origin", "source": "source", "trust": "trust",
            "time": "occurred_at"}  # fmt: skip


_ORDERS = {
    "newest": ("seq DESC",),
    "oldest": ("seq ASC",),
    "important": ("importance DESC", "seq DESC"),
}


def order_of(query: Query) -> str:
    """The query's order over `selected`; an index gives it, except where other conditions leave few."""
    sign = "+" if _few(query) else ""
    return ", ".join(sign + column for column in _ORDERS[query.order])


def _few(query: Query) -> bool:
    return query.ids is not None or query.session_id is not None


# ── values to columns ────────────────────────────────────────────────────────────────────────────────


def micros(at: datetime | None) -> int | None:
    """Microseconds since 1970; None stays None."""
    return None if at is None else model.micros(at)


def moment(value: int | None) -> datetime | None:
    """The time that `micros` made a number of."""
    return None if value is None else model.moment(value)


def as_texts(values: Sequence[str], what: str) -> str:
    """A list of texts as JSON."""
    return as_json(values, what) if values else "[]"


def described(entry: MemoryEntry, visible: int, time: Time = micros) -> Params:
    """The columns `DESCRIBED` of an entry."""
    return {
        "version": entry.version, "kind": entry.kind, "content": as_json(entry.content, "content"),
        "occurred_at": time(entry.occurred_at), "importance": entry.importance,
        "tags": as_texts(entry.tags, "tags"), "topics": as_texts(entry.topics, "topics"),
        "metadata": as_json(entry.metadata, "metadata"), "speaker": entry.speaker, "origin": entry.origin,
        "source": entry.source, "sources": as_texts(entry.sources, "sources"), "trust": entry.trust,
        "flags": as_texts(entry.flags, "flags"), "visible": visible,
        "masked": as_json(entry.masked, "masked"), "content_hash": entry.content_hash,
    }  # fmt: skip


def entry_params(
    entry: MemoryEntry, tenant: int, owner: int, visible: int, session: int, time: Time = micros
) -> Params:
    """All of `ENTRY_COLUMNS`."""
    return {
        "seq": entry.seq, "tenant": tenant, "owner": owner, "session": session, "id": entry.id,
        "recorded_at": time(entry.recorded_at), "promoted_at": time(entry.promoted_at),
        "archived_at": time(entry.archived_at), "archived_because": entry.archived_because,
        "expires_at": time(entry.expires_at),
        "pinned": entry.pinned, "access_count": entry.access_count, "last_access": time(entry.last_access),
        **described(entry, visible, time),
    }  # fmt: skip


def passage_params(passage: Passage) -> Params:
    """What a passage says of itself; its place in the store is added by the store."""
    return {
        "role": passage.role, "start_at": passage.start, "end_at": passage.end, "language": passage.language,
        "question": passage.question, "times": model.spans_as_text(passage.times),
        "length": passage.length, "tokens": " ".join(passage.tokens),
    }  # fmt: skip


# ── columns to values ────────────────────────────────────────────────────────────────────────────────


def entry_from(row: Row, moment: Moment = moment) -> MemoryEntry:
    """The entry that `selected` read."""
    (seq, id_, tenant_id, user_id, session_id, recorded_at, promoted_at, archived_at, archived_because,
     expires_at, pinned, access_count, last_access, tenant, version, kind, content, occurred_at, importance,
     tags, topics, metadata, speaker, origin, source, sources, trust, flags, visible, masked,
     content_hash) = row  # fmt: skip
    return MemoryEntry(
        id=id_, tenant_id=tenant_id, user_id=user_id or None, session_id=session_id, seq=seq, version=version,
        kind=kind, content=_read(content), occurred_at=known(moment(occurred_at)),
        recorded_at=known(moment(recorded_at)), importance=importance, tags=_texts(tags),
        topics=_texts(topics), metadata=_read(metadata), speaker=speaker, origin=origin,
        source=source, sources=_texts(sources), trust=trust, flags=_texts(flags),
        visibility="tenant" if visible == tenant else "user",
        promoted_at=moment(promoted_at), archived_at=moment(archived_at), archived_because=archived_because,
        expires_at=moment(expires_at),
        pinned=bool(pinned), access_count=access_count, last_access=moment(last_access),
        masked=_read(masked), content_hash=content_hash,
    )  # fmt: skip


def known(at: datetime | None) -> datetime:
    if at is None:
        raise StorageDamaged("a row lacks a time that every entry has; restore a backup")
    return at


GRAVES = (
    "SELECT digest, content, owner, receipt FROM tombstones"
    " WHERE tenant_id = :tenant_id AND digest > :after ORDER BY digest LIMIT :limit"
)


def stones_from(rows: Iterable[tuple[bytes, bytes | None, bytes | None, str]]) -> Stones:
    """Tombstones from rows, each with its receipt."""
    return tuple((Tombstone(digest, content, owner), receipt) for digest, content, owner, receipt in rows)


RECEIPTS = (
    "SELECT at, id, what, counts, digest, complete FROM receipts WHERE tenant_id = :tenant_id ORDER BY at, id"
)


def receipt_params(receipt: Receipt, at: Any) -> Params:
    """A receipt as a row; ``at`` as the dialect writes a time."""
    return {
        "tenant_id": receipt.tenant_id, "id": receipt.id, "what": receipt.what, "at": at,
        "counts": as_json(receipt.counts, "counts"), "digest": receipt.digest, "complete": receipt.complete,
    }  # fmt: skip


def receipt_from(
    tenant_id: str, at: datetime, id: str, what: str, counts: str, digest: str, complete: bool
) -> Receipt:
    """A receipt from a row."""
    return Receipt(
        id=id, tenant_id=tenant_id, what=what, at=at, counts=_read(counts), digest=digest,
        complete=bool(complete),
    )  # fmt: skip


STORED = (
    "p.key, e.id, e.seq, p.session, p.position, p.role, p.start_at, p.end_at, p.language, p.question,"
    " p.times, p.length, p.tokens, e.occurred_at, e.last_access, e.importance,"
    " CASE p.role WHEN 'input' THEN 'user' WHEN 'output' THEN 'assistant' ELSE e.speaker END, e.access_count,"
    " e.trust"
)
"""The columns of a `StoredPassage`, before ``matching`` and the vector; see `speaker_of` for the CASE."""


def _read(text: str) -> Any:
    if text == "[]":
        return ()
    try:
        return json.loads(text)
    except ValueError as error:
        raise StorageDamaged("a row holds no JSON where it should; restore the file from a backup") from error


def _texts(text: str) -> tuple[str, ...]:
    return tuple(_read(text))


content_from = _read


def as_ids(values: Sequence[Any]) -> str:
    """Ids or keys as one JSON text, such as a parameter."""
    return json.dumps(values, separators=(",", ":")) if values else "[]"


# ── names ────────────────────────────────────────────────────────────────────────────────────────────


def name_as_kept(text: str) -> str:
    """A name, key or relation as a column holds it: JSON in ASCII, so that any text comes back."""
    return as_json(text, "a name")


def mention_params(mention: Mention) -> Params:
    """A mention's columns, but for its entry."""
    return {
        "key": name_as_kept(mention.key), "name": name_as_kept(mention.name),
        "type": name_as_kept(mention.type), "count": mention.count, "weight": mention.weight,
    }  # fmt: skip


def tie_params(tie: Tie) -> Params:
    """A tie's columns, but for its entry."""
    return {name: name_as_kept(getattr(tie, name)) for name in TIE_COLUMNS[1:]}


def sighting_from(row: Row, moment: Moment = moment) -> Sighting:
    """Key, name, type, count, weight, entries, first and last time."""
    texts, (count, weight, entries, first, last) = row[:3], row[3:]
    key, name, kind = map(_read, texts)
    times = known(moment(first)), known(moment(last))
    return Sighting(key, name, kind, int(count), float(weight), int(entries), *times)


def tie_from(row: Row) -> tuple[Tie, int]:
    """Subject, relation, object, and how many entries say so."""
    *texts, entries = row
    return Tie(*map(_read, texts)), int(entries)
