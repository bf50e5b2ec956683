"""Where the root key comes from: asked once for each key record, and again when that has changed."""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from .after_fork import Lock
from .security.keys import KeyRing, RootKey, Secret, secret_of

if TYPE_CHECKING:
    from .core.model import MemoryEntry
    from .core.seams import Ring

EncryptionKey = Secret | Callable[[], Secret]
"""A passphrase, 32 bytes, or a function that gives one of them; it is called when a key is needed."""


class Vault:
    """Opens key records with what the caller gave (`zerda.memory.core.seams.Keys`).

    A record that was opened stays open, so a slow passphrase costs its time once. Where the root key was
    changed by another process the record is another, and a function is called again.
    """

    def __init__(self, given: EncryptionKey, *, hide_ids: bool = False) -> None:
        if not callable(given):
            secret_of(given)
        self._given = given
        self._hide_ids = hide_ids
        self._lock = Lock()
        self._rings: dict[str, KeyRing] = {}

    def begin(self, store_id: str) -> str:
        ring = KeyRing.new(RootKey.of(secret_of(self._given)), store_id, hide_ids=self._hide_ids)
        record = ring.record
        with self._lock:
            self._rings = {record: ring}
        return record

    def unlock(self, record: str, store_id: str) -> KeyRing:
        if (ring := self._rings.get(record)) is not None:
            return ring
        with self._lock:
            if record not in self._rings:
                self._rings = {record: KeyRing.unlocked(record, store_id, secret_of(self._given))}
            return self._rings[record]

    def again(self, ring: Ring) -> str:
        if not isinstance(ring, KeyRing):
            raise TypeError(f"a {type(ring).__name__} cannot be given another root key; a KeyRing can")
        with self._lock:
            moved = replace(ring, root=RootKey.of(secret_of(self._given)))
            record = moved.record
            self._rings = {record: moved}
        return record

    def wrapper(self, entry: MemoryEntry) -> dict[str, Any]:
        """What an entry says, for the caller to hand on: ``{"encrypted": <text>}``."""
        if not self._rings:  # A memory that keeps nothing has no record.
            self.begin(os.urandom(16).hex())
        ring = next(iter(self._rings.values()))
        sealed = ring.sealed_content(json.dumps(entry.content), entry.tenant_id, entry.id)
        return {"encrypted": base64.b64encode(sealed).decode("ascii")}
