"""``zerda context``: what would be put before a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .. import render
from ..options import TRUSTS, Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import Trust


@click.command()
@click.argument("query")
@click.option("--budget", type=click.IntRange(min=1), help="At most so many tokens.")
@click.option("--session", metavar="ID", help="The session that the question belongs to.")
@click.option("--min-trust", type=click.Choice(TRUSTS), help="Only what is trusted so far.")
@memory_command
def command(call: Call, query: str, budget: int | None, session: str | None, min_trust: Trust | None) -> None:
    """Show what a model would be given for QUERY.

    With --json also the fate of every candidate (trace) and the messages for a chat API.
    """
    with call.open(making=False) as memory:
        built = memory.build_context(
            call.user, call.tenant, query, token_budget=budget, session_id=session, min_trust=min_trust
        )
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
