"""The ASGI application: operations, behind the guard, on one memory."""

from __future__ import annotations

import signal
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any

import anyio
import anyio.to_thread
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from zerda.memory import AIMemoryManager, __version__

from .callers import Callers, Verifier
from .forms import FILTER, FILTER_SCHEMA, with_filters
from .guard import Guard
from .metrics import Metrics
from .problems import PROBLEM_SCHEMA, install
from .routes import changes, entities, entries, health, memories, page, reviewing, tenant, users
from .settings import ServerSettings
from .traces import Traces

DESCRIPTION = """\
Keeps what was said, finds it again, and puts it before a model.

Every operation but health needs a key. The key says whose memory it opens; a request that names another
tenant or user is refused. Errors are problem documents (RFC 9457).
"""


def application(
    memory: AIMemoryManager,
    settings: ServerSettings | None = None,
    *,
    verifiers: Sequence[Verifier] = (),
    traces: Traces | None = None,
    closes: bool = False,
) -> Guard:
    """The application on a memory; ``closes`` lets it close the memory when it ends.

    ``verifiers`` take tokens beside the memory's own keys, such as `zerda.memory.rest.oidc.Oidc`; ``traces``
    makes spans (None: with the program's own provider, as the settings say).
    """
    chosen = settings or ServerSettings()
    app = FastAPI(
        title="zerda.memory", version=__version__, description=DESCRIPTION,
        docs_url=None, redoc_url=None,  # They load scripts from elsewhere.
        telemetry={"tracing": False, "metrics": False, "logs": False},  # It would record bodies.
        lifespan=_lifespan,
    )  # fmt: skip
    app.state.memory, app.state.closes = memory, closes
    app.state.callers = Callers(memory, chosen, verifiers, traces)
    app.state.metrics = Metrics()
    app.state.settings = chosen
    app.state.streams = changes.Streams(chosen.streams, chosen.poll_seconds)
    for routes in (memories, entries, entities, users, reviewing, tenant, changes, health, page):
        app.include_router(routes.router)
    install(app)
    app.openapi = lambda: document(app)  # type: ignore[method-assign]  # As FastAPI asks it to be replaced.
    guard = app.state.guard = Guard(app, chosen, app.state.metrics)
    guard.at_the_end(app.state.streams.stop)
    return guard


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document."""
    if app.openapi_schema is None:
        told: dict[str, Any] = with_filters(
            get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        )
        told["components"]["schemas"] |= {"Problem": PROBLEM_SCHEMA, FILTER: FILTER_SCHEMA}
        for unused in ("HTTPValidationError", "ValidationError"):
            told["components"]["schemas"].pop(unused, None)
        app.openapi_schema = told
        return told
    return app.openapi_schema


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    anyio.to_thread.current_default_thread_limiter().total_tokens = app.state.settings.threads
    _hear_of_the_end(app)
    try:
        yield
    finally:
        app.state.guard.stop()
        if app.state.closes:
            await anyio.to_thread.run_sync(app.state.memory.close)


def _hear_of_the_end(app: FastAPI) -> None:
    """Stop taking requests at the signal, before the server closes what is open."""
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGTERM, signal.SIGINT):
        former = signal.getsignal(number)

        def heard(got: int, frame: FrameType | None, former: Any = former) -> None:
            app.state.guard.stop()
            if callable(former):
                former(got, frame)

        signal.signal(number, heard)
