"""``zerda context``: what would be put before a model."""

from __future__ import annotations

import click

from .. import render
from ..options import Call, memory_command


@click.command()
@click.argument("query")
@click.option("--budget", type=click.IntRange(min=1), help="At most so many tokens.")
@click.option("--session", metavar="ID", help="The session that the question belongs to.")
@memory_command
def command(call: Call, query: str, budget: int | None, session: str | None) -> None:
    """Show what a model would be given for QUERY.

    With --json also the fate of every candidate (trace) and the messages for a chat API.
    """
    with call.open(making=False) as memory:
        built = memory.build_context(call.user, call.tenant, query, token_budget=budget, session_id=session)
    if call.json:
        render.write_json(
            {
                "full_text": built.full_text,
                "tokens": built.tokens,
                "sections": built.sections,
                "entries": [entry.id for entry in built.entries],
                "messages": built.as_messages(),
                "trace": built.trace,
                "degraded": built.degraded,
            }
        )
        return
    if built.full_text:
        render.write(built.full_text)
    render.note(f"{built.tokens} tokens, {len(built.entries)} entries")
    for lack in built.degraded:
        render.note(f"lacking: {lack}")
