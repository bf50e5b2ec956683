"""``zerda review``: what waits in quarantine."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .. import render
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import MemoryEntry


@click.command()
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="At most so many.")
@click.option("--everyone", is_flag=True, help="Of all users of the tenant.")
@memory_command
def command(call: Call, limit: int, everyone: bool) -> None:
    """List what is in quarantine, newest first, with the reason.

    `zerda release` lets it out, `zerda forget` erases it.
    """
    with call.open(making=False) as memory:
        entries = memory.review(None if everyone else call.user, call.tenant, limit=limit)
    if call.json:
        for entry in entries:
            render.write_json(render.entry_record(entry))
    elif entries:
        render.write_table(("came in (UTC)", "from", "why", "what"), map(_row, entries))
    else:
        render.note("nothing is in quarantine")


def _row(entry: MemoryEntry) -> tuple[str, str, str, str, str]:
    came_from = f"{entry.origin} {entry.source or ''}".strip()
    because = (entry.archived_because or "").partition(": ")[2]
    return render.when(entry.recorded_at), came_from, because, render.one_line(entry.text)[:200], entry.id
