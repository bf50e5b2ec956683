"""The same calls on files, on encrypted files with hidden names, and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving_here import KeyRing, serving

import postgres_server
from zerda.memory import AccessDenied, AIMemoryManager, Client, MemoryConfig
from zerda.memory.testing import HashingEmbedder

STORES = ["files", "encrypted", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)]


@pytest.fixture(params=STORES)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AIMemoryManager]:
    where: dict[str, Any] = {
        "persistence_path": str(tmp_path / "m"),
        "hide_ids": request.param == "encrypted",
    }
    if request.param == "postgres":
        where = {"storage": request.getfixturevalue("postgres")}
    key = "correct horse battery staple" if request.param == "encrypted" else None
    with AIMemoryManager(MemoryConfig(**where), embedder=HashingEmbedder(), encryption_key=key) as memory:
        yield memory


def test_a_user_is_served_from_the_first_save_to_the_last_trace(stored: AIMemoryManager) -> None:
    keys = KeyRing(stored)
    with serving(stored) as url, Client(url, keys) as client:
        watching = client.watch("alice", "acme")
        kept = client.save_interaction("alice", "acme", "I saw a fennec.", "Where?", id="x")
        assert next(watching).action == "save"
        assert client.get("alice", "acme", "x").content == {"input": "I saw a fennec.", "output": "Where?"}
        assert client.recall("alice", "acme", "the fennec", min_score=0)[0].entry.id == kept.id
        assert client.list("bob", "acme").entries == ()
        lines = list(client.export_tenant("acme"))
        assert client.import_(lines, "elsewhere").saved == 1
        receipt = client.forget("alice", "acme", "x")
        assert client.verify_erased(receipt, ["fennec"]).clean
        assert client.verify_audit("acme").whole
        (hers,) = [key for key in client.list_keys("acme") if key.user_id == "alice"]
        client.revoke_key("acme", hers.id)
        with pytest.raises(AccessDenied):
            client.list("alice", "acme")
