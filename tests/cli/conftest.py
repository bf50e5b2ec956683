"""Runs ``zerda`` on a memory of its own: within the process, or as users do."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from command_runs import Ran, Run

from zerda.memory.cli.app import zerda

SOURCE = Path(__file__).parents[2] / "src"
ZERDA = [sys.executable, "-c", "import sys; from zerda.memory.cli import main; sys.exit(main())"]


@pytest.fixture
def zerda_command() -> list[str]:
    """What stands before the arguments of a process."""
    return ZERDA


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the memory under test lives."""
    return tmp_path / "memory"


@pytest.fixture
def environment(folder: Path) -> dict[str, str]:
    """An environment in which nothing is set but the memory's folder and model."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ZERDA_", "NO_COLOR"))}
    added = {"ZERDA_PATH": str(folder), "ZERDA_EMBEDDING_MODEL": "none", "ZERDA_RELEVANCE_FLOOR": "0"}
    return kept | added | {"PYTHONPATH": str(SOURCE), "TERM": "xterm-256color"}


@pytest.fixture
def run(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command within this process."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    def run(*args: str, input: str | bytes | None = None) -> Ran:
        result = CliRunner().invoke(zerda, args, input=input, prog_name="zerda")
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def run_process(environment: dict[str, str]) -> Run:
    """Runs a command as a process of its own, with pipes."""

    def run(*args: str, input: str | None = None, **variables: str) -> Ran:
        ran = subprocess.run(
            [*ZERDA, *args], input=input, capture_output=True, env=environment | variables, timeout=120,
            encoding=variables.get("PYTHONIOENCODING", "utf-8"), check=False,
        )  # fmt: skip
        return Ran(ran.returncode, ran.stdout, ran.stderr)

    return run


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A short conversation as a file, with a line that no one can use."""
    lines = [
        {
            "speaker": "Ana",
            "content": "I am allergic to hazelnuts.",
            "at": "2026-03-01T10:00Z",
            "session": "s1",
        },
        {"speaker": "Ben", "content": "ok", "at": "2026-03-01T10:01Z", "session": "s1"},
        {"speaker": "Ben", "content": "ok", "at": "2026-03-01T10:01Z", "session": "s1"},
        {"speaker": "Ana", "content": "I play the cello.", "at": "2026-03-02T10:00Z", "session": "s2"},
    ]
    path = tmp_path / "talk.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\nnonsense\n", "utf-8")
    return path
