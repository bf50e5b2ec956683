"""Requests and answers, and the connections that carry them: the client's side of the wire."""

from __future__ import annotations

import http.client
import json
import ssl
import threading
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from zerda.memory import (
    AccessDenied,
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
    StorageUnavailable,
    StoreClosed,
    ZerdaError,
)

ERRORS: Mapping[str, type[ZerdaError]] = {
    "no-valid-key": AccessDenied, "access-denied": AccessDenied, "not-yours": AccessDenied,
    "not-found": EntryNotFound, "changed": EntryChanged, "erased": EntryErased, "conflict": EntryConflict,
    "invalid": InvalidInput, "too-large": InvalidInput, "content-too-large": InvalidInput,
    "bad-request": InvalidInput, "given-twice": InvalidInput,
    "erasure-incomplete": ErasureIncomplete, "busy": StorageBusy,
    "too-many-requests": StorageBusy, "full": StorageFull, "read-only": StorageReadOnly,
    "storage": StorageUnavailable,
    "stopping": StorageUnavailable, "embedder": EmbeddingError, "language-model": LLMError,
}  # fmt: skip
"""What a problem's type means here. What is not named is a `StorageError`."""


class Answer:
    """An answer that was read."""

    def __init__(self, status: int, headers: Mapping[str, str], content: bytes) -> None:
        self.status = status
        self.headers = {name.lower(): value for name, value in headers.items()}
        self.content = content

    def json(self) -> dict[str, Any]:
        try:
            told = json.loads(self.content)
        except ValueError:
            told = None
        if not isinstance(told, dict):
            raise StorageError(f"the server answered {self.status} with something that is no JSON object")
        return told


class Connections:
    """Connections that are kept open for the next request. Locked."""

    MOST_IDLE = 32

    def __init__(self, scheme: str, host: str, port: int | None, timeout_seconds: float) -> None:
        self._scheme, self._host, self._port, self._timeout = scheme, host, port, timeout_seconds
        self._tls = ssl.create_default_context() if scheme == "https" else None
        self._lock = threading.Lock()
        self._idle: list[http.client.HTTPConnection] = []
        self._closed = False

    def answer(
        self, method: str, target: str, content: bytes | Iterable[bytes] | None, headers: Mapping[str, str]
    ) -> Answer:
        """Ask, and read the whole answer. `StorageUnavailable` where the connection breaks."""
        connection = self._taken()
        try:
            connection.request(method, target, content, headers, encode_chunked=not isinstance(
                content, bytes | None))  # fmt: skip
            response = connection.getresponse()
            answer = Answer(response.status, dict(response.headers), response.read())
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._unreachable(error) from error
        except BaseException:
            connection.close()
            raise
        if response.will_close:
            connection.close()
        else:
            self._given_back(connection)
        return answer

    def opened(self, method: str, target: str, headers: Mapping[str, str]) -> http.client.HTTPResponse:
        """Ask on a connection of its own, which lives as long as the response is read."""
        connection = self._made()
        try:
            connection.request(method, target, None, {**headers, "Connection": "close"})
            return connection.getresponse()
        except (OSError, http.client.HTTPException) as error:
            connection.close()
            raise self._unreachable(error) from error

    def close(self) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _taken(self) -> http.client.HTTPConnection:
        with self._lock:
            if self._idle and not self._closed:
                return self._idle.pop()
        return self._made()

    def _made(self) -> http.client.HTTPConnection:
        if self._closed:
            raise StoreClosed("this client was closed; make a new Client")
        if self._tls is not None:
            return http.client.HTTPSConnection(
                self._host, self._port, timeout=self._timeout, context=self._tls
            )
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)

    def _given_back(self, connection: http.client.HTTPConnection) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < self.MOST_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def _unreachable(self, error: Exception) -> StorageUnavailable:
        return StorageUnavailable(
            f"{self._scheme}://{self._host} gave no answer ({type(error).__name__}); a save may be repeated"
            " with its id"
        )


def good(answer: Answer) -> Answer:
    """The answer, or the error that it tells of."""
    if answer.status < 400:
        return answer
    told = answer.json()
    name = str(told.get("type", "")).rpartition(":")[2]
    detail = str(told.get("detail", ""))
    places = [f"{'.'.join(one['where'])}: {one['what']}" for one in told.get("errors", ())]
    raise ERRORS.get(name, StorageError)(" ".join([detail, *places]) or f"status {answer.status}")


def events(response: http.client.HTTPResponse) -> Iterator[str]:
    """The data of server-sent events."""
    data: list[str] = []
    for line in response:
        text = line.decode("utf-8").rstrip("\r\n")
        if not text and data:
            yield "\n".join(data)
            data = []
        elif text.startswith("data:"):
            data.append(text.removeprefix("data:").removeprefix(" "))
