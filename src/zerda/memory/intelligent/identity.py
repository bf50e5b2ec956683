"""Which embedder makes a memory's vectors: the recorded one, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..core.seams import Embedder
    from ..storage.base import Catalog


class Identity:
    """Holds this process's embedder against the one that the memory recorded.

    The first process that has an embedder records it. A process with another one, or with none, finds by
    words and never writes vectors: vectors of different models say nothing to each other.
    """

    def __init__(self, embedder: Embedder | None, catalog: Catalog) -> None:
        self._embedder = embedder
        self._catalog = catalog

    @property
    def recorded(self) -> str | None:
        """The memory's embedder; None until one was recorded."""
        return self._catalog.embedder()

    @property
    def fingerprint(self) -> str | None:
        """This process's embedder; None where it has none."""
        return self._embedder.fingerprint if self._embedder else None

    def to_write(self) -> Embedder | None:
        """The embedder for new vectors, recorded now if none is; None where another one is recorded."""
        if self._embedder is None:
            return None
        recorded = self._catalog.record_embedder(self._embedder.fingerprint)
        return self._embedder if recorded == self._embedder.fingerprint else None

    def to_read(self) -> tuple[Embedder | None, tuple[str, ...]]:
        """The embedder for questions, and what is lacking where it is None or differs."""
        recorded = self.recorded
        if self._embedder is None:
            return None, ((f"meaning: no embedder here; this memory's is {recorded}",) if recorded else ())
        if recorded not in (None, self._embedder.fingerprint):
            other = f"meaning: this memory's embedder is {recorded}, not {self._embedder.fingerprint}"
            return None, (f"{other}; `zerda reindex` changes that",)
        return self._embedder, ()
