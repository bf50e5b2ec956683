"""What scans vectors in this process: numpy, which is always there, or FAISS."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..errors import ConfigError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .vector_index import VectorIndex

SemanticBackend = Literal["auto", "numpy", "faiss"]


@dataclass(frozen=True, slots=True)
class VectorBackend:
    """A way to scan: ``index`` makes an empty one for so many dimensions, ``cosines`` scores a matrix."""

    name: str
    index: Callable[[int], VectorIndex]
    cosines: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]


def vector_backend(name: str) -> VectorBackend:
    """The backend of this name ("auto" is numpy); `ConfigError` for another, `MissingExtra` without FAISS."""
    if name in ("auto", "numpy"):
        return VectorBackend("numpy", _index, _cosines)
    if name == "faiss":
        from .faiss_index import FaissIndex, cosines

        return VectorBackend("faiss", FaissIndex, cosines)
    raise ConfigError(f"semantic_backend is {name!r}; it is one of 'auto', 'numpy', 'faiss'")


def _index(dimensions: int) -> VectorIndex:
    from .vector_index import VectorIndex

    return VectorIndex(dimensions)


def _cosines(matrix: NDArray[Any], vector: NDArray[Any]) -> NDArray[Any]:
    """Summed row by row: a matrix product may give equal rows different last bits."""
    import numpy as np

    products: NDArray[Any] = matrix.astype(np.float64) * np.asarray(vector, np.float64)
    sums: NDArray[Any] = products.sum(axis=1)
    return sums
