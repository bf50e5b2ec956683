"""``zerda list``: what is remembered, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .. import render
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import MemoryEntry

_SHOWN_CHARACTERS = 200  # About two lines of a terminal; `zerda show` tells the rest.


@click.command("list")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="At most so many.")
@click.option("--cursor", help="Go on where the page before ended, which names it.")
@memory_command
def command(call: Call, limit: int, cursor: str | None) -> None:
    """List what is remembered, newest first.

    Where there is more, the cursor of the next page is told on stderr.
    """
    with call.open(making=False) as memory:
        page = memory.list(call.user, call.tenant, limit=limit, cursor=cursor)
    if call.json:
        for entry in page.entries:
            render.write_json(render.entry_record(entry))
    else:
        render.write_table(("when (UTC)", "who", "what"), map(_row, page.entries))
    if page.cursor:
        render.note(f"there is more: --cursor {page.cursor}")


def _row(entry: MemoryEntry) -> tuple[str, str, str, str]:
    return render.when(entry.occurred_at), render.who(entry), _beginning(entry.text), entry.id


def _beginning(text: str) -> str:
    line = render.one_line(text)
    return line if len(line) <= _SHOWN_CHARACTERS else line[: _SHOWN_CHARACTERS - 1] + "…"
