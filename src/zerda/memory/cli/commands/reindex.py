"""``zerda reindex``: bring a memory to another embedder."""

from __future__ import annotations

import click

from .. import render
from ..options import Call, explicit, memory_command


@click.command()
@memory_command
def command(call: Call) -> None:
    """Make the vectors of a memory anew with this embedder.

    Of all tenants, or the one that is named. It may be stopped and run again: it goes on where it was. The
    memory's embedder is the new one as soon as nothing lacks its vector.
    """
    with call.open(making=False) as memory, render.progress("indexing", None) as (bar, task):
        made = memory.reindex(
            call.tenant if explicit("tenant") else None,
            progress=lambda done, of: bar.update(task, completed=done, total=of),
        )
        embedder = memory.stats(call.tenant)["embedder"]
    if call.json:
        render.write_json({"indexed": made, "embedder": embedder})
    else:
        render.note(f"{made:,} passages were indexed; the memory's embedder is {embedder}")
