"""Many values in one row: reading a row for each costs more than the values' bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..errors import StorageDamaged
from .driver import fetched

if TYPE_CHECKING:
    from apsw import Connection

    from .sql import Params

Int64s = NDArray[np.int64]


def numbers(db: Connection, sql: str, params: Params) -> Int64s:
    """The numbers that a statement's ``group_concat`` joins to one text."""
    ((text,),) = fetched(db, sql, params)
    return np.fromstring(text, np.int64, sep=",") if text else np.empty(0, np.int64)


def vectors(blob: bytes, count: int) -> NDArray[np.float16]:
    """``count`` vectors that lie one after the other."""
    if len(blob) % (2 * count):
        raise StorageDamaged("a vector is cut short; restore the file from a backup")
    return np.frombuffer(blob, "<f2").reshape(count, -1)
