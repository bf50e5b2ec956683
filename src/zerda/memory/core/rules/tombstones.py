"""What stays of an erased entry: keyed digests by which it is known again, and by nobody without the key."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ...errors import EntryConflict, EntryErased
from ..model import MemoryEntry
from .digests import content_digest, erasure_key, id_digest, owner_digest

Erased = tuple[str, str | None, str]
"""Id, user and content hash of an entry that is erased."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A kept digest: an id's, beside those of its content and its owner, or a content's alone."""

    digest: bytes
    content: bytes | None = None
    owner: bytes | None = None


@dataclass(frozen=True, slots=True)
class Graves:
    """Tombstones, each with its receipt's id, and the keys of their digests: so they travel."""

    keys: tuple[bytes, ...]
    stones: tuple[tuple[Tombstone, str], ...]


@dataclass(frozen=True, slots=True)
class Burials:
    """The digests of a tenant, under each key that its store knows.

    The first key is made of the store's own secret, which it does not tell; others came with the tombstones
    of another memory.
    """

    tenant_id: str
    keys: tuple[bytes, ...]

    @classmethod
    def of(cls, tenant_id: str, secret: bytes, others: Iterable[bytes] = ()) -> "Burials":
        """Those of a store with this secret."""
        return cls(tenant_id, (erasure_key(secret), *others))

    def tombstones(self, erased: Iterable[Erased]) -> tuple[list[Tombstone], list[Tombstone]]:
        """What to leave of entries: tombstones of ids, and those of contents."""
        key = self.keys[0]
        owners: dict[str | None, bytes] = {}
        ids, contents = list[Tombstone](), dict[bytes, Tombstone]()
        for entry_id, user_id, content_hash in erased:
            if user_id not in owners:
                owners[user_id] = owner_digest(key, self.tenant_id, user_id)
            said = content_digest(key, self.tenant_id, user_id, content_hash)
            ids.append(Tombstone(id_digest(key, self.tenant_id, entry_id), said, owners[user_id]))
            contents[said] = Tombstone(said)
        return ids, list(contents.values())

    def travelling(self, secret: bytes) -> tuple[bytes, ...]:
        """The keys that may go with tombstones; the oldest were made with the secret, which may not."""
        return tuple(key for key in self.keys if key != secret)

    def ids(self, entry_ids: Iterable[str]) -> dict[bytes, str]:
        """The ids behind what would stand for them."""
        entry_ids = list(entry_ids)
        return {id_digest(key, self.tenant_id, one): one for key in self.keys for one in entry_ids}

    def entries(self, entries: Iterable[MemoryEntry]) -> dict[bytes, set[str]]:
        """The ids behind what would stand for entries and for their contents."""
        told: dict[bytes, set[str]] = {}
        for entry in entries:
            for key in self.keys:
                said = content_digest(key, self.tenant_id, entry.user_id, entry.content_hash)
                for digest in (id_digest(key, self.tenant_id, entry.id), said):
                    told.setdefault(digest, set()).add(entry.id)
        return told

    def owned(self, owner: bytes | None, user_id: str | None) -> bool:
        """Whether an erased entry was this user's. The oldest tombstones do not tell: they are anyone's."""
        return owner is None or owner in {owner_digest(key, self.tenant_id, user_id) for key in self.keys}

    def refuse(self, erased: Mapping[str, bytes | None], users: Mapping[str, str | None]) -> None:
        """Raise for erased ids, given with their owners, which these users would save again."""
        for entry_id, owner in sorted(erased.items()):
            if self.owned(owner, users[entry_id]):
                raise EntryErased(
                    f"the id {entry_id!r} belonged to an entry that was erased; use another id, or take the"
                    " erasure back with allow_again"
                )
            raise not_free(entry_id)


def not_free(entry_id: str) -> EntryConflict:
    """The one answer about an id that another's is or was: it tells neither which, nor of what."""
    return EntryConflict(f"the id {entry_id!r} is not free in this tenant; use another id")
