"""The nouns of trust: grants, receipts of erasures and their proof, the audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

Result = Literal["done", "refused"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """A role that a principal was given in a tenant; ``held`` is False once it was revoked.

    With ``on_behalf_of`` it is a delegation: the principal may act for that user, with what both may.
    ``until`` ends it. ``by`` is who gave or took it, None the embedding program.
    """

    tenant_id: str
    principal: str
    role: str
    at: datetime
    held: bool = True
    on_behalf_of: str | None = None
    until: datetime | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key with which a program calls a server; its secret is kept nowhere.

    It opens one user's memory in one tenant, with at most the ``role``, and never with more than the user
    may. ``principal`` is who acts: the user, or an agent by delegation. ``until`` ends it.
    """

    id: str
    tenant_id: str
    user_id: str
    principal: str
    role: str
    at: datetime
    name: str = ""
    until: datetime | None = None
    revoked_at: datetime | None = None
    by: str | None = None


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """A key that was made just now; ``secret`` is what the program sends, and is shown this once."""

    key: ApiKey
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What an erasure took. It names nothing that was erased.

    ``what`` tells its kind (ids, filters, user, tenant); ``counts`` how many of each kind of thing went;
    ``digest`` stands for the ids, and only the store can make it again. ``complete`` is False while a
    reader may keep erased bytes in the write-ahead log. A ``preview`` erased nothing.
    """

    id: str
    tenant_id: str
    what: str
    at: datetime
    counts: Mapping[str, int] = field(default_factory=dict)
    digest: str = ""
    complete: bool = False
    preview: bool = False

    @property
    def entries(self) -> int:
        """How many entries were erased, those derived from others too."""
        return self.counts.get("entries", 0)


@dataclass(frozen=True, slots=True)
class MaskReport:
    """What masking of what is stored found: ``kinds`` of values and how many, never the values.

    Of ``entries`` that were looked at, ``rewritten`` held something, in them or in a former version;
    ``profiles`` too. ``receipt`` is that of the rewriting, None where nothing was rewritten.
    """

    entries: int = 0
    rewritten: int = 0
    profiles: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    receipt: Receipt | None = None


@dataclass(frozen=True, slots=True)
class Erased:
    """What a store erased: the ids, what went by kind, and the keyed digest of the ids."""

    ids: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a search for traces of an erasure found: nothing, if it is ``clean``.

    ``traces`` name places and never what lies there; ``searched`` is what was looked at.
    """

    traces: tuple[str, ...]
    searched: tuple[str, ...]

    @property
    def clean(self) -> bool:
        """No trace was found."""
        return not self.traces


@dataclass(frozen=True, slots=True)
class Event:
    """Something to be recorded: who did what to whose memory, and to which entries.

    ``actor`` None is the embedding program, ``subject`` None the whole tenant. ``objects`` are ids; the
    audit keeps keyed digests of them.
    """

    action: str
    actor: str | None = None
    subject: str | None = None
    objects: tuple[str, ...] = ()
    count: int | None = None
    result: Result = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRecord:
    """A link of an audit chain. Actor, subject and objects are keyed digests; ``app`` is the program."""

    chain: str
    number: int
    at: datetime
    actor: str
    subject: str
    action: str
    result: str
    count: int
    objects: tuple[str, ...] = ()
    mac: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """Something that was done to a user's entries: what ("save", "revise", "archive", …), and to how many."""

    number: int
    at: datetime
    action: str
    count: int


@dataclass(frozen=True, slots=True)
class Changes:
    """What was done since; ``position`` is from where to ask again."""

    position: int
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Whether a tenant's chains are whole. ``keyed`` is False where a thief could have written them anew.

    ``heads`` are the present ends: kept elsewhere, they show a chain that was cut short later.
    """

    records: int
    faults: tuple[str, ...]
    heads: tuple[str, ...]
    keyed: bool

    @property
    def whole(self) -> bool:
        """No fault was found."""
        return not self.faults
