"""A cache in front of an embedder: the same text costs once."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from ..after_fork import renew_in_child
from ..core.model import Role
from ..errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.seams import Embedder

Key = tuple[Role, bytes]

DIGEST_BYTES = 16  # 128 bits: no two texts meet by chance.


@dataclass(frozen=True, slots=True)
class CacheStats:
    """How often a cache had the answer; ``size`` is how many vectors it holds now."""

    hits: int = 0
    misses: int = 0
    size: int = 0


class CachedEmbedder:
    """An embedder that remembers the vectors of the ``size`` texts asked for last.

    It has the shape, the fingerprint and the answers of ``inner``. Texts are not kept, only their
    digests; a vector still tells about its text, so erasure calls ``forget`` or ``clear``. Two threads
    that ask for a new text at once may both compute it. Other ``roles`` than those named pass through:
    an import of many passages would push out the questions that come again.
    """

    def __init__(self, inner: Embedder, size: int, *, roles: Collection[Role] = get_args(Role)) -> None:
        if size < 1:
            raise ConfigError(f"the size of an embedding cache is {size}; it holds at least 1")
        self.inner = inner
        self._size = size
        self._roles = frozenset(roles)
        self._rows: OrderedDict[Key, NDArray[Any]] = OrderedDict()
        self._hits = self._misses = 0
        self._erasures = 0
        self._lock = threading.Lock()
        renew_in_child(self)

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self.inner.dimensions

    @property
    def fast(self) -> bool:
        return self.inner.fast

    @property
    def max_words(self) -> int | None:
        return self.inner.max_words

    def embed(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[Any]:
        if role not in self._roles:
            return self.inner.embed(texts, role=role)
        keys = [_key(text, role) for text in texts]
        known, erasures = self._look_up(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing or not texts:
            rows = self.inner.embed(list(missing.values()), role=role)
            if not texts:
                return rows
            made = {key: row.copy() for key, row in zip(missing, rows, strict=True)}
            self._keep(made, erasures)
            known = {**known, **made}
        return np.stack([known[key] for key in keys])

    def forget(self, texts: Iterable[str]) -> None:
        """Drop the vectors of these texts, also of those that are being computed now."""
        keys = [_key(text, role) for text in texts for role in get_args(Role)]
        with self._lock:
            self._erasures += 1
            for key in keys:
                self._rows.pop(key, None)

    def clear(self) -> None:
        """Drop every vector, also those that are being computed now."""
        with self._lock:
            self._erasures += 1
            self._rows.clear()

    def stats(self) -> CacheStats:
        with self._lock:
            return CacheStats(self._hits, self._misses, len(self._rows))

    def renew(self) -> None:
        """In a forked child: another thread may have held the lock, amid a change."""
        self._lock = threading.Lock()
        self._rows = OrderedDict()

    def _look_up(self, keys: Sequence[Key]) -> tuple[dict[Key, NDArray[Any]], int]:
        with self._lock:
            known = {key: self._rows[key] for key in keys if key in self._rows}
            for key in known:
                self._rows.move_to_end(key)
            hits = sum(key in known for key in keys)
            self._hits += hits
            self._misses += len(keys) - hits
            return known, self._erasures

    def _keep(self, made: Mapping[Key, NDArray[Any]], erasures: int) -> None:
        with self._lock:
            # What was forgotten while it was computed stays forgotten.
            if erasures != self._erasures:
                return
            self._rows.update(made)
            while len(self._rows) > self._size:
                self._rows.popitem(last=False)


def _key(text: str, role: Role) -> Key:
    return role, hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()
