"""``zerda release``: lets entries out of quarantine."""

from __future__ import annotations

import click

from .. import render
from ..options import Call, memory_command


@click.command()
@click.argument("entry_ids", metavar="ID...", nargs=-1, required=True)
@memory_command
def command(call: Call, entry_ids: tuple[str, ...]) -> None:
    """Let reviewed entries out of quarantine, as trusted as they were.

    All of them or none; exits with 4 where one of them is not in quarantine.
    """
    with call.open(making=False) as memory:
        count = memory.release(call.tenant, *entry_ids)
    if call.json:
        render.write_json({"released": count})
    else:
        render.write(f"released: {count}")
