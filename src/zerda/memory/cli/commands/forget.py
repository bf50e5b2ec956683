"""``zerda forget``: erases entries for ever."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from zerda.memory import EntryNotFound

from .. import render
from ..exits import NOT_FOUND, OK
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import AIMemoryManager


@click.command()
@click.argument("entry_ids", metavar="ID...", nargs=-1, required=True)
@click.option("--yes", is_flag=True, help="Do not ask.")
@memory_command
def command(call: Call, entry_ids: tuple[str, ...], yes: bool) -> int:
    """Erase entries for ever.

    Their former versions, words and vectors go too.
    Asks on a terminal; elsewhere it wants --yes. Exits with 4 where there was none of them.
    """
    if not yes and not render.on_terminal(sys.stdin):
        raise click.UsageError("forget erases for ever; say --yes where no one can be asked")
    with call.open(making=False) as memory:
        if not yes and not _confirmed(memory, call, entry_ids):
            return OK
        count = memory.forget(call.user, call.tenant, *entry_ids).entries
    if call.json:
        render.write_json({"forgotten": count, "asked": len(entry_ids)})
    else:
        render.write(f"forgotten: {count} of {len(entry_ids)}")
    return OK if count else NOT_FOUND


def _confirmed(memory: AIMemoryManager, call: Call, entry_ids: tuple[str, ...]) -> bool:
    for entry_id in entry_ids:
        try:
            render.note(f"  {render.one_line(memory.get(call.user, call.tenant, entry_id).text)[:200]}")
        except EntryNotFound as error:
            render.note(f"  {error}")
    return click.confirm("Erase for ever?", err=True)
