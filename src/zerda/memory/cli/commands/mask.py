"""``zerda mask``: personal data and secrets out of a text, or out of what is stored."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

import click

from .. import render
from ..options import Call, explicit, memory_command

if TYPE_CHECKING:
    from zerda.memory import AIMemoryManager, MaskReport

PIECE = 65_536
"""Bytes that are read at a time."""


@click.command()
@click.argument("file", type=click.File("rb"), required=False)
@click.option(
    "--scan", is_flag=True, help="Mask what the memory holds already, all tenants or the named one."
)
@click.option("--dry-run", is_flag=True, help="With --scan: count, and change nothing.")
@memory_command
def command(call: Call, file: BinaryIO | None, scan: bool, dry_run: bool) -> None:
    """Replace personal data and secrets in FILE (- is standard input) by placeholders.

    The masked text goes to standard output, what was replaced is counted on standard error: as JSON with
    --json. Files of any length are masked block by block, and no key is cut in two.
    """
    if scan == (file is not None):
        raise click.UsageError("name a FILE (- for standard input), or --scan to mask what is stored")
    if dry_run and not scan:
        raise click.UsageError("--dry-run goes with --scan")
    if file is not None:
        _mask_file(call, file)
    else:
        _mask_stored(call, dry_run=dry_run)


def _mask_file(call: Call, file: BinaryIO) -> None:
    from zerda.memory import SensitiveDataMasker

    counts: dict[str, int] = {}
    out = sys.stdout.buffer
    for block in SensitiveDataMasker().mask_pieces(_texts(file), counts):
        out.write(block.encode("utf-8", "surrogateescape"))
    out.flush()
    click.echo(
        render.as_json({"masked": counts}) if call.json else f"masked: {_told(counts)}", file=sys.stderr
    )


def _texts(file: BinaryIO) -> Iterator[str]:
    """The file as text; what is no UTF-8 passes as it is."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    for piece in iter(partial(file.read, PIECE), b""):
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def _mask_stored(call: Call, *, dry_run: bool) -> None:
    with call.open(making=False) as memory:
        tenants = (call.tenant,) if explicit("tenant") else memory.tenants()
        reports = {tenant: _pass(memory, tenant, dry_run) for tenant in tenants}
    for tenant, report in reports.items():
        if call.json:
            render.write_json(_record(tenant, report))
        else:
            done = "would be masked" if dry_run else "masked"
            render.write(
                f"{tenant}: {report.rewritten:,} of {report.entries:,} entries and {report.profiles:,}"
                f" profiles {done}: {_told(report.kinds)}"
            )


def _pass(memory: AIMemoryManager, tenant: str, dry_run: bool) -> MaskReport:
    with render.progress(f"masking {tenant}", None) as (bar, task):
        return memory.mask_stored(
            tenant,
            dry_run=dry_run,
            progress=lambda done, of: bar.update(task, completed=done, total=of),
        )


def _record(tenant: str, report: MaskReport) -> dict[str, object]:
    return {
        "tenant": tenant,
        "entries": report.entries,
        "rewritten": report.rewritten,
        "profiles": report.profiles,
        "masked": dict(report.kinds),
        "receipt": report.receipt.id if report.receipt else None,
    }


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {count:,}" for kind, count in sorted(counts.items())) or "nothing"
