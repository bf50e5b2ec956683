"""``zerda restore``: bring a backup back."""

from __future__ import annotations

import click

from .. import render
from ..options import Call, explicit, memory_command


@click.command()
@click.argument("backup", metavar="FOLDER")
@click.option("--replace", is_flag=True, help="Give up what the tenant has now.")
@memory_command
def command(call: Call, backup: str, replace: bool) -> None:
    """Bring back the backup in FOLDER.

    All of it, into a folder that holds no memory; or with --tenant one tenant, into the memory that is
    there. Nothing is written before the backup has proven to be what was written.
    """
    from zerda.memory import restore

    path = call.settings().persistence_path
    tenants = [call.tenant] if explicit("tenant") else None
    entries = restore(backup, path, encryption_key=call.key, tenants=tenants, replace=replace)
    if call.json:
        render.write_json({"entries": entries, "path": path})
    else:
        render.note(f"{entries:,} entries are back: {path}")
