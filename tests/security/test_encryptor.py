"""Single values are encrypted to texts and back."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory import ConfigError, InvalidInput, MemoryEncryptor, WrongKey

KEY = bytes(range(32))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_what_is_encrypted_comes_back(value: Any) -> None:
    assert MemoryEncryptor(KEY).decrypt(MemoryEncryptor(KEY).encrypt(value)) == value


def test_a_passphrase_opens_what_another_encryptor_made() -> None:
    text = MemoryEncryptor("correct horse battery").encrypt({"input": "the cello"})
    assert "cello" not in text
    assert MemoryEncryptor(lambda: "correct horse battery").decrypt(text) == {"input": "the cello"}
    with pytest.raises(WrongKey):
        MemoryEncryptor("incorrect horse battery").decrypt(text)


def test_the_same_value_is_never_the_same_text() -> None:
    encryptor = MemoryEncryptor(KEY)
    assert encryptor.encrypt("a") != encryptor.encrypt("a")


def test_one_changed_character_is_told() -> None:
    encryptor = MemoryEncryptor(KEY)
    text = encryptor.encrypt("the cello stands in the hall")
    for place in range(len("zerda1."), len(text) - 2, 7):
        changed = text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :]
        with pytest.raises((WrongKey, InvalidInput)):
            encryptor.decrypt(changed)


@pytest.mark.parametrize("text", ["", "zerda1.", "zerda1.!!", "gAAAAAB", 5, None, "zerda1.QQ=="])
def test_any_other_text_is_refused(text: Any) -> None:
    with pytest.raises((InvalidInput, WrongKey)):
        MemoryEncryptor(KEY).decrypt(text)


@pytest.mark.parametrize("key", ["", b"short", 5, None])
def test_what_can_be_no_key_is_refused(key: Any) -> None:
    with pytest.raises(ConfigError, match="encryption_key"):
        MemoryEncryptor(key)


@pytest.mark.parametrize("value", [float("nan"), {1, 2}, object()])
def test_what_json_cannot_keep_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput, match="JSON"):
        MemoryEncryptor(KEY).encrypt(value)


def test_a_fingerprint_tells_keys_apart_and_nothing_of_them() -> None:
    encryptor = MemoryEncryptor(KEY)
    assert encryptor.key_fingerprint() == MemoryEncryptor(KEY).key_fingerprint()
    assert encryptor.key_fingerprint() != MemoryEncryptor(bytes(32)).key_fingerprint()
    assert len(encryptor.key_fingerprint()) == 16
    assert encryptor.is_real_encryption
