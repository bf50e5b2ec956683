"""How the manager keeps what was said."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from ..core.aio import awaitable
from ..core.model import (
    Content,
    Draft,
    Kind,
    MemoryEntry,
    Note,
    Origin,
    Scope,
    State,
    Trust,
    Unchanged,
    Visibility,
)
from ..core.rules.notes import note_of
from ..core.rules.trusting import trusted_from
from ..errors import EntryChanged, EntryNotFound, InvalidInput
from ..security.access import Permission
from .arguments import text_of
from .steps import Steps

BATCH = 1_000
"""Entries in one transaction of the ``…_many`` methods."""

Given = TypeVar("Given")


class SavingMethods(Steps):
    """The part of `AIMemoryManager` that keeps what was said, and changes it."""

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
        """Keep one exchange between a user and the assistant; durable when this returns.

        Without ``session_id`` it joins the user's running session; a pause begins a new one. The same
        ``id`` with the same content again changes nothing; with other content it is an `EntryConflict`.

        A context or prompt of ours that comes back in it is cut out, and ``flags`` say so; where nothing else
        was said, nothing is kept, and the entry that is returned has ``seq`` 0. ``origin``, ``source`` and
        ``trust`` are as in `remember`.

        With an encryption key the entry that is returned holds ``{"encrypted": <text>}`` and says so in its
        metadata; `get`, `recall`, contexts and prompts have the plain words for whoever may read them.
        """
        note = _note(
            _said(user_input, assistant_output),
            kind="interaction",
            id=id,
            importance=importance,
            tags=tags,
            topics=topics,
            metadata=metadata,
            session_id=session_id,
            occurred_at=occurred_at,
            visibility=visibility,
            origin=origin,
            source=source,
            trust=trust,
        )
        return self._handed_out(self._save(self._may(user_id, tenant_id, Permission.WRITE), [note])[0])

    def remember(
        self,
        user_id: str,
        tenant_id: str,
        content: Content,
        *,
        kind: Kind = "note",
        speaker: str | None = None,
        origin: Origin = "user",
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
        """Keep a note, a message of a named speaker, a fact or a document; else as `save_interaction`.

        ``origin`` says where it is from, ``source`` from which page, tool or file. What a user or the
        assistant said is trusted, what is from elsewhere is not (`docs/poisoning.md`); ``trust`` may lower
        that, and raise it where the program or an admin calls.
        """
        note = _note(
            content,
            kind=kind,
            id=id,
            speaker=speaker,
            origin=origin,
            source=source,
            trust=trust,
            importance=importance,
            tags=tags,
            topics=topics,
            metadata=metadata,
            session_id=session_id,
            occurred_at=occurred_at,
            expires_at=expires_at,
            visibility=visibility,
        )
        return self._save(self._may(user_id, tenant_id, Permission.WRITE), [note])[0]

    def save_many(
        self, user_id: str, tenant_id: str, interactions: Iterable[tuple[str, str] | Mapping[str, Any]]
    ) -> list[MemoryEntry]:
        """Keep many exchanges: (user_input, assistant_output) pairs, or mappings that also hold the other
        arguments of `save_interaction`. Transactions of at most 1,000; those before a bad one stay kept.
        """
        return self.remember_many(user_id, tenant_id, map(_interaction, interactions))

    def remember_many(
        self, user_id: str, tenant_id: str, notes: Iterable[Note | Mapping[str, Any] | str]
    ) -> list[MemoryEntry]:
        """Keep many notes: texts, `Note`s, or mappings of ``content`` and the other arguments of `remember`.

        In transactions of at most 1,000; those before a bad note stay kept.
        """
        scope = self._may(user_id, tenant_id, Permission.WRITE)
        return [entry for batch in _batches(notes, BATCH) for entry in self._save(scope, map(note_of, batch))]

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
        """Change an entry of the user's own; what is not given, or None, stays as it is.

        Other words, importance, tags, topics, metadata or visibility make a new version, and `history` has
        the former. ``expires_at`` alone makes none, and None there takes the end back. What says the same as
        before changes nothing. ``if_version`` is the version that is changed: where it is another by now,
        `EntryChanged` is raised.

        ``trust`` is lowered and never raised. Words that are less trusted than the entry never take the place
        of its own (`InvalidInput`): remember them as an entry of theirs.
        """
        scope = self._may(user_id, tenant_id, Permission.WRITE)
        store = self._bundle(tenant_id).store
        with store.transaction():
            entry = store.get(scope, text_of(entry_id, "entry_id"))
            if entry.user_id != scope.user_id:
                raise EntryNotFound(
                    f"no entry {entry_id!r} of this user; another's shared entry is read only"
                )
            if if_version not in (None, entry.version):
                raise EntryChanged(f"entry {entry_id!r} is version {entry.version} by now, not {if_version}")
            if content is not None and trust is not None and not trusted_from(entry.trust, trust):
                raise InvalidInput(
                    f"trust is {trust!r}, the entry's {entry.trust!r}: less trusted words never take others'"
                    " place; remember them as an entry of their own"
                )
            given = {
                "trust": trust,
                "content": content,
                "importance": importance,
                "tags": tags,
                "metadata": metadata,
                "topics": topics,
                "visibility": visibility,
            }
            changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
            if expires_at is not Unchanged.UNCHANGED:
                changes["expires_at"] = expires_at
            note, _, said = self._sieve.sift(_note_again(entry, changes))
            if not said:
                raise InvalidInput("content is nothing but a context of ours that came back")
            draft = self._intake.revised(entry, note, scope, max_words=self._max_words)
            if not _says_the_same(entry, draft.entry):
                entry = store.revise(scope, self._embedded([draft])[0])
            # A revision leaves the state as it is kept.
            if state := _state_after(entry, draft.entry):
                entry = self._mark(scope, entry_id, state)
        self._follow_up(scope)
        return entry

    def _save(self, scope: Scope, notes: Iterable[Note]) -> list[MemoryEntry]:
        sifted = [self._sieve.sift(note) for note in notes]
        may_raise = any(note.trust for note, _, _ in sifted) and self._gate.administers(scope.tenant_id)
        drafts = [
            _flagged(self._intake.draft(scope, note, max_words=self._max_words, may_raise=may_raise), flags)
            for note, flags, _ in sifted
        ]
        said = [draft for draft, (_, _, kept) in zip(drafts, sifted, strict=True) if kept]
        bundle = self._bundle(scope.tenant_id)
        generation = bundle.store.generation(scope)
        kept = bundle.keep(
            scope,
            self._embedded(said),
            generation=generation,
            given_ids=[note.id for note, _, kept in sifted if kept and note.id is not None],
        )
        self._follow_up(scope)
        entries = iter(kept)
        return [next(entries) if one[2] else draft.entry for draft, one in zip(drafts, sifted, strict=True)]

    def _handed_out(self, entry: MemoryEntry) -> MemoryEntry:
        """A saved entry, sealed where there is a key, so that it may be logged or passed on."""
        if self._vault is None:
            return entry
        metadata = {**entry.metadata, "encrypted": True}
        return replace(entry, content=self._vault.wrapper(entry), metadata=metadata)

    asave_interaction = awaitable(save_interaction)
    aremember = awaitable(remember)
    asave_many = awaitable(save_many)
    aremember_many = awaitable(remember_many)
    aupdate = awaitable(update)


def _flagged(draft: Draft, flags: tuple[str, ...]) -> Draft:
    if not flags:
        return draft
    return replace(draft, entry=replace(draft.entry, flags=(*flags, *draft.entry.flags)))


def _interaction(given: object) -> Note:
    """A note out of a pair, or of a mapping of the arguments of `save_interaction`."""
    if isinstance(given, Mapping):
        rest = {key: value for key, value in given.items() if key not in ("user_input", "assistant_output")}
        said, answered = given.get("user_input"), given.get("assistant_output")
    elif isinstance(given, (tuple, list)) and len(given) == 2:
        rest, (said, answered) = {}, given
    else:
        raise InvalidInput(f"an interaction is a {type(given).__name__}; it is a pair of texts, or a mapping")
    return note_of({**rest, "content": _said(said, answered), "kind": "interaction"})


def _said(user_input: object, assistant_output: object) -> Content:
    return {
        "input": text_of(user_input, "user_input"),
        "output": text_of(assistant_output, "assistant_output"),
    }


def _note(content: Content, **given: Any) -> Note:
    """A note of what a caller gave; it is checked when it is drafted."""
    return note_of({"content": content, **given})


def _note_again(entry: MemoryEntry, changes: Mapping[str, Any]) -> Note:
    """What an entry says, as a note with some of it changed."""
    kept = ("content", "kind", "importance", "tags", "topics", "metadata", "visibility", "expires_at")
    said: dict[str, Any] = {name: getattr(entry, name) for name in kept}
    return Note(**{**said, **changes})


def _says_the_same(entry: MemoryEntry, revised: MemoryEntry) -> bool:
    """Whether a revision would be the version that is there."""
    told = ("content_hash", "importance", "tags", "topics", "metadata", "visibility", "trust")
    return all(getattr(entry, name) == getattr(revised, name) for name in told)


def _state_after(kept: MemoryEntry, wanted: MemoryEntry) -> State:
    """What a change of importance or of the end makes of an entry's state."""
    state: State = {}
    if kept.promoted_at != wanted.promoted_at:
        state["promoted_at"] = wanted.promoted_at
    if kept.expires_at != wanted.expires_at:
        state["expires_at"] = wanted.expires_at
    return state


def _batches(items: Iterable[Given], size: int) -> Iterator[tuple[Given, ...]]:
    """The items in tuples of ``size`` (``itertools.batched`` comes with Python 3.12)."""
    left = iter(items)
    while batch := tuple(itertools.islice(left, size)):
        yield batch
