"""Tiers that were made by hand on a store with a key: ciphertext on the disk, found as without."""

from __future__ import annotations

from pathlib import Path

import pytest

from zerda.memory import (
    LongTermMemory,
    SemanticMemory,
    ShortTermMemory,
    SQLiteStore,
    StorageDamaged,
)
from zerda.memory.testing import HashingEmbedder

KEY = bytes(range(32))
SAID = [f"the cello number {number} stands in the hall" for number in range(40)]


def filled(store: SQLiteStore) -> list[str]:
    """What all three tiers on a store say: the window, the important, the found."""
    said = ShortTermMemory(tenant_id="acme", store=store)
    meaning = SemanticMemory(tenant_id="acme", store=store, embedder=HashingEmbedder())
    important = LongTermMemory(tenant_id="acme", store=store)
    entries = [said.add(text, importance=number / 40) for number, text in enumerate(SAID)]
    important.store_many(entries[20:])
    meaning.add_batch(entries)
    found = [entry.content for entry in meaning.search_entries("cello number 7", k=10)]
    return [str(text) for text in [*found, *(one.content for one in important.get_top_by_importance(5))]]


def on_disk(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.iterdir()))


def test_tiers_on_a_store_with_a_key_find_the_same_and_leave_no_plain_text(tmp_path: Path) -> None:
    with (
        SQLiteStore(tmp_path / "plain" / "m.db") as plain,
        SQLiteStore(tmp_path / "sealed" / "m.db", key=KEY) as sealed,
    ):
        answers = filled(plain)
        assert filled(sealed) == answers
        assert len(answers) == 15
        for word in (b"cello", b"acme"):
            assert word in on_disk(tmp_path / "plain")
            assert word not in on_disk(tmp_path / "sealed")


@pytest.mark.parametrize("key", [bytes(32), None], ids=["another", "none"])
def test_a_tier_with_another_key_or_none_is_refused_and_changes_nothing(
    tmp_path: Path, key: bytes | None
) -> None:
    with SQLiteStore(tmp_path / "m.db", key=KEY) as store:
        filled(store)
    before = on_disk(tmp_path)
    with SQLiteStore(tmp_path / "m.db", key=key) as store, pytest.raises(StorageDamaged):
        LongTermMemory(tenant_id="acme", store=store).count()
    assert on_disk(tmp_path) == before
    with SQLiteStore(tmp_path / "m.db", key=KEY) as store:
        assert LongTermMemory(tenant_id="acme", store=store).count() == 20
