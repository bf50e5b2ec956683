"""The copy of a file's vectors as an exact flat index of FAISS (extra ``faiss``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import MissingExtra
from .vector_index import BLOCK, VectorIndex, _allowed, _Block

try:
    import faiss
except ImportError:
    raise MissingExtra("faiss-cpu", "faiss") from None

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .vector_index import Floats, Int64s


class FaissIndex(VectorIndex):
    """Scans every row that may be seen, in float32: nothing is proposed by sign bits first.

    Beside the columns of `VectorIndex` it holds the vectors whole, 1,536 bytes for 384 dimensions.
    """

    def __init__(self, dimensions: int) -> None:
        super().__init__(dimensions)
        self._flat: Any = faiss.IndexFlatIP(dimensions)

    def nearest(
        self, vector: Floats, scopes: Int64s | None, *, limit: int, among: Int64s | None = None
    ) -> Int64s:
        with self._lock:  # FAISS may not be searched while it is added to.
            rows, keys = self._seen(scopes, among)
            if not len(rows):
                return np.empty(0, np.int64)
            query = np.ascontiguousarray(vector, np.float32)[None]
            allowed: Any = faiss.SearchParameters()
            allowed.sel = selector = faiss.IDSelectorBatch(rows)
            scores, found = self._flat.search(query, min(limit, len(rows)), params=allowed)
            del selector  # FAISS holds no reference of its own to it.
        near: Int64s = keys[np.searchsorted(rows, found[0])]
        order: Int64s = near[np.lexsort((near, -scores[0]))]
        return order

    def _seen(self, scopes: Int64s | None, among: Int64s | None) -> tuple[Int64s, Int64s]:
        """The rows that may be seen, ascending, and their keys."""
        rows, keys = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for place, (block, count) in enumerate(self._blocks):
            here = np.flatnonzero(_allowed(block, count, scopes, among))
            rows.append(here + place * BLOCK)
            keys.append(block.keys[here])
        return np.concatenate(rows), np.concatenate(keys)

    def _append(self, keys: Int64s, scopes: NDArray[np.int32], vectors: NDArray[np.float16]) -> None:
        super()._append(keys, scopes, vectors)
        self._flat.add(np.ascontiguousarray(vectors, np.float32))

    def _wipe(self, place: int, block: _Block, rows: NDArray[np.intp]) -> None:
        super()._wipe(place, block, rows)
        size = self._flat.ntotal * self.dimensions
        held = faiss.rev_swig_ptr(self._flat.get_xb(), size).reshape(-1, self.dimensions)
        held[rows + place * BLOCK] = 0


def cosines(matrix: NDArray[Any], vector: NDArray[Any]) -> NDArray[Any]:
    """The cosine of each row of unit vectors with the vector, in the rows' order."""
    flat = faiss.IndexFlatIP(matrix.shape[1])
    flat.add(np.ascontiguousarray(matrix, np.float32))
    scores, rows = flat.search(np.ascontiguousarray(vector, np.float32)[None], len(matrix))
    ordered = np.empty(len(matrix), np.float64)
    ordered[rows[0]] = scores[0]
    return ordered
