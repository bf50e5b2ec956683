"""Wallet addresses: Bitcoin and its kin by their checksums, Ethereum by its form."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from .base import CERTAIN, PROVEN, Group, Hit
from .view import View

_BASE58 = {
    char: value for value, char in enumerate("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
}
_BASE32 = {char: value for value, char in enumerate("qpzry9x8gf2tvdw0s3jn54khce6mua7l")}
_POLYNOMIAL = (0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)  # BIP 173
_BECH32, _BECH32M = 1, 0x2BC830A3  # BIP 173, BIP 350

# Bitcoin (1, 3), Litecoin (L, M), Dogecoin (D), Tron (T): 25 bytes with a checksum.
_OLD = re.compile(r"[13LMDT](?<![0-9A-Za-z].)[1-9A-HJ-NP-Za-km-z]{25,34}(?![0-9A-Za-z])")
_NEW = re.compile(r"(?i:(bc|tb|ltc)1(?<![0-9A-Z]...)([02-9ac-hj-np-z]{11,71})(?![0-9A-Z]))")
_ETHER = re.compile(r"0(?<![0-9A-Za-z].)[xX][0-9A-Fa-f]{40}(?![0-9A-Za-z])")


@dataclass(frozen=True, slots=True)
class CryptoWallet:
    kind: str = "CRYPTO_WALLET"
    group: Group = "personal"

    def find(self, view: View) -> Iterator[Hit]:
        if len(view.text) < 14 or not view.digits:
            return
        if "0x" in view.lower:
            yield from (Hit(*match.span(), PROVEN + 10, self.kind) for match in _ETHER.finditer(view.text))
        if "c1" in view.lower or "tb1" in view.lower:
            yield from (
                Hit(*match.span(), CERTAIN, self.kind) for match in _NEW.finditer(view.text) if _bech32(match)
            )
        yield from (
            Hit(*match.span(), CERTAIN, self.kind) for match in _OLD.finditer(view.text) if _base58(match[0])
        )


def _base58(written: str) -> bool:
    number = 0
    for char in written:
        number = number * 58 + _BASE58[char]
    if number >> 200:
        return False
    raw = number.to_bytes(25, "big")
    return sha256(sha256(raw[:21]).digest()).digest()[:4] == raw[21:]


def _bech32(match: re.Match[str]) -> bool:
    prefix, data = match[1].lower(), match[2].lower()
    values = [ord(char) >> 5 for char in prefix] + [0] + [ord(char) & 31 for char in prefix]
    return _polymod(values + [_BASE32[char] for char in data]) in (_BECH32, _BECH32M)


def _polymod(values: list[int]) -> int:
    state = 1
    for value in values:
        top = state >> 25
        state = (state & 0x1FFFFFF) << 5 ^ value
        for bit, term in enumerate(_POLYNOMIAL):
            state ^= term if top >> bit & 1 else 0
    return state


RECOGNIZER = CryptoWallet()
