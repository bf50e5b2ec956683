"""``zerda keys``: keys with which programs call ``zerda serve``. Encryption keys are `zerda encryption`'s."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import click

from .. import render
from ..options import Call, memory_command


@click.group()
def command() -> None:
    """Make, list and revoke the keys with which programs call the server.

    A key opens the memory of one user (--user) in one tenant (--tenant). Keys that encrypt a memory are
    another thing: `zerda encryption`.
    """


@command.command()
@click.option("--role", default="writer", show_default=True, help="reader, writer, owner or admin.")
@click.option("--admin", is_flag=True, help="The same as --role admin.")
@click.option("--name", default="", help="What the key is for.")
@click.option("--days", type=click.FloatRange(0, min_open=True), help="It ends after so many days.")
@click.option("--agent", metavar="AGENT", help="The agent (agent:planner) that acts with it for the user.")
@memory_command
def create(call: Call, role: str, admin: bool, name: str, days: float | None, agent: str | None) -> None:
    """Make a key and write it to stdout. It is shown this once, and kept nowhere."""
    until = None if days is None else datetime.now(UTC) + timedelta(days=days)
    with call.open() as memory:
        made = memory.create_key(
            call.user, call.tenant, "admin" if admin else role, name=name, until=until, agent=agent
        )
    if call.json:
        render.write_json({"secret": made.secret, **asdict(made.key)})
        return
    render.note(f"key {made.key.id}: {made.key.role} of {made.key.user_id} in {made.key.tenant_id}")
    render.write(made.secret)


@command.command("list")
@click.option("--everyone", is_flag=True, help="The keys of all tenants.")
@memory_command
def list_keys(call: Call, everyone: bool) -> None:
    """List the tenant's keys, those that were revoked or have ended too."""
    with call.open(making=False) as memory:
        found = memory.list_keys(None if everyone else call.tenant)
    if call.json:
        for key in found:
            render.write_json(asdict(key))
        return
    rows = [
        (key.id, key.tenant_id, key.principal, key.role, render.when(key.at),
         _state(key.until, key.revoked_at), key.name)
        for key in found
    ]  # fmt: skip
    render.write_table(("id", "tenant", "who", "role", "made", "state", "name"), rows)


@command.command()
@click.argument("id")
@memory_command
def revoke(call: Call, id: str) -> None:
    """Revoke the tenant's key ID for ever; it opens nothing from the next call on."""
    with call.open(making=False) as memory:
        memory.revoke_key(call.tenant, id)
    render.note(f"key {id} was revoked")


def _state(until: datetime | None, revoked_at: datetime | None) -> str:
    if revoked_at is not None:
        return f"revoked {render.when(revoked_at)}"
    if until is None:
        return "good"
    return f"{'ended' if until <= datetime.now(UTC) else 'good until'} {render.when(until)}"
