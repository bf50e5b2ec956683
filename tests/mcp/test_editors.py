"""What is written for an editor starts the server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp import Client, StdioServerParameters

COMMAND = "import sys; from zerda.memory.cli import main; sys.exit(main())"


def written(editor: str, folder: Path, environment: dict[str, str]) -> str:
    asked = ["mcp", "--print-config", editor, "--path", "m", "--user", "Zoë O'Neil"]
    command = [sys.executable, "-c", COMMAND, *asked, "--tools", "memory_recall"]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def server_of(editor: str, text: str) -> dict[str, Any]:
    if editor == "codex":
        return dict(tomllib.loads(text)["mcp_servers"]["zerda-memory"])
    kind = "servers" if editor == "vscode" else "mcpServers"
    return dict(json.loads(text)[kind]["zerda-memory"])


@pytest.mark.parametrize("editor", ["claude", "codex", "cursor", "vscode"])
def test_what_is_printed_for_an_editor_starts_the_server(
    editor: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    server = server_of(editor, written(editor, tmp_path, environment))
    assert str(tmp_path / "m") in server["args"]

    async def main() -> list[str]:
        started = StdioServerParameters(
            command=sys.executable, args=["-c", COMMAND, *server["args"]], env=environment, cwd="/"
        )
        async with Client(started) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    assert asyncio.run(main()) == ["memory_recall"]
