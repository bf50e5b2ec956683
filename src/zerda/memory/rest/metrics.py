"""Counts for Prometheus: by operation and outcome, never by user, tenant or key."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.multiprocess import MultiProcessCollector

from .settings import SHARED_FOLDER

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """What a server counts of itself."""

    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "zerda_requests", "Requests that were answered.", ["operation", "outcome"],
            registry=self._registry,
        )  # fmt: skip
        self._seconds = Histogram(
            "zerda_request_seconds", "How long they took.", ["operation"],
            buckets=_SECONDS, registry=self._registry,
        )  # fmt: skip
        self._running = Gauge(
            "zerda_requests_running", "Requests that are being answered.",
            registry=self._registry, multiprocess_mode="livesum",
        )  # fmt: skip

    def began(self) -> None:
        """A request came."""
        self._running.inc()

    def ended(self, operation: str, status: int, seconds: float) -> None:
        """It was answered."""
        self._running.dec()
        self._requests.labels(operation, outcome(status)).inc()
        self._seconds.labels(operation).observe(seconds)

    def told(self) -> bytes:
        """Everything in the text format; with several workers, of all of them."""
        registry = self._registry
        if os.environ.get(SHARED_FOLDER):
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def outcome(status: int) -> str:
    """A status as a few words that a person understands."""
    words = {401: "no key", 403: "refused", 404: "not found", 409: "conflict", 412: "changed",
             413: "too large", 429: "too many"}  # fmt: skip
    if status in words:
        return words[status]
    return "ok" if status < 400 else "invalid" if status < 500 else "error"
