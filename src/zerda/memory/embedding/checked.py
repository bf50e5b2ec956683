"""A check around an embedder that somebody else wrote: its answer is sound, or there is one kind of error."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from ..core.model import Role
from ..core.patience import Patience
from ..errors import EmbeddingError
from .cached import CachedEmbedder
from .preparing import checked_rows, unit_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.seams import Embedder


class CheckedEmbedder:
    """An embedder with the shape and the fingerprint of ``inner``, whose vectors may be kept.

    One that is not ``fast`` is waited for: ``query_seconds`` for a question, ``seconds`` for texts; after
    two calls that hung, calls fail at once for half a minute.

    ``embed`` gives one row of unit length for each text, of the size that ``inner`` first named; whatever
    else comes of ``inner`` is an `EmbeddingError`, which names the kind of failure and carries no text.
    """

    def __init__(self, inner: Embedder, *, seconds: float = 120.0, query_seconds: float = 10.0) -> None:
        self.inner = inner
        self._seconds: dict[Role, float] = {"passage": seconds, "query": query_seconds}
        self._patience = Patience("the embedder", EmbeddingError)
        self._dimensions: int | None = None

    @property
    def fingerprint(self) -> str:
        return self.inner.fingerprint

    @property
    def dimensions(self) -> int:
        if self._dimensions is None:  # No lock: two threads that both ask get the same.
            self._dimensions = self.inner.dimensions
        return self._dimensions

    @property
    def fast(self) -> bool:
        return self.inner.fast

    @property
    def max_words(self) -> int | None:
        return self.inner.max_words

    def embed(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[Any]:
        try:
            dimensions = self.dimensions
            answer = self._answer(texts, role)
        except EmbeddingError:
            raise
        except Exception as error:
            raise EmbeddingError(f"the embedder failed with {type(error).__name__}") from error
        return unit_rows(checked_rows(answer, len(texts), dimensions, "the embedder"))

    def _answer(self, texts: Sequence[str], role: Role) -> Any:
        if self.fast:
            return self.inner.embed(texts, role=role)
        return self._patience.wait_for(partial(self.inner.embed, texts, role=role), self._seconds[role])

    def clear(self) -> None:
        """Drop what a cache within remembers."""
        if isinstance(self.inner, CachedEmbedder):
            self.inner.clear()
