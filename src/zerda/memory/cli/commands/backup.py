"""``zerda backup``: copy a memory while it is in use."""

from __future__ import annotations

from dataclasses import asdict

import click

from .. import render
from ..options import Call, explicit, memory_command


@click.command()
@click.argument("to", metavar="FOLDER")
@memory_command
def command(call: Call, to: str) -> None:
    """Copy the memory into FOLDER, which is made for it.

    All tenants, or the one that --tenant names. Others may go on using the memory. The copy is verified;
    of an encrypted memory it is ciphertext, and opens with the same key.
    """
    from zerda.memory import backup

    path = call.settings().persistence_path
    tenants = [call.tenant] if explicit("tenant") else None
    manifest = backup(path, to, encryption_key=call.key, tenants=tenants)
    if call.json:
        render.write_json(asdict(manifest))
        return
    size = sum(file.bytes for file in manifest.files.values())
    render.note(f"{manifest.entries:,} entries in {len(manifest.files)} files ({size:,} bytes): {to}")
