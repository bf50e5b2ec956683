"""Makes anew in a forked child what a fork leaves broken: locks that another thread held, native sessions."""

from __future__ import annotations

import os
import threading
import weakref
from functools import cache
from typing import Protocol


class Renewable(Protocol):
    """Has state that a forked child must not use as it was."""

    def renew(self) -> None:
        """Replace locks, let go of what was loaded. Called in the child before anything else runs."""
        ...


class Lock:
    """A lock for a ``with`` block that a forked child finds free, whoever held it in the parent.

    ``again`` lets the thread that holds it enter again.
    """

    def __init__(self, *, again: bool = False) -> None:
        self._again = again
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """Another one, which nobody holds."""
        self._lock = threading.RLock() if self._again else threading.Lock()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *ended: object) -> None:
        self._lock.release()


_owners: weakref.WeakSet[Renewable] = weakref.WeakSet()
_registering = threading.Lock()


def renew_in_child(owner: Renewable) -> None:
    """Have ``owner.renew()`` called in every forked child, as long as the owner lives."""
    with _registering:
        _owners.add(owner)
        _hook()


@cache
def _hook() -> None:
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_renew_all)


def _renew_all() -> None:
    global _registering
    _registering = threading.Lock()
    for owner in list(_owners):
        owner.renew()
