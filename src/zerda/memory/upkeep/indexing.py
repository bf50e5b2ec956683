"""Gives vectors to what lacks them. What is pending is a query, so a crash loses no work."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING

from ..after_fork import Lock, renew_in_child
from ..core.model import Scope
from ..errors import EmbeddingError, StorageError, StorageReadOnly
from ..gate import whole_tenant

if TYPE_CHECKING:
    from ..core.seams import Embedder
    from ..storage.base import Store, Stores

log = logging.getLogger(__name__)

BATCH = 64
REINDEX_BATCH = 256  # A transaction each: more would keep writers waiting behind a slow embedder.
WHILE_ASKED_TEXTS, WHILE_ASKED_SECONDS = 32, 0.2
"""What a recall indexes before it looks: more would keep the caller waiting."""


def index_pending(store: Store, scope: Scope, embedder: Embedder, *, batch: int = BATCH) -> int:
    """Embed all that is pending in the scope, newest first; return how many passages got a vector.

    `EmbeddingError` travels; what was done before it stays done.
    """
    done = 0
    while made := index_batch(store, scope, embedder, limit=batch):
        done += made
    return done


def index_batch(store: Store, scope: Scope, embedder: Embedder, *, limit: int) -> int:
    """Embed at most ``limit`` pending passages; return how many got a vector."""
    pending = store.claim_pending(scope, embedder.fingerprint, limit=limit)
    if not pending:
        return 0
    keys = [one.key for one in pending]
    try:
        vectors = embedder.embed([one.text for one in pending], role="passage")
    except EmbeddingError:
        store.release(scope, keys)
        raise
    return store.put_vectors(scope, embedder.fingerprint, keys, vectors)


def reindex(
    stores: Stores,
    embedder: Embedder,
    tenants: Sequence[str],
    progress: Callable[[int, int], object],
    *,
    batch: int = REINDEX_BATCH,
) -> int:
    """Bring the tenants' vectors to this embedder; return how many were made.

    Only when no tenant of the memory lacks one is the recorded embedder replaced: until then other
    processes find by the former one, and by words. Killed, it goes on where it stopped. ``progress`` is
    told how many of how many are done.
    """
    todo = sum(_lacking(stores, embedder, tenant) for tenant in tenants)
    done = 0
    progress(done, todo)
    for tenant in tenants:
        while made := index_batch(stores.store(tenant), whole_tenant(tenant), embedder, limit=batch):
            done += made
            progress(done, max(todo, done))
    if any(_lacking(stores, embedder, tenant) for tenant in stores.tenants()):
        return done
    stores.catalog.replace_embedder(embedder.fingerprint)
    # What another process saved with the former embedder meanwhile.
    return done + sum(index_pending(stores.store(one), whole_tenant(one), embedder) for one in tenants)


def _lacking(stores: Stores, embedder: Embedder, tenant: str) -> int:
    return stores.store(tenant).stats(whole_tenant(tenant), embedder.fingerprint).pending


def index_newest(
    store: Store,
    scope: Scope,
    embedder: Embedder,
    *,
    most: int = WHILE_ASKED_TEXTS,
    seconds: float = WHILE_ASKED_SECONDS,
    timer: Callable[[], float] = monotonic,
) -> tuple[str, ...]:
    """Embed the newest pending passages within bounds; name what stayed pending, or nothing."""
    until = timer() + seconds
    left = most
    try:
        while left > 0 and timer() < until:
            if not (made := index_batch(store, scope, embedder, limit=min(8, left))):
                return ()
            left -= made
        waiting = len(store.pending(scope, embedder.fingerprint, limit=most))
    except (EmbeddingError, StorageReadOnly) as error:
        return (f"meaning of what is pending: {error}",)
    return (f"meaning: {waiting} or more passages wait for their vectors",) if waiting else ()


class Indexer:
    """One background worker that indexes tenants as they are named to it. Started by the first one.

    A failing embedder is logged once until it works again; nothing is lost by it.
    """

    def __init__(self, work: Callable[[str], None]) -> None:
        self._work = work
        self._lock = Lock()
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """Begin with nothing to do; a forked child has no worker, and what waits is the parent's to index."""
        self._waiting: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._queued: set[str] = set()
        self._worker: threading.Thread | None = None
        self._failing = False

    def nudge(self, tenant_id: str) -> None:
        """Index this tenant soon; naming it again before then changes nothing."""
        with self._lock:
            if self._worker is None or not self._worker.is_alive():
                self._worker = threading.Thread(target=self._run, name="zerda-indexer", daemon=True)
                self._worker.start()
            if tenant_id in self._queued:
                return
            self._queued.add(tenant_id)
        self._waiting.put(tenant_id)

    def close(self) -> None:
        """Finish what is waiting and stop."""
        with self._lock:
            worker, self._worker = self._worker, None
        if worker is not None and worker.is_alive():
            self._waiting.put(None)
            worker.join()

    def _run(self) -> None:
        while (tenant_id := self._waiting.get()) is not None:
            with self._lock:
                self._queued.discard(tenant_id)
            self._index(tenant_id)

    def _index(self, tenant_id: str) -> None:
        try:
            self._work(tenant_id)
            self._failing = False
        except (EmbeddingError, StorageError) as error:
            if not self._failing:
                log.warning("indexing stopped, entries stay findable by their words: %s", error)
            self._failing = True
