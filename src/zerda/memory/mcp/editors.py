"""What to write into the configuration of an editor, so that it starts the memory as a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

NAME = "zerda-memory"


def _servers(command: str, arguments: Sequence[str]) -> str:
    return _text({"mcpServers": {NAME: {"command": command, "args": list(arguments)}}})


def _vscode(command: str, arguments: Sequence[str]) -> str:
    return _text({"servers": {NAME: {"type": "stdio", "command": command, "args": list(arguments)}}})


def _codex(command: str, arguments: Sequence[str]) -> str:
    # A TOML string that needs no more escapes than JSON has.
    return f"[mcp_servers.{NAME}]\ncommand = {json.dumps(command)}\nargs = {json.dumps(list(arguments))}"


def _text(value: object) -> str:
    return json.dumps(value, indent=2)


EDITORS: Mapping[str, tuple[str, Callable[[str, Sequence[str]], str]]] = {
    "claude": ("claude_desktop_config.json, or .mcp.json of a project", _servers),
    "codex": ("~/.codex/config.toml", _codex),
    "cursor": ("~/.cursor/mcp.json, or .cursor/mcp.json of a project", _servers),
    "vscode": (".vscode/mcp.json", _vscode),
}
"""Where it goes, and what writes it."""
