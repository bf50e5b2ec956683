"""A server in a thread of the test, on a free port of loopback."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import uvicorn

from zerda.memory import AIMemoryManager, ApiKey
from zerda.memory.core.rules.api_keys import key_text, secret_digest
from zerda.memory.rest.app import application
from zerda.memory.rest.callers import Verifier
from zerda.memory.rest.serving import listening
from zerda.memory.rest.settings import ServerSettings


@contextmanager
def serving(memory: AIMemoryManager, *, verifiers: Sequence[Verifier] = (), **settings: Any) -> Iterator[str]:
    """The address of a server on this memory, for as long as the block lasts."""
    chosen = ServerSettings(port=0, poll_seconds=0.02, stop_seconds=5, **settings)
    guard = application(memory, chosen, verifiers=verifiers)
    began = threading.Event()

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            began.set()

    with listening(chosen) as listener:
        config = uvicorn.Config(guard, log_config=None, access_log=False, ws="none", lifespan="on",
                                timeout_graceful_shutdown=5)  # fmt: skip
        server = Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
        thread.start()
        try:
            assert began.wait(60), "the server did not begin"
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            guard.stop()
            server.should_exit = True
            thread.join(60)
    assert not thread.is_alive()


class KeyRing:
    """Gives each user of each tenant a key of their own, as a program that serves many would.

    Whoever was granted nothing is made an admin; else the key allows what they were granted.
    """

    def __init__(self, memory: AIMemoryManager) -> None:
        self._memory = memory
        self._lock = threading.Lock()
        self._keys: dict[tuple[str, str], str] = {}

    def __call__(self, user_id: str | None, tenant_id: str) -> str:
        who = user_id or "root", tenant_id
        with self._lock:
            if who not in self._keys:
                self._keys[who] = self._made(*who)
            return self._keys[who]

    def _made(self, user_id: str, tenant_id: str) -> str:
        catalog = self._memory._stores.catalog
        if not catalog.standing(tenant_id, user_id)[1]:
            return self._memory.create_key(user_id, tenant_id, "admin").secret
        key_id, secret = secrets.token_hex(8), secrets.token_urlsafe(32)
        key = ApiKey(id=key_id, tenant_id=tenant_id, user_id=user_id, principal=user_id, role="admin",
                     at=datetime.now(UTC))  # fmt: skip
        catalog.put_api_key(key, secret_digest(secret))
        return key_text(key_id, secret)
