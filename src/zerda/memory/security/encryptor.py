"""Encrypts single values, for whoever keeps them elsewhere. Strings and JSON only; knows no memories."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import os
from collections.abc import Callable
from typing import Any

from ..after_fork import Lock
from ..errors import InvalidInput, StorageDamaged, WrongKey
from .keys import SALT_BYTES, RootKey, Secret, hkdf, seal, secret_of, unseal

MARK = "zerda1."
"""What an encrypted text begins with."""

MOST_SALTS = 64  # Derived keys at hand: texts of so many encryptors are read without deriving again.

_NO_SALT = bytes(SALT_BYTES)


class MemoryEncryptor:
    """Encrypts JSON values to texts and back, authenticated: one changed character is a `WrongKey`.

    The key is a passphrase (text; each encryptor derives its key by scrypt, some 0.4 s once), 32 bytes, or
    a function that gives one. A text that one encryptor made, any other with the same key reads. A memory
    with an ``encryption_key`` needs none of this: its files are ciphertext as a whole.
    For any number of threads.
    """

    def __init__(self, encryption_key: Secret | Callable[[], Secret]) -> None:
        self._secret = secret_of(encryption_key)
        self._salt = os.urandom(SALT_BYTES) if isinstance(self._secret, str) else _NO_SALT
        self._keys: dict[bytes, bytes] = {}
        self._lock = Lock()

    @property
    def is_real_encryption(self) -> bool:
        """True: there is no form of this class that only encodes."""
        return True

    def encrypt(self, value: Any) -> str:
        """The value (anything that JSON keeps) as a text that tells nothing of it but its length."""
        try:
            text = json.dumps(value, allow_nan=False)
        except (TypeError, ValueError) as error:
            raise InvalidInput(f"the value holds what JSON cannot keep ({type(error).__name__})") from None
        sealed = seal(self._key(self._salt), text.encode(), _context(self._salt))
        return MARK + base64.urlsafe_b64encode(self._salt + sealed).decode()

    def decrypt(self, text: str) -> Any:
        """The value again; `WrongKey` for another key or a changed text, else `InvalidInput`."""
        salt, sealed = _parts(text)
        try:
            return json.loads(unseal(self._key(salt), sealed, _context(salt)))
        except StorageDamaged:
            raise WrongKey("the text was encrypted with another key, or was changed since") from None

    def key_fingerprint(self) -> str:
        """16 hex digits that tell keys apart and tell nothing of them; of a passphrase as slow as a guess."""
        return hmac.digest(self._key(_NO_SALT), b"zerda fingerprint 1", "sha256").hex()[:16]

    def _key(self, salt: bytes) -> bytes:
        with self._lock:
            if salt not in self._keys:
                if len(self._keys) >= MOST_SALTS:
                    self._keys.clear()
                self._keys[salt] = hkdf(_root(self._secret, salt), info=b"zerda value 1")
            return self._keys[salt]


def _context(salt: bytes) -> tuple[str, ...]:
    """What a text is bound to: its salt, which a raw key makes no use of, may not be changed either."""
    return ("value", salt.hex())


def _root(secret: Secret, salt: bytes) -> bytes:
    root = RootKey.from_passphrase(secret, salt) if isinstance(secret, str) else RootKey.raw(secret)
    return root.secret


def _parts(text: object) -> tuple[bytes, bytes]:
    """Salt and sealed bytes of an encrypted text."""
    if not isinstance(text, str) or not text.startswith(MARK):
        raise InvalidInput(f"the text is none that this class encrypted; those begin with {MARK!r}")
    try:
        both = base64.b64decode(text.removeprefix(MARK), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput("the encrypted text is cut short, or holds what base64 does not") from None
    return both[:SALT_BYTES], both[SALT_BYTES:]
