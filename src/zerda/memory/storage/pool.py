"""Connections: few of them, shared by all threads, and none that outlives a fork.

A `Pool` bounds how many connections a process has open, over all files: the files least recently used
are closed first. Each open file has one writer, behind a lock that lets threads in by the order in which
they came, and as many readers as threads read at once.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import apsw

from ..errors import StorageBusy, StorageUnavailable, StoreClosed
from .driver import BUSY_SECONDS, Source, connect

MAX_CONNECTIONS = 64
"""Open at once. Each is two handles, and each file one more: with 256 handles to a process, it fits."""

T = TypeVar("T")

FORK_SECONDS = 10.0  # How long a fork waits for calls of other threads to end.


class FairLock:
    """A lock that lets threads in by the order in which they came."""

    def __init__(self) -> None:
        self._mutex = threading.Lock()
        self._held = False
        self._gates: deque[threading.Lock] = deque()

    def acquire(self, timeout: float) -> bool:
        """Whether it was our turn within ``timeout`` seconds."""
        with self._mutex:
            if not self._held:
                self._held = True
                return True
            gate = threading.Lock()
            gate.acquire()
            self._gates.append(gate)
        return gate.acquire(timeout=timeout) or self._leave(gate)

    def _leave(self, gate: threading.Lock) -> bool:
        """Stop waiting; True where our turn came at the last moment."""
        with self._mutex:
            if gate not in self._gates:
                return True
            self._gates.remove(gate)
            return False

    def release(self) -> None:
        """Let the next one in."""
        with self._mutex:
            if self._gates:
                self._gates.popleft().release()
            else:
                self._held = False


@dataclass(eq=False)
class OpenFile:
    """A file's connections in this process, and what was derived from it (``derived``) while it is open."""

    source: Source
    turn: FairLock = field(default_factory=FairLock)
    writer: apsw.Connection | None = None
    idle: list[apsw.Connection] = field(default_factory=list)
    everything: list[apsw.Connection] = field(default_factory=list)
    users: int = 0
    abandoned: bool = False
    derived: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Lease:
    """A connection for the time of a call; ``writing`` inside a write transaction."""

    connection: apsw.Connection
    file: OpenFile
    writing: bool


class _Thread(threading.local):
    """What a thread holds."""

    def __init__(self) -> None:
        self.held = 0
        self.writing: dict[Source, Lease] = {}


