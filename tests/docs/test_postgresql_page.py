"""The page about PostgreSQL runs too, on the tests' own server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import postgres_server

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "postgresql.md").read_text("utf-8")
EXAMPLE = "postgresql://app@db.example/memory"
BLOCKS = re.findall(r"^```(python|bash)\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.fixture
def here(postgres: str, tmp_path: Path) -> tuple[str, dict[str, str], Path]:
    """The server's address, and an environment in which the command is found."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    source = str(ROOT / "src")
    return postgres, {"PATH": path, "PYTHONPATH": source, "HOME": str(tmp_path), "LANG": "C.UTF-8"}, tmp_path


@postgres_server.NEEDED_HERE
def test_the_blocks_of_the_page_run_in_order(here: tuple[str, dict[str, str], Path]) -> None:
    address, environment, folder = here
    assert len(BLOCKS) > 1
    for language, code in BLOCKS:
        assert EXAMPLE in code
        program = [sys.executable] if language == "python" else ["bash", "-eu"]
        ran = subprocess.run(
            [*program, "-c", code.replace(EXAMPLE, address)],
            capture_output=True, text=True, cwd=folder, env=environment, timeout=300,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stderr[-4_000:]
        assert "Lyon" in ran.stdout or language == "bash"
