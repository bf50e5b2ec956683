"""Who calls: the one place where a request becomes a principal. Identity comes from the key alone."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Annotated, Protocol
from urllib.parse import unquote

from fastapi import Depends, Header, Request
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from zerda.memory import AccessDenied, AIMemoryManager

from .problems import NO_KEY, NOT_YOURS, TOO_MANY, Refused
from .settings import ServerSettings
from .traces import Operation, Told, Traces


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a key speaks for. ``role`` bounds what it allows (None: what the user was granted)."""

    tenant_id: str
    user_id: str
    principal: str
    role: str | None
    key_id: str


class Verifier(Protocol):
    """Tells whose token it is, or raises `AccessDenied`. Used from many threads at once."""

    def takes(self, token: str) -> bool:
        """Whether tokens of this look are its own."""
        ...

    def identify(self, token: str) -> Identity:
        """Who it speaks for."""
        ...


class ApiKeys:
    """Keys that the memory itself keeps; it takes whatever no other verifier does."""

    def __init__(self, memory: AIMemoryManager) -> None:
        self._memory = memory

    def takes(self, token: str) -> bool:
        return True

    def identify(self, token: str) -> Identity:
        key = self._memory.authenticate(token)
        return Identity(key.tenant_id, key.user_id, key.principal, key.role, key.id)


class Pace:
    """How often each key may call: so many times a minute, saved up for ten seconds at the most. Locked."""

    MOST = 10_000

    def __init__(self, per_minute: int, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._rate = per_minute / 60
        self._depth = max(self._rate * 10, 1.0)
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._left: dict[str, tuple[float, float]] = {}

    def wait(self, key: str) -> float:
        """Seconds until the key may call; 0 is now, and the call is counted."""
        if not self._rate:
            return 0.0
        now = self._monotonic()
        with self._lock:
            left, at = self._left.pop(key, (self._depth, now))
            left = min(self._depth, left + (now - at) * self._rate)
            allowed = left >= 1
            self._left[key] = (left - 1 if allowed else left, now)
            if len(self._left) > self.MOST:
                del self._left[next(iter(self._left))]  # Whoever called longest ago has saved up anew.
        return 0.0 if allowed else (1 - left) / self._rate


@dataclass(frozen=True, slots=True)
class Caller:
    """A request's principal, and the memory as it may use it."""

    identity: Identity
    memory: AIMemoryManager
    traces: Traces
    token: str = field(repr=False)

    @property
    def who(self) -> tuple[str, str]:
        """User and tenant: the first two arguments of every verb."""
        return self.identity.user_id, self.identity.tenant_id

    @property
    def tenant_id(self) -> str:
        return self.identity.tenant_id

    def span(
        self, operation: Operation, *, query: str | None = None, record: str | None = None
    ) -> AbstractContextManager[Told]:
        """The time of what is done for this caller, as traces show it."""
        return self.traces.span(operation, query=query, record=record)

    def names(self, tenant_id: str | None, user_id: str | None) -> None:
        """Refuse a request that names another tenant or user than the key's."""
        if tenant_id not in (None, self.identity.tenant_id) or user_id not in (None, self.identity.user_id):
            self.memory.record_refusal(*self.who, "call, another named")
            raise Refused(NOT_YOURS)


class Callers:
    """Makes a `Caller` of a request, or refuses it."""

    def __init__(
        self,
        memory: AIMemoryManager,
        settings: ServerSettings,
        verifiers: Sequence[Verifier] = (),
        traces: Traces | None = None,
    ) -> None:
        self._memory = memory
        self._traces = traces or Traces(content=settings.content_in_traces)
        self._verifiers = (*verifiers, ApiKeys(memory))
        self._pace = Pace(settings.requests_per_minute)

    def called_with(self, token: str) -> Caller:
        """The caller behind a token."""
        identity = self._identity(token)
        if seconds := self._pace.wait(identity.key_id):
            raise Refused(TOO_MANY, {"Retry-After": str(int(seconds) + 1)})
        memory = self._memory.acting_as(identity.principal, strict=True, at_most=identity.role)
        return Caller(identity, memory, self._traces, token)

    def still(self, caller: Caller) -> None:
        """Refuse a caller whose key is good no longer."""
        self._identity(caller.token)

    def _identity(self, token: str) -> Identity:
        verifier = next(one for one in self._verifiers if one.takes(token))
        try:
            return verifier.identify(token)
        except AccessDenied:
            raise Refused(NO_KEY) from None


_bearer = HTTPBearer(auto_error=False, description="A key of `zerda keys create`, or an OIDC token.")
_header = APIKeyHeader(name="X-API-Key", auto_error=False, description="The same, where it suits better.")

FOR = "Zerda-For"
"""A header that says for whom a program believes to call: ``tenant/user`` or ``tenant``, percent-encoded.
It is compared with what the key says, and chooses nothing."""


def caller(
    request: Request,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    key: Annotated[str | None, Depends(_header)],
    believed: Annotated[
        str | None, Header(alias=FOR, description="``tenant/user`` as the program believes; it must be so.")
    ] = None,
) -> Caller:
    """The dependency of every operation that needs a key."""
    callers: Callers = request.app.state.callers
    found = callers.called_with(bearer.credentials if bearer else key or "")
    request.state.key_id = found.identity.key_id
    if believed is not None:
        tenant_id, slash, user_id = believed.partition("/")
        found.names(unquote(tenant_id), unquote(user_id) if slash else None)
    return found


Called = Annotated[Caller, Depends(caller)]
