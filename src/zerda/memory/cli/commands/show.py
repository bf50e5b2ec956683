"""``zerda show``: one entry, with all that is known about it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from .. import render
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import MemoryEntry


@click.command()
@click.argument("entry_id", metavar="ID")
@click.option("--reveal", is_flag=True, help="With what was masked, where the memory keeps it.")
@memory_command
def command(call: Call, entry_id: str, reveal: bool) -> None:
    """Show one entry and its former versions.

    Exits with 4 where there is none of that ID.
    """
    with call.open(making=False) as memory:
        entry = (memory.reveal if reveal else memory.get)(call.user, call.tenant, entry_id)
        versions = memory.history(call.user, call.tenant, entry_id)
    if call.json:
        record = {
            "entry": render.entry_record(entry),
            "versions": [render.entry_record(version) for version in versions],
        }
        render.write_json(record)
        return
    render.write(entry.text)
    render.write("")
    render.write_table(("", ""), _facts(entry))
    former = [version for version in versions if version.version != entry.version]
    for version in former:
        render.write(
            f"\nversion {version.version}, recorded {render.when(version.recorded_at)}:\n{version.text}"
        )


def _facts(entry: MemoryEntry) -> Iterator[tuple[str, str]]:
    """What there is to say about an entry; what is not set is not said."""
    record = render.entry_record(entry)
    told = {name: value for name, value in record.items() if value not in (None, (), {}, False, "")}
    yield from render.flattened({name: told[name] for name in told if name not in _SAID_ELSEWHERE})


_SAID_ELSEWHERE = {"content", "text", "content_hash"}
