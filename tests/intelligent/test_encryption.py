"""With a key nothing that was said is in any file, and everything is found as without."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from zerda.memory import (
    AccessDenied,
    AIMemoryManager,
    ConfigError,
    KeyNeeded,
    MemoryConfig,
    NotEncrypted,
    SQLiteStore,
    StorageDamaged,
    StorageError,
    WrongKey,
)
from zerda.memory.testing import HashingEmbedder, tick

KEY = b"k" * 32
WORDS = "kite harbour lantern violin saffron glacier pepper orchard compass meadow thunder velvet".split()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[..., AIMemoryManager]]:
    managers: list[AIMemoryManager] = []

    def open_one(key: object = KEY, folder: str = "m", **settings: object) -> AIMemoryManager:
        config = MemoryConfig(persistence_path=str(tmp_path / folder), **settings)  # type: ignore[arg-type]
        manager = AIMemoryManager(
            config, encryption_key=key, embedder=HashingEmbedder(), clock=tick(), enable_privacy_masking=False
        )  # type: ignore[arg-type]
        managers.append(manager)
        return manager

    yield open_one
    for manager in managers:
        manager.close()


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def said(number: int) -> tuple[str, str]:
    chosen = random.Random(number)
    return f"{number} " + " ".join(chosen.choices(WORDS, k=8)), " ".join(chosen.choices(WORDS, k=6))


def test_the_saved_entry_is_a_wrapper_and_everything_else_is_plain(
    opened: Callable[..., AIMemoryManager],
) -> None:
    memory = opened()
    entry = memory.save_interaction("alice", "acme", "The harbour key is under the lantern.", "Noted.")
    assert isinstance(entry.content, dict)
    assert list(entry.content) == ["encrypted"]
    assert "harbour" not in str(entry)
    assert entry.metadata["encrypted"] is True
    assert memory.get("alice", "acme", entry.id).text.startswith("input: The harbour key")
    assert memory.recall("alice", "acme", "harbour")[0].text == "The harbour key is under the lantern."
    for text in (
        memory.build_context("alice", "acme", "harbour").full_text,
        memory.build_prompt("alice", "acme", "harbour"),
    ):
        assert "under the lantern" in text
        assert entry.content["encrypted"] not in text
    assert memory.stats("acme")["encryption_active"] is True
    assert opened(None, "plain").stats("acme")["encryption_active"] is False


def test_who_may_not_read_gets_no_plaintext(opened: Callable[..., AIMemoryManager]) -> None:
    memory = opened(access_policy="strict")
    memory.grant("alice", "acme")
    memory.save_interaction("alice", "acme", "The harbour key is under the lantern.", "Noted.")
    with pytest.raises(AccessDenied):
        memory.recall("mallory", "acme", "harbour")
    memory.grant("bob", "acme", "reader")
    assert memory.recall("bob", "acme", "harbour") == []


def test_a_key_changes_no_result(opened: Callable[..., AIMemoryManager]) -> None:
    plain, sealed = opened(None, "plain"), opened(KEY, "sealed", hide_ids=True)
    for memory in (plain, sealed):
        memory.save_many(
            "alice",
            "acme",
            [
                {"user_input": one, "assistant_output": other, "id": f"e{number}"}
                for number, (one, other) in enumerate(map(said, range(400)))
            ],
        )
    for number in range(1_000):
        asked = " ".join(random.Random(-number).choices(WORDS, k=3))
        found = [
            [
                (hit.entry.id, hit.score, hit.text)
                for hit in memory.recall("alice", "acme", asked, min_score=0)
            ]
            for memory in (plain, sealed)
        ]
        assert found[0] == found[1]
        assert len(found[0]) == 10


def test_nothing_that_was_said_is_in_any_file_at_any_moment(
    opened: Callable[..., AIMemoryManager], tmp_path: Path
) -> None:
    memory = opened(hide_ids=True)
    embedder = HashingEmbedder()
    memory.grant("alice_the_user", "acme_the_tenant")
    needles: set[bytes] = {b"alice_the_user", b"acme_the_tenant", b"violinists", b"a_tag", b"a_key"}
    for number in range(60):
        one, other = said(number)
        memory.save_interaction(
            "alice_the_user", "acme_the_tenant", one, other, topics=["violinists"], tags=["a_tag"],
            metadata={"a_key": "a value"}, session_id="a session",
        )  # fmt: skip
        needles |= {one.encode(), other.encode()}
        needles |= {vector.astype(np.float16).tobytes() for vector in embedder.embed([one, other])}
        if number % 20 == 7:
            assert leaks(tmp_path / "m", needles) == []
    memory.close()
    assert leaks(tmp_path / "m", needles) == []
    assert leaks(tmp_path / "m", {word.encode() for word in WORDS}) == []


def leaks(folder: Path, needles: set[bytes]) -> list[tuple[str, bytes]]:
    files = bytes_of(folder)
    named = [(name, name.encode()) for name in files if any(needle in name.encode() for needle in needles)]
    return named + [(name, needle) for name, data in files.items() for needle in needles if needle in data]


def test_the_same_search_finds_needles_where_there_is_no_key(
    opened: Callable[..., AIMemoryManager], tmp_path: Path
) -> None:
    memory = opened(None)
    one, other = said(1)
    memory.save_interaction("alice", "acme", one, other)
    memory.close()
    vectors = {vector.astype(np.float16).tobytes() for vector in HashingEmbedder().embed([one, other])}
    found = leaks(tmp_path / "m", {one.encode(), *vectors})
    assert len({needle for _, needle in found}) == 3


@pytest.mark.parametrize(
    ("key", "error"),
    [(b"x" * 32, WrongKey), (None, KeyNeeded), ("a passphrase of some length", WrongKey)],
)
def test_the_wrong_key_and_none_are_told_at_once_and_change_nothing(
    opened: Callable[..., AIMemoryManager], tmp_path: Path, key: object, error: type[StorageError]
) -> None:
    first = opened()
    first.save_interaction("alice", "acme", "The harbour key is under the lantern.", "Noted.")
    first.close()
    before = bytes_of(tmp_path / "m")
    memory = opened(key)
    calls: list[Callable[[], object]] = [
        lambda: memory.recall("alice", "acme", "harbour"),
        lambda: memory.save_interaction("alice", "acme", "more", "of it"),
        lambda: memory.save_interaction("alice", "another", "more", "of it"),
        lambda: memory.grant("alice", "acme"),
        lambda: memory.stats("acme"),
        lambda: memory._stores.tenants(),
    ]
    for call in calls:
        with pytest.raises(error):
            call()
    memory.close()
    assert bytes_of(tmp_path / "m") == before


def test_a_key_on_a_plain_memory_is_refused_and_changes_nothing(
    opened: Callable[..., AIMemoryManager], tmp_path: Path
) -> None:
    first = opened(None)
    first.save_interaction("alice", "acme", "The harbour key is under the lantern.", "Noted.")
    first.close()
    before = bytes_of(tmp_path / "m")
    memory = opened(KEY)
    for call in (
        lambda: memory.recall("alice", "acme", "harbour"),
        lambda: memory.remember("alice", "acme", "more"),
        lambda: memory.grant("alice", "acme"),
    ):
        with pytest.raises(NotEncrypted, match="encrypt_memory"):
            call()
    memory.close()
    assert bytes_of(tmp_path / "m") == before


def test_an_encrypted_file_is_nothing_to_a_store_without_its_key(
    opened: Callable[..., AIMemoryManager], tmp_path: Path
) -> None:
    memory = opened()
    memory.remember("alice", "acme", "The harbour key is under the lantern.")
    memory.close()
    before = bytes_of(tmp_path / "m")
    for key in (None, bytes(32)):
        with SQLiteStore(tmp_path / "m" / "acme_ltm.db", key=key) as store, pytest.raises(StorageDamaged):
            store.users("acme")
    assert bytes_of(tmp_path / "m") == before
    assert not (tmp_path / "m" / "acme_ltm.db").read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize(
    "key", ["a passphrase of some length", lambda: KEY, lambda: "a passphrase of some length"]
)
def test_passphrases_and_functions_open_again(opened: Callable[..., AIMemoryManager], key: object) -> None:
    opened(key).remember("alice", "acme", "The harbour key is under the lantern.", id="one")
    assert opened(key).get("alice", "acme", "one").content == "The harbour key is under the lantern."


def test_a_wrong_passphrase_costs_one_slow_guess_and_no_more(
    opened: Callable[..., AIMemoryManager], monkeypatch: pytest.MonkeyPatch
) -> None:
    import hashlib

    opened("a passphrase of some length").remember("alice", "acme", "The harbour key.")
    slow, calls = hashlib.scrypt, list[int]()
    monkeypatch.setattr("hashlib.scrypt", lambda *given, **how: calls.append(1) or slow(*given, **how))
    with pytest.raises(WrongKey):
        opened("another passphrase").recall("alice", "acme", "harbour")
    assert len(calls) == 1


@pytest.mark.parametrize("key", ["", b"", b"short", 7, bytearray(32)])
def test_what_can_be_no_key_is_refused_when_it_is_given(
    opened: Callable[..., AIMemoryManager], key: object, tmp_path: Path
) -> None:
    with pytest.raises(ConfigError, match="encryption_key"):
        opened(key)
    assert not (tmp_path / "m").exists()


def test_ids_are_hidden_by_a_key_alone(opened: Callable[..., AIMemoryManager]) -> None:
    with pytest.raises(ConfigError, match="hide_ids"):
        opened(None, hide_ids=True)


def test_grants_before_the_first_entry_hold_with_hidden_ids(opened: Callable[..., AIMemoryManager]) -> None:
    memory = opened(hide_ids=True, access_policy="strict")
    memory.grant("alice", "acme")
    memory.remember("alice", "acme", "The harbour key is under the lantern.")
    memory.revoke("alice", "acme", "writer")
    again = opened(access_policy="strict")
    with pytest.raises(AccessDenied):
        again.recall("alice", "acme", "harbour")
    assert again._stores.tenants() == ("acme",)


def test_a_memory_that_keeps_nothing_hands_out_the_wrapper_too(
    opened: Callable[..., AIMemoryManager], tmp_path: Path
) -> None:
    memory = opened(KEY, enable_persistence=False)
    entry = memory.save_interaction("alice", "acme", "The harbour key.", "Noted.")
    assert set(entry.content) == {"encrypted"}
    assert memory.get("alice", "acme", entry.id).text == "input: The harbour key.\noutput: Noted."
    assert not (tmp_path / "m").exists()
