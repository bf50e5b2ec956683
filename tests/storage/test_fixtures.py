"""Memories as earlier versions wrote them, kept for ever: each still opens and says the same.

They were made by ``scripts/make_fixture``, once for each layout, and are never made again.
"""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from zerda.memory import (
    AccessDenied,
    AIMemoryManager,
    EntryErased,
    KeyNeeded,
    MemoryConfig,
    WrongKey,
    doctor,
    encrypt_memory,
    restore,
    rotate_root_key,
    rotate_tenant_key,
)
from zerda.memory.testing import HashingEmbedder

FIXTURES = Path(__file__).parents[1] / "fixtures"
PASSPHRASE = "the fixture's own passphrase"
KEYS = {"plain": None, "sealed": PASSPHRASE}
CASES = [(layout.name, kind) for layout in sorted(FIXTURES.iterdir()) for kind in KEYS]
HERS, HIS = ("alice", "acme"), ("bob", "acme")

each = pytest.mark.parametrize(("layout", "kind"), CASES)


def opened(folder: Path, key: str | bytes | None, *, by_words: bool = False) -> AIMemoryManager:
    return AIMemoryManager(
        MemoryConfig(persistence_path=str(folder), embedding_model="none"),
        encryption_key=key,
        embedder=None if by_words else HashingEmbedder(64),
        clock=lambda: datetime(2026, 12, 2, tzinfo=UTC),
    )


@pytest.fixture
def folder(layout: str, kind: str, tmp_path: Path) -> Path:
    """The files as they were written, where they may be changed."""
    shutil.copytree(FIXTURES / layout / kind, tmp_path / "m")
    (tmp_path / "m" / "manifest.json").unlink()
    (tmp_path / "m").chmod(0o700)
    for file in (tmp_path / "m").iterdir():
        file.chmod(0o600)
    return tmp_path / "m"


def expected(layout: str) -> dict[str, Any]:
    return dict(json.loads((FIXTURES / layout / "expected.json").read_text("ascii")))


def says_the_same(memory: AIMemoryManager, told: dict[str, Any]) -> None:
    for want in told["entries"]:
        entry = memory.get(want["user_id"], "acme", want["id"])
        seen = {
            **{name: getattr(entry, name) for name in want if name not in ("archived", "promoted")},
            "occurred_at": entry.occurred_at.isoformat(),
            "recorded_at": entry.recorded_at.isoformat(),
            "tags": list(entry.tags),
            "topics": list(entry.topics),
            "metadata": dict(entry.metadata),
            "masked": dict(entry.masked),
            "archived": entry.archived_at is not None,
            "promoted": entry.promoted_at is not None,
        }
        assert seen == want
    assert [one.content for one in memory.history(*HERS, "changed")] == told["versions"]
    assert memory.profile(*HERS).explicit_preferences == told["preferences"]
    stats = memory.stats("acme")
    assert {name: stats[name] for name in told["stats"]} == told["stats"]


@each
def test_what_an_earlier_version_wrote_says_the_same(layout: str, kind: str, folder: Path) -> None:
    with opened(folder, KEYS[kind]) as memory:
        assert memory.tenants() == ("acme",)
        says_the_same(memory, expected(layout))
    assert doctor(folder, encryption_key=KEYS[kind]) == []


@each
def test_it_is_found_by_words_and_by_meaning_as_before(kind: str, folder: Path) -> None:
    with opened(folder, KEYS[kind], by_words=True) as memory:
        for query, found in (("lantern", "turn"), ("viola", "changed"), ("東京", "odd"), ("ferry", "shared")):
            assert memory.recall(*HERS, query, limit=1, min_score=0)[0].entry.id == found
    with opened(folder, KEYS[kind]) as memory:
        nearest = memory.recall(*HERS, "By the harbour wall.", limit=1, min_score=0)[0]
        assert (nearest.entry.id, "meaning" in nearest.sources) == ("turn", True)
        assert [hit.entry.id for hit in memory.recall(*HIS, "moonfish", min_score=0)][:1] == ["his"]
        assert "archived" not in {hit.entry.id for hit in memory.recall(*HERS, "old ticket", min_score=0)}


@each
def test_who_might_do_what_may_do_it_still_and_what_was_erased_stays_so(kind: str, folder: Path) -> None:
    with opened(folder, KEYS[kind]) as memory:
        assert memory.recall("carol", "acme", "ferry", min_score=0)[0].entry.id == "shared"
        with pytest.raises(AccessDenied):
            memory.remember("carol", "acme", "may I?")
        with pytest.raises(AccessDenied):
            memory.recall("dave", "acme", "ferry")
        with pytest.raises(EntryErased):
            memory.remember(*HIS, "again", id="erased")
        assert memory.verify_audit("acme").whole


@each
def test_it_goes_on_from_there(layout: str, kind: str, folder: Path) -> None:
    key: str | bytes | None = KEYS[kind]
    if key is None:
        encrypt_memory(folder, key := bytes(32))
    else:
        rotate_root_key(folder, key, bytes(32))
        key = bytes(32)
    rotate_tenant_key(folder, key, "acme")
    with opened(folder, key) as memory:
        says_the_same(memory, expected(layout))
        memory.remember(*HERS, "A new violet umbrella.", id="new")
        assert memory.recall(*HERS, "umbrella", min_score=0)[0].entry.id == "new"
        memory.run_maintenance("acme")
    assert doctor(folder, encryption_key=key) == []


@each
def test_a_backup_of_then_comes_back(layout: str, kind: str, tmp_path: Path) -> None:
    key = KEYS[kind]
    there = len(expected(layout)["entries"])
    assert restore(FIXTURES / layout / kind, tmp_path / "whole", encryption_key=key) == there
    with opened(tmp_path / "whole", key) as memory:
        says_the_same(memory, expected(layout))
    with opened(tmp_path / "other", None) as other:
        other.remember("zoe", "omega", "Another memory.")
    restore(FIXTURES / layout / kind, tmp_path / "other", backup_key=key, tenants=["acme"])
    with opened(tmp_path / "other", None) as other:
        assert other.get(*HERS, "changed").content == "I play the viola now."


@pytest.mark.parametrize("layout", sorted({layout for layout, _ in CASES}))
def test_a_sealed_one_of_then_is_ciphertext_that_its_key_alone_opens(layout: str, tmp_path: Path) -> None:
    shutil.copytree(FIXTURES / layout / "sealed", tmp_path / "m")
    before = {file.name: file.read_bytes() for file in (tmp_path / "m").iterdir()}
    for word in (b"viola", b"lantern", b"acme", b"alice", b"carol"):
        assert not [name for name, data in before.items() if word in data]
    for key, error in ((None, KeyNeeded), ("another passphrase", WrongKey), (bytes(32), WrongKey)):
        with opened(tmp_path / "m", key) as memory, pytest.raises(error):
            memory.recall(*HERS, "lantern")
