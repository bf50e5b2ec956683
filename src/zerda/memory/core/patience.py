"""Waiting for what somebody else wrote: so long and no longer, and not again and again."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from ..errors import ZerdaError

T = TypeVar("T")


class Patience:
    """Waits for calls that may hang. After ``hangs`` in a row, calls fail at once for ``rest_seconds``.

    Then one is let through, and others follow if it fares well. A call that fails by itself costs no time,
    so it is no hang. ``what`` and ``error`` are how failures are told; they carry no text of either side.
    For any number of threads, without a lock: a count that two of them blur does no harm.
    """

    def __init__(
        self,
        what: str,
        error: type[ZerdaError],
        *,
        hangs: int = 2,
        rest_seconds: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._what, self._error = what, error
        self._most, self._rest, self._clock = hangs, rest_seconds, clock
        self._hung = 0
        self._rests_until = float("-inf")

    def wait_for(self, work: Callable[[], T], seconds: float) -> T:
        """What the work gives; the ``error`` where it fails, hangs, or hung so often that it is left alone.

        A call that is too slow is left behind in a thread of its own: it cannot be stopped, and its answer
        is dropped.
        """
        self._look()
        outcome: queue.SimpleQueue[tuple[bool, T | BaseException]] = queue.SimpleQueue()
        threading.Thread(target=_work, args=(work, outcome), name="zerda-waits", daemon=True).start()
        try:
            well, answer = outcome.get(timeout=seconds)
        except queue.Empty:
            self._hung += 1
            self._rests_until = self._clock() + self._rest
            raise self._error(f"{self._what} gave no answer within {seconds:g} s") from None
        self._hung = 0
        if well:
            return answer  # type: ignore[return-value]
        if isinstance(answer, self._error):
            raise answer
        raise self._error(f"{self._what} failed with {type(answer).__name__}") from None

    def _look(self) -> None:
        if self._hung < self._most:
            return
        if (left := self._rests_until - self._clock()) > 0:
            raise self._error(
                f"{self._what} gave no answer {self._hung} times in a row; it is asked again in {left:.0f} s"
            )
        self._rests_until = self._clock() + self._rest  # For the others, until this one has its answer.


def _work(work: Callable[[], T], outcome: queue.SimpleQueue[tuple[bool, T | BaseException]]) -> None:
    try:
        outcome.put((True, work()))
    except Exception as error:  # noqa: BLE001 - another's code; whatever comes of it is handed over
        outcome.put((False, error))
