"""The threads on which the manager's awaitable twins run."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor

from ..after_fork import Lock, renew_in_child


class Threads:
    """The threads of the awaitable twins, started when they are needed; a forked child starts its own."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """Have none yet."""
        self._executor: Executor | None = None

    def started(self) -> Executor:
        """The running threads."""
        with self._lock:
            if self._executor is None:
                self._executor = ThreadPoolExecutor(self._most, thread_name_prefix="zerda")
            return self._executor

    def close(self) -> None:
        """Wait for what runs, and let the threads go."""
        if self._executor is not None:
            self._executor.shutdown()
