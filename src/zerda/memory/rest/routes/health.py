"""Whether the server is there, and what it counts."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request, Response

from ..answers import Answer
from ..callers import Called
from ..problems import STOPPING, documented, problem

router = APIRouter(tags=["health"])


@dataclass(frozen=True, slots=True)
class Health:
    status: str


@router.get("/healthz", operation_id="health", response_model=Health, responses=documented())
async def health() -> Answer:
    """Whether the process is there."""
    return Answer(Health("ok"))


@router.get("/readyz", operation_id="ready", response_model=Health, responses=documented())
def ready(request: Request) -> Response:
    """Whether it can answer: the memory opens, and nobody told the server to stop."""
    if request.app.state.guard.stopping:
        return problem(STOPPING)
    request.app.state.memory.list_keys("readiness")
    return Answer(Health("ok"))


@router.get("/metrics", operation_id="metrics", responses={
    **documented(), 200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
    response_class=Response)  # fmt: skip
def metrics(request: Request, caller: Called) -> Response:
    """Counts by operation and outcome, for Prometheus; for a key of an admin. They are of all tenants."""
    caller.memory.list_keys(caller.tenant_id)  # Asks whether the caller is an admin.
    told = request.app.state.metrics
    return Response(told.told(), media_type=told.content_type)
