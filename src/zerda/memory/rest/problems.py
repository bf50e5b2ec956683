"""Errors as HTTP tells them: the one table of statuses, and problem documents (RFC 9457).

An answer tells what the caller did wrong, and nothing of anybody else, of files or of the machine.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.routing import Match

from zerda.memory import (
    AccessDenied,
    ConfigError,
    EmbeddingError,
    EntryChanged,
    EntryConflict,
    EntryErased,
    EntryNotFound,
    ErasureIncomplete,
    InvalidInput,
    LLMError,
    StorageBusy,
    StorageError,
    StorageFull,
    StorageReadOnly,
    ZerdaError,
)

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its status, what its ``type`` says, and a detail (None: what the error says)."""

    status: int
    name: str
    detail: str | None
    headers: Mapping[str, str] | None = None


AGAIN = {"Retry-After": "1"}
NO_KEY = Kind(401, "no-valid-key", "A valid key is needed.", {"WWW-Authenticate": "Bearer"})
NOT_YOURS = Kind(403, "not-yours", "The key is for one user of one tenant, and the request names another.")
WRONG_HOST = Kind(421, "wrong-host", "This server is not called so.")
WRONG_ORIGIN = Kind(403, "wrong-origin", "Web pages of this origin may not call this server.")
TOO_LARGE = Kind(413, "too-large", "The body is larger than this server takes.")
TOO_MANY = Kind(429, "too-many-requests", "The key is used more often than this server allows.")
STOPPING = Kind(503, "stopping", "The server is stopping; nothing was done.", AGAIN)
BROKEN = Kind(500, "internal-error", "Something went wrong in the server; it is in its log.")
TWICE = Kind(400, "given-twice", "A parameter of the query is given twice.")
INVALID = Kind(422, "invalid", "The request does not fit this operation.")

KINDS: Mapping[type[Exception], Kind] = {
    AccessDenied: Kind(403, "access-denied", None),  # It names whom the key speaks for, and what they lack.
    EntryNotFound: Kind(404, "not-found", "There is nothing of that id among what the key opens."),
    EntryChanged: Kind(412, "changed", "The entry was changed meanwhile; read it again."),
    EntryErased: Kind(409, "erased", "The id belonged to what was erased; it may be allowed again."),
    EntryConflict: Kind(409, "conflict", "The id belongs to other content."),
    InvalidInput: Kind(422, "invalid", None),
    ConfigError: Kind(422, "invalid", None),
    ErasureIncomplete: Kind(503, "erasure-incomplete",
                            "Erased for every reader, but bytes may lie in a log; ask again.", AGAIN),
    StorageBusy: Kind(503, "busy", "The memory is busy; nothing was done.", AGAIN),
    StorageFull: Kind(507, "full", "There is no room to write; nothing was done."),
    StorageReadOnly: Kind(503, "read-only", "The memory may be read here, not written; nothing was done."),
    StorageError: Kind(503, "storage", "The memory cannot be read or written now.", AGAIN),
    EmbeddingError: Kind(503, "embedder", "The embedding model failed.", AGAIN),
    LLMError: Kind(503, "language-model", "The language model failed.", AGAIN),
    ZerdaError: BROKEN,
}  # fmt: skip
"""Each of our errors is answered as the nearest kind of its family."""

TITLES = {
    400: "Bad request", 401: "Unauthorized", 403: "Forbidden", 404: "Not found", 405: "Method not allowed",
    409: "Conflict", 412: "Precondition failed", 413: "Content too large", 415: "Unsupported media type",
    421: "Misdirected request", 422: "Unprocessable content", 429: "Too many requests",
    500: "Internal server error", 503: "Service unavailable", 507: "Insufficient storage",
}  # fmt: skip
TYPE = "urn:zerda:problem:"


class Refused(Exception):
    """A request that is answered with a problem, and no work."""

    def __init__(self, kind: Kind, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(kind.name)
        self.kind = kind
        self.headers = headers


def kind_of(error: ZerdaError) -> Kind:
    """The nearest kind that the table names."""
    return next(KINDS[kind] for kind in type(error).__mro__ if kind in KINDS)


def problem(kind: Kind, detail: str | None = None, *, headers: Mapping[str, str] | None = None,
            **more: Any) -> Response:  # fmt: skip
    """A problem document."""
    body = {
        "type": f"{TYPE}{kind.name}", "title": TITLES.get(kind.status, "Error"), "status": kind.status,
        "detail": detail or kind.detail or "", **more,
    }  # fmt: skip
    return Response(
        json.dumps(body), kind.status, {**(kind.headers or {}), **(headers or {})}, media_type=MEDIA_TYPE
    )


def told(error: ZerdaError) -> Response:
    """One of our errors."""
    kind = kind_of(error)
    if kind.status >= 500:
        log.error("%s", type(error).__name__)
    return problem(kind, str(error) if kind.detail is None else None)


def unfit(errors: list[Any]) -> Response:
    """What is wrong with a request, place by place; never the value itself."""
    places = [{"where": [str(part)[:60] for part in one["loc"]], "what": one["msg"]} for one in errors[:20]]
    return problem(INVALID, errors=places)


def install(app: FastAPI) -> None:
    """Answer every error of a handler with a problem."""

    @app.exception_handler(ZerdaError)
    def ours(_: Request, error: Exception) -> Response:
        assert isinstance(error, ZerdaError)
        return told(error)

    @app.exception_handler(Refused)
    def refused(_: Request, error: Exception) -> Response:
        assert isinstance(error, Refused)
        return problem(error.kind, headers=error.headers)

    @app.exception_handler(RequestValidationError)
    def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return unfit(list(error.errors()))

    @app.exception_handler(Exception)
    def bug(_: Request, error: Exception) -> Response:
        return problem(BROKEN)  # The guard, to which it travels on, tells the log.

    @app.exception_handler(HTTPException)
    def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        name = TITLES.get(error.status_code, "Error")
        kind = Kind(error.status_code, name.lower().replace(" ", "-"), f"{name}.")
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(_allowed(request))
        return problem(kind, headers=headers)


def _allowed(request: Request) -> list[str]:
    """The methods that a path has; the framework tells those of the first operation alone."""
    return [
        method
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        if any(
            route.matches({**request.scope, "method": method})[0] is Match.FULL
            for route in request.app.router.routes
        )
    ]


# ── for the OpenAPI document ─────────────────────────────────────────────────────────────────────────

PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "errors": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "where": {"type": "array", "items": {"type": "string"}},
                    "what": {"type": "string"},
                },
            },
        },
    },
}


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """What an operation may answer beside its success."""
    always = (400, 401, 403, 413, 421, 422, 429, 500, 503)
    return {
        status: {
            "description": TITLES[status],
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status in sorted({*always, *statuses})
    }
