"""Keys: one root key, and what it wraps. Standard library only; text, bytes and dicts.

Two constructions, both from published parts:

- ``hkdf`` is HKDF-SHA256 (RFC 5869).
- ``seal`` encrypts, then authenticates (Bellare & Namprempre 2000): a fresh 16-byte nonce and HKDF give an
  encryption and a MAC key for this one message; HMAC-SHA256 over a counter is the key stream (a
  pseudo-random function in counter mode, NIST SP 800-108); HMAC-SHA256 over format, context, nonce and
  ciphertext is the tag, compared in constant time before anything is decrypted.

A wrapped key is one sealed record that travels alone, in a backup too, and is bound by its context to its
store, tenant and version. Keeping the keys inside a second encrypted database instead would save these
forty lines, and lose the binding: a page cipher does not know whose key stands in a row, and a new root
key would rewrite a file that other processes hold open.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import os
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from ..errors import ConfigError, MissingExtra, StorageDamaged, WrongKey

KEY_BYTES = 32
NONCE_BYTES = 16
TAG_BYTES = 32
SALT_BYTES = 16
FORMAT = b"\x01"

SCRYPT_N, SCRYPT_R, SCRYPT_P = 2**17, 8, 1
"""OWASP's minimum for scrypt: 128 MiB and about 0.4 s of CPU for each guess."""

GOOD_PASSPHRASE = 12  # Characters; a shorter one is taken with a warning.

log = logging.getLogger(__name__)

Secret = str | bytes
"""What a caller gives: a text is a passphrase, 32 bytes are a key."""


# ── primitives ───────────────────────────────────────────────────────────────────────────────────


