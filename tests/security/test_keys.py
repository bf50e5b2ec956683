"""Keys: published vectors, formats that stay, and nothing that opens with one bit changed."""

import json
import logging
import os
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.errors import ConfigError, StorageDamaged, WrongKey
from zerda.memory.security.keys import KeyRing, RootKey, hkdf, seal, secret_of, unseal

KEY = bytes(range(32))
CONTEXT = ("key", "store", "acme", "1")


def test_hkdf_gives_what_rfc_5869_says() -> None:
    first = hkdf(bytes([0x0B] * 22), salt=bytes(range(13)), info=bytes(range(0xF0, 0xFA)), length=42)
    assert first.hex() == (
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
    )
    third = hkdf(bytes([0x0B] * 22), length=42)
    assert third.hex() == (
        "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
    )


def test_a_passphrase_gives_what_rfc_7914_says() -> None:
    root = RootKey.from_passphrase("password", b"NaCl", n=1024, r=8, p=16)
    assert root.secret.hex() == "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"


def test_the_formats_on_disk_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", lambda count: bytes([7] * count))
    sealed = seal(KEY, b"thirty-five bytes, more than a block", CONTEXT)
    assert sealed.hex() == SEALED
    assert KeyRing.new(RootKey.raw(KEY), "store", hide_ids=True).record == RECORD
    ring = KeyRing.unlocked(RECORD, "store", KEY)
    assert (ring.known_as("acme", "tenant"), ring.root.check_value("store")) == (PSEUDONYM, CHECK)


def test_a_key_stream_is_hmac_over_a_counter(monkeypatch: pytest.MonkeyPatch) -> None:
    """Computed a second time from the standard's words, byte by byte."""
    import hmac

    monkeypatch.setattr(os, "urandom", lambda count: bytes(range(count)))
    text = bytes(range(100))
    sealed = seal(KEY, text, ("a", "bc"))
    nonce = bytes(range(16))
    extracted = hmac.new(nonce, KEY, "sha256").digest()
    encrypting = hmac.new(extracted, b"zerda seal 1\x01", "sha256").digest()
    proving = hmac.new(extracted, encrypting + b"zerda seal 1\x02", "sha256").digest()
    stream = b"".join(hmac.new(encrypting, bytes(7) + bytes([n]), "sha256").digest() for n in range(4))
    body = bytes(one ^ other for one, other in zip(text, stream, strict=False))
    context = b"\0\0\0\1a\0\0\0\2bc"
    assert sealed[:-32] == b"\1" + nonce + body
    assert sealed[-32:] == hmac.new(proving, context + sealed[:-32], "sha256").digest()


@given(st.binary(max_size=300))
def test_what_is_sealed_opens_again_and_never_looks_the_same_twice(text: bytes) -> None:
    one, other = seal(KEY, text, CONTEXT), seal(KEY, text, CONTEXT)
    assert unseal(KEY, one, CONTEXT) == unseal(KEY, other, CONTEXT) == text
    assert one != other
    assert len(one) == len(text) + 49


def test_no_changed_bit_no_cut_and_no_other_context_opens() -> None:
    sealed = seal(KEY, b"twelve bytes", CONTEXT)
    changed = [
        sealed[:at] + bytes([sealed[at] ^ 1 << bit]) + sealed[at + 1 :]
        for at in range(len(sealed))
        for bit in range(8)
    ]
    for wrong in [*changed, *(sealed[:length] for length in range(len(sealed))), sealed + b"\0"]:
        with pytest.raises(StorageDamaged):
            unseal(KEY, wrong, CONTEXT)
    for context in (
        ("key", "store", "acme", "2"),
        ("key", "store", "acme1", ""),
        ("keystore", "", "acme", "1"),
    ):
        with pytest.raises(StorageDamaged):
            unseal(KEY, sealed, context)
    with pytest.raises(StorageDamaged):
        unseal(bytes(32), sealed, CONTEXT)


def test_a_ring_opens_with_its_key_alone() -> None:
    ring = KeyRing.new(RootKey.raw(KEY), "store", hide_ids=False)
    wrapped = ring.wrapped(b"d" * 32, "acme", 3)
    again = KeyRing.unlocked(ring.record, "store", KEY)
    assert again.unwrapped(wrapped, "acme", 3) == b"d" * 32
    with pytest.raises(StorageDamaged):
        again.unwrapped(wrapped, "omega", 3)
    for secret, message in ((bytes(32), "not the one"), ("a passphrase of some length", "32 bytes")):
        with pytest.raises(WrongKey, match=message):
            KeyRing.unlocked(ring.record, "store", secret)
    with pytest.raises(WrongKey):
        KeyRing.unlocked(ring.record, "another store", KEY)


