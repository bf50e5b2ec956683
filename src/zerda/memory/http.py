"""JSON over HTTP to an endpoint that the user named: no redirects, no proxies, no environment."""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import SplitResult, urlsplit

from .errors import ConfigError, ZerdaError

T = TypeVar("T")

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
"""Statuses that may be another a moment later (529: overloaded, as some providers say it)."""

HINTS = {401: "; check the API key", 403: "; check the API key", 404: "; check the address and the model"}
MAX_ANSWER_BYTES = 100_000_000  # 2,000 vectors of 4,096 numbers in decimal are some 90 MB.
MAX_LINE_BYTES = 1_000_000
BLOCK_BYTES = 65_536


@dataclass(frozen=True, slots=True)
class Pace:
    """How often to try, and when to leave a failing endpoint alone.

    A call tries ``attempts`` times, waiting ``backoff_seconds``, twice that, and so on in between. After
    ``failures`` failed calls in a row, calls fail at once for ``rest_seconds``; then one is let through.
    """

    attempts: int = 3
    backoff_seconds: float = 0.5
    failures: int = 5
    rest_seconds: float = 30.0
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


class _Failure(Exception):
    """A try that failed; ``passing`` if another may not. Its message holds nothing of question or answer."""

    def __init__(self, message: str, *, passing: bool, wait_seconds: float | None = None) -> None:
        super().__init__(message)
        self.passing = passing
        self.wait_seconds = wait_seconds


class Endpoint:
    """An OpenAI-compatible endpoint; every failure is an ``error`` that carries no text of either side.

    ``timeout_seconds`` bounds a call with all its tries (a stream: each of its silences). An address
    without a path gets ``/v1``. Redirects are refused, so the key goes to no other host. Used by any
    number of threads.
    """

    def __init__(
        self,
        base_url: str,
        *,
        error: type[ZerdaError],
        api_key: str | None = None,
        timeout_seconds: float,
        pace: Pace | None = None,
    ) -> None:
        if not timeout_seconds > 0:
            raise ConfigError(f"timeout_seconds is {timeout_seconds!r}; it is above 0")
        self._url = _checked_url(base_url)
        self._path = self._url.path.rstrip("/") or "/v1"
        self._headers = _headers(api_key)
        self._error = error
        self._timeout = timeout_seconds
        self._pace = pace or Pace()
        self._breaker = _Breaker(self._pace)

    @property
    def where(self) -> str:
        """The host, and its port if the address names one."""
        return self._url.netloc

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """The JSON that the endpoint answers."""
        deadline = self._pace.clock() + self._timeout
        return self._guarded(lambda: self._exchange(path, body, deadline), deadline)

    def lines(self, path: str, body: Mapping[str, Any]) -> Iterator[bytes]:
        """The lines of a streamed answer as they come. Closing the iterator closes the connection."""
        deadline = self._pace.clock() + self._timeout
        with closing(self._guarded(lambda: self._open(path, body, deadline), deadline)) as answer:
            try:
                yield from answer.lines()
            except _Failure as failure:
                raise self._told(failure) from failure.__cause__

    def _exchange(self, path: str, body: Mapping[str, Any], deadline: float) -> Any:
        with closing(self._open(path, body, deadline)) as answer:
            content = answer.read(lambda: self._pace.clock() < deadline)
        try:
            return json.loads(content)
        except ValueError:
            raise _Failure(f"{self.where} answered with something that is not JSON", passing=True) from None

    def _open(self, path: str, body: Mapping[str, Any], deadline: float) -> _Answer:
        # Lone surrogates have no UTF-8; a question mark stands for them.
        content = json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        with ExitStack() as unless_well:
            connection = self._connection(max(deadline - self._pace.clock(), 0.001))
            unless_well.callback(connection.close)
            try:
                connection.request("POST", self._path + path, body=content, headers=self._headers)
                answer = _Answer(connection, connection.getresponse(), self.where)
            except (OSError, http.client.HTTPException) as error:
                raise _lost(self.where, error) from _harmless(error)
            unless_well.callback(answer.close)
            answer.check()
            unless_well.pop_all()
        return answer

    def _connection(self, seconds: float) -> http.client.HTTPConnection:
        host, port = self._url.hostname or "", self._url.port
        if self._url.scheme == "http":
            return http.client.HTTPConnection(host, port, timeout=seconds)
        return http.client.HTTPSConnection(host, port, timeout=seconds, context=ssl.create_default_context())

    def _guarded(self, call: Callable[[], T], deadline: float) -> T:
        if (left := self._breaker.seconds_left()) > 0:
            raise self._error(
                f"{self.where} failed {self._pace.failures} times in a row; it is asked again in {left:.0f} s"
            )
        try:
            answer = self._retried(call, deadline)
        except _Failure as failure:
            self._breaker.note(well=not failure.passing)
            raise self._told(failure) from failure.__cause__
        self._breaker.note(well=True)
        return answer

    def _told(self, failure: _Failure) -> ZerdaError:
        """The error for the caller. What was met while reading may keep what it read, so it is let go."""
        failure.__context__ = None
        return self._error(str(failure))

    def _retried(self, call: Callable[[], T], deadline: float) -> T:
        for attempt in range(1, self._pace.attempts):
            try:
                return call()
            except _Failure as failure:
                wait = failure.wait_seconds or self._pace.backoff_seconds * 2 ** (attempt - 1)
                if not failure.passing or self._pace.clock() + wait >= deadline:
                    raise
                self._pace.sleep(wait)
        return call()


