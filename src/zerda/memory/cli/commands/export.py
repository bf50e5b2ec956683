"""``zerda export``: all that is remembered, as lines of JSON."""

from __future__ import annotations

import click

from .. import render
from ..exits import OK
from ..options import Call, memory_command


@click.command()
@click.option("--everyone", is_flag=True, help="Every user of the tenant, not only --user.")
@click.option("--vectors", is_flag=True, help="With vectors, so that none has to be made again.")
@click.option("--grants", is_flag=True, help="With who may do what.")
@click.option("--erasures", is_flag=True, help="With --everyone: receipts and tombstones of what was erased.")
@memory_command
def command(call: Call, everyone: bool, vectors: bool, grants: bool, erasures: bool) -> int:
    """Write all that the user has in memory, a line of JSON for each entry.

    `zerda import --format zerda` makes the same memory of it. The form is described in docs/export.md.
    """
    with call.open(making=False) as memory:
        lines = (
            memory.export_tenant(call.tenant, vectors=vectors, grants=grants, erasures=erasures)
            if everyone
            else memory.export_user(call.user, call.tenant, vectors=vectors, grants=grants)
        )
        for line in lines:
            render.write(line.rstrip("\n"))
    return OK
