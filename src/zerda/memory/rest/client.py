"""The memory of a server with the verbs of the library: code moves by changing one line."""

from __future__ import annotations

import http.client
import json
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import fields
from datetime import datetime
from types import TracebackType
from typing import Any, Literal, Self, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from zerda.memory import (
    ApiKey,
    Arrivals,
    AuditRecord,
    AuditReport,
    BuiltContext,
    Change,
    ConfigError,
    Document,
    Entity,
    EntryChanged,
    EntryNotFound,
    Grant,
    Hit,
    Hits,
    ImportReport,
    InvalidInput,
    IssuedKey,
    MaskReport,
    MemoryEntry,
    Note,
    Page,
    Proof,
    Query,
    Receipt,
    Relation,
    StorageUnavailable,
    Trust,
    Unchanged,
    UserProfile,
    awaitable,
)

from .connections import Answer, Connections, events, good
from .plain import as_bytes, plain, revived

T = TypeVar("T")
Keyed = str | Callable[[str | None, str], str]
Content = str | Mapping[str, Any]
Visibility = Literal["user", "tenant"]
Origin = Literal["user", "assistant", "tool", "web", "file", "import", "derived"]
Filters = Query | Mapping[str, Any] | None
Documents = Iterable[Document | Mapping[str, Any] | str] | None
Entries = list[MemoryEntry]  # `Client.list` takes the name within the class.
Strings = list[str]

BATCH = 1_000
"""Notes in one request: the most that the server takes, and what the library keeps in one transaction."""

_NOT_IN_A_QUERY = {
    "archived_since", "archived_before", "quarantined", "expired_by", "now", "as_of", "where", "after_seq",
    "before_seq", "order", "limit",
}  # fmt: skip


