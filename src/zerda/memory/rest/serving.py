"""A server on one socket: one process, or several workers on one store."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from zerda.memory import AIMemoryManager, ConfigError, MissingExtra

from .settings import SHARED_FOLDER

for _package in ("fastapi", "uvicorn", "prometheus_client"):
    if find_spec(_package) is None:
        raise MissingExtra(_package, "server")

import uvicorn  # noqa: E402 - after it is known to be there
from uvicorn.supervisors import Multiprocess  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .callers import Verifier
    from .guard import Guard
    from .settings import ServerSettings

HEALTH_SECONDS = 60
"""Without an answer for so long, a worker is replaced. A busy machine is no reason to kill one at work."""

Open = Callable[[], AIMemoryManager]
"""Opens the memory, in each worker anew; it has to be picklable if there are several."""

Verifiers = Callable[[], "Sequence[Verifier]"]


def no_verifiers() -> Sequence[Verifier]:
    """Keys of the memory's own, alone."""
    return ()


def check(memory: AIMemoryManager, settings: ServerSettings, *, other_tokens: bool = False) -> None:
    """`ConfigError` where the server would stand open, or could not be called."""
    if settings.is_local:
        return
    if not other_tokens and not memory.list_keys():
        raise ConfigError(
            f"host is {settings.host!r}, which others reach, and there is no key; make one first:"
            " zerda keys create --admin"
        )
    if settings.host in ("0.0.0.0", "::") and not settings.hosts:
        raise ConfigError(
            f"host is {settings.host!r}; say under which names the server is called, as with"
            " --name memory.example.com"
        )


def listening(settings: ServerSettings) -> socket.socket:
    """The socket; an address that is taken is a `ConfigError`."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Named as TCP, or asyncio does not switch Nagle's algorithm off, and each answer waits for 40 ms.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
    except OSError as error:
        listener.close()
        raise ConfigError(
            f"{settings.host}:{settings.port} cannot be listened on: {error.strerror}"
        ) from error
    listener.set_inheritable(True)
    return listener


def made(open_memory: Open, settings: ServerSettings, verifiers: Verifiers, *, log: bool = True) -> Guard:
    """The application of one worker."""
    from .app import application
    from .logs import to_stream

    _end_with_the_parent()
    guard = application(open_memory(), settings, verifiers=verifiers(), closes=True)
    if log:
        to_stream(sys.stderr)  # After the memory is open, since what opens it may have its own way to warn.
    return guard


def _end_with_the_parent() -> None:
    """Stop a worker whose supervisor was killed: nobody else would."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, name="zerda-parent", daemon=True).start()


def configured(
    open_memory: Open, settings: ServerSettings, verifiers: Verifiers = no_verifiers, *, log: bool = True
) -> uvicorn.Config:
    """How uvicorn is to serve it."""
    return uvicorn.Config(
        partial(made, open_memory, settings, verifiers, log=log),
        factory=True, workers=settings.workers, log_config=None, access_log=False, server_header=False,
        ws="none", timeout_worker_healthcheck=HEALTH_SECONDS, proxy_headers=False, lifespan="on",
        timeout_graceful_shutdown=settings.stop_seconds,
    )  # fmt: skip


def serve(
    open_memory: Open,
    settings: ServerSettings,
    verifiers: Verifiers = no_verifiers,
    *,
    ready: Callable[[str], object] = lambda address: None,
    log: bool = True,
) -> None:
    """Serve until SIGTERM or SIGINT.

    ``ready`` is told the address once it is bound; ``log`` writes a line for each request.
    """
    with listening(settings) as listener, tempfile.TemporaryDirectory(prefix="zerda-") as folder:
        listener.listen()  # Whoever calls before the memory is open waits, instead of being refused.
        host, port = listener.getsockname()[:2]
        ready(f"http://{f'[{host}]' if ':' in host else host}:{port}")
        if settings.workers == 1:
            # The server answers the signal, and in the end sends it to itself once more.
            signal.signal(signal.SIGTERM, lambda number, frame: None)
            uvicorn.Server(configured(open_memory, settings, verifiers, log=log)).run([listener])
            return
        os.environ[SHARED_FOLDER] = folder
        config = configured(open_memory, settings, verifiers, log=log)
        Multiprocess(config, sockets=[listener]).run()


def verifiers_of(issuer: str | None, audience: str | None, tenant_id: str | None) -> Verifiers:
    """Verifiers for the tokens of an issuer, if one is named."""
    if issuer is None:
        return no_verifiers
    if not audience:
        raise ConfigError(
            "an issuer is named, but no audience; whose tokens would they be? give --oidc-audience"
        )
    return partial(_oidc, issuer, audience, tenant_id)


def _oidc(issuer: str, audience: str, tenant_id: str | None) -> Sequence[Verifier]:
    from .oidc import Oidc

    return (Oidc(issuer, audience, tenant_id=tenant_id),)
