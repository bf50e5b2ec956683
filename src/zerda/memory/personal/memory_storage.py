"""Where the memories of users are kept: in this process, in one SQLite file, or in any store."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..core.closing import Closing
from ..core.model import Note, Query, Scope
from ..core.rules.hashing import as_json
from ..errors import ConfigError
from ..gate import scope_of
from ..intake import Intake
from ..storage.base import Store
from ..storage.memory import InMemoryStore

if TYPE_CHECKING:
    from ..core.seams import Clock

SHELF = "zerda-storage"
"""The tenant of what is kept by key: apart from every user's memories."""

_ALL = Query(archived=None, limit=None)


class MemoryStorage(Closing):
    """Keeps users' memories, and JSON values by key beside them. Nothing is pickled.

    ``MemoryStorage()`` keeps them in this process, ``MemoryStorage("users.db")`` in a SQLite file that
    survives a restart and that several processes may share, ``MemoryStorage(store)`` in any `Store`. With a
    ``key`` of 32 bytes the whole file is ciphertext. Any number of threads.
    """

    def __init__(
        self,
        where: str | os.PathLike[str] | Store | None = None,
        *,
        key: bytes | None = None,
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        self.clock = clock
        self._owns_store = not isinstance(where, Store)
        self.store = where if isinstance(where, Store) else _opened(where, key)
        self._scope = scope_of(SHELF)
        self._intake = Intake(clock)
        self._cleared: Counter[Scope] = Counter()

    def clears(self, scope: Scope) -> int:
        """How often a user's memories were cleared through this object, or the tenant's by anybody."""
        return self.store.generation(scope) + self._cleared[scope]

    def clear_user(self, scope: Scope) -> int:
        """Erase all that is a user's, out of the files too; return how many entries there were."""
        with self.store.transaction():
            erased = self.store.clear(scope)
            self._cleared[scope] += 1
        self.store.scrub()
        return erased

    def save(self, key: str, value: Any) -> None:
        """Keep a JSON value under a key, in place of the former one; `InvalidInput` for any other value."""
        as_json(value, "a value")
        note = Note(content={"key": key, "value": value}, id=_id(key))
        draft = self._intake.draft(self._scope, note)
        with self.store.transaction():
            self.store.delete(self._scope, [_id(key)])
            self.store.put(self._scope, [draft])

    def load(self, key: str, default: Any = None) -> Any:
        """The value under a key, a copy; the default where there is none."""
        found = self.store.find(self._scope, _ALL.only(ids=(_id(key),)))
        return _kept(found[0].content)["value"] if found else default

    def exists(self, key: str) -> bool:
        """Whether there is a value under the key, if only None."""
        return self.store.count(self._scope, _ALL.only(ids=(_id(key),))) > 0

    def delete(self, key: str) -> bool:
        """Erase the value under a key; whether there was one."""
        return self.store.delete(self._scope, [_id(key)]) > 0

    def list_keys(self, pattern: str = "") -> list[str]:
        """The keys that hold this text, sorted; all of them without one."""
        found = self.store.find(self._scope, _ALL)
        return sorted(key for one in found if pattern in (key := str(_kept(one.content)["key"])))

    def clear(self) -> int:
        """Erase all values kept by key, and no user's memories; return how many there were."""
        return self.store.clear(self._scope)

    def close(self) -> None:
        """Close the file, where it was opened here."""
        if self._owns_store:
            self.store.close()


def storage_of(given: object) -> MemoryStorage:
    """What was given as a storage, as one."""
    if isinstance(given, MemoryStorage):
        return given
    if given is None or isinstance(given, (str, os.PathLike, Store)):
        return MemoryStorage(given)
    raise ConfigError(
        f"storage is a {type(given).__name__}; it is a MemoryStorage, a Store, the path of a file, or None"
    )


def _opened(where: str | os.PathLike[str] | None, key: bytes | None) -> Store:
    if where is None:
        if key is not None:
            raise ConfigError("a key was given, but no file; what is kept in this process is not encrypted")
        return InMemoryStore()
    from ..storage.sqlite import SQLiteStore

    return SQLiteStore(Path(where), key=key)


def _id(key: str) -> str:
    """The id of the entry that holds a key's value: any text may be a key."""
    return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _kept(content: Any) -> dict[str, Any]:
    return dict(content)
