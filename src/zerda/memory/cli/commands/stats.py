"""``zerda stats``: what a memory holds."""

from __future__ import annotations

import click

from .. import render
from ..options import Call, memory_command


@click.command()
@memory_command
def command(call: Call) -> None:
    """Count what a memory holds.

    All users of the tenant together, and how the memory is searched.
    """
    with call.open(making=False) as memory:
        stats = memory.stats(call.tenant)
    if call.json:
        render.write_json(stats)
    else:
        render.write_table(("", ""), render.flattened(stats))