@dataclass(slots=True)
class _Breaker:
    """Counts failed calls in a row. It has no lock: a count that two threads blur does no harm."""

    pace: Pace
    failed: int = 0
    rests_until: float = field(default=float("-inf"))

    def seconds_left(self) -> float:
        """How long calls still fail at once; at 0 one call may try, and others wait for how it fares."""
        if self.failed < self.pace.failures:
            return 0.0
        now = self.pace.clock()
        if now < self.rests_until:
            return self.rests_until - now
        self.rests_until = now + self.pace.rest_seconds
        return 0.0

    def note(self, *, well: bool) -> None:
        self.failed = 0 if well else self.failed + 1
        if self.failed >= self.pace.failures:
            self.rests_until = self.pace.clock() + self.pace.rest_seconds


@dataclass(frozen=True, slots=True)
class _Answer:
    connection: http.client.HTTPConnection
    response: http.client.HTTPResponse
    where: str

    def check(self) -> None:
        """Raise a `_Failure` unless the status says that all is well."""
        status = self.response.status
        if 200 <= status < 300:
            return
        if 300 <= status < 400:
            raise _Failure(
                f"{self.where} redirects (HTTP {status}), which is not followed; name where it leads to",
                passing=False,
            )
        passing = status in PASSING
        wait = _seconds(self.response.getheader("Retry-After")) if passing else None
        message = f"{self.where} answered with HTTP {status}{HINTS.get(status, '')}"
        raise _Failure(message, passing=passing, wait_seconds=wait)

    def read(self, in_time: Callable[[], bool]) -> bytes:
        content = bytearray()
        try:
            while block := self.response.read1(BLOCK_BYTES):
                content += block
                if not in_time():
                    raise TimeoutError
                if len(content) > MAX_ANSWER_BYTES:
                    raise _Failure(
                        f"{self.where} answered with over {MAX_ANSWER_BYTES:,} bytes", passing=False
                    )
        except (OSError, http.client.HTTPException) as error:
            raise _lost(self.where, error) from _harmless(error)
        if self.response.length:
            raise _Failure(f"{self.where} broke off its answer", passing=True)
        return bytes(content)

    def lines(self) -> Iterator[bytes]:
        try:
            while line := self.response.readline(MAX_LINE_BYTES):
                if len(line) == MAX_LINE_BYTES:
                    raise _Failure(f"{self.where} answered with a line without end", passing=False)
                yield line
        except (OSError, http.client.HTTPException) as error:
            raise _lost(self.where, error) from _harmless(error)

    def close(self) -> None:
        self.response.close()
        self.connection.close()


def _lost(where: str, error: Exception) -> _Failure:
    if isinstance(error, TimeoutError):
        return _Failure(f"{where} did not answer in time", passing=True)
    if isinstance(error, OSError):
        return _Failure(f"{where} cannot be reached: {error.strerror or type(error).__name__}", passing=True)
    return _Failure(f"{where} broke off its answer", passing=True)


def _harmless(error: Exception) -> Exception | None:
    """The error where it holds no text of ours or theirs; those of `http.client` keep what they read."""
    return error if isinstance(error, OSError) and not isinstance(error, http.client.HTTPException) else None


def _seconds(value: str | None) -> float | None:
    """A Retry-After in seconds; a date is not worth a clock of the wall."""
    return float(value) if value and value.isascii() and value.isdigit() else None


def _headers(api_key: str | None) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "User-Agent": "zerda-memory"}
    if api_key:
        if not (api_key.isascii() and api_key.isprintable()):
            raise ConfigError("the API key holds a character that no header can carry; look for a line break")
        headers["Authorization"] = f"Bearer {api_key}"
    return headers


def _checked_url(base_url: str) -> SplitResult:
    """The address, taken apart; `ConfigError` where it cannot work. A password in it is not shown."""
    try:
        url = urlsplit(base_url)
        _ = url.port
    except ValueError:
        raise ConfigError("base_url is no address; http://localhost:11434/v1 is one") from None
    if url.username or url.password:
        raise ConfigError("base_url holds a user or password; give the key as api_key")
    if url.scheme not in ("http", "https") or not url.hostname or url.query or url.fragment:
        raise ConfigError(f"base_url is {base_url!r}; http://localhost:11434/v1 would do")
    if not (base_url.isascii() and base_url.isprintable()) or " " in base_url:
        raise ConfigError(f"base_url is {base_url!r}; it holds a character that no address has")
    return url
