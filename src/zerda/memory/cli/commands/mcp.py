"""``zerda mcp``: the memory as tools for editors, agents and assistants."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from .. import render
from ..options import Call, explicit, memory_command

LOOPBACK = "127.0.0.1"


@click.command()
@click.option("--profile", default="core", show_default=True, help="The set of tools.")
@click.option(
    "--tools", envvar="ZERDA_MCP_TOOLS", show_envvar=True, metavar="NAME,…", help="Offer only these tools."
)
@click.option(
    "--http", "port", type=click.IntRange(0, 65_535), metavar="PORT", help="Serve HTTP on loopback."
)
@click.option(
    "--print-config", "editor", metavar="EDITOR", type=click.Choice(["claude", "codex", "cursor", "vscode"]),
    help="Write what goes into an editor's configuration, and stop.",
)  # fmt: skip
@memory_command
def command(call: Call, profile: str, tools: str | None, port: int | None, editor: str | None) -> None:
    """Serve the memory by the Model Context Protocol, on stdin and stdout.

    Whose memory it is, --tenant and --user say once; no call of a tool can name another.
    """
    if editor is not None:
        _show_config(call, editor)
        return
    from zerda.memory.mcp import Caller, build

    with call.open() as memory:
        caller = Caller.of(memory, call.user, call.tenant)
        chosen = None if tools is None else [name.strip() for name in tools.split(",") if name.strip()]
        server = build(lambda: caller, profile=profile, tools=chosen)
        if port is None:
            server.run("stdio")
        else:
            server.run("streamable-http", host=LOOPBACK, port=port, stateless_http=True, json_response=True)


def _show_config(call: Call, editor: str) -> None:
    """An editor starts it from a folder of its own, so every path is written in full."""
    from zerda.memory.mcp.editors import EDITORS

    where, written = EDITORS[editor]
    command = shutil.which("zerda") or str(Path(sys.argv[0]).resolve())
    given = {
        "--path": str(Path(call.settings().persistence_path).resolve()),
        "--tenant": call.tenant,
        "--user": call.user,
        "--storage": call.storage,
        "--config": call.config and str(Path(call.config).resolve()),
        "--embedder": call.embedder,
        "--keyring": call.keyring,
        "--key-file": call.key_file and str(Path(call.key_file).resolve()),
    }
    told = [part for name, value in given.items() if value is not None for part in (name, value)]
    flags = ["--no-masking"] if call.no_masking else []
    if explicit("tools"):
        told += ["--tools", str(click.get_current_context().params["tools"])]
    render.write(written(command, ["mcp", *told, *flags]))
    render.note(f"put it into {where}")
