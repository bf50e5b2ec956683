"""``zerda ui``: the dashboard, on this machine alone."""

from __future__ import annotations

import html
import tempfile
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from .. import render
from ..options import Call, memory_command

HOURS = 12
"""So long the key is good at the most; it is revoked when the command ends."""


@click.command()
@click.option("--port", default=0, show_default=True, help="0 is any that is free.")
@click.option("--no-browser", is_flag=True, help="Write the address, and open nothing.")
@memory_command
def command(call: Call, port: int, no_browser: bool) -> None:
    """Open the dashboard: what is remembered of the user, and why. It ends with Ctrl-C.

    It listens on loopback, with an admin's key of its own that ends with it. Whoever has the address that
    it writes has the memory.
    """
    from ...rest.serving import serve
    from ...rest.settings import ServerSettings

    with _key(call) as secret, tempfile.TemporaryDirectory(prefix="zerda-") as folder:

        def ready(address: str) -> None:
            there = f"{address}/#key={secret}"
            render.write(there)
            if not no_browser:
                webbrowser.open(_leading(Path(folder), there).as_uri())

        serve(call.open, ServerSettings(port=port), ready=ready, log=False)


@contextmanager
def _key(call: Call) -> Iterator[str]:
    """A key for the user, for as long as the block lasts."""
    until = datetime.now(UTC) + timedelta(hours=HOURS)
    with call.open() as memory:
        made = memory.create_key(call.user, call.tenant, "admin", name="zerda ui", until=until)
    try:
        yield made.secret
    finally:
        with call.open() as memory:
            memory.revoke_key(call.tenant, made.key.id)


def _leading(folder: Path, there: str) -> Path:
    """A page that leads there: a command line is for all users of a machine to see, this file is not."""
    page = folder / "open.html"
    page.write_text(
        f'<!doctype html><meta http-equiv="refresh" content="0;url={html.escape(there)}">', "utf-8"
    )
    return page