def test_a_passphrase_opens_what_it_closed_with_the_parameters_that_are_kept() -> None:
    root = RootKey.from_passphrase("a passphrase of some length", b"salt" * 4, n=2**4, r=1, p=1)
    ring = KeyRing.new(root, "store", hide_ids=True)
    assert KeyRing.unlocked(ring.record, "store", "a passphrase of some length").secret == ring.secret
    with pytest.raises(WrongKey):
        KeyRing.unlocked(ring.record, "store", "another passphrase")
    with pytest.raises(WrongKey, match="a passphrase"):
        KeyRing.unlocked(ring.record, "store", KEY)


def test_a_new_passphrase_key_takes_the_slow_parameters_and_a_salt_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[dict[str, object]] = []
    monkeypatch.setattr("hashlib.scrypt", lambda passphrase, **how: asked.append(how) or bytes(32))
    RootKey.of("a passphrase of some length")
    RootKey.of("a passphrase of some length")
    assert [(how["n"], how["r"], how["p"]) for how in asked] == [(2**17, 8, 1)] * 2
    assert asked[0]["salt"] != asked[1]["salt"]
    assert all(isinstance(how["salt"], bytes) and len(how["salt"]) == 16 for how in asked)


def test_a_short_passphrase_warns_and_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        RootKey.from_passphrase("geheim", b"salt" * 4, n=2, r=1, p=1)
    assert "fewer than 12" in caplog.text
    assert "geheim" not in caplog.text


def test_no_key_is_shown_and_none_is_in_a_record() -> None:
    ring = KeyRing.new(RootKey.raw(KEY), "store", hide_ids=False)
    for shown in (repr(ring), repr(ring.root), ring.record):
        assert KEY.hex() not in shown
        assert repr(KEY)[2:-1] not in shown
        assert ring.secret.hex() not in shown


def test_pseudonyms_stay_when_the_root_key_changes_and_differ_between_stores() -> None:
    ring = KeyRing.new(RootKey.raw(KEY), "store", hide_ids=True)
    moved = replace(ring, root=RootKey.raw(bytes(32)))
    again = KeyRing.unlocked(moved.record, "store", bytes(32))
    assert ring.known_as("acme", "tenant") == again.known_as("acme", "tenant")
    assert again.unsealed_id(ring.sealed_id("acme") or b"") == "acme"
    other = KeyRing.new(RootKey.raw(KEY), "store", hide_ids=True)
    names = {ring.known_as("acme", "tenant"), ring.known_as("acme", "user"), other.known_as("acme", "tenant")}
    assert len(names) == 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "empty"),
        (b"short", "5 bytes"),
        (7, "int"),
        (lambda: None, "NoneType"),
        (bytearray(32), "bytearray"),
    ],
)
def test_what_can_be_no_key_is_refused(given: object, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        secret_of(given)  # type: ignore[arg-type]


def test_a_raw_key_is_32_bytes_or_their_hex() -> None:
    assert RootKey.raw(KEY) == RootKey.raw(KEY.hex())
    for wrong in (b"x" * 31, "xyz", "00" * 31):
        with pytest.raises(ConfigError):
            RootKey.raw(wrong)


def test_a_record_that_is_not_ours_is_damage() -> None:
    for record in ("", "{}", json.dumps({"root": {"kdf": "raw"}})):
        with pytest.raises(StorageDamaged):
            KeyRing.unlocked(record, "store", KEY)


SEALED = (
    "010707070707070707070707070707070705a93fa3867be5d7697a36838bfa664376ce4bbbb4a26b9ed0b3d8b5"
    "d328ef5c21f44edaff5cc650699c91aa1fd3b0b34ee7a4e31f86a22d97be4c00b4328e4e30576b1e"
)
RECORD = (
    '{"format": 1, "root": {"kdf": "raw"}, "check": '
    '"c9badcfe31b2f7ed30bcbb4babb997cf19c624bfcbe0935e19296cde77f34a0b", "secret": "01070707070'
    "7070707070707070707070776c651d6f505cfb6070b54a4ee84152102e56cd1dcd709b9a3dcbedcf44ec8390fb"
    'def25e06f997c2e873be779fa32f75f1017aa5fea60c5df68bcb509caa298", "hide_ids": true}'
)
PSEUDONYM = "01c454c906486ce2767f52e928d25079"
CHECK = "c9badcfe31b2f7ed30bcbb4babb997cf19c624bfcbe0935e19296cde77f34a0b"
