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
@click.argument("entry_ids", metavar="ID...", nargs=-1)
@click.option("--source", metavar="NAME", help="All of a page, tool, file, or host of an address.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@memory_command
def command(call: Call, entry_ids: tuple[str, ...], source: str | None, yes: bool) -> int:
    """Erase entries for ever: by ID, or with --source all that came from there, whoever's it is.

    Their former versions, words and vectors go too, and what was made of them.
    Asks on a terminal; elsewhere it wants --yes. Exits with 4 where there was none of them.
    """
    if bool(entry_ids) == (source is not None):
        raise click.UsageError("forget takes IDs, or --source, and not both")
    if not yes and not render.on_terminal(sys.stdin):
        raise click.UsageError("forget erases for ever; say --yes where no one can be asked")
    with call.open(making=False) as memory:
        if source is not None:
            return _forget_source(memory, call, source, ask=not yes)
        if not yes and not _confirmed(memory, call, entry_ids):
            return OK
        count = memory.forget(call.user, call.tenant, *entry_ids).entries
    if call.json:
        render.write_json({"forgotten": count, "asked": len(entry_ids)})
    else:
        render.write(f"forgotten: {count} of {len(entry_ids)}")
    return OK if count else NOT_FOUND


def _forget_source(memory: AIMemoryManager, call: Call, source: str, *, ask: bool) -> int:
    there = memory.forget_source(call.tenant, source, preview=True).entries
    if there and ask and not click.confirm(f"Erase {there} entries for ever?", err=True):
        return OK
    count = memory.forget_source(call.tenant, source).entries if there else 0
    if call.json:
        render.write_json({"forgotten": count, "source": source})
    else:
        render.write(f"forgotten: {count} from {render.one_line(source)}")
    return OK if count else NOT_FOUND


def _confirmed(memory: AIMemoryManager, call: Call, entry_ids: tuple[str, ...]) -> bool:
    for entry_id in entry_ids:
        try:
            render.note(f"  {render.one_line(memory.get(call.user, call.tenant, entry_id).text)[:200]}")
        except EntryNotFound as error:
            render.note(f"  {error}")
    return click.confirm("Erase for ever?", err=True)
