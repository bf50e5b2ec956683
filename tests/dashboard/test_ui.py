"""``zerda ui``: the page on this machine, with a key that ends with the command."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from zerda.memory import AccessDenied, AIMemoryManager, MemoryConfig

ZERDA = [sys.executable, "-c", "import sys; from zerda.memory.cli import main; sys.exit(main())"]
SOURCE = Path(__file__).parents[2] / "src"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_brings_a_key_that_ends_with_it(browser: Browser, tmp_path: Path, number: int) -> None:
    folder = str(tmp_path / "memory")
    environment = {
        **os.environ,
        "PYTHONPATH": str(SOURCE),
        "ZERDA_PATH": folder,
        "ZERDA_EMBEDDING_MODEL": "none",
    }
    with subprocess.Popen([*ZERDA, "ui", "--no-browser"], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True) as running:  # fmt: skip
        try:
            assert running.stdout is not None
            address = running.stdout.readline().strip()
            secret = address.partition("#key=")[2]
            page = browser.new_page()
            page.goto(address)
            expect(page.get_by_text("Nothing is remembered yet")).to_be_visible(timeout=30_000)
            page.close()
        finally:
            running.send_signal(number)
            running.wait(60)
    with AIMemoryManager(MemoryConfig(persistence_path=folder, embedding_model="none")) as memory:
        assert [key.name for key in memory.list_keys("local")] == ["zerda ui"]
        with pytest.raises(AccessDenied):
            memory.authenticate(secret)
