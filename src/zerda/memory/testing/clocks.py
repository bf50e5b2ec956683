"""Clocks for tests: they move when told, not when time passes."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 5, 12, tzinfo=UTC)
"""Noon of a Monday."""


class Ticking:
    """A `Clock` that moves on by ``step`` each time it is asked. Any number of threads may ask."""

    def __init__(self, start: datetime, step: timedelta) -> None:
        self.step = step
        self._now = start
        self._lock = threading.Lock()

    def __call__(self) -> datetime:
        """The time; the next call tells a later one."""
        with self._lock:
            now = self._now
            self._now = now + self.step
            return now

    def set(self, moment: datetime) -> None:
        """Let the next call tell this moment, earlier or later."""
        with self._lock:
            self._now = moment

    def advance(self, by: timedelta) -> None:
        """Let ``by`` pass."""
        with self._lock:
            self._now += by


def tick(start: datetime = START, *, step: timedelta = timedelta(seconds=1)) -> Ticking:
    """A clock that begins at ``start`` and moves on by ``step`` at each call."""
    return Ticking(start, step)
