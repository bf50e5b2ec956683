"""``zerda worker``: upkeep for all tenants, on any number of machines at once."""

from __future__ import annotations

import signal
import threading
from datetime import UTC, datetime, timedelta
from types import FrameType
from typing import TYPE_CHECKING

import click

from .. import render
from ..exits import FAILED, OK
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import AIMemoryManager


LOOKING = 5
"""Seconds at the most after which somebody's turn may have come."""


@click.command()
@click.option("--once", is_flag=True, help="Tend each tenant once, then stop.")
@click.option(
    "--every", type=click.IntRange(1), default=60, show_default=True, metavar="SECONDS",
    help="Tend each tenant that often.",
)  # fmt: skip
@memory_command
def command(call: Call, once: bool, every: int) -> int:
    """Make vectors that are pending, and maintain every tenant.

    Run it on as many machines as there is work for: they share the tenants, and each tenant is tended by
    one of them. SIGTERM ends it after the tenant that it is at.
    """
    stop = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, end)
    with call.open() as memory:
        while True:
            ago = timedelta(seconds=0 if once else every)
            failed = _round(memory, datetime.now(UTC) - ago, stop)
            if once or stop.wait(min(every, LOOKING)):
                return FAILED if failed and once else OK


def _round(memory: AIMemoryManager, before: datetime, stop: threading.Event) -> int:
    """Upkeep of each tenant last tended before then; how many failed. The others get theirs all the same."""
    from zerda.memory import ZerdaError

    failed = 0
    while not stop.is_set() and (tenant := memory.claim_maintenance(before)) is not None:
        try:
            memory.flush(tenant)
            memory.run_maintenance(tenant)
        except ZerdaError as error:
            failed += 1
            render.complain(f"{tenant}: {error}")
    return failed
