"""What changes, as it changes: server-sent events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated

import anyio
import anyio.to_thread
from fastapi import APIRouter, Depends, Header, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from zerda.memory import Changes, ZerdaError

from ..callers import Called, Caller
from ..plain import plain
from ..problems import TOO_MANY, Refused, documented

router = APIRouter(prefix="/v1", tags=["changes"], responses=documented())


class Streams:
    """The streams that are open, counted on the event loop alone; ``stopping`` ends them all."""

    def __init__(self, most: int, poll_seconds: float) -> None:
        self.most = most
        self.poll_seconds = poll_seconds
        self.open = 0
        self.stopping = False

    def stop(self) -> None:
        """End them."""
        self.stopping = True


async def begun(
    request: Request,
    caller: Called,
    last: Annotated[
        str | None, Header(alias="Last-Event-ID", pattern=r"^[0-9]{1,18}$", description="Go on after this.")
    ] = None,
) -> tuple[Caller, Changes]:
    """Whether the caller may watch, and from where, before anything is answered."""
    streams: Streams = request.app.state.streams
    if streams.open >= streams.most:
        raise Refused(TOO_MANY, {"Retry-After": "60"})
    if last is not None:
        await anyio.to_thread.run_sync(_since, caller, None)
        return caller, Changes(int(last))
    return caller, await anyio.to_thread.run_sync(_since, caller, None)


@router.get("/changes", operation_id="changes", response_class=EventSourceResponse)
async def changes(
    request: Request, begun: Annotated[tuple[Caller, Changes], Depends(begun)]
) -> AsyncIterator[ServerSentEvent]:
    """What is done to the caller's entries from now on, by whichever process: what, and to how many.

    An event's ``id`` is where to go on after a break. A stream ends when the key does.
    """
    caller, seen = begun
    streams: Streams = request.app.state.streams
    streams.open += 1
    try:
        yield ServerSentEvent(comment="watching", id=str(seen.position), retry=2_000)
        while not streams.stopping:
            try:
                seen = await anyio.to_thread.run_sync(_since, caller, seen.position, request)
            except (ZerdaError, Refused):
                return  # The key is good no longer, or the memory is away: asking again tells which.
            for one in seen.changes:
                yield ServerSentEvent(event=one.action, id=str(one.number), data=plain(one))
            await anyio.sleep(streams.poll_seconds)
    finally:
        streams.open -= 1


def _since(caller: Caller, after: int | None, request: Request | None = None) -> Changes:
    if request is not None:
        request.app.state.callers.still(caller)
    return caller.memory.changes(*caller.who, after=after)
