"""The key out of the system's keyring: a real keyring, which keeps its secrets in this process."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from zerda.memory import AIMemoryManager, ConfigError, MemoryConfig, MissingExtra, WrongKey, key_from_keyring

SERVICE = "zerda-memory"


class InThisProcess(KeyringBackend):
    """Keeps secrets in a dict."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.locked:
            raise KeyringLocked("somebody's secret is near")
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture
def ring() -> Iterator[InThisProcess]:
    before = keyring.get_keyring()
    ring = InThisProcess()
    keyring.set_keyring(ring)
    yield ring
    keyring.set_keyring(before)


def opened(folder: Path, name: str = "work") -> AIMemoryManager:
    config = MemoryConfig(persistence_path=str(folder), embedding_model="none")
    return AIMemoryManager(config, encryption_key=key_from_keyring(name))


@pytest.mark.parametrize("secret", ["a long passphrase of somebody's", "0f" * 32])
def test_a_memory_opens_with_what_lies_there(ring: InThisProcess, tmp_path: Path, secret: str) -> None:
    keyring.set_password(SERVICE, "work", secret)
    with opened(tmp_path) as memory:
        memory.remember("alice", "acme", "the cello stands in the hall", id="x")
    with opened(tmp_path) as memory:
        assert memory.get("alice", "acme", "x").text == "the cello stands in the hall"
    keyring.set_password(SERVICE, "work", "another passphrase")
    with opened(tmp_path) as memory, pytest.raises(WrongKey):
        memory.get("alice", "acme", "x")


def test_hex_digits_are_a_raw_key(ring: InThisProcess) -> None:
    keyring.set_password(SERVICE, "work", "0f" * 32)
    assert key_from_keyring("work")() == b"\x0f" * 32


def test_nothing_there_says_how_to_put_it_there(ring: InThisProcess) -> None:
    with pytest.raises(ConfigError, match="keyring set zerda-memory work"):
        key_from_keyring("work")()


def test_a_locked_keyring_is_told_without_what_it_says(ring: InThisProcess) -> None:
    ring.locked = True
    with pytest.raises(ConfigError, match="unlock it") as told:
        key_from_keyring("work")()
    assert "secret" not in str(told.value)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def lacking(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("keyring"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(MissingExtra, match=r"zerda-memory\[keyring\]"):
        key_from_keyring("work")
