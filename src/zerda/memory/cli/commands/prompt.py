"""``zerda prompt``: the whole prompt, for a model that takes one text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .. import render
from ..options import TRUSTS, Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import Trust


@click.command()
@click.argument("query")
@click.option("--system", metavar="TEXT", help="The instruction that it begins with.")
@click.option("--min-trust", type=click.Choice(TRUSTS), help="Only what is trusted so far.")
@memory_command
def command(call: Call, query: str, system: str | None, min_trust: Trust | None) -> None:
    """Write the whole prompt for QUERY.

    Instruction, context and question, for a model that takes one text.
    """
    instruction: dict[str, Any] = {} if system is None else {"system_instruction": system}
    with call.open(making=False) as memory:
        text = memory.build_prompt(call.user, call.tenant, query, min_trust=min_trust, **instruction)
    if call.json:
        render.write_json({"prompt": text})
    else:
        render.write(text)
