"""``zerda worker``: upkeep for all tenants, on any number of machines at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from types import FrameType
from typing import TYPE_CHECKING

import click

from .. import render
from ..exits import FAILED, OK
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import AIMemoryManager


@click.command()
@click.option("--once", is_flag=True, help="One round, then stop.")
@click.option(
    "--every", type=click.IntRange(1), default=60, show_default=True, metavar="SECONDS",
    help="Begin a round that often.",
)  # fmt: skip
@memory_command
def command(call: Call, once: bool, every: int) -> int:
    """Make vectors that are pending, and maintain every tenant.

    Run it on as many machines as there is work for: each pending passage is one worker's, and so is a
    tenant's maintenance. SIGTERM ends it after the tenant that it is at.
    """
    stop = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, end)
    with call.open() as memory:
        while True:
            failed = _round(memory, _turn(memory.tenants()), stop)
            if once or stop.wait(every):
                return FAILED if failed and once else OK


def _turn(tenants: Sequence[str]) -> Sequence[str]:
    """Another order for each process, so that two workers do not wait at the same door."""
    start = os.getpid() % len(tenants) if tenants else 0
    return (*tenants[start:], *tenants[:start])


def _round(memory: AIMemoryManager, tenants: Sequence[str], stop: threading.Event) -> int:
    """Upkeep of each tenant; how many failed. One that fails is told of, and the others get theirs."""
    from zerda.memory import ZerdaError

    failed = 0
    for tenant in tenants:
        if stop.is_set():
            break
        try:
            memory.flush(tenant)
            memory.run_maintenance(tenant)
        except ZerdaError as error:
            failed += 1
            render.complain(f"{tenant}: {error}")
    return failed
