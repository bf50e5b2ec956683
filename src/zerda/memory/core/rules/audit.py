"""The chain of an audit: each link is sealed with the one before, so none is changed or taken unnoticed."""

import hmac
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from ..model import QUARANTINED
from ..trust import AuditRecord, Event, Grant
from .digests import digest, who

START = bytes(32)
"""What the first link is sealed with."""

OBJECT_BYTES = 8  # Of each object's digest: enough to find it again among a store's.


@dataclass(frozen=True, slots=True)
class Link:
    """A record as it is kept; ``at`` in microseconds since 1970, ``objects`` digests one after another."""

    number: int
    at: int
    actor: str
    subject: str
    action: str
    result: str
    count: int
    objects: bytes
    mac: bytes = b""


def linked(secret: bytes, tenant_id: str, before: Link | None, event: Event, at: int) -> Link:
    """The next link of a chain."""
    link = Link(
        number=before.number + 1 if before else 1,
        at=at,
        actor=who(secret, event.actor),
        subject="" if event.subject is None else who(secret, event.subject),
        action=event.action,
        result=event.result,
        count=len(event.objects) if event.count is None else event.count,
        objects=b"".join(object_digest(secret, tenant_id, one) for one in event.objects),
    )
    return sealed(secret, tenant_id, before.mac if before else START, link)


def sealed(secret: bytes, tenant_id: str, before: bytes, link: Link) -> Link:
    """The link with its seal."""
    told = [
        tenant_id, str(link.number), str(link.at), link.actor, link.subject, link.action, link.result,
        str(link.count), link.objects.hex(), before.hex(),
    ]  # fmt: skip
    mac = hmac.digest(secret, repr(told).encode("ascii", "backslashreplace"), "sha256")
    return Link(
        link.number,
        link.at,
        link.actor,
        link.subject,
        link.action,
        link.result,
        link.count,
        link.objects,
        mac,
    )


def faults(
    secret: bytes, tenant_id: str, links: Iterable[Link], heads: Iterable[tuple[int, str]]
) -> list[str]:
    """What is wrong with a chain: links that were changed, lack, or were cut off behind a known head."""
    found: list[str] = []
    before, number = START, 0
    macs: dict[int, str] = {}
    for link in links:
        if link.number != number + 1:
            found.append(f"records {number + 1} to {link.number - 1} are missing")
        elif sealed(secret, tenant_id, before, link).mac != link.mac:
            found.append(f"record {link.number} is not what was written")
        before, number = link.mac, link.number
        macs[number] = link.mac.hex()
    for known, mac in heads:
        if known and macs.get(known) != mac:
            found.append(f"record {known} is not the one whose head was kept")
    return found


def object_digest(secret: bytes, tenant_id: str, entry_id: str) -> bytes:
    """What stands for an entry in an audit."""
    return digest(secret, "object", tenant_id, entry_id)[:OBJECT_BYTES]


def record_of(chain: str, link: Link) -> AuditRecord:
    """A link as it is handed out."""
    pieces = [
        link.objects[start : start + OBJECT_BYTES] for start in range(0, len(link.objects), OBJECT_BYTES)
    ]
    return AuditRecord(
        chain=chain, number=link.number, at=_EPOCH + timedelta(microseconds=link.at), actor=link.actor,
        subject=link.subject, action=link.action, result=link.result, count=link.count,
        objects=tuple(piece.hex() for piece in pieces), mac=link.mac.hex(),
    )  # fmt: skip


def grant_event(grant: Grant) -> Event:
    """What the audit says of a grant or revocation."""
    to_act = " to act for another" if grant.on_behalf_of else ""
    return Event(f"{'grant' if grant.held else 'revoke'} {grant.role}{to_act}", grant.by, grant.principal)


def state_action(state: Mapping[str, object]) -> str:
    """What the audit says of a change of state."""
    if str(state.get("archived_because") or "").startswith(QUARANTINED):
        return "quarantine"
    if state.keys() >= {"archived_at"}:
        return "restore" if state["archived_at"] is None else "archive"
    return f"mark {', '.join(sorted(state))}"


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
