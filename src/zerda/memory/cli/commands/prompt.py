"""``zerda prompt``: the whole prompt, for a model that takes one text."""

from __future__ import annotations

from typing import Any

import click

from .. import render
from ..options import Call, memory_command


@click.command()
@click.argument("query")
@click.option("--system", metavar="TEXT", help="The instruction that it begins with.")
@memory_command
def command(call: Call, query: str, system: str | None) -> None:
    """Write the whole prompt for QUERY.

    Instruction, context and question, for a model that takes one text.
    """
    instruction: dict[str, Any] = {} if system is None else {"system_instruction": system}
    with call.open(making=False) as memory:
        text = memory.build_prompt(call.user, call.tenant, query, **instruction)
    if call.json:
        render.write_json({"prompt": text})
    else:
        render.write(text)
