"""``zerda recall``: what is remembered about something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .. import render
from ..options import TRUSTS, Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import Hit, Trust


@click.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(min=1), help="At most so many.")
@click.option("--session", metavar="ID", help="Only of this session.")
@click.option("--min-score", type=click.FloatRange(0, 1), help="Only from this probability on.")
@click.option("--min-trust", type=click.Choice(TRUSTS), help="Only what is trusted so far.")
@click.option("--why", is_flag=True, help="Tell what made each score.")
@memory_command
def command(
    call: Call,
    query: str,
    limit: int | None,
    session: str | None,
    min_score: float | None,
    min_trust: Trust | None,
    why: bool,
) -> None:
    """Find what is remembered about QUERY.

    Most probably relevant first. Nothing is a normal answer: it leaves stdout empty and exits with 0.
    """
    with call.open(making=False) as memory:
        hits = memory.recall(
            call.user,
            call.tenant,
            query,
            limit=limit,
            session_id=session,
            min_score=min_score,
            min_trust=min_trust,
        )
    for lack in hits.degraded:
        render.note(f"not all was asked: {lack}")
    if call.json:
        for hit in hits:
            render.write_json(render.hit_record(hit))
    elif hits:
        render.write_table(("score", "when (UTC)", "who", "what"), [_row(hit, why=why) for hit in hits])
    else:
        render.note("nothing is remembered about that")


def _row(hit: Hit, *, why: bool) -> tuple[str, ...]:
    when, who = render.when(hit.entry.occurred_at), render.who(hit.entry)
    return (f"{hit.score:.2f}", when, who, hit.text, hit.entry.id, *([render.why(hit)] if why else []))
