"""``zerda since``: what came in since a moment, by source."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from .. import render
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import Arrivals


@click.command()
@click.argument("time", type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]))
@click.option("--source", metavar="NAME", help="Only from this page, tool, file or host.")
@click.option("--mine", is_flag=True, help="Only what is the user's own; else of the whole tenant.")
@memory_command
def command(call: Call, time: datetime, source: str | None, mine: bool) -> None:
    """Tell what came in since TIME (UTC), by source, most first.

    With --json each source has the ids, for `zerda quarantine` or `zerda forget`.
    """
    with call.open(making=False) as memory:
        since = time.replace(tzinfo=UTC)
        user = call.user if mine else None
        came = memory.memories_since(call.tenant, since, user_id=user, source=source)
    if call.json:
        for one in came:
            render.write_json(render.as_record(one))
    elif came:
        render.write_table(
            ("entries", "from", "source", "trust", "first (UTC)", "last (UTC)"), map(_row, came)
        )
    else:
        render.note("nothing came in since then")


def _row(one: Arrivals) -> tuple[str, ...]:
    when = render.when(one.first), render.when(one.last)
    return str(len(one.ids)), one.origin, render.one_line(one.source or ""), one.trust, *when