class Client:
    """A memory on a server, with the methods of `AIMemoryManager` that a principal may call.

    Same arguments, same results, same exceptions; each has an awaitable twin with ``a`` in front. What
    cannot be reached is a `StorageUnavailable`. A request whose connection broke is repeated where that is
    the same as once; saves carry an idempotency key, so they are. For any number of threads.

    Args:
        url: where the server is, such as ``https://memory.example.com``; a path before the API is kept.
        api_key: the key; or, for a program that serves many users, a function of (user, tenant) that gives
            each its own (the user is None where the tenant is administered). The key decides whose memory
            it is: ids that a call names are compared with it, and another's are refused.
        timeout_seconds: how long one answer may take.
        max_workers: threads of the awaitable twins.
    """

    def __init__(
        self, url: str, api_key: Keyed, *, timeout_seconds: float = 60.0, max_workers: int = 4
    ) -> None:
        told = urlsplit(url)
        if told.scheme not in ("http", "https") or not told.hostname:
            raise ConfigError(f"url is {url!r}; it begins with http:// or https://")
        self._connections = Connections(told.scheme, told.hostname, told.port, timeout_seconds)
        self._root = told.path.rstrip("/")
        self._key = api_key
        self._max_workers = max_workers
        self._lock = threading.Lock()
        self._executor: Executor | None = None
        self._tenants: set[str] = set()

    # ── saving ───────────────────────────────────────────────────────────────────────────────────

    def save_interaction(
        self,
        user_id: str,
        tenant_id: str,
        user_input: str,
        assistant_output: str,
        *,
        importance: float = 0.5,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        topics: Sequence[str] | None = None,
        session_id: str | None = None,
        occurred_at: datetime | None = None,
        visibility: Visibility | None = None,
        id: str | None = None,
        origin: Origin = "user",
        source: str | None = None,
        trust: Trust | None = None,
    ) -> MemoryEntry:
        """As `AIMemoryManager.save_interaction`."""
        body = _said(
            user_input=user_input, assistant_output=assistant_output, importance=importance, tags=tags or (),
            metadata=metadata or {}, topics=topics or (), session_id=session_id, occurred_at=occurred_at,
            visibility=visibility, id=id, origin=origin, source=source, trust=trust,
        )  # fmt: skip
        return revived(MemoryEntry, self._create((user_id, tenant_id), "interactions", body))

    def remember(
        self,
        user_id: str,
        tenant_id: str,
        content: Content,
        *,
        kind: str = "note",
        speaker: str | None = None,
        origin: str = "user",
        source: str | None = None,
        trust: Trust | None = None,
        importance: float = 0.5,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        topics: Sequence[str] | None = None,
        session_id: str | None = None,
        occurred_at: datetime | None = None,
        expires_at: datetime | None = None,
        visibility: Visibility | None = None,
        id: str | None = None,
    ) -> MemoryEntry:
        """As `AIMemoryManager.remember`."""
        body = _said(
            content=content, kind=kind, speaker=speaker, origin=origin, source=source, trust=trust,
            importance=importance, tags=tags or (), metadata=metadata or {}, topics=topics or (),
            session_id=session_id, occurred_at=occurred_at, expires_at=expires_at, visibility=visibility,
            id=id,
        )  # fmt: skip
        return revived(MemoryEntry, self._create((user_id, tenant_id), "memories", body))

    def save_many(
        self, user_id: str, tenant_id: str, interactions: Iterable[tuple[str, str] | Mapping[str, Any]]
    ) -> Entries:
        """As `AIMemoryManager.save_many`."""
        return self._many((user_id, tenant_id), map(_interaction, interactions))

    def remember_many(
        self, user_id: str, tenant_id: str, notes: Iterable[Note | Mapping[str, Any] | str]
    ) -> Entries:
        """As `AIMemoryManager.remember_many`."""
        return self._many((user_id, tenant_id), map(_note, notes))

    def save_messages(
        self, user_id: str, tenant_id: str, messages: Sequence[Mapping[str, Any]], *,
        session_id: str | None = None,
    ) -> Entries:  # fmt: skip
        """Keep messages as chat APIs write them, ``{"role": …, "content": …}``, in order."""
        body = _said(messages=messages, session_id=session_id)
        return _all(MemoryEntry, self._create((user_id, tenant_id), "messages", body)["entries"])

    def update(
        self,
        user_id: str,
        tenant_id: str,
        entry_id: str,
        *,
        content: Content | None = None,
        importance: float | None = None,
        tags: Sequence[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
        topics: Sequence[str] | None = None,
        visibility: Visibility | None = None,
        expires_at: datetime | Unchanged | None = Unchanged.UNCHANGED,
        if_version: int | None = None,
        trust: Trust | None = None,
    ) -> MemoryEntry:
        """As `AIMemoryManager.update`."""
        who = (user_id, tenant_id)
        tag = None
        if if_version is not None:
            answer = self._ask(who, "GET", f"entries/{_id(entry_id)}")
            if answer.json()["version"] != if_version:
                raise EntryChanged(
                    f"the entry is version {answer.json()['version']} by now, not {if_version}"
                )
            tag = answer.headers.get("etag")
        body = _said(
            content=content, importance=importance, tags=tags, metadata=metadata, topics=topics,
            visibility=visibility, trust=trust,
        )  # fmt: skip
        if expires_at is not Unchanged.UNCHANGED:
            body["expires_at"] = expires_at
        headers = {} if tag is None else {"If-Match": tag}
        answer = self._ask(who, "PATCH", f"entries/{_id(entry_id)}", body, headers=headers)
        return revived(MemoryEntry, answer.json())

    # ── finding ──────────────────────────────────────────────────────────────────────────────────

    def recall(
        self,
        user_id: str,
        tenant_id: str,
        query: str,
        *,
        limit: int | None = None,
        session_id: str | None = None,
        min_score: float | None = None,
        filters: Filters = None,
        as_of: datetime | None = None,
        min_trust: Trust | None = None,
    ) -> Hits:
        """As `AIMemoryManager.recall`."""
        body = _said(
            query=query, limit=limit, session_id=session_id, min_score=min_score, as_of=as_of,
            min_trust=min_trust, **_narrowing(filters),
        )  # fmt: skip
        told = self._post((user_id, tenant_id), "recall", body)
        return Hits(_all(Hit, told["hits"]), told["degraded"])

    def build_context(
        self,
        user_id: str,
        tenant_id: str,
        query: str,
        *,
        documents: Documents = None,
        top_k_semantic: int = 8,
        top_k_ltm: int = 10,
        include_profile: bool = True,
        session_id: str | None = None,
        token_budget: int | None = None,
        min_score: float | None = None,
        filters: Filters = None,
        as_of: datetime | None = None,
        min_trust: Trust | None = None,
        count_use: bool = True,
    ) -> BuiltContext:
        """As `AIMemoryManager.build_context`."""
        body = _said(
            query=query, documents=[*map(_document, documents or ())], top_k_semantic=top_k_semantic,
            top_k_ltm=top_k_ltm, include_profile=include_profile, session_id=session_id,
            token_budget=token_budget, min_score=min_score, as_of=as_of, min_trust=min_trust,
            count_use=count_use, **_narrowing(filters),
        )  # fmt: skip
        return revived(BuiltContext, self._post((user_id, tenant_id), "context", body))

    def build_prompt(
        self,
        user_id: str,
        tenant_id: str,
        query: str,
        *,
        documents: Documents = None,
        system_instruction: str | None = None,
        include_profile: bool = True,
        session_id: str | None = None,
        token_budget: int | None = None,
        min_trust: Trust | None = None,
    ) -> str:
        """As `AIMemoryManager.build_prompt`."""
        body = _said(
            query=query, documents=[*map(_document, documents or ())], system_instruction=system_instruction,
            include_profile=include_profile, session_id=session_id, token_budget=token_budget,
            min_trust=min_trust,
        )  # fmt: skip
        return str(self._post((user_id, tenant_id), "prompt", body)["prompt"])

    # ── what is known of a user ──────────────────────────────────────────────────────────────────

    def profile(self, user_id: str, tenant_id: str) -> UserProfile:
        """As `AIMemoryManager.profile`."""
        return revived(UserProfile, self._get((user_id, tenant_id), "profile"))

    def set_preferences(self, user_id: str, tenant_id: str, preferences: Mapping[str, Any]) -> UserProfile:
        """As `AIMemoryManager.set_preferences`."""
        answer = self._ask((user_id, tenant_id), "PATCH", "preferences", {"preferences": dict(preferences)})
        return revived(UserProfile, answer.json())

    def set_retention_boost(self, user_id: str, tenant_id: str, boost: float) -> UserProfile:
        """As `AIMemoryManager.set_retention_boost`."""
        answer = self._ask((user_id, tenant_id), "PUT", "retention-boost", {"boost": boost})
        return revived(UserProfile, answer.json())

    # ── whom and what is named ───────────────────────────────────────────────────────────────────

    def entities(
        self,
        user_id: str,
        tenant_id: str,
        *,
        type: str | None = None,
        limit: int | None = None,
        filters: Filters = None,
    ) -> Sequence[Entity]:
        """As `AIMemoryManager.entities`."""
        body = _said(type=type, limit=limit, **_narrowing(filters))
        return _all(Entity, self._post((user_id, tenant_id), "entities/list", body)["entities"])

    def entity(self, user_id: str, tenant_id: str, name: str) -> Entity:
        """As `AIMemoryManager.entity`."""
        return revived(Entity, self._post((user_id, tenant_id), "entities/get", {"name": name}))

    def mentioning(
        self, user_id: str, tenant_id: str, name: str, *, limit: int = 20, filters: Filters = None
    ) -> Entries:
        """As `AIMemoryManager.mentioning`."""
        body = _said(name=name, limit=limit, **_narrowing(filters))
        told = self._post((user_id, tenant_id), "entities/mentioning", body)
        return _all(MemoryEntry, told["entries"])

    def related(
        self,
        user_id: str,
        tenant_id: str,
        name: str | None = None,
        *,
        depth: int = 1,
        filters: Filters = None,
    ) -> Sequence[Relation]:
        """As `AIMemoryManager.related`."""
        body = _said(name=name, depth=depth, **_narrowing(filters))
        return _all(Relation, self._post((user_id, tenant_id), "entities/related", body)["relations"])

    # ── one entry, or a list ─────────────────────────────────────────────────────────────────────

    def get(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """As `AIMemoryManager.get`."""
        return revived(MemoryEntry, self._get((user_id, tenant_id), f"entries/{_id(entry_id)}"))

    def reveal(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """As `AIMemoryManager.reveal`."""
        return revived(MemoryEntry, self._post((user_id, tenant_id), f"entries/{_id(entry_id)}/reveal", {}))

    def list(
        self,
        user_id: str,
        tenant_id: str,
        *,
        limit: int = 50,
        cursor: str | None = None,
        filters: Filters = None,
        quarantined: bool = False,
    ) -> Page:
        """As `AIMemoryManager.list`; at most 1,000 on a page."""
        body = _said(limit=limit, cursor=cursor, quarantined=quarantined, **_narrowing(filters))
        return revived(Page, self._post((user_id, tenant_id), "list", body))

    def history(self, user_id: str, tenant_id: str, entry_id: str) -> Entries:
        """As `AIMemoryManager.history`."""
        told = self._get((user_id, tenant_id), f"entries/{_id(entry_id)}/history")
        return _all(MemoryEntry, told["versions"])

    def pin(self, user_id: str, tenant_id: str, entry_id: str, pinned: bool = True) -> MemoryEntry:
        """As `AIMemoryManager.pin`."""
        who = (user_id, tenant_id)
        return revived(
            MemoryEntry, self._ask(who, "PUT", f"entries/{_id(entry_id)}/pin", {"pinned": pinned}).json()
        )

    def archive(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """As `AIMemoryManager.archive`."""
        return revived(MemoryEntry, self._post((user_id, tenant_id), f"entries/{_id(entry_id)}/archive", {}))

    def restore(self, user_id: str, tenant_id: str, entry_id: str) -> MemoryEntry:
        """As `AIMemoryManager.restore`."""
        return revived(MemoryEntry, self._post((user_id, tenant_id), f"entries/{_id(entry_id)}/restore", {}))

    # ── erasure ──────────────────────────────────────────────────────────────────────────────────

    def forget(self, user_id: str, tenant_id: str, *entry_ids: str) -> Receipt:
        """As `AIMemoryManager.forget`."""
        return revived(Receipt, self._post((user_id, tenant_id), "forget", {"ids": entry_ids}))

    def forget_where(
        self,
        user_id: str | None,
        tenant_id: str,
        filters: Query,
        *,
        preview: bool = False,
        actor: str | None = None,
    ) -> Receipt:
        """As `AIMemoryManager.forget_where`."""
        body = {"query_by": _conditions(filters), "preview": preview}
        if user_id is None:
            return revived(Receipt, self._post((actor, tenant_id), "tenant/forget", body))
        return revived(Receipt, self._post((user_id, tenant_id), "forget-where", body))

    def forget_user(
        self, user_id: str, tenant_id: str, *, preview: bool = False, actor: str | None = None
    ) -> Receipt:
        """As `AIMemoryManager.forget_user`; with an ``actor``, by an admin."""
        path = "erase" if actor in (None, user_id) else f"tenant/users/{_id(user_id)}/erase"
        return revived(Receipt, self._post((actor or user_id, tenant_id), path, {"preview": preview}))

    def clear_tenant(self, tenant_id: str, *, actor: str | None = None) -> None:
        """As `AIMemoryManager.clear_tenant`."""
        self._post((actor, tenant_id), "tenant/erase", {"confirm": tenant_id})

    def allow_again(self, user_id: str, tenant_id: str, *entry_ids: str) -> int:
        """As `AIMemoryManager.allow_again`."""
        return int(self._post((user_id, tenant_id), "allow-again", {"ids": entry_ids})["allowed"])

    def receipts(self, tenant_id: str, *, actor: str | None = None) -> tuple[Receipt, ...]:
        """As `AIMemoryManager.receipts`."""
        return tuple(_all(Receipt, self._get((actor, tenant_id), "receipts")["receipts"]))

    def verify_erased(
        self, receipt: Receipt, texts: Sequence[str] = (), *, actor: str | None = None
    ) -> Proof:
        """As `AIMemoryManager.verify_erased`."""
        body = {"receipt_id": receipt.id, "texts": texts}
        return revived(Proof, self._post((actor, receipt.tenant_id), "receipts/verify", body))

    # ── after an incident ────────────────────────────────────────────────────────────────────────

    def quarantine(
        self,
        user_id: str | None,
        tenant_id: str,
        *entry_ids: str,
        because: str = "asked",
        actor: str | None = None,
    ) -> int:
        """As `AIMemoryManager.quarantine`."""
        body = {"ids": entry_ids, "because": because}
        path = "tenant/quarantine" if user_id is None else "quarantine"
        return int(self._post((actor if user_id is None else user_id, tenant_id), path, body)["reached"])

    def review(
        self, user_id: str | None, tenant_id: str, *, limit: int = 50, actor: str | None = None
    ) -> Entries:
        """As `AIMemoryManager.review`; at most 1,000."""
        path = "tenant/quarantine" if user_id is None else "quarantine"
        told = self._get((actor if user_id is None else user_id, tenant_id), path, limit=limit)
        return _all(MemoryEntry, told["entries"])

    def release(self, tenant_id: str, *entry_ids: str, actor: str | None = None) -> int:
        """As `AIMemoryManager.release`."""
        return int(self._post((actor, tenant_id), "tenant/release", {"ids": entry_ids})["reached"])

    def memories_since(
        self,
        tenant_id: str,
        since: datetime,
        *,
        user_id: str | None = None,
        source: str | None = None,
        actor: str | None = None,
    ) -> tuple[Arrivals, ...]:
        """As `AIMemoryManager.memories_since`."""
        path = "tenant/arrivals" if user_id is None else "arrivals"
        who = (actor if user_id is None else user_id, tenant_id)
        told = self._get(who, path, since=plain(since), source=source)
        return tuple(_all(Arrivals, told["arrivals"]))

    def forget_source(
        self,
        tenant_id: str,
        source: str,
        *,
        user_id: str | None = None,
        since: datetime | None = None,
        preview: bool = False,
        actor: str | None = None,
    ) -> Receipt:
        """As `AIMemoryManager.forget_source`."""
        path = "tenant/forget-source" if user_id is None else "forget-source"
        who = (actor if user_id is None else user_id, tenant_id)
        return revived(Receipt, self._post(who, path, _said(source=source, since=since, preview=preview)))

    # ── the tenant ───────────────────────────────────────────────────────────────────────────────

    def stats(self, tenant_id: str, *, actor: str | None = None) -> dict[str, Any]:
        """As `AIMemoryManager.stats`."""
        return self._get((actor, tenant_id), "stats")

    def run_maintenance(
        self, tenant_id: str, *, dry_run: bool = False, actor: str | None = None
    ) -> dict[str, Any]:
        """As `AIMemoryManager.run_maintenance`."""
        return self._post((actor, tenant_id), "maintenance", {"dry_run": dry_run})

    def mask_stored(
        self,
        tenant_id: str,
        *,
        user_id: str | None = None,
        dry_run: bool = False,
        actor: str | None = None,
    ) -> MaskReport:
        """As `AIMemoryManager.mask_stored`."""
        body = _said(about=user_id, dry_run=dry_run)
        return revived(MaskReport, self._post((actor, tenant_id), "tenant/mask", body))

    def flush(self, tenant_id: str | None = None) -> None:
        """As `AIMemoryManager.flush`; None is all tenants that this client called. For admins."""
        with self._lock:
            tenants = [*sorted(self._tenants)] if tenant_id is None else [tenant_id]
        for one in tenants:
            self._post((None, one), "flush", {})

    def grant(
        self,
        user_id: str,
        tenant_id: str,
        role: str = "writer",
        *,
        until: datetime | None = None,
        on_behalf_of: str | None = None,
        actor: str | None = None,
    ) -> None:
        """As `AIMemoryManager.grant`."""
        body = _said(principal=user_id, role=role, until=until, on_behalf_of=on_behalf_of)
        self._post((actor, tenant_id), "grants", body)

    def revoke(
        self,
        user_id: str,
        tenant_id: str,
        role: str,
        *,
        on_behalf_of: str | None = None,
        actor: str | None = None,
    ) -> None:
        """As `AIMemoryManager.revoke`."""
        body = _said(principal=user_id, role=role, on_behalf_of=on_behalf_of)
        self._post((actor, tenant_id), "grants/revoke", body)

    def list_grants(self, tenant_id: str, *, actor: str | None = None) -> Sequence[Grant]:
        """As `AIMemoryManager.list_grants`."""
        return _all(Grant, self._get((actor, tenant_id), "grants")["grants"])

    def create_key(
        self,
        user_id: str,
        tenant_id: str,
        role: str = "writer",
        *,
        name: str = "",
        until: datetime | None = None,
        agent: str | None = None,
        actor: str | None = None,
    ) -> IssuedKey:
        """As `AIMemoryManager.create_key`. Not repeated where the connection broke."""
        body = _said(holder=user_id, role=role, name=name, until=until, agent=agent)
        told = self._ask((actor, tenant_id), "POST", "keys", body, again=False).json()
        return IssuedKey(revived(ApiKey, told["key"]), told["secret"])

    def list_keys(self, tenant_id: str | None = None, *, actor: str | None = None) -> Sequence[ApiKey]:
        """As `AIMemoryManager.list_keys`, of one tenant; `InvalidInput` without one."""
        if tenant_id is None:
            raise InvalidInput("which tenant's keys? a server lists no other's")
        return _all(ApiKey, self._get((actor, tenant_id), "keys")["keys"])

    def revoke_key(self, tenant_id: str, key_id: str, *, actor: str | None = None) -> None:
        """As `AIMemoryManager.revoke_key`."""
        self._ask((actor, tenant_id), "DELETE", f"keys/{_id(key_id)}")

    def audit(
        self, tenant_id: str, *, user_id: str | None = None, limit: int = 1_000, actor: str | None = None
    ) -> Sequence[AuditRecord]:
        """As `AIMemoryManager.audit`; at most 10,000 records."""
        told = self._get((actor, tenant_id), "audit", about=user_id, limit=limit)
        return _all(AuditRecord, told["records"])

    def verify_audit(
        self, tenant_id: str, heads: Sequence[str] = (), *, actor: str | None = None
    ) -> AuditReport:
        """As `AIMemoryManager.verify_audit`."""
        return revived(AuditReport, self._post((actor, tenant_id), "audit/verify", {"heads": heads}))

    def audit_head(self, tenant_id: str, *, actor: str | None = None) -> tuple[str, ...]:
        """As `AIMemoryManager.audit_head`."""
        return tuple(self._get((actor, tenant_id), "audit/head")["heads"])

    # ── export, import, changes ──────────────────────────────────────────────────────────────────

    def export_user(
        self,
        user_id: str,
        tenant_id: str,
        *,
        vectors: bool = False,
        grants: bool = False,
        actor: str | None = None,
    ) -> Iterator[str]:
        """As `AIMemoryManager.export_user`; with an ``actor``, by an admin."""
        path = "export" if actor in (None, user_id) else f"tenant/users/{_id(user_id)}/export"
        return self._lines((actor or user_id, tenant_id), path, vectors=vectors, grants=grants)

    def export_tenant(
        self,
        tenant_id: str,
        *,
        vectors: bool = False,
        grants: bool = False,
        erasures: bool = False,
        actor: str | None = None,
    ) -> Iterator[str]:
        """As `AIMemoryManager.export_tenant`."""
        who = (actor, tenant_id)
        return self._lines(who, "tenant/export", vectors=vectors, grants=grants, erasures=erasures)

    def import_(
        self,
        lines: Iterable[str | bytes],
        tenant_id: str,
        *,
        grants: bool = False,
        erasures: bool = False,
        bring_back: bool = False,
        max_trust: Trust = "user",
        actor: str | None = None,
    ) -> ImportReport:
        """As `AIMemoryManager.import_`; lines are sent as they are taken."""
        path = _with(
            "tenant/import", grants=grants, erasures=erasures, bring_back=bring_back, max_trust=max_trust
        )
        body = (_line(one) for one in lines)
        answer = self._ask((actor, tenant_id), "POST", path, stream=body, again=False)
        return revived(ImportReport, answer.json())

    def watch(self, user_id: str, tenant_id: str, *, after: int | None = None) -> Iterator[Change]:
        """What is done to the user's entries from now on, or since ``after``, as it is done; without end.

        ``number`` of the last one is where to go on. It ends where the server stops or the key does.
        """
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        response = self._open((user_id, tenant_id), "GET", "changes", headers=headers)
        return (revived(Change, json.loads(data)) for data in events(response))

    # ── the whole ────────────────────────────────────────────────────────────────────────────────

    def close(self) -> None:
        """Let go of connections. Later calls raise `StoreClosed`; again does nothing."""
        self._connections.close()
        with self._lock:
            if self._executor is not None:
                self._executor.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def executor(self) -> Executor:
        """The threads on which the awaitable twins run; started by the first of them."""
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self._max_workers, thread_name_prefix="zerda")
            return self._executor

    # ── the steps ────────────────────────────────────────────────────────────────────────────────

    def _create(self, who: _Who, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        key = {"Idempotency-Key": uuid.uuid4().hex}
        return self._ask(who, "POST", path, body, headers=key).json()

    def _many(self, who: _Who, notes: Iterable[Any]) -> Entries:
        kept: Entries = []
        batch: list[Any] = []
        for note in notes:
            batch.append(note)
            if len(batch) == BATCH:
                kept += _all(MemoryEntry, self._create(who, "memories/batch", {"notes": batch})["entries"])
                batch = []
        if batch or not kept:
            kept += _all(MemoryEntry, self._create(who, "memories/batch", {"notes": batch})["entries"])
        return kept

    def _get(self, who: _Who, path: str, **query: Any) -> dict[str, Any]:
        return self._ask(who, "GET", _with(path, **query)).json()

    def _post(self, who: _Who, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        return self._ask(who, "POST", path, body).json()

    def _lines(self, who: _Who, path: str, **query: Any) -> Iterator[str]:
        response = self._open(who, "GET", _with(path, **query))
        return (line.decode("ascii") for line in response)

    def _ask(
        self,
        who: _Who,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        stream: Iterable[bytes] | None = None,
        again: bool = True,
    ) -> Answer:
        """One answer, read whole; asked twice at the most, where twice is the same as once."""
        sent = self._headers(who, headers, body, stream)
        content = stream if body is None else _json(body)
        target = f"{self._root}/v1/{path}"
        try:
            answer = self._connections.answer(method, target, content, sent)
        except StorageUnavailable:
            if not again:
                raise
            answer = self._connections.answer(method, target, content, sent)
        return good(answer)

    def _open(
        self, who: _Who, method: str, path: str, *, headers: Mapping[str, str] | None = None
    ) -> http.client.HTTPResponse:
        """An answer that is read as it comes, on a connection of its own."""
        sent = self._headers(who, headers, None, None)
        response = self._connections.opened(method, f"{self._root}/v1/{path}", sent)
        if response.status >= 400:
            good(Answer(response.status, dict(response.headers), response.read()))
        return response

    def _headers(
        self, who: _Who, more: Mapping[str, str] | None, body: object, stream: object
    ) -> dict[str, str]:
        user_id, tenant_id = who
        given: dict[str, object] = {"tenant_id": tenant_id, "user_id": user_id}
        for name, value in given.items():
            if (value is not None or name == "tenant_id") and (not isinstance(value, str) or not value):
                raise InvalidInput(f"{name} is {value!r}; it is text")
        with self._lock:
            self._tenants.add(tenant_id)
        key = self._key if isinstance(self._key, str) else self._key(user_id, tenant_id)
        believed = quote(tenant_id, safe="", errors="surrogatepass")
        if user_id is not None:
            believed += "/" + quote(user_id, safe="", errors="surrogatepass")
        kind = {"Content-Type": "application/json"} if body is not None else {}
        if stream is not None:
            kind = {"Content-Type": "application/x-ndjson"}
        return {"Authorization": f"Bearer {key}", "Zerda-For": believed, **kind, **(more or {})}

    asave_interaction = awaitable(save_interaction)
    aremember = awaitable(remember)
    asave_many = awaitable(save_many)
    aremember_many = awaitable(remember_many)
    asave_messages = awaitable(save_messages)
    aupdate = awaitable(update)
    arecall = awaitable(recall)
    abuild_context = awaitable(build_context)
    abuild_prompt = awaitable(build_prompt)
    aprofile = awaitable(profile)
    aset_preferences = awaitable(set_preferences)
    aset_retention_boost = awaitable(set_retention_boost)
    aentities = awaitable(entities)
    aentity = awaitable(entity)
    amentioning = awaitable(mentioning)
    arelated = awaitable(related)
    aget = awaitable(get)
    areveal = awaitable(reveal)
    alist = awaitable(list)
    ahistory = awaitable(history)
    apin = awaitable(pin)
    aarchive = awaitable(archive)
    arestore = awaitable(restore)
    aforget = awaitable(forget)
    aforget_where = awaitable(forget_where)
    aforget_user = awaitable(forget_user)
    aclear_tenant = awaitable(clear_tenant)
    aallow_again = awaitable(allow_again)
    areceipts = awaitable(receipts)
    averify_erased = awaitable(verify_erased)
    aquarantine = awaitable(quarantine)
    areview = awaitable(review)
    arelease = awaitable(release)
    amemories_since = awaitable(memories_since)
    aforget_source = awaitable(forget_source)
    astats = awaitable(stats)
    arun_maintenance = awaitable(run_maintenance)
    amask_stored = awaitable(mask_stored)
    aflush = awaitable(flush)
    agrant = awaitable(grant)
    arevoke = awaitable(revoke)
    alist_grants = awaitable(list_grants)
    acreate_key = awaitable(create_key)
    alist_keys = awaitable(list_keys)
    arevoke_key = awaitable(revoke_key)
    aaudit = awaitable(audit)
    averify_audit = awaitable(verify_audit)
    aaudit_head = awaitable(audit_head)
    aexport_user = awaitable(export_user)
    aexport_tenant = awaitable(export_tenant)
    aimport_ = awaitable(import_)
    aclose = awaitable(close)


_Who = tuple[str | None, str]


# ── values ───────────────────────────────────────────────────────────────────────────────────────────


def _said(**values: Any) -> dict[str, Any]:
    """A body of what is not None."""
    return {name: value for name, value in values.items() if value is not None}


def _json(body: Mapping[str, Any]) -> bytes:
    try:
        return as_bytes(plain(body))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"the call holds what is no JSON ({type(error).__name__})") from None


def _all(kind: type[T], told: Iterable[Mapping[str, Any]]) -> list[T]:
    return [revived(kind, one) for one in told]


def _id(value: object) -> str:
    """An id as a part of a path."""
    if not isinstance(value, str) or not value:
        raise EntryNotFound("no entry of that id")
    return quote(value, safe="", errors="surrogatepass").replace(".", "%2E")


def _with(path: str, **query: Any) -> str:
    told = {name: str(value).lower() if isinstance(value, bool) else value
            for name, value in query.items() if value is not None}  # fmt: skip
    return f"{path}?{urlencode(told)}" if told else path


def _narrowing(filters: Filters) -> dict[str, Any]:
    if filters is None:
        return {}
    return {"query_by": _conditions(filters)} if isinstance(filters, Query) else {"filters": filters}


def _conditions(query: Query) -> dict[str, Any]:
    """A query as the server takes it: what differs from none."""
    blank = Query()
    asked = {one.name: getattr(query, one.name) for one in fields(Query)}
    asked = {name: value for name, value in asked.items() if value != getattr(blank, name)}
    asked.pop("limit", None)
    if beyond := sorted(asked.keys() & _NOT_IN_A_QUERY):
        raise InvalidInput(f"a query over the network has no {beyond[0]}; use filters=, limit= or as_of=")
    return asked


def _document(given: Document | Mapping[str, Any] | str) -> Any:
    if isinstance(given, Document):
        return {"page_content": given.page_content, "metadata": given.metadata}
    return given


def _note(given: object) -> Any:
    if isinstance(given, Note):
        return _said(**{one.name: getattr(given, one.name) for one in fields(Note)})
    return given


def _interaction(given: object) -> Any:
    if isinstance(given, (tuple, list)) and len(given) == 2:
        return {"user_input": given[0], "assistant_output": given[1]}
    return given


def _line(given: str | bytes) -> bytes:
    line = given.encode() if isinstance(given, str) else given
    return line if line.endswith(b"\n") else line + b"\n"
