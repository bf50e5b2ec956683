"""A real HTTP server on the loopback interface that answers as it is told."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Received:
    path: str
    headers: dict[str, str]
    body: Any


@dataclass(frozen=True)
class Raw:
    """An answer byte by byte. ``announced`` is the Content-Length, if it is to differ; None sends none."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    announced: int | None = -1


def chain(error: BaseException | None) -> list[BaseException]:
    """An error with everything that it was raised from, or while handling which, shown or not."""
    if error is None:
        return []
    return [error, *chain(error.__cause__), *chain(error.__context__)]


Answer = Raw | Callable[[Received], Any]


class Loopback:
    """Gives its answers in turn, the last one for ever; what it does not know how to give, it hangs on."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.answers: list[Answer] = []
        self.released = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = False
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def hang(self, received: Received) -> Raw:
        """Answer nothing until the test is over."""
        self.released.wait()
        return Raw()

    def answer(self, received: Received) -> Raw:
        self.requests.append(received)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Raw):
            return answer
        given = answer(received)
        return given if isinstance(given, Raw) else Raw(json.dumps(given).encode())

    def _handler(loopback) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                self._write(loopback.answer(Received(self.path, dict(self.headers), body)))

            def _write(self, answer: Raw) -> None:
                self.send_response(answer.status)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                if answer.announced is not None:
                    length = len(answer.body) if answer.announced == -1 else answer.announced
                    self.send_header("Content-Length", str(length))
                try:
                    self.end_headers()
                    self.wfile.write(answer.body)
                except ConnectionError:
                    pass  # The client gave up, as some tests want it to.

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler
