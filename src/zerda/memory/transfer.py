"""The one format in which memories leave and come back: JSON Lines, version 1 (docs/export.md)."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from .core.model import KINDS, ORIGINS, TRUSTS, VISIBILITIES, Draft, MemoryEntry, Passage, Query, Scope, Trust
from .core.rules.chunking import CHUNK_WORDS
from .core.rules.digests import BYTES as DIGEST_BYTES
from .core.rules.digests import KEY_BYTES
from .core.rules.hashing import content_hash
from .core.rules.ids import valid_id
from .core.rules.notes import importance_of
from .core.rules.passages import passages_of
from .core.rules.profile import Learnt, UserProfile
from .core.rules.time import in_utc
from .core.rules.tombstones import Graves, Tombstone
from .core.rules.trusting import counted_importance, lowest
from .core.transfer import Carried, Place
from .core.trust import Grant, Receipt
from .errors import EntryConflict, InvalidInput
from .gate import narrowed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .storage.base import Catalog, Store

FORMAT = "zerda.memory"
VERSION = 1

BATCH = 500
"""Entries that an import keeps in one transaction."""

MOST_KEYS = 100
"""Keys of tombstones that an import takes from a line: each is tried at every save."""

KEPT_FAULTS = 1_000
"""Faults of an import that are told one by one; all are counted."""

Progress = Callable[[int], None]
"""Is told, now and then, how many entries are through."""


class ImportFault(InvalidInput):
    """A line that cannot be used; its message tells what of it, and none of its content."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that an import left out, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What became of an import. ``complete`` is False where its last line is missing: it was cut short.

    ``saved`` entries are new; ``already_there`` were kept before; ``erased`` were erased here and stay
    so; ``skipped`` lines could not be used, ``faults`` tells the first thousand of them.
    """

    read: int = 0
    saved: int = 0
    already_there: int = 0
    erased: int = 0
    profiles: int = 0
    grants: int = 0
    tombstones: int = 0
    receipts: int = 0
    skipped: int = 0
    faults: tuple[Fault, ...] = ()
    complete: bool = False


# ── out ──────────────────────────────────────────────────────────────────────────────────────────


def exported(
    store: Store,
    scope: Scope,
    now: datetime,
    *,
    vectors: bool = False,
    grants: Sequence[Grant] = (),
    erasures: bool = False,
    progress: Progress | None = None,
) -> Iterator[str]:
    """Lines, each with its line end: a header, entries in order of arrival, profiles, grants, the end.

    With ``erasures`` also receipts and tombstones, which come last: an entry may say what once was erased.
    """
    counts = {"entries": 0, "profiles": 0, "grants": len(grants), "tombstones": 0, "receipts": 0}
    yield _line(
        {
            "type": "header",
            "format": FORMAT,
            "version": VERSION,
            "tenant_id": scope.tenant_id,
            "user_id": scope.user_id,
            "exported_at": now,
            "vectors": vectors,
        }
    )
    for one in store.carried(scope, vectors=vectors):
        yield _line(_entry_line(one))
        counts["entries"] += 1
        if progress and counts["entries"] % BATCH == 0:
            progress(counts["entries"])
    for profile in store.profiles(scope):
        yield _line({"type": "profile", **_profile_line(profile)})
        counts["profiles"] += 1
    for grant in grants:
        yield _line({"type": "grant", **_values(grant, leave=("tenant_id",))})
    for line, count in _erasure_lines(store, scope.tenant_id) if erasures else ():
        yield line
        counts[count[0]] += count[1]
    yield _line({"type": "end", **counts})
    if progress:
        progress(counts["entries"])


_OF_ENTRY = tuple(field.name for field in fields(MemoryEntry) if field.name not in ("tenant_id", "seq"))
_OF_VERSION = (
    "version", "kind", "content", "occurred_at", "importance", "tags", "topics", "metadata", "speaker",
    "origin", "source", "sources", "trust", "flags", "visibility", "masked", "content_hash",
)  # fmt: skip
_LATER = ("source", "flags")  # What exports of a former release do not tell.
_TIMES = ("occurred_at", "recorded_at", "promoted_at", "archived_at", "expires_at", "last_access")


def _entry_line(one: Carried) -> dict[str, Any]:
    line: dict[str, Any] = {"type": "entry"}
    line.update((name, getattr(one.entry, name)) for name in _OF_ENTRY)
    if one.former:
        line["versions"] = [{name: getattr(v, name) for name in _OF_VERSION} for v in one.former]
    line["places"] = [[place.role, place.start, place.end, place.position] for place in one.places]
    if one.derived_session:
        line["session"] = "current" if one.current_session else "derived"
    if one.vectors is not None:
        rows = np.ascontiguousarray(one.vectors, "<f2")
        line["vectors"] = {
            "fingerprint": one.fingerprint,
            "rows": [base64.b64encode(row.tobytes()).decode("ascii") for row in rows],
        }
    return line


def _erasure_lines(store: Store, tenant_id: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """Lines of receipts and of tombstones, and what each of them adds to the counts."""
    for receipt in store.receipts(tenant_id):
        line = _line({"type": "receipt", **_values(receipt, leave=("tenant_id", "preview"))})
        yield line, ("receipts", 1)
    after = b""
    while (graves := store.graves(tenant_id, after=after, limit=BATCH)).stones:
        after = graves.stones[-1][0].digest
        stones = [
            [*(_hex(part) for part in (one.digest, one.content, one.owner)), receipt]
            for one, receipt in graves.stones
        ]
        told = {"type": "tombstones", "keys": [key.hex() for key in graves.keys], "stones": stones}
        yield _line(told), ("tombstones", len(stones))


def _hex(value: bytes | None) -> str | None:
    return None if value is None else value.hex()


def _profile_line(profile: UserProfile) -> dict[str, Any]:
    values = _values(profile, leave=("tenant_id", "half_life_days", "learnt"))
    return {**values, "learnt": [_values(one) for one in profile.learnt]}


def _values(of: Any, leave: Sequence[str] = ()) -> dict[str, Any]:
    return {field.name: getattr(of, field.name) for field in fields(of) if field.name not in leave}


def _line(values: Mapping[str, Any]) -> str:
    return json.dumps(values, separators=(",", ":"), default=_plain) + "\n"


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(type(value).__name__)


# ── in ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass
class Import:
    """One import into a tenant; it counts as it goes. ``bring_back`` keeps what was erased here, too."""

    store: Store
    catalog: Catalog
    scope: Scope
    max_words: int | None = None
    with_grants: bool = False
    with_erasures: bool = False
    bring_back: bool = False
    max_trust: Trust = "user"
    progress: Progress | None = None
    report: ImportReport = ImportReport()

    def run(self, lines: Iterable[str | bytes]) -> ImportReport:
        """Keep what the lines tell; what cannot be used is told, and the rest goes in."""
        batch: list[tuple[int, Carried]] = []
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                told = _object(line)
                if number == 1:
                    _check_header(told)
                elif told.get("type") == "entry":
                    batch.append((number, self._carried(told)))
                    self._count(read=1)
                else:
                    batch = self._keep(batch)
                    self._other(told)
            except ImportFault as fault:
                if number == 1:
                    raise
                self._skip(number, fault)
            if len(batch) >= BATCH:
                batch = self._keep(batch)
        self._keep(batch)
        return self.report

    def _other(self, told: Mapping[str, Any]) -> None:
        kind = told.get("type")
        if kind == "profile":
            self._keep_profile(told)
        elif kind == "grant":
            self._keep_grant(told)
        elif kind == "receipt":
            self._keep_receipt(told)
        elif kind == "tombstones":
            self._keep_tombstones(told)
        elif kind == "end":
            self.report = replace(self.report, complete=True)
        elif kind != "header":
            raise ImportFault("it is of no type that version 1 knows")

    # ── entries ──────────────────────────────────────────────────────────────────────────────────

    def _carried(self, told: Mapping[str, Any]) -> Carried:
        entry = _trusted(_entry(told, self.scope.tenant_id), self.max_trust)
        if self.scope.user_id is not None and entry.user_id != self.scope.user_id:
            raise ImportFault("it is another user's")
        places = _places(told)
        passages = passages_of(
            entry.content,
            occurred_at=entry.occurred_at,
            max_words=min(self.max_words or CHUNK_WORDS, CHUNK_WORDS),
        )
        session = told.get("session")
        vectors, fingerprint = _vectors(told, places, passages)
        return Carried(
            entry,
            tuple(_version(entry, one) for one in _objects(told.get("versions", ()))),
            places,
            derived_session=session in ("derived", "current"),
            current_session=session == "current",
            draft=Draft(entry, passages, vectors, fingerprint),
        )

    def _keep(self, batch: list[tuple[int, Carried]]) -> list[tuple[int, Carried]]:
        """Keep a batch in one transaction; return an empty one."""
        if not batch:
            return []
        with self.store.transaction():
            self._carry_in(self._fresh(batch))
        if self.progress:
            self.progress(self.report.read)
        return []

    def _carry_in(self, fresh: list[tuple[int, Carried]]) -> None:
        """Keep entries together; where one is refused, halve until it stands alone."""
        try:
            self._count(saved=len(self.store.carry_in(self.scope, [one for _, one in fresh])))
        except (EntryConflict, InvalidInput):
            if len(fresh) == 1:
                self._skip(
                    fresh[0][0], ImportFault("its id is taken here, or its vectors are of another length")
                )
                return
            middle = len(fresh) // 2
            self._carry_in(fresh[:middle])
            self._carry_in(fresh[middle:])

    def _fresh(self, batch: list[tuple[int, Carried]]) -> list[tuple[int, Carried]]:
        """What of a batch is new here; the rest is counted."""
        ids = [one.entry.id for _, one in batch]
        there = {entry.id: entry for entry in self.store.find(self.scope, _by_id(ids))}
        erased = self._erased([one.entry for _, one in batch])
        fresh: dict[str, tuple[int, Carried]] = {}
        for number, one in batch:
            twin = there.get(one.entry.id) or (
                fresh[one.entry.id][1].entry if one.entry.id in fresh else None
            )
            if twin is not None and _same(twin, one.entry):
                self._count(already_there=1)
            elif twin is not None:
                self._skip(number, ImportFault("its id belongs to another entry here"))
            elif one.entry.id in erased:
                self._count(erased=1)
            else:
                fresh[one.entry.id] = (number, one)
        return list(fresh.values())

    def _erased(self, entries: list[MemoryEntry]) -> set[str]:
        if self.bring_back:
            for user_id in {entry.user_id for entry in entries}:
                scope = self.scope if user_id is None else narrowed(self.scope, user_id)
                self.store.exhume(scope, [entry.id for entry in entries if entry.user_id == user_id])
            return set()
        return self.store.buried(self.scope, entries)

    # ── the rest ─────────────────────────────────────────────────────────────────────────────────

    def _keep_profile(self, told: Mapping[str, Any]) -> None:
        """A profile is kept where the user has none here yet."""
        profile = _profile(told, self.scope.tenant_id)
        if self.scope.user_id not in (None, profile.user_id):
            raise ImportFault("it is another user's")
        scope = narrowed(self.scope, profile.user_id)
        with self.store.transaction():
            if not self.store.profiles(scope):
                self.store.put_profile(scope, profile)
                self._count(profiles=1)

    def _keep_grant(self, told: Mapping[str, Any]) -> None:
        if not self.with_grants:
            return
        self.catalog.keep_grant(_grant(told, self.scope.tenant_id))
        self._count(grants=1)

    def _keep_receipt(self, told: Mapping[str, Any]) -> None:
        """A receipt is kept where there is none of its id; nothing is left to be done for it here."""
        if not self.with_erasures:
            return
        receipt = _receipt(told, self.scope.tenant_id)
        with self.store.transaction():
            if receipt.id not in {one.id for one in self.store.receipts(self.scope.tenant_id)}:
                self.store.put_receipt(replace(receipt, complete=True))
                self._count(receipts=1)

    def _keep_tombstones(self, told: Mapping[str, Any]) -> None:
        if self.with_erasures:
            graves = _graves(told)
            self.store.bury(self.scope.tenant_id, graves)
            self._count(tombstones=len(graves.stones))

    def _count(self, **more: int) -> None:
        self.report = replace(
            self.report, **{name: getattr(self.report, name) + count for name, count in more.items()}
        )

    def _skip(self, number: int, fault: ImportFault) -> None:
        self._count(skipped=1)
        if len(self.report.faults) < KEPT_FAULTS:
            faults = (*self.report.faults, Fault(number, str(fault)))
            self.report = replace(self.report, faults=faults)


def _by_id(ids: Sequence[str]) -> Query:
    return Query(ids=tuple(ids), archived=None, limit=None)


def _same(kept: MemoryEntry, given: MemoryEntry) -> bool:
    return kept.user_id == given.user_id and kept.content_hash == given.content_hash


# ── lines to values ──────────────────────────────────────────────────────────────────────────────


def _object(line: str | bytes) -> Mapping[str, Any]:
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        raise ImportFault("it is no JSON") from None
    if not isinstance(told, dict):
        raise ImportFault("it is no JSON object")
    return told


def _check_header(told: Mapping[str, Any]) -> None:
    if told.get("type") != "header" or told.get("format") != FORMAT:
        raise ImportFault("this is no export of zerda.memory: its first line is no header of one")
    if told.get("version") != VERSION:
        raise ImportFault(
            f"this export has version {str(told.get('version'))[:9]}, this zerda-memory reads {VERSION};"
            " install a newer one"
        )


def _entry(told: Mapping[str, Any], tenant_id: str) -> MemoryEntry:
    try:
        values: dict[str, Any] = {name: told[name] for name in _OF_ENTRY if name in told}
        for name in _TIMES:
            values[name] = _time(values.get(name), name)
        for name in ("tags", "topics", "sources", "flags"):
            values[name] = tuple(_text(one, name) for one in values.get(name, ()))
        if values["occurred_at"] is None or values["recorded_at"] is None:
            raise ImportFault("occurred_at or recorded_at is missing")
        user_id = values.get("user_id")
        checked: dict[str, Any] = {
            "tenant_id": tenant_id,
            "id": valid_id(values.get("id"), "id"),
            "user_id": None if user_id is None else valid_id(user_id, "user_id"),
            "session_id": valid_id(values.get("session_id"), "session_id"),
            "importance": importance_of(values.get("importance")),
            "access_count": int(values.get("access_count", 0)),
        }
        entry = MemoryEntry(**{**values, **checked})
    except ImportFault:
        raise
    except (InvalidInput, KeyError, TypeError, ValueError) as error:
        raise _fault(error) from None
    return _checked(entry)


def _trusted(entry: MemoryEntry, most: Trust) -> MemoryEntry:
    """The entry, trusted at most so: a line is only a line, and claims what it likes."""
    trust = lowest((entry.trust, most))
    return replace(entry, trust=trust, importance=counted_importance(entry.importance, trust))


def _version(entry: MemoryEntry, told: Mapping[str, Any]) -> MemoryEntry:
    try:
        values = {name: told[name] for name in _OF_VERSION if name in told or name not in _LATER}
        values["occurred_at"] = _time(values["occurred_at"], "occurred_at")
        for name in ("tags", "topics", "sources", "flags"):
            values[name] = tuple(_text(one, name) for one in values.get(name, ()))
        version = replace(entry, **values)
    except (InvalidInput, KeyError, TypeError, ValueError) as error:
        raise _fault(error) from None
    return _checked(version)


def _checked(entry: MemoryEntry) -> MemoryEntry:
    """The entry, if its values are such as a store may hold."""
    for value, allowed, name in (
        (entry.kind, KINDS, "kind"),
        (entry.origin, ORIGINS, "origin"),
        (entry.trust, TRUSTS, "trust"),
        (entry.visibility, VISIBILITIES, "visibility"),
    ):
        if value not in allowed:
            raise ImportFault(f"{name} is none of {', '.join(allowed)}")
    for given, kind, name in (
        (entry.content, (str, dict), "content"),
        (entry.metadata, dict, "metadata"),
        (entry.masked, dict, "masked"),
        (entry.version, int, "version"),
    ):
        if not isinstance(given, kind):
            raise ImportFault(f"{name} is of the wrong type")
    if content_hash(entry.content) != entry.content_hash:
        raise ImportFault("content_hash does not fit the content: the line was changed")
    return entry


def _fault(error: Exception) -> ImportFault:
    """What is wrong, without a value of the line: only our own messages and names of fields are told."""
    if isinstance(error, KeyError):
        return ImportFault(f"{error.args[0]} is missing")
    if isinstance(error, InvalidInput):
        return ImportFault(str(error).split(" ")[0] + " cannot be used")
    return ImportFault(f"a value is of the wrong type ({type(error).__name__})")


def _time(value: object, name: str) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, str):
        raise ImportFault(f"{name} is no time")
    try:
        return in_utc(datetime.fromisoformat(value), name)
    except ValueError:
        raise ImportFault(f"{name} is no time with a zone") from None


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ImportFault(f"{name} holds what is no text")
    return value


def _objects(value: object) -> list[Mapping[str, Any]]:
    if not isinstance(value, (list, tuple)) or not all(isinstance(one, dict) for one in value):
        raise ImportFault("versions is of the wrong type")
    return list(value)


def _places(told: Mapping[str, Any]) -> tuple[Place, ...]:
    try:
        given = told.get("places", ())
        return tuple(Place(str(role), int(start), int(end), int(at)) for role, start, end, at in given)
    except (TypeError, ValueError) as error:
        raise _fault(error) from None


def _vectors(
    told: Mapping[str, Any], places: Sequence[Place], passages: Sequence[Passage]
) -> tuple[NDArray[Any] | None, str | None]:
    """The vectors of a line, if this memory cuts the text as the other one did; else they are made anew."""
    given = told.get("vectors")
    cut = [(passage.role, passage.start, passage.end) for passage in passages]
    if not isinstance(given, Mapping) or cut != [(p.role, p.start, p.end) for p in places]:
        return None, None
    try:
        rows = [np.frombuffer(base64.b64decode(row, validate=True), "<f2") for row in given["rows"]]
        return np.stack(rows).astype(np.float32), valid_id(given["fingerprint"], "fingerprint")
    except (InvalidInput, KeyError, TypeError, ValueError) as error:
        raise ImportFault(f"its vectors cannot be read ({type(error).__name__})") from None


def _profile(told: Mapping[str, Any], tenant_id: str) -> UserProfile:
    try:
        learnt = tuple(
            Learnt(
                one["trait"], one["value"], float(one["weight"]), int(one["count"]),
                in_utc(datetime.fromisoformat(one["at"]), "at"), tuple(one["entry_ids"]),
            )
            for one in told["learnt"]
        )  # fmt: skip
        names = {field.name for field in fields(UserProfile)} - {"tenant_id", "learnt", "half_life_days"}
        values = {name: told[name] for name in names}
        for name in ("first_at", "last_at"):
            values[name] = _time(values[name], name)
        values["user_id"] = valid_id(values["user_id"], "user_id")
        return UserProfile(**values, tenant_id=tenant_id, learnt=learnt)
    except ImportFault:
        raise
    except (InvalidInput, KeyError, TypeError, ValueError, AttributeError) as error:
        raise _fault(error) from None


def _grant(told: Mapping[str, Any], tenant_id: str) -> Grant:
    try:
        at = _time(told["at"], "at")
        if at is None or told["role"] not in ("reader", "writer", "owner", "admin"):
            raise ImportFault("a grant has a time and one of the roles")
        return Grant(
            tenant_id=tenant_id, principal=valid_id(told["principal"], "principal"), role=told["role"], at=at,
            held=bool(told["held"]), on_behalf_of=told["on_behalf_of"], until=_time(told["until"], "until"),
            by=told["by"],
        )  # fmt: skip
    except ImportFault:
        raise
    except (InvalidInput, KeyError, TypeError, ValueError) as error:
        raise _fault(error) from None


def _receipt(told: Mapping[str, Any], tenant_id: str) -> Receipt:
    try:
        at = _time(told["at"], "at")
        counts = {_text(name, "counts"): int(count) for name, count in told["counts"].items()}
        if at is None:
            raise ImportFault("a receipt has a time")
        return Receipt(
            id=valid_id(told["id"], "id"), tenant_id=tenant_id, what=_text(told["what"], "what"), at=at,
            counts=counts, digest=_text(told["digest"], "digest"), complete=bool(told["complete"]),
        )  # fmt: skip
    except ImportFault:
        raise
    except (InvalidInput, KeyError, TypeError, ValueError, AttributeError) as error:
        raise _fault(error) from None


def _graves(told: Mapping[str, Any]) -> Graves:
    try:
        keys = tuple(bytes.fromhex(key) for key in told["keys"])
        stones = tuple(
            (Tombstone(bytes.fromhex(digest), _bytes(content), _bytes(owner)), valid_id(receipt, "receipt"))
            for digest, content, owner, receipt in told["stones"]
        )
    except (InvalidInput, KeyError, TypeError, ValueError) as error:
        raise _fault(error) from None
    if len(keys) > MOST_KEYS or any(len(key) != KEY_BYTES for key in keys):
        raise ImportFault(f"keys are at most {MOST_KEYS}, of {KEY_BYTES} bytes each")
    if any(len(one.digest) != DIGEST_BYTES for one, _ in stones):
        raise ImportFault(f"a digest has {DIGEST_BYTES} bytes")
    return Graves(keys, stones)


def _bytes(value: str | None) -> bytes | None:
    return None if value is None else bytes.fromhex(value)
