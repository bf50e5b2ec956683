"""``zerda migrate-storage``: from a folder to a server, or back."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from .. import render
from ..exits import FAILED, OK
from ..options import PASSPHRASE

if TYPE_CHECKING:
    from zerda.memory import AIMemoryManager


@click.command()
@click.argument("source")
@click.argument("destination")
@click.option("--only", multiple=True, metavar="TENANT", help="Only this tenant; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON, a line for each tenant.")
def command(source: str, destination: str, only: tuple[str, ...], as_json: bool) -> int:
    """Bring tenants from SOURCE to DESTINATION, each a folder or a postgresql:// address.

    Entries with their versions and vectors, profiles, grants, receipts and what is known to be erased; the
    audit stays with the source, which stays as it is. What is there
    already is left alone, so a move that was stopped may be run again. Afterwards everything is read from
    both sides and compared; the exit code is 1 where something is lacking.
    """
    render.show_warnings()
    told = []
    with _memory(source) as here, _memory(destination) as there:
        tenants = only or here.tenants()
        with render.progress("moving", len(tenants)) as (bar, task):
            for tenant in tenants:
                told.append(_moved(here, there, tenant))
                bar.advance(task)
    if as_json:
        for one in told:
            render.write_json(one)
    else:
        names = ("tenant", "saved", "already there", "lacking")
        render.write_table(names, [[f"{one[name]}" for name in names] for one in told])
    return FAILED if any(one["lacking"] for one in told) else OK


def _memory(where: str) -> AIMemoryManager:
    """A memory by its folder or address; a passphrase in the environment opens a folder."""
    from zerda.memory import AIMemoryManager, MemoryConfig

    base = MemoryConfig.from_env(os.environ)
    if "://" in where:
        return AIMemoryManager(replace(base, storage=where))
    key = os.environ.get(PASSPHRASE) or None
    return AIMemoryManager(replace(base, persistence_path=where, storage=""), encryption_key=key)


def _moved(here: AIMemoryManager, there: AIMemoryManager, tenant: str) -> dict[str, str | int]:
    """Bring one tenant over; how many entries came, and how many lines are not on the other side."""
    lines = here.export_tenant(tenant, vectors=True, grants=True, erasures=True)
    report = there.import_(lines, tenant, grants=True, erasures=True, max_trust="system")
    there.flush(tenant)
    lacking = len(_digests(here, tenant) - _digests(there, tenant))
    return {
        "tenant": tenant,
        "saved": report.saved,
        "already there": report.already_there,
        "lacking": lacking,
    }


def _digests(memory: AIMemoryManager, tenant: str) -> set[bytes]:
    """What stands for each entry, profile, grant, receipt and tombstone; vectors can be made again."""
    lines = memory.export_tenant(tenant, grants=True, erasures=True)
    return {hashlib.sha256(one.encode()).digest() for line in lines for one in _kept(line)}


def _kept(line: str) -> Iterator[str]:
    """What of a line has to be on the other side: where it lies among others is no matter."""
    told = json.loads(line)
    if told["type"] == "tombstones":
        yield from map(json.dumps, told["stones"])
    elif told["type"] == "receipt":
        yield json.dumps({**told, "complete": True})
    elif told["type"] not in ("header", "end"):
        yield line