def hkdf(key: bytes, *, salt: bytes = b"", info: bytes = b"", length: int = KEY_BYTES) -> bytes:
    """RFC 5869 with SHA-256."""
    extracted = hmac.digest(salt or bytes(32), key, "sha256")
    out = block = b""
    for number in range(1, -(-length // 32) + 1):
        block = hmac.digest(extracted, block + info + bytes([number]), "sha256")
        out += block
    return out[:length]


def seal(key: bytes, text: bytes, context: tuple[str, ...]) -> bytes:
    """The text, encrypted and authenticated together with its context, which is not in the result."""
    nonce = os.urandom(NONCE_BYTES)
    encrypting, proving = _message_keys(key, nonce)
    head = FORMAT + nonce
    body = _with_key_stream(encrypting, text)
    return head + body + hmac.digest(proving, _joined(context) + head + body, "sha256")


def unseal(key: bytes, sealed: bytes, context: tuple[str, ...]) -> bytes:
    """What was sealed; `StorageDamaged` where key, context or a single bit differ."""
    body_from = len(FORMAT) + NONCE_BYTES
    head, body, tag = sealed[:body_from], sealed[body_from:-TAG_BYTES], sealed[-TAG_BYTES:]
    encrypting, proving = _message_keys(key, head[len(FORMAT) :])
    expected = hmac.digest(proving, _joined(context) + head + body, "sha256")
    if sealed[:1] != FORMAT or not hmac.compare_digest(expected, tag):
        raise StorageDamaged("a sealed record is not what was written; restore it from a backup")
    return _with_key_stream(encrypting, body)


def _message_keys(key: bytes, nonce: bytes) -> tuple[bytes, bytes]:
    both = hkdf(key, salt=nonce, info=b"zerda seal 1", length=64)
    return both[:32], both[32:]


def _with_key_stream(key: bytes, text: bytes) -> bytes:
    blocks = range(-(-len(text) // 32))
    stream = b"".join(hmac.digest(key, number.to_bytes(8, "big"), "sha256") for number in blocks)
    mixed = int.from_bytes(text, "big") ^ int.from_bytes(stream[: len(text)], "big")
    return mixed.to_bytes(len(text), "big")


def _joined(parts: tuple[str, ...]) -> bytes:
    """Each part with its length before it, so that no two contexts give the same bytes."""
    encoded = [part.encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in encoded)


# ── the root key ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class RootKey:
    """The key that wraps all others; ``made`` tells how it was made from what the caller gave."""

    secret: bytes = field(repr=False)
    made: Mapping[str, Any]

    @classmethod
    def raw(cls, key: bytes | str) -> Self:
        """32 random bytes, or the 64 hex digits that write them."""
        try:
            secret = bytes.fromhex(key) if isinstance(key, str) else bytes(key)
        except ValueError:
            raise ConfigError("the raw key is no hex; it is 32 bytes or 64 hex digits") from None
        if len(secret) != KEY_BYTES:
            raise ConfigError(f"the raw key has {len(secret)} bytes; it has {KEY_BYTES}")
        return cls(secret, {"kdf": "raw"})

    @classmethod
    def from_passphrase(
        cls, passphrase: str, salt: bytes, *, n: int = SCRYPT_N, r: int = SCRYPT_R, p: int = SCRYPT_P
    ) -> Self:
        """Derived by scrypt; any text that is not empty is a passphrase, a short one warns.

        Composed and decomposed letters are the same letter, as keyboards differ.
        """
        if not passphrase:
            raise ConfigError("the passphrase is empty; give a text, or 32 random bytes")
        if len(passphrase) < GOOD_PASSPHRASE:
            log.warning("the passphrase has fewer than %d characters; it can be guessed", GOOD_PASSPHRASE)
        typed = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
        secret = hashlib.scrypt(typed, salt=salt, n=n, r=r, p=p, maxmem=256 * r * (n + p), dklen=KEY_BYTES)
        return cls(secret, {"kdf": "scrypt", "n": n, "r": r, "p": p, "salt": salt.hex()})

    @classmethod
    def of(cls, secret: Secret) -> Self:
        """A new root key, with a new salt where it is a passphrase."""
        if isinstance(secret, str):
            return cls.from_passphrase(secret, os.urandom(SALT_BYTES))
        return cls.raw(secret)

    @classmethod
    def again(cls, secret: Secret, made: Mapping[str, Any]) -> Self:
        """The root key that was made this way before; `WrongKey` where that took the other kind of secret."""
        if (made["kdf"] == "scrypt") != isinstance(secret, str):
            kind = "a passphrase (a text)" if made["kdf"] == "scrypt" else "a raw key (32 bytes)"
            raise WrongKey(f"this memory is opened by {kind}, and the other kind was given")
        if isinstance(secret, str):
            return cls.from_passphrase(
                secret, bytes.fromhex(made["salt"]), n=made["n"], r=made["r"], p=made["p"]
            )
        return cls.raw(secret)

    def check_value(self, store_id: str) -> str:
        """What only this key gives for the store; it tells nothing of the key."""
        return hmac.digest(hkdf(self.secret, info=b"zerda check 1"), store_id.encode(), "sha256").hex()


# ── the ring ─────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class KeyRing:
    """A store's root key, proven right, and all that is done with it.

    ``secret`` is the store's own, random and wrapped: pseudonyms stay when the root key changes.
    """

    root: RootKey = field(repr=False)
    store_id: str
    secret: bytes = field(repr=False)
    hides_ids: bool

    @classmethod
    def new(cls, root: RootKey, store_id: str, *, hide_ids: bool) -> Self:
        """The ring of a store that begins to be encrypted."""
        return cls(root, store_id, os.urandom(KEY_BYTES), hide_ids)

    @classmethod
    def unlocked(cls, record: str, store_id: str, secret: Secret) -> Self:
        """The ring of a store whose `record` this is; `WrongKey` where the secret does not open it."""
        try:
            told = json.loads(record)
            root = RootKey.again(secret, told["root"])
            check, wrapped, hide_ids = told["check"], bytes.fromhex(told["secret"]), bool(told["hide_ids"])
        except (KeyError, TypeError, ValueError) as error:
            raise StorageDamaged("the key record cannot be read; restore zerda.db from a backup") from error
        if not hmac.compare_digest(check, root.check_value(store_id)):
            raise WrongKey("the encryption key is not the one that this memory was encrypted with")
        return cls(root, store_id, unseal(root.secret, wrapped, ("store", store_id)), hide_ids)

    @property
    def record(self) -> str:
        """What is kept of the root key: how it was made and a check value; nothing that opens anything."""
        return json.dumps(
            {
                "format": 1,
                "root": dict(self.root.made),
                "check": self.root.check_value(self.store_id),
                "secret": seal(self.root.secret, self.secret, ("store", self.store_id)).hex(),
                "hide_ids": self.hides_ids,
            }
        )

    def wrapped(self, key: bytes, owner: str, version: int) -> bytes:
        """A data key as it is kept."""
        return seal(self.root.secret, key, ("key", self.store_id, owner, str(version)))

    def unwrapped(self, wrapped: bytes, owner: str, version: int) -> bytes:
        """The data key again."""
        return unseal(self.root.secret, wrapped, ("key", self.store_id, owner, str(version)))

    def sealed(self, secret: bytes, what: str) -> bytes:
        """A secret of the store for whoever holds the key alone."""
        return seal(hkdf(self.secret, info=b"zerda secrets 1"), secret, (what, self.store_id))

    def unsealed(self, sealed: bytes, what: str) -> bytes:
        """The secret again."""
        return unseal(hkdf(self.secret, info=b"zerda secrets 1"), sealed, (what, self.store_id))

    def known_as(self, id: str, kind: str) -> str:
        """The name by which files and the catalog know an id: the id itself, or its pseudonym."""
        if not self.hides_ids:
            return id
        names = hkdf(self.secret, info=b"zerda names 1")
        return hmac.digest(names, _joined((kind, id)), "sha256").hex()[:32]

    def sealed_id(self, id: str) -> bytes | None:
        """The id itself, readable with the key, where it is hidden."""
        return seal(self.secret, id.encode(), ("id", self.store_id)) if self.hides_ids else None

    def unsealed_id(self, sealed: bytes) -> str:
        """The id again."""
        return unseal(self.secret, sealed, ("id", self.store_id)).decode()

    def sealed_content(self, text: str, tenant_id: str, entry_id: str) -> bytes:
        """A text for whoever holds the key alone."""
        return seal(hkdf(self.secret, info=b"zerda content 1"), text.encode(), (tenant_id, entry_id))

    def unsealed_content(self, sealed: bytes, tenant_id: str, entry_id: str) -> str:
        """The text again."""
        return unseal(hkdf(self.secret, info=b"zerda content 1"), sealed, (tenant_id, entry_id)).decode()


def secret_of(given: Secret | Callable[[], Secret]) -> Secret:
    """What the caller gave, or what their function gives now; `ConfigError` where it can be no key."""
    secret = given() if callable(given) else given
    if not isinstance(secret, str | bytes):
        raise ConfigError(f"encryption_key is a {type(secret).__name__}; it is a text or 32 bytes")
    if isinstance(secret, str) and not secret:
        raise ConfigError("encryption_key is empty; give a passphrase, 32 bytes, or leave it out")
    if isinstance(secret, bytes) and len(secret) != KEY_BYTES:
        raise ConfigError(f"encryption_key has {len(secret)} bytes; a raw key has {KEY_BYTES}")
    return secret


def key_from_file(path: str | os.PathLike[str]) -> Secret:
    """The key in a file: 32 bytes or 64 hex digits are a raw key, any other text is a passphrase.

    Keep the file apart from the data: a thief of both has everything.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"the key file {path} cannot be read ({error.strerror})") from error
    if len(data) == KEY_BYTES:
        return data
    try:
        text = data.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        raise ConfigError(f"the key file {path} holds neither a text nor 32 bytes") from None
    return _of_text(text)


def key_from_keyring(name: str, *, service: str = "zerda-memory") -> Callable[[], Secret]:
    """A function for ``encryption_key``: it asks the system's keyring, whenever a key is needed.

    What lies there under ``service`` and ``name`` is a raw key if it is 64 hex digits, else a passphrase.
    `MissingExtra` without the extra ``keyring``; `ConfigError`, when it is asked, where nothing lies there
    or the keyring is locked.
    """
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as error:
        raise MissingExtra("the access to the system's keyring", "keyring") from error

    def asked() -> Secret:
        try:
            found = keyring.get_password(service, name)
        except KeyringError as error:
            raise ConfigError(f"the keyring did not answer ({type(error).__name__}); unlock it") from None
        if not found:
            raise ConfigError(
                f"the keyring has nothing under {name!r}; put it there with: keyring set {service} {name}"
            )
        return _of_text(found)

    return asked


def _of_text(text: str) -> Secret:
    """A raw key as hex digits, or a passphrase."""
    return bytes.fromhex(text) if re.fullmatch("[0-9a-fA-F]{64}", text) else secret_of(text)
