"""Masking what is stored, killed on the way, is finished by the next pass."""

import os
import signal
from pathlib import Path

import pytest
from killing import started

from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.testing import HashingEmbedder, tick

MAIL = "anna@example.com"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_killed_pass_is_finished_by_the_next(tmp_path: Path) -> None:
    def opened() -> AIMemoryManager:
        config = MemoryConfig(persistence_path=str(tmp_path))
        return AIMemoryManager(config, embedder=HashingEmbedder(), clock=tick())

    with opened() as memory:
        masker = memory._intake.masker
        object.__setattr__(memory._intake, "masker", None)
        memory.remember_many("alice", "acme", [f"mail {number} to {MAIL}" for number in range(250)])
        object.__setattr__(memory._intake, "masker", masker)

    def masks() -> None:
        def killed(done: int, _of: int) -> None:
            if done == 200:
                os.kill(os.getpid(), signal.SIGKILL)

        opened().mask_stored("acme", progress=killed)

    status = os.waitpid(started(masks), 0)[1]
    assert os.WIFSIGNALED(status)
    with opened() as memory:
        (left,) = memory.receipts("acme")
        assert not left.complete
        assert 0 < left.counts["rewritten"] < 250
        rest = memory.mask_stored("acme")
        assert rest.rewritten == 250 - left.counts["rewritten"]
        assert all(one.complete for one in memory.receipts("acme"))
        for receipt in memory.receipts("acme"):
            assert memory.verify_erased(receipt, [MAIL, "anna"]).clean
