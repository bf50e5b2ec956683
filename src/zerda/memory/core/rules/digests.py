"""Keyed digests: an id can be recognised by whoever holds the store's secret, and read by no one."""

import hashlib
import hmac
from collections.abc import Iterable

BYTES = 16  # 128 bits: no two of a store's ids meet by chance.
KEY_BYTES = 32


def digest(secret: bytes, kind: str, *parts: str) -> bytes:
    """The digest of a thing of a kind. Parts are told apart by their lengths; lone surrogates are taken."""
    told = b"".join(len(data).to_bytes(4, "big") + data for data in map(_bytes, (kind, *parts)))
    return hmac.digest(secret, told, "sha256")[:BYTES]


def erasure_key(secret: bytes) -> bytes:
    """The key of tombstones. It may travel with them; the secret it is made of, which seals, may not."""
    return hmac.digest(secret, b"zerda erasures 1", "sha256")


def owner_digest(secret: bytes, tenant_id: str, user_id: str | None) -> bytes:
    """What stands for the user whose an erased entry was."""
    return digest(secret, "owner", tenant_id, user_id or "")


def id_digest(secret: bytes, tenant_id: str, entry_id: str) -> bytes:
    """What stands for the id of an entry."""
    return digest(secret, "entry", tenant_id, entry_id)


def content_digest(secret: bytes, tenant_id: str, user_id: str | None, content_hash: str) -> bytes:
    """What stands for something that a user said."""
    return digest(secret, "content", tenant_id, user_id or "", content_hash)


def who(secret: bytes, principal: str | None) -> str:
    """What stands for a principal in an audit; ``app`` for the embedding program."""
    return "app" if principal is None else digest(secret, "principal", principal)[:8].hex()


def digest_of_all(digests: Iterable[bytes]) -> str:
    """One digest for many, whatever their order."""
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
