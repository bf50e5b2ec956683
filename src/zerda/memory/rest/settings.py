"""How a server behaves, beside how its memory does."""

from __future__ import annotations

from dataclasses import dataclass

from zerda.memory import ConfigError

SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder where workers keep their counts beside each other, so that any of them tells the sum."""

LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerSettings:
    """A value that cannot work is a `ConfigError` when it is set.

    host, port: where it listens. Elsewhere than on loopback it wants keys, and the names in ``hosts``.
    hosts: names under which it is called; a request for another is refused. Loopback's always are allowed.
    origins: web pages (``https://app.example.com``) that may call it from a browser; none by default.
    workers: processes that answer, all on one store.
    threads: calls that one worker is at, at a time; others wait.
    max_body_bytes: a larger body is refused (413), an import's above ``max_import_bytes``.
    requests_per_minute: of one key, in one worker; above it is 429. 0 sets no limit.
    streams: streams of changes that one worker keeps open at a time.
    poll_seconds: how often a stream looks for what other processes changed.
    stop_seconds: how long a server that was told to stop waits for the calls that it is at.
    content_in_traces: spans carry what was said and asked. Off: they never do.
    """

    host: str = "127.0.0.1"
    port: int = 8377
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    workers: int = 1
    threads: int = 40
    max_body_bytes: int = 1_048_576
    max_import_bytes: int = 1_073_741_824
    requests_per_minute: int = 6_000
    streams: int = 100
    poll_seconds: float = 1.0
    stop_seconds: int = 10
    content_in_traces: bool = False

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if getattr(self, name) < least:
                raise ConfigError(f"{name} is {getattr(self, name)!r}; it is at least {least}")
        if not 0 <= self.port <= 65_535:
            raise ConfigError(f"port is {self.port!r}; it is 0 (any that is free) to 65535")
        for origin in self.origins:
            if not origin.startswith(("http://", "https://")) or origin.endswith("/"):
                raise ConfigError(
                    f"origin is {origin!r}; it is like 'https://app.example.com', without a path"
                )

    @property
    def is_local(self) -> bool:
        """Whether only this machine can call."""
        return self.host in LOOPBACK

    @property
    def names(self) -> frozenset[str]:
        """The names under which it may be called."""
        bound = () if self.host in ("0.0.0.0", "::", "") else (self.host,)
        return frozenset(name.lower() for name in (*LOOPBACK, *bound, *self.hosts))


_LEAST = {
    "workers": 1, "threads": 1, "max_body_bytes": 1_024, "max_import_bytes": 1_024, "streams": 0,
    "requests_per_minute": 0, "poll_seconds": 0.01, "stop_seconds": 1,
}  # fmt: skip
