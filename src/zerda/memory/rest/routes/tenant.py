"""The tenant as a whole: for its admins."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import anyio.from_thread
import anyio.to_thread
from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse

from zerda.memory import (
    ApiKey,
    AuditRecord,
    AuditReport,
    EntryNotFound,
    Grant,
    ImportReport,
    MaskReport,
    Proof,
    Receipt,
    Trust,
)

from .. import bodies
from ..answers import Answer, listed
from ..callers import Called
from ..problems import TOO_LARGE, Refused, documented
from .users import LINES, STREAMED

router = APIRouter(prefix="/v1", tags=["tenant"], responses=documented(404, 507))

MOST_LINE_BYTES = 16 * 1_048_576
"""The longest line of an import that is held in memory."""

UserId = Annotated[bodies.Id, Path()]


@dataclass(frozen=True, slots=True)
class Grants:
    grants: tuple[Grant, ...]


@dataclass(frozen=True, slots=True)
class Keys:
    keys: tuple[ApiKey, ...]


@dataclass(frozen=True, slots=True)
class NewlyIssued:
    """A key that was made just now. ``secret`` is told this once."""

    key: ApiKey
    secret: str


@dataclass(frozen=True, slots=True)
class Records:
    records: tuple[AuditRecord, ...]


@dataclass(frozen=True, slots=True)
class Ends:
    heads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Receipts:
    receipts: tuple[Receipt, ...]


@dataclass(frozen=True, slots=True)
class Done:
    done: bool = True


@router.get("/stats", operation_id="stats")
def stats(caller: Called) -> dict[str, Any]:
    """What the tenant holds, tier by tier, and how it is searched and guarded."""
    return caller.memory.stats(caller.tenant_id)


@router.post("/maintenance", operation_id="run_maintenance")
def run_maintenance(body: bodies.Upkeep, caller: Called) -> dict[str, Any]:
    """One round of upkeep; ``dry_run`` tells what would be put away, and why."""
    caller.names(body.tenant_id, body.user_id)
    return caller.memory.run_maintenance(caller.tenant_id, dry_run=body.dry_run)


@router.post("/flush", operation_id="flush", response_model=Done)
def flush(caller: Called) -> Answer:
    """Wait until nothing of the tenant is pending."""
    caller.memory.flush(caller.tenant_id)
    return Answer(Done())


# ── grants and keys ──────────────────────────────────────────────────────────────────────────────────


@router.get("/grants", operation_id="list_grants", response_model=Grants)
def list_grants(caller: Called) -> Answer:
    """Every grant of the tenant, by principal; those that were revoked or have ended, too."""
    return listed("grants", caller.memory.list_grants(caller.tenant_id))


@router.post("/grants", operation_id="grant", response_model=Done)
def grant(body: bodies.Granting, caller: Called) -> Answer:
    """Give a principal a role; it holds at once in every process."""
    caller.names(body.tenant_id, body.user_id)
    caller.memory.grant(
        body.principal, caller.tenant_id, body.role, until=body.until, on_behalf_of=body.on_behalf_of
    )
    return Answer(Done())


@router.post("/grants/revoke", operation_id="revoke", response_model=Done)
def revoke(body: bodies.Granting, caller: Called) -> Answer:
    """Take a role back, and with the last one every key of the principal."""
    caller.names(body.tenant_id, body.user_id)
    caller.memory.revoke(body.principal, caller.tenant_id, body.role, on_behalf_of=body.on_behalf_of)
    return Answer(Done())


@router.get("/keys", operation_id="list_keys", response_model=Keys)
def list_keys(caller: Called) -> Answer:
    """Every key of the tenant, oldest first; never a secret."""
    return listed("keys", caller.memory.list_keys(caller.tenant_id))


@router.post("/keys", operation_id="create_key", status_code=201, response_model=NewlyIssued,
             responses={201: {"links": {"revoke_key": {
                 "operationId": "revoke_key", "parameters": {"key_id": "$response.body#/key/id"}}}}},
             )  # fmt: skip
def create_key(body: bodies.NewKey, caller: Called) -> Answer:
    """Make a key for a user; its secret is told this once."""
    caller.names(body.tenant_id, body.user_id)
    said = body.said("holder")
    made = caller.memory.create_key(body.holder, caller.tenant_id, **said)
    return Answer(NewlyIssued(made.key, made.secret), 201)


@router.delete("/keys/{key_id:id}", operation_id="revoke_key", response_model=Done)
def revoke_key(key_id: Annotated[str, Path(min_length=1, max_length=100)], caller: Called) -> Answer:
    """Revoke a key for ever; it opens nothing from the next call on."""
    caller.memory.revoke_key(caller.tenant_id, key_id)
    return Answer(Done())


# ── the audit, receipts ──────────────────────────────────────────────────────────────────────────────


@router.get("/audit", operation_id="audit", response_model=Records)
def audit(
    caller: Called,
    about: Annotated[bodies.Id | None, Query(description="Only what this user did or was done to.")] = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 1_000,
) -> Answer:
    """What was done in the tenant and what was refused, by time."""
    return listed("records", caller.memory.audit(caller.tenant_id, user_id=about, limit=limit))


@router.get("/audit/head", operation_id="audit_head", response_model=Ends)
def audit_head(caller: Called) -> Answer:
    """The ends of the tenant's chains, to be kept elsewhere."""
    return listed("heads", caller.memory.audit_head(caller.tenant_id))


