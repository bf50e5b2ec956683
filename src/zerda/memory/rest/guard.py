"""What every request passes first: whose name it calls, from what page, how large; and what is told of it."""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Callable, MutableMapping
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote_to_bytes

from starlette.convertors import Convertor, register_url_convertor
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .logs import REQUESTS
from .metrics import outcome
from .problems import BROKEN, STOPPING, TOO_LARGE, TWICE, WRONG_HOST, WRONG_ORIGIN, Kind, problem

if TYPE_CHECKING:
    from .metrics import Metrics
    from .settings import ServerSettings

log = logging.getLogger(__name__)

ALWAYS = {"x-content-type-options": "nosniff", "cache-control": "no-store", "referrer-policy": "no-referrer"}
CORS_METHODS = "GET, POST, PUT, PATCH, DELETE"
CORS_HEADERS = (
    "Authorization, Content-Type, X-API-Key, Zerda-For, Idempotency-Key, If-Match, If-None-Match,"
    " Last-Event-ID"
)
IMPORT = "/v1/tenant/import"
OPEN = ("/healthz", "/readyz")


class _Id(Convertor[str]):
    """An id in a path: one segment, in which a slash and a percent sign are still encoded."""

    regex = "[^/]+"

    def convert(self, value: str) -> str:
        return value.replace("%2F", "/").replace("%25", "%")

    def to_string(self, value: str) -> str:
        return value.replace("%", "%25").replace("/", "%2F")


register_url_convertor("id", _Id())


class Guard:
    """The outermost part of the app. ``stopping`` is set once: later requests are refused."""

    def __init__(self, app: ASGIApp, settings: ServerSettings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics
        self.stopping = False
        self._at_the_end: list[Callable[[], object]] = []

    def stop(self) -> None:
        """Refuse what comes from now on, and let streams end. From any thread, or a signal handler."""
        self.stopping = True
        for told in self._at_the_end:
            told()

    def at_the_end(self, told: Callable[[], object]) -> None:
        """Call this when the server is told to stop."""
        self._at_the_end.append(told)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        passage = _Passage(scope, send)
        self._metrics.began()
        try:
            await self._answer(scope, receive, passage)
        except Exception as error:  # noqa: BLE001 - the door's outermost handler
            # A bug. Its words might quote somebody, so that only its kind and its place are told.
            log.error("%s at %s", type(error).__name__, _place(error))
            await passage.instead(BROKEN)
        finally:
            seconds = time.perf_counter() - passage.began
            self._metrics.ended(passage.operation, passage.status, seconds)
            REQUESTS.info("request", extra={"told": passage.told(seconds)})

    async def _answer(self, scope: Scope, receive: Receive, passage: _Passage) -> None:
        headers = Headers(scope=scope)
        origin = headers.get("origin")
        if refusal := self._refusal(scope, headers, origin):
            await passage.instead(refusal)
            return
        if origin in self._settings.origins:
            passage.cors = origin
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await passage.preflight()
            return
        scope["path"] = _path(scope)
        most = self._settings.max_body_bytes if scope["path"] != IMPORT else self._settings.max_import_bytes
        await self._app(scope, _bounded(receive, most), passage.send)

    def _refusal(self, scope: Scope, headers: Headers, origin: str | None) -> Kind | None:
        if self.stopping and scope["path"] not in OPEN:
            return STOPPING
        host = headers.get("host", "")
        names = self._settings.names
        if "*" not in names and _name(host) not in names:
            return WRONG_HOST
        if origin is not None and origin not in self._settings.origins and not _same(origin, host):
            return WRONG_ORIGIN
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if len({name for name, _ in query}) != len(query):
            return TWICE
        length = headers.get("content-length", "0")
        most = self._settings.max_import_bytes if scope["path"] == IMPORT else self._settings.max_body_bytes
        return TOO_LARGE if length.isdecimal() and int(length) > most else None


class _Passage:
    """A request on its way, and what is told of it in the end."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._scope = scope
        self._send = send
        self._started = False
        self.began = time.perf_counter()
        self.status = 500
        self.request_id = uuid.uuid4().hex
        self.cors: str | None = None

    @property
    def operation(self) -> str:
        """Which operation it was; never the path, which may hold an id."""
        return getattr(self._scope.get("route"), "operation_id", None) or "none"

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._started = True
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, value in {**ALWAYS, "x-request-id": self.request_id, **self._shared()}.items():
                headers.setdefault(name, value)
        await self._send(message)

    async def instead(self, kind: Kind) -> None:
        """Answer with a problem, if nothing was answered yet."""
        if self._started:
            return
        await problem(kind)(self._scope, _nothing, self.send)

    async def preflight(self) -> None:
        """What a browser asks before it lets a page call."""
        headers = [
            (b"access-control-allow-methods", CORS_METHODS.encode()),
            (b"access-control-allow-headers", CORS_HEADERS.encode()),
            (b"access-control-max-age", b"600"),
        ]
        await self.send(
            {"type": "http.response.start", "status": 204, "headers": headers if self.cors else []}
        )
        await self.send({"type": "http.response.body", "body": b""})

    def _shared(self) -> dict[str, str]:
        if self.cors is None:
            return {}
        return {"access-control-allow-origin": self.cors, "vary": "Origin",
                "access-control-expose-headers": "ETag, X-Request-ID, Retry-After"}  # fmt: skip

    def told(self, seconds: float) -> dict[str, Any]:
        """What the log says of it."""
        state: MutableMapping[str, Any] = self._scope.get("state", {})
        return {
            "request": self.request_id, "operation": self.operation, "status": self.status,
            "outcome": outcome(self.status), "ms": round(seconds * 1_000, 1), "key": state.get("key_id"),
        }  # fmt: skip


def _path(scope: Scope) -> str:
    """The path with its segments decoded, but for slashes and percent signs within them."""
    raw: bytes = (scope.get("raw_path") or scope["path"].encode()).partition(b"?")[0]
    kept = raw.replace(b"%25", b"%2525").replace(b"%2f", b"%252F").replace(b"%2F", b"%252F")
    return unquote_to_bytes(kept).decode("utf-8", "replace")


def _bounded(receive: Receive, most: int) -> Receive:
    """Read no more than so many bytes."""
    size = 0

    async def bounded() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > most:
            raise HTTPException(TOO_LARGE.status)  # The framework lets this kind through, and no other.
        return message

    return bounded


async def _nothing() -> Message:
    return {"type": "http.request", "body": b"", "more_body": False}


def _name(host: str) -> str:
    """The name in a Host header, without the port."""
    name = host.strip().lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.rpartition(":")[0] if name.rpartition(":")[2].isdecimal() and ":" in name else name


def _same(origin: str, host: str) -> bool:
    """Whether a page comes from this server itself."""
    return origin.partition("://")[2].lower() == host.strip().lower()


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return "?" if trace is None else f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}"
