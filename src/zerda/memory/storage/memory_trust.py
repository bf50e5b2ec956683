"""What the store without a disk does for trust: its audit, erasures with proof, transfers."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.model import MemoryEntry, Query, Scope
from ..core.rules.digests import digest_of_all, who
from ..core.rules.hashing import as_json, texts_in
from ..core.rules.matching import matches, owns
from ..core.rules.tombstones import Burials, Graves, Tombstone
from ..core.transfer import Carried, Place
from ..core.trust import AuditRecord, Erased, Event, Proof, Receipt
from .base import Store
from .memory_catalog import Chains

Name = tuple[str, str]
Grave = tuple[str, bytes]
"""Tenant and digest."""


class MemoryTrust(Store):
    """The part of a store that speaks of trust."""

    _journal: Any
    _entries: dict[Name, MemoryEntry]
    _former: dict[Name, tuple[MemoryEntry, ...]]
    _keys: dict[Name, tuple[int, ...]]
    _rows: dict[int, Any]
    _places: dict[tuple[int, int], int]
    _sessions: dict[Any, Any]
    _derived: dict[Any, str]
    _profiles: dict[Any, Any]
    _watermarks: dict[tuple[str, str | None], int]

    def __init__(self) -> None:
        self._chains = Chains("memory")
        self._tombstones: dict[Grave, tuple[Tombstone, str]] = {}
        self._tombstone_keys: dict[str, tuple[bytes, ...]] = {}
        self._receipts: dict[Name, Receipt] = {}

    @abstractmethod
    def _using(self) -> AbstractContextManager[None]: ...

    @abstractmethod
    def _remove(self, entries: Sequence[MemoryEntry]) -> None: ...

    # ── the audit ────────────────────────────────────────────────────────────────────────────────

    def _note(self, scope: Scope, action: str, ids: Iterable[str]) -> None:
        """Record what was done to entries, if it was done to any; undone with the transaction."""
        if objects := tuple(ids):
            self._chain(scope.tenant_id, Event(action, scope.actor, scope.user_id, objects))

    def _chain(self, tenant_id: str, event: Event) -> None:
        link = self._chains.next(tenant_id, event)
        self._journal.put(self._chains.links, (tenant_id, link.number), link)

    def record(self, tenant_id: str, events: Sequence[Event]) -> None:
        with self.transaction():
            for event in events:
                self._chain(tenant_id, event)

    def audit(self, tenant_id: str, *, after: int = 0, limit: int = 1_000) -> list[AuditRecord]:
        with self._using():
            return self._chains.records(tenant_id, after=after, limit=limit)

    def check_audit(self, tenant_id: str, heads: Sequence[tuple[int, str]] = ()) -> tuple[int, list[str]]:
        with self._using():
            return self._chains.checked(tenant_id, heads)

    def audit_head(self, tenant_id: str) -> tuple[int, str]:
        with self._using():
            return self._chains.head(tenant_id)

    def pseudonym(self, principal: str) -> str:
        with self._using():
            return who(self._chains.secret, principal)

    # ── erasure ──────────────────────────────────────────────────────────────────────────────────

    def erase(self, scope: Scope, query: Query, receipt_id: str) -> Erased:
        described = query.only(archived=None if query.archived is False else query.archived)
        with self.transaction():
            asked = [
                entry for entry in self._entries.values() if owns(scope, entry) and matches(described, entry)
            ]
            derived = self._derived_from(scope.tenant_id, asked)
            gone = [*asked, *derived]
            counts = {"entries": len(gone), "derived": len(derived), **self._counts(gone)}
            digests = self._bury(scope.tenant_id, gone, receipt_id)
            self._remove(gone)
            self._drop_watermarks(scope.tenant_id)
            self._note(scope, "erase", (entry.id for entry in gone))
            return Erased(tuple(entry.id for entry in gone), counts, digest_of_all(digests))

    def _drop_watermarks(self, tenant_id: str) -> None:
        left = {entry.user_id for entry in self._entries.values() if entry.tenant_id == tenant_id}
        for tenant, user_id in list(self._watermarks):
            if tenant == tenant_id and user_id is not None and user_id not in left:
                self._journal.drop(self._watermarks, (tenant, user_id))

    def _derived_from(self, tenant_id: str, entries: Sequence[MemoryEntry]) -> list[MemoryEntry]:
        """What came of these entries, and of that, and so on."""
        known = {entry.id for entry in entries}
        found: list[MemoryEntry] = []
        ids = set(known)
        while ids:
            fresh = [
                entry
                for (tenant, entry_id), entry in self._entries.items()
                if tenant == tenant_id and entry_id not in known
                if any(
                    version.origin == "derived" and ids & {*version.sources}
                    for version in (*self._former.get((tenant, entry_id), ()), entry)
                )
            ]
            ids = {entry.id for entry in fresh}
            known |= ids
            found += fresh
        return found

    def _counts(self, entries: Sequence[MemoryEntry]) -> dict[str, int]:
        names = [(entry.tenant_id, entry.id) for entry in entries]
        rows = [self._rows[key] for name in names for key in self._keys[name]]
        return {
            "archived": sum(entry.archived_at is not None for entry in entries),
            "versions": sum(len(self._former.get(name, ())) for name in names),
            "passages": len(rows),
            "vectors": sum(row.vector is not None for row in rows),
        }

    def _bury(self, tenant_id: str, entries: Iterable[MemoryEntry], receipt_id: str) -> list[bytes]:
        erased = ((entry.id, entry.user_id, entry.content_hash) for entry in entries)
        ids, contents = self._burials(tenant_id).tombstones(erased)
        for one in (*contents, *ids):
            self._journal.put(self._tombstones, (tenant_id, one.digest), (one, receipt_id))
        return [one.digest for one in ids]

    def _burials(self, tenant_id: str) -> Burials:
        return Burials.of(tenant_id, self._chains.secret, self._tombstone_keys.get(tenant_id, ()))

    def _refuse_erased(self, entry: MemoryEntry) -> None:
        if self._tombstones:
            known = self._burials(entry.tenant_id)
            known.refuse(self._owners(known, [entry.id]), {entry.id: entry.user_id})

    def _owners(self, known: Burials, ids: Iterable[str]) -> dict[str, bytes | None]:
        """Those ids that were erased, with whose they were."""
        names = [((known.tenant_id, digest), one) for digest, one in known.ids(ids).items()]
        return {one: self._tombstones[name][0].owner for name, one in names if name in self._tombstones}

    def buried(self, scope: Scope, entries: Sequence[MemoryEntry]) -> set[str]:
        with self._using():
            told = self._burials(scope.tenant_id).entries(entries)
            kept = [ids for digest, ids in told.items() if (scope.tenant_id, digest) in self._tombstones]
            return set[str]().union(*kept)

    def exhume(self, scope: Scope, ids: Sequence[str]) -> int:
        with self.transaction():
            tenant, known = scope.tenant_id, self._burials(scope.tenant_id)
            owners = self._owners(known, ids).items()
            found = [one for one, owner in owners if known.owned(owner, scope.user_id)]
            for digest in known.ids(found):
                if (tenant, digest) in self._tombstones:
                    said = self._tombstones[tenant, digest][0].content
                    self._journal.drop(self._tombstones, (tenant, said))
                    self._journal.drop(self._tombstones, (tenant, digest))
            self._note(scope, "allow again", found)
            return len(found)

    def graves(self, tenant_id: str, *, after: bytes = b"", limit: int = 500) -> Graves:
        with self._using():
            found = sorted(
                digest for tenant, digest in self._tombstones if tenant == tenant_id and digest > after
            )
            keys = self._burials(tenant_id).travelling(self._chains.secret)
            return Graves(keys, tuple(self._tombstones[tenant_id, digest] for digest in found[:limit]))

    def bury(self, tenant_id: str, graves: Graves) -> None:
        with self.transaction():
            known, own = self._burials(tenant_id).keys, self._tombstone_keys.get(tenant_id, ())
            new = tuple(key for key in graves.keys if key not in known)
            self._journal.put(self._tombstone_keys, tenant_id, (*own, *new))
            for one, receipt in graves.stones:
                if (tenant_id, one.digest) not in self._tombstones:
                    self._journal.put(self._tombstones, (tenant_id, one.digest), (one, receipt))

    def put_receipt(self, receipt: Receipt) -> None:
        with self.transaction():
            self._journal.put(self._receipts, (receipt.tenant_id, receipt.id), receipt)

    def receipts(self, tenant_id: str) -> tuple[Receipt, ...]:
        with self._using():
            found = [receipt for (tenant, _), receipt in self._receipts.items() if tenant == tenant_id]
        return tuple(sorted(found, key=lambda receipt: (receipt.at, receipt.id)))

    def traces(self, tenant_id: str, receipt_id: str, texts: Sequence[str]) -> Proof:
        with self._using():
            known = self._burials(tenant_id)
            erased = {
                one.digest
                for one, receipt in self._tombstones.values()
                if one.content is not None and receipt == receipt_id
            }

            def is_erased(entry_id: str) -> bool:
                return not erased.isdisjoint(known.ids([entry_id]))

            return Proof(tuple(dict.fromkeys(self._found(is_erased, texts))), ("entries", "passages"))

    def _found(self, is_erased: Callable[[str], bool], texts: Sequence[str]) -> Iterator[str]:
        for name, entry in self._entries.items():
            for version in (*self._former.get(name, ()), entry):
                if any(map(is_erased, (version.id, *version.sources))):
                    yield "an erased id in entries"
                said = as_json([version.content, version.metadata, version.tags, version.topics], "an entry")
                if any(json.dumps(text)[1:-1] in said for text in texts):
                    yield "a text in entries"
        for profile in self._profiles.values():
            told = [profile.explicit_preferences, [one.entry_ids for one in profile.learnt]]
            if any(map(is_erased, texts_in(told))):
                yield "an erased id in profiles"
        if any(row.entry not in self._entries for row in self._rows.values()):
            yield "passages without an entry"

    # ── transfer ─────────────────────────────────────────────────────────────────────────────────

    def carried(self, scope: Scope, *, vectors: bool = False) -> Iterator[Carried]:
        with self._using():
            own = [entry for entry in self._entries.values() if owns(scope, entry)]
            told = [self._carried(entry, vectors) for entry in sorted(own, key=lambda entry: entry.seq)]
        yield from told

    def _carried(self, entry: MemoryEntry, vectors: bool) -> Carried:
        name, owner = (entry.tenant_id, entry.id), (entry.tenant_id, entry.user_id)
        rows = [self._rows[key] for key in self._keys[name]]
        session = self._sessions[owner, str(entry.session_id)]
        fingerprints = {row.fingerprint for row in rows} if vectors else {None}
        (fingerprint,) = fingerprints if len(fingerprints) == 1 else (None,)
        return Carried(
            entry,
            self._former.get(name, ()),
            tuple(Place(row.passage.role, row.passage.start, row.passage.end, row.position) for row in rows),
            derived_session=session.derived,
            current_session=self._derived.get(owner) == session.name,
            vectors=np.stack([row.vector for row in rows]) if fingerprint is not None else None,
            fingerprint=fingerprint,
        )

    def carry_in(self, scope: Scope, entries: Sequence[Carried]) -> list[MemoryEntry]:
        with self.transaction():
            given = [one for one in entries if one.draft is not None]
            new = {one.entry.id for one in given if (scope.tenant_id, one.entry.id) not in self._entries}
            kept = self.put(scope, [one.draft for one in given if one.draft is not None])
            arrived = [(one, entry) for one, entry in zip(given, kept, strict=True) if entry.id in new]
            for one, entry in arrived:
                former = tuple(replace(entry, **_described(version)) for version in one.former)
                if former:
                    self._journal.put(self._former, (entry.tenant_id, entry.id), former)
                self._restore_session(one, entry)
            self._restore_places(arrived)
            return kept

    def _restore_session(self, one: Carried, entry: MemoryEntry) -> None:
        owner = (entry.tenant_id, entry.user_id)
        place = (owner, str(entry.session_id))
        if one.derived_session:
            self._journal.put(self._sessions, place, replace(self._sessions[place], derived=True))
            if one.current_session:
                self._journal.put(self._derived, owner, str(entry.session_id))

    def _restore_places(self, arrived: Sequence[tuple[Carried, MemoryEntry]]) -> None:
        """Give passages the positions that they had, session by session, where none is another's by now."""
        sessions: dict[Any, list[tuple[Carried, list[Any]]]] = defaultdict(list)
        for one, entry in arrived:
            rows = [self._rows[key] for key in self._keys[entry.tenant_id, entry.id]]
            sessions[(entry.tenant_id, entry.user_id), str(entry.session_id)].append((one, rows))
        for place, members in sessions.items():
            session = self._sessions[place]
            keys = {row.key for _, rows in members for row in rows}
            wanted = [(session.number, p.position) for one, _ in members for p in one.places]
            fits = all(
                [(p.role, p.start, p.end) for p in one.places]
                == [(row.passage.role, row.passage.start, row.passage.end) for row in rows]
                for one, rows in members
            )
            if not fits or any(self._places.get(spot) not in (None, *keys) for spot in wanted):
                continue
            for _, rows in members:
                for row in rows:
                    self._journal.drop(self._places, (row.session, row.position))
            for one, rows in members:
                for spot, row in zip(one.places, rows, strict=True):
                    self._journal.put(self._rows, row.key, replace(row, position=spot.position))
                    self._journal.put(self._places, (row.session, spot.position), row.key)
            end = 1 + max(
                (position for number, position in self._places if number == session.number), default=-1
            )
            self._journal.put(self._sessions, place, replace(session, end=end))


def _described(version: MemoryEntry) -> dict[str, Any]:
    """What a version says of itself; the rest is the entry's."""
    names = (
        "version", "kind", "content", "occurred_at", "importance", "tags", "topics", "metadata", "speaker",
        "origin", "source", "sources", "trust", "flags", "visibility", "masked", "content_hash",
    )  # fmt: skip
    return {name: getattr(version, name) for name in names}