@router.post("/audit/verify", operation_id="verify_audit", response_model=AuditReport)
def verify_audit(body: bodies.Heads, caller: Called) -> Answer:
    """Whether the audit is whole, given heads that were kept."""
    caller.names(body.tenant_id, body.user_id)
    return Answer(caller.memory.verify_audit(caller.tenant_id, body.heads))


@router.get("/receipts", operation_id="receipts", response_model=Receipts)
def receipts(caller: Called) -> Answer:
    """The receipts of the tenant's erasures, oldest first."""
    return listed("receipts", caller.memory.receipts(caller.tenant_id))


@router.post("/receipts/verify", operation_id="verify_erased", response_model=Proof)
def verify_erased(body: bodies.Proving, caller: Called) -> Answer:
    """Search for what a receipt took: in every table and index, freed pages, the write-ahead log."""
    caller.names(body.tenant_id, body.user_id)
    kept = {receipt.id: receipt for receipt in caller.memory.receipts(caller.tenant_id)}
    if body.receipt_id not in kept:
        raise EntryNotFound("no such receipt")
    return Answer(caller.memory.verify_erased(kept[body.receipt_id], body.texts))


# ── users, and all of it ─────────────────────────────────────────────────────────────────────────────


@router.get("/tenant/users/{name:id}/export", operation_id="export_another", responses=STREAMED,
            response_class=StreamingResponse)  # fmt: skip
def export_another(name: UserId, caller: Called) -> Response:
    """All that is a user's own, for an admin."""
    return StreamingResponse(caller.memory.export_user(name, caller.tenant_id), media_type=LINES)


@router.post("/tenant/users/{name:id}/erase", operation_id="forget_another", response_model=Receipt)
def forget_another(name: UserId, body: bodies.Erasing, caller: Called) -> Answer:
    """Erase all that is a user's own, for an admin."""
    caller.names(body.tenant_id, body.user_id)
    return Answer(caller.memory.forget_user(name, caller.tenant_id, preview=body.preview))


@router.post("/tenant/forget", operation_id="forget_everywhere", response_model=Receipt)
def forget_everywhere(body: bodies.ForgettingWhere, caller: Called) -> Answer:
    """Erase what conditions describe, of every user of the tenant."""
    caller.names(body.tenant_id, body.user_id)
    receipt = caller.memory.forget_where(None, caller.tenant_id, body.query_by.query(), preview=body.preview)
    return Answer(receipt)


@router.post("/tenant/mask", operation_id="mask_stored", response_model=MaskReport)
def mask_stored(body: bodies.Masking, caller: Called) -> Answer:
    """Mask what is stored already by the rules of today; ``dry_run`` counts and changes nothing."""
    caller.names(body.tenant_id, body.user_id)
    report = caller.memory.mask_stored(caller.tenant_id, user_id=body.about, dry_run=body.dry_run)
    return Answer(report)


@router.post("/tenant/erase", operation_id="clear_tenant", response_model=Receipts)
def clear_tenant(body: bodies.ErasingAll, caller: Called) -> Answer:
    """Erase all of the tenant for ever; ``confirm`` repeats its name. All its receipts come back."""
    caller.names(body.tenant_id, body.user_id)
    caller.names(body.confirm, None)
    caller.memory.clear_tenant(caller.tenant_id)
    return listed("receipts", caller.memory.receipts(caller.tenant_id))


@router.get("/tenant/export", operation_id="export_tenant", responses=STREAMED,
            response_class=StreamingResponse)  # fmt: skip
def export_tenant(
    caller: Called,
    vectors: Annotated[bool, Query()] = False,
    grants: Annotated[bool, Query()] = False,
    erasures: Annotated[bool, Query()] = False,
) -> Response:
    """All of the tenant, as lines of JSON."""
    lines = caller.memory.export_tenant(caller.tenant_id, vectors=vectors, grants=grants, erasures=erasures)
    return StreamingResponse(lines, media_type=LINES)


@router.post(
    "/tenant/import", operation_id="import_tenant", response_model=ImportReport,
    openapi_extra={"requestBody": {"required": True, "content": {LINES: {"schema": {"type": "string"}}}}},
)  # fmt: skip
async def import_tenant(
    request: Request,
    caller: Called,
    grants: Annotated[bool, Query()] = False,
    erasures: Annotated[bool, Query()] = False,
    bring_back: Annotated[bool, Query()] = False,
    max_trust: Annotated[Trust, Query()] = "user",
) -> Answer:
    """Keep what an export tells; what is there already stays as it is."""
    chunks = request.stream()

    def work() -> Answer:
        report = caller.memory.import_(
            _lines(chunks),
            caller.tenant_id,
            grants=grants,
            erasures=erasures,
            bring_back=bring_back,
            max_trust=max_trust,
        )
        return Answer(report)

    return await anyio.to_thread.run_sync(work)


def _lines(chunks: AsyncIterator[bytes]) -> Iterator[bytes]:
    """Lines of a body as it comes in, read from a thread: nothing is put down anywhere."""
    rest = b""
    while (chunk := anyio.from_thread.run(_next, chunks)) is not None:
        *whole, rest = (rest + chunk).split(b"\n")
        yield from whole
        if len(rest) > MOST_LINE_BYTES:
            raise Refused(TOO_LARGE)
    if rest:
        yield rest


async def _next(chunks: AsyncIterator[bytes]) -> bytes | None:
    return await anext(chunks, None)
