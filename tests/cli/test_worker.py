"""The worker gives every tenant its upkeep."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

import postgres_server
from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.cli.app import zerda

USERS = [("ana", "acme"), ("ben", "other")]


@pytest.fixture(params=["a folder", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)])
def config(request: pytest.FixtureRequest, tmp_path: Path) -> MemoryConfig:
    if request.param == "postgres":
        return MemoryConfig(storage=request.getfixturevalue("postgres"), indexing="background")
    return MemoryConfig(persistence_path=str(tmp_path / "memory"), indexing="background")


@pytest.fixture(autouse=True)
def as_it_was() -> object:
    """SIGTERM does afterwards what it did."""
    before = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, before)


def test_a_round_gives_every_tenant_its_vectors(
    config: MemoryConfig, capsys: pytest.CaptureFixture[str]
) -> None:
    with AIMemoryManager(MemoryConfig(**{**_told(config), "embedding_model": "none"})) as memory:
        for user, tenant in USERS:
            memory.remember(user, tenant, "the red kite circles above the harbour")
    where = ["--storage", config.storage] if config.storage else ["--path", config.persistence_path]
    assert zerda.main(["worker", "--once", *where], standalone_mode=False) == 0
    with AIMemoryManager(config) as memory:
        assert memory.tenants() == ("acme", "other")
        assert [memory.stats(tenant)["pending"] for _, tenant in USERS] == [0, 0]
        assert memory.stats("acme")["embedder"]
    assert "harbour" not in "".join(capsys.readouterr())


def _told(config: MemoryConfig) -> dict[str, str]:
    return {"storage": config.storage, "persistence_path": config.persistence_path}


CLAIMER = """
import sys
from datetime import UTC, datetime
from zerda.memory import AIMemoryManager, MemoryConfig
storage, path, before = sys.argv[1:]
with AIMemoryManager(MemoryConfig(storage=storage, persistence_path=path)) as memory:
    while (tenant := memory.claim_maintenance(datetime.fromisoformat(before))) is not None:
        print(tenant)
"""


def test_processes_share_the_tenants_and_none_gets_what_another_has(
    config: MemoryConfig, environment: dict[str, str]
) -> None:
    tenants = [f"t{number:02}" for number in range(40)]
    with AIMemoryManager(config) as memory:
        for tenant in tenants:
            memory.remember("ana", tenant, "the red kite circles above the harbour")
        before = datetime.now(UTC)
        told = [*_told(config).values(), before.isoformat()]
        claiming = [
            subprocess.Popen(
                [sys.executable, "-c", CLAIMER, *told], env=environment, stdout=subprocess.PIPE, text=True
            )
            for _ in range(3)
        ]
        claimed = [process.communicate(timeout=120)[0].split() for process in claiming]
        assert sorted(tenant for one in claimed for tenant in one) == tenants
        assert memory.claim_maintenance(before) is None
        assert memory.claim_maintenance(datetime.now(UTC)) in tenants  # Whoever had it may be gone.
