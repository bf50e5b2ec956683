"""``zerda quarantine``: puts entries aside until somebody has reviewed them."""

from __future__ import annotations

import click

from .. import render
from ..exits import NOT_FOUND, OK
from ..options import Call, memory_command


@click.command()
@click.argument("entry_ids", metavar="ID...", nargs=-1, required=True)
@click.option("--because", default="asked", metavar="TEXT", help="Why; `zerda review` shows it.")
@click.option("--everyone", is_flag=True, help="Whichever user of the tenant they belong to.")
@memory_command
def command(call: Call, entry_ids: tuple[str, ...], because: str, everyone: bool) -> int:
    """Put entries into quarantine: in no search, count or context, and nothing is lost.

    Exits with 4 where there was none of them.
    """
    with call.open(making=False) as memory:
        user = None if everyone else call.user
        count = memory.quarantine(user, call.tenant, *entry_ids, because=because)
    if call.json:
        render.write_json({"quarantined": count, "asked": len(entry_ids)})
    else:
        render.write(f"in quarantine: {count} of {len(entry_ids)}")
    return OK if count else NOT_FOUND
