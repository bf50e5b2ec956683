"""How the key of a program looks, and what is kept in its place."""

import hashlib
import re
from datetime import datetime

from ..trust import ApiKey

PREFIX = "zk_"
SECRET_BYTES = 32
"""256 random bits: nobody guesses them, so one round of a hash is enough to stand for them."""

_FORM = re.compile(r"zk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")


def key_text(key_id: str, secret: str) -> str:
    """The key as a program sends it: a prefix by which scanners of secrets know it, its id, its secret."""
    return f"{PREFIX}{key_id}_{secret}"


def parted(text: str) -> tuple[str, str] | None:
    """Id and secret of a key; None for what is none."""
    found = _FORM.fullmatch(text)
    return (found[1], found[2]) if found else None


def secret_digest(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def opens(key: ApiKey, now: datetime) -> bool:
    """Whether a key is good now: neither revoked nor ended."""
    return key.revoked_at is None and (key.until is None or key.until > now)
