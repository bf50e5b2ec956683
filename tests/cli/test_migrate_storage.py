"""A memory moves from a folder to a server and back, and is the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import postgres_server
from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.cli.app import zerda
from zerda.memory.errors import EntryErased

pytestmark = postgres_server.NEEDED_HERE


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A memory with all that can move."""
    path = str(tmp_path / "memory")
    with AIMemoryManager(MemoryConfig(persistence_path=path)) as memory:
        for tenant in ("acme", "other"):
            memory.grant("ana", tenant, "writer")
            memory.save_interaction(
                "ana", tenant, f"The kite of {tenant} is red.", "Noted \x00 \ud800.", tags=["k"]
            )
            note = memory.remember("ana", tenant, "I live in Rome", importance=0.9, metadata={"a": [1, None]})
            memory.update("ana", tenant, note.id, content="I live in Lyon")
            memory.archive("ana", tenant, memory.remember("ana", tenant, "put away").id)
            memory.remember("ana", tenant, "the secret", id="erased")
            memory.forget("ana", tenant, "erased")
    return path


def run(*arguments: str) -> int:
    code: int = zerda.main(["migrate-storage", *arguments], standalone_mode=False)
    return code


def everything(config: MemoryConfig) -> dict[str, list[dict[str, Any]]]:
    with AIMemoryManager(config) as memory:
        lines = {
            tenant: [json.loads(line) for line in memory.export_tenant(tenant, vectors=True, grants=True)]
            for tenant in memory.tenants()
        }
        assert memory.recall("ana", "acme", "What colour has the kite?")
    return {tenant: [line for line in told if line["type"] != "header"] for tenant, told in lines.items()}


def test_a_memory_moves_there_and_back_and_is_the_same(
    folder: str, postgres: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    back = str(tmp_path / "back")
    assert run(folder, postgres, "--json") == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["tenant"], one["saved"], one["lacking"]) for one in told] == [
        ("acme", 3, 0),
        ("other", 3, 0),
    ]
    assert run(postgres, back) == 0
    before = everything(MemoryConfig(persistence_path=folder))
    assert len(before["acme"]) == 6  # Three entries, a profile, a grant, the end.
    assert everything(MemoryConfig(storage=postgres)) == before
    assert everything(MemoryConfig(persistence_path=back)) == before
    with AIMemoryManager(MemoryConfig(persistence_path=back)) as memory:
        (receipt,) = memory.receipts("acme")
        assert memory.verify_erased(receipt, ["the secret"]).clean
        with pytest.raises(EntryErased):
            memory.remember("ana", "acme", "again", id="erased")


def test_a_move_may_be_run_again_and_tells_what_is_lacking(
    folder: str, postgres: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, postgres, "--only", "acme") == 0
    assert run(folder, postgres, "--only", "acme", "--json") == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1]) == {
        "tenant": "acme", "saved": 0, "already there": 3, "lacking": 0,
    }  # fmt: skip
    with AIMemoryManager(MemoryConfig(storage=postgres)) as memory:
        assert memory.tenants() == ("acme",)
        memory.pin("ana", "acme", memory.list("ana", "acme").entries[0].id)
    assert run(folder, postgres, "--only", "acme") == 1