class Pool:
    """Opens files when they are needed and closes those least recently used."""

    def __init__(self, connections: int = MAX_CONNECTIONS, *, wait_seconds: float = BUSY_SECONDS) -> None:
        self.connections = connections
        self.wait_seconds = wait_seconds
        self._start()
        _watch_forks(self)

    def _start(self) -> None:
        self._changed = threading.Condition()
        self._files: OrderedDict[Source, OpenFile] = OrderedDict()
        self._open = 0
        self._active = 0
        self._forking = False
        self._closed = False
        self._thread = _Thread()

    # ── for stores ───────────────────────────────────────────────────────────────────────────────

    def joined(self, source: Source) -> Lease | None:
        """The write transaction that this thread has begun on the file, if it has."""
        return self._thread.writing.get(source)

    @contextmanager
    def reading(self, source: Source) -> Iterator[Lease]:
        """A connection to read with, of this thread alone for the time."""
        with self._using(source) as file:
            connection = self._reader(file)
            try:
                yield Lease(connection, file, writing=False)
            finally:
                self._give_back(file, connection)

    def ask(self, source: Source, question: Callable[[Lease], T]) -> T:
        """What a question says of a file; as `reading`, but cheap enough to be asked at every call."""
        ready = self._idle(source)
        if ready is None:
            with self.reading(source) as lease:
                return question(lease)
        file, connection = ready
        try:
            return question(Lease(connection, file, writing=False))
        finally:
            if not file.abandoned:
                self._let_go(file, connection)

    def _idle(self, source: Source) -> tuple[OpenFile, apsw.Connection] | None:
        """A reader that nobody uses, taken; None where there is none, or this is not the time."""
        with self._changed:
            file = self._files.get(source)
            if file is None or not file.idle or self._forking or self._closed:
                return None
            self._take(file)
            return file, file.idle.pop()

    @contextmanager
    def writing(self, source: Source) -> Iterator[Lease]:
        """The file's writer, when it is this thread's turn."""
        with self._using(source) as file:
            if not file.turn.acquire(self.wait_seconds):
                raise StorageBusy(
                    f"other threads wrote to {source.path} for {self.wait_seconds:g} s; try again"
                )
            try:
                lease = Lease(self._writer(file), file, writing=True)
                self._thread.writing[source] = lease
                yield lease
            finally:
                self._thread.writing.pop(source, None)
                file.turn.release()

    def unpool(self, source: Source) -> None:
        """Close a file as soon as nobody uses it; its next use opens it again."""
        with self._changed:
            file = self._files.get(source)
            closing = self._retire(file) if file and not file.users else []
        _close(closing)

    def close(self) -> None:
        """Close every file; calls that are under way end first."""
        with self._changed:
            self._closed = True
            closing = [c for file in list(self._files.values()) if not file.users for c in self._retire(file)]
        _close(closing)

    @property
    def open_connections(self) -> int:
        """How many connections are open now."""
        return self._open

    # ── who uses what ────────────────────────────────────────────────────────────────────────────

    @contextmanager
    def _using(self, source: Source) -> Iterator[OpenFile]:
        with self._changed:
            nested = self._thread.held > 0
            while self._forking and not nested:
                self._changed.wait()
            if self._closed:
                raise StoreClosed(f"{source.path} was closed; open it again")
            file = self._files.setdefault(source, OpenFile(source))
            self._take(file)
        try:
            yield file
        finally:
            if not file.abandoned:
                self._let_go(file)

    def _take(self, file: OpenFile) -> None:
        self._files.move_to_end(file.source)
        file.users += 1
        self._active += 1
        self._thread.held += 1

    def _let_go(self, file: OpenFile, connection: apsw.Connection | None = None) -> None:
        with self._changed:
            if connection is not None:
                file.idle.append(connection)
            file.users -= 1
            self._active -= 1
            self._thread.held -= 1
            last = self._closed and not file.users
            closing = self._retire(file) if last else []
            self._changed.notify_all()
        _close(closing)

    def _reader(self, file: OpenFile) -> apsw.Connection:
        with self._changed:
            if file.idle:
                return file.idle.pop()
        return self._connect(file)

    def _writer(self, file: OpenFile) -> apsw.Connection:
        if file.writer is None:
            file.writer = self._connect(file)
        return file.writer

    def _give_back(self, file: OpenFile, connection: apsw.Connection) -> None:
        with self._changed:
            if not file.abandoned:
                file.idle.append(connection)

    # ── room ─────────────────────────────────────────────────────────────────────────────────────

    def _connect(self, file: OpenFile) -> apsw.Connection:
        self._make_room(file)
        try:
            connection = self._opened(file.source)
        except BaseException:
            with self._changed:
                self._open -= 1
                self._changed.notify_all()
            raise
        file.everything.append(connection)
        return connection

    def _opened(self, source: Source) -> apsw.Connection:
        """Another program may hold the handles that we count on: then give up all that we can, once."""
        try:
            return connect(source)
        except StorageUnavailable:
            with self._changed:
                closing = self._spare(len(self._files))
            if not closing:
                raise
            _close(closing)
            return connect(source)

    def _make_room(self, file: OpenFile) -> None:
        """Reserve a connection, closing others; wait where all are in use.

        A thread that holds one already never waits: it could be waited for.
        """
        deadline = time.monotonic() + self.wait_seconds
        closing: list[apsw.Connection] = []
        with self._changed:
            while self._open >= self.connections:
                spare = self._spare(1)
                closing += spare
                if not spare and self._thread.held > 1:
                    break
                if not spare and not self._changed.wait(deadline - time.monotonic()):
                    raise StorageBusy(f"all {self.connections} connections were in use; allow more")
            self._open += 1
        _close(closing)

    def _spare(self, files: int) -> list[apsw.Connection]:
        """Take connections that nobody uses: whole files first, the least recently used of them."""
        unused = [file for file in self._files.values() if not file.users][:files]
        if unused:
            return [connection for file in unused for connection in self._retire(file)]
        for file in self._files.values():
            if file.idle:
                return [self._forget(file, file.idle.pop(0))]
        return []

    def _retire(self, file: OpenFile) -> list[apsw.Connection]:
        """Unpool a file that nobody uses, with all that was derived from it."""
        del self._files[file.source]
        self._open -= len(file.everything)
        self._changed.notify_all()
        return file.everything

    def _forget(self, file: OpenFile, connection: apsw.Connection) -> apsw.Connection:
        file.everything.remove(connection)
        self._open -= 1
        return connection

    # ── fork ─────────────────────────────────────────────────────────────────────────────────────

    def before_fork(self) -> None:
        """Let calls of other threads end and hold back new ones, so that none is inside SQLite."""
        self._changed.acquire()
        self._forking = True
        deadline = time.monotonic() + FORK_SECONDS
        while self._active > self._thread.held and self._changed.wait(deadline - time.monotonic()):
            pass

    def after_fork_in_parent(self) -> None:
        """Go on."""
        self._forking = False
        self._changed.notify_all()
        self._changed.release()

    def after_fork_in_child(self) -> None:
        """Abandon what was inherited, unclosed: closing it would drop the parent's locks or its WAL."""
        for file in self._files.values():
            file.abandoned = True
            for connection in file.everything:
                _make_immortal(connection)
        closed = self._closed
        self._start()
        self._closed = closed


def _close(connections: list[apsw.Connection]) -> None:
    for connection in connections:
        connection.close()


def _make_immortal(thing: object) -> None:
    """Keep an object for ever, through the end of the interpreter too, where module globals are let go."""
    import ctypes

    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


_pools: weakref.WeakSet[Pool] = weakref.WeakSet()
_quiet: list[Pool] = []  # Those that a fork under way holds still.


def _watch_forks(pool: Pool) -> None:
    if not _pools and hasattr(os, "register_at_fork") and not _registered:
        _registered.append(True)
        os.register_at_fork(
            before=_before_fork, after_in_parent=_for_each(Pool.after_fork_in_parent),
            after_in_child=_for_each(Pool.after_fork_in_child),
        )  # fmt: skip
    _pools.add(pool)


_registered: list[bool] = []


def _before_fork() -> None:
    _quiet[:] = list(_pools)
    for pool in _quiet:
        pool.before_fork()


def _for_each(do: Callable[[Pool], None]) -> Callable[[], None]:
    def after() -> None:
        while _quiet:
            do(_quiet.pop())

    return after
