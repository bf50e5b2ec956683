"""A folder with a SQLite file for each tenant, and the catalog beside them."""

from __future__ import annotations

import hashlib
import os
import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from ..after_fork import Lock
from ..core.rules.ids import valid_id
from ..errors import StorageUnavailable, StoreClosed
from .base import Stores
from .catalog import ENDING, Place, SQLiteCatalog
from .driver import Durability, Source
from .pool import MAX_CONNECTIONS, Pool
from .sqlite import SQLiteStore
from .vector_backends import SemanticBackend, vector_backend

if TYPE_CHECKING:
    from ..core.seams import Keys

CATALOG = "zerda.db"
MAX_STEM = 150  # With hash and ending well below the 255 bytes that file systems take.

_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)  # Windows opens these.
_SAFE = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


class SQLiteFolder(Stores):
    """All tenants of one memory in a folder: a file for each, made at the first call that touches it.

    At most ``connections`` are open at a time, over all tenants; each is two or three handles.
    Several processes may use one folder. The folder and its files are readable by their owner alone.
    With ``keys`` the files of the tenants are encrypted, each with a key of its own.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        connections: int = MAX_CONNECTIONS,
        durability: Durability = "full",
        keys: Keys | None = None,
        vectors: SemanticBackend = "auto",
    ) -> None:
        self.vectors: SemanticBackend = vectors
        vector_backend(vectors)  # What is lacking is told now, not at the first search.
        self.path = Path(os.path.abspath(path))
        if self.path.exists() and not self.path.is_dir():
            raise StorageUnavailable(f"{self.path} is a file; name a folder")
        self._durability: Durability = durability
        self._pool = Pool(connections)
        self._catalog = SQLiteCatalog(self.path / CATALOG, self._pool, durability=durability, keys=keys)
        self._stores: dict[str, SQLiteStore] = {}
        self._lock = Lock()
        self._closed = False

    @property
    def catalog(self) -> SQLiteCatalog:
        return self._catalog

    def store(self, tenant_id: str) -> SQLiteStore:
        if self._closed:
            raise StoreClosed(f"{self.path.name} was closed; open it again")
        store = self._stores.get(tenant_id)
        if store is None:
            valid_id(tenant_id, "tenant_id")
            with self._lock:
                store = self._stores.setdefault(tenant_id, _TenantStore(self, tenant_id, self._durability))
        return store

    def tenants(self) -> tuple[str, ...]:
        return self._catalog.tenants() if self._catalog.path.exists() else ()

    def claim_upkeep(self, before: datetime, now: datetime) -> str | None:
        return self._catalog.claim_upkeep(before, now) if self._catalog.path.exists() else None

    def source(self, place: Place) -> Source:
        """The file of a place, as the pool opens it."""
        path = Path(os.path.realpath(self.path / place.file))
        return Source(path, durability=self._durability, key=place.key, made=place.made)

    def close(self) -> None:
        self._closed = True
        for store in list(self._stores.values()):
            store.close()
        self._pool.close()


class _TenantStore(SQLiteStore):
    """A tenant's file; its name and key are asked of the catalog at the first call."""

    def __init__(self, folder: SQLiteFolder, tenant_id: str, durability: Durability) -> None:
        super().__init__(
            folder.path / file_names(tenant_id)[0],
            folder._pool,
            durability=durability,
            vectors=folder.vectors,
        )
        self._folder = folder
        self._tenant_id = tenant_id

    def _locate(self, retired: Source | None = None) -> Source:
        catalog = self._folder.catalog
        place = catalog.place(self._tenant_id, file_names, retired=retired.path.name if retired else None)
        source = self._folder.source(place)
        if not place.made:
            with self._pool.reading(source):  # Makes it.
                catalog.record_made(self._tenant_id, place.file)
        return source


def file_names(tenant_id: str) -> tuple[str, str]:
    """The name that a tenant's file should have, and the one it gets where that is another's.

    A plain id keeps its name. Any other is escaped, so that no two ids give one name and none leaves the
    folder; a long one is cut and told apart by its hash. The second name is of this id alone.
    """
    digest = hashlib.sha256(tenant_id.encode()).hexdigest()[:32]
    stem = tenant_id if _is_plain(tenant_id) else _escaped(tenant_id)
    short = stem[: MAX_STEM - 33].rstrip("%")
    return (
        f"{stem}{ENDING}" if len(stem) <= MAX_STEM else f"{short}~{digest}{ENDING}"
    ), f"{short}~{digest}{ENDING}"


def _is_plain(tenant_id: str) -> bool:
    return bool(_PLAIN.fullmatch(tenant_id)) and not _DEVICE.fullmatch(tenant_id)


def _escaped(tenant_id: str) -> str:
    """Percent-escapes for bytes that are not safe, and for a first one that makes the name odd."""
    data = tenant_id.encode()
    odd = {0} if data[0] in b".-_" or _DEVICE.fullmatch(tenant_id) else set()
    return "".join(
        chr(byte) if byte in _SAFE and place not in odd else f"%{byte:02X}" for place, byte in enumerate(data)
    )
