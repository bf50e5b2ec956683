"""``zerda import``: what was said elsewhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import click

from zerda.memory import EntryConflict, InvalidInput

from ...adapters.conversations import FORMATS, Fault, Format, Message, as_note, numbered, read
from .. import render
from ..exits import FAILED, OK
from ..options import Call, explicit, memory_command

if TYPE_CHECKING:
    from zerda.memory import AIMemoryManager

BATCH_MESSAGES = 1_000  # What remember_many writes in one transaction.
BATCH_CHARACTERS = 4_000_000  # So that a batch of long messages does not fill the computer's memory.
SHOWN_FAULTS = 20
ZERDA = "zerda"  # The format of `zerda export`.
KEPT_FAULTS = 1_000

Advance = Callable[[str], None]
"""Tells whoever watches how far we are."""


@dataclass(slots=True)
class Report:
    """What became of a file; grows while it is read."""

    read: int = 0
    saved: int = 0
    already_there: int = 0
    skipped: int = 0
    faults: list[Fault] = field(default_factory=list)

    def skip(self, fault: Fault) -> None:
        """Count a fault; the first thousand are kept."""
        self.skipped += 1
        if len(self.faults) < KEPT_FAULTS:
            self.faults.append(fault)


@dataclass(frozen=True, slots=True)
class _Note:
    """What is to be remembered, of whom, and where it stands in the file."""

    tenant: str
    user: str
    line: int
    note: dict[str, Any]


@click.command("import")
@click.argument("file", type=click.File("rb"))
@click.option(
    "--format", type=click.Choice([*FORMATS, ZERDA]), help="Needed only for 'zerda': others are recognised."
)
@click.option("--grants", is_flag=True, help="Of an export: who may do what, too.")
@click.option("--erasures", is_flag=True, help="Of an export: receipts and tombstones, too.")
@click.option("--dry-run", is_flag=True, help="Read and report only.")
@memory_command
def command(
    call: Call, file: BinaryIO, format: str | None, grants: bool, erasures: bool, dry_run: bool
) -> int:
    """Save what was said in FILE.

    FILE ('-': stdin) holds JSON Lines, a list of chat messages, or LoCoMo's conversations.
    A message has a role or speaker, and content; it may have at (when it was said), user and session.
    What cannot be used is reported and skipped; the rest goes in. Importing it again adds nothing.
    Each conversation of LoCoMo becomes a tenant of its own, behind --tenant and a hyphen where that is given.
    """
    if format == ZERDA:
        return _take_in(call, file, grants=grants, erasures=erasures, dry_run=dry_run)
    if grants or erasures:
        raise click.UsageError("--grants and --erasures go with --format zerda alone")
    report = Report()
    with _watched(file, report) as advance:
        notes = _notes(_usable(read(file, cast(Format | None, format)), report), call)
        if dry_run:
            for _ in notes:
                pass
        else:
            _save(call, notes, report, advance)
    _tell(call, report, dry_run=dry_run)
    return FAILED if report.skipped and report.skipped == report.read else OK


def _take_in(call: Call, file: BinaryIO, *, grants: bool, erasures: bool, dry_run: bool) -> int:
    """Import what `zerda export` wrote, into the tenant of the call."""
    if dry_run:
        raise click.UsageError("an export is not read on trial; leave out --dry-run")
    with call.open() as memory:
        told = memory.import_(file, call.tenant, grants=grants, erasures=erasures)
        memory.flush()
    for fault in told.faults[:SHOWN_FAULTS]:
        render.note(f"line {fault.line}: {render.one_line(fault.reason)}")
    if not told.complete:
        render.note("the file ends before its last line: it was cut short")
    if call.json:
        render.write_json(asdict(told))
    else:
        render.write(
            f"read {told.read:,}, saved {told.saved:,}, already there {told.already_there:,}, "
            f"erased before {told.erased:,}, skipped {told.skipped:,}"
        )
    return OK if told.complete else FAILED


def _usable(items: Iterator[Message | Fault], report: Report) -> Iterator[Message]:
    for item in items:
        report.read += 1
        if isinstance(item, Fault):
            report.skip(item)
        else:
            yield item


def _notes(messages: Iterator[Message], call: Call) -> Iterator[_Note]:
    prefix = f"{call.tenant}-" if explicit("tenant") else ""
    for id, message in numbered(messages, user=call.user):
        tenant = call.tenant if message.conversation is None else prefix + message.conversation
        yield _Note(tenant, message.user or call.user, message.line, as_note(id, message))


def _save(call: Call, notes: Iterator[_Note], report: Report, advance: Advance) -> None:
    began = datetime.now(UTC)
    with call.open() as memory:
        for batch in _batches(notes):
            for owned in _by_owner(batch):
                _save_together(memory, owned, report, began)
            advance("importing")
        advance("indexing")
        memory.flush()


def _batches(notes: Iterator[_Note]) -> Iterator[list[_Note]]:
    batch: list[_Note] = []
    characters = 0
    for note in notes:
        batch.append(note)
        characters += len(note.note["content"])
        if len(batch) == BATCH_MESSAGES or characters >= BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _by_owner(batch: list[_Note]) -> list[list[_Note]]:
    """The batch by tenant and user; what belongs to one stays in order."""
    owned: dict[tuple[str, str], list[_Note]] = defaultdict(list)
    for note in batch:
        owned[note.tenant, note.user].append(note)
    return list(owned.values())


def _save_together(memory: AIMemoryManager, notes: list[_Note], report: Report, began: datetime) -> None:
    """Save one user's notes in a transaction; where one is refused, halve until it stands alone."""
    try:
        entries = memory.remember_many(notes[0].user, notes[0].tenant, [note.note for note in notes])
    except (InvalidInput, EntryConflict) as error:
        if len(notes) == 1:
            report.skip(Fault(notes[0].line, str(error)))
            return
        middle = len(notes) // 2
        _save_together(memory, notes[:middle], report, began)
        _save_together(memory, notes[middle:], report, began)
    else:
        known = sum(entry.recorded_at < began for entry in entries)
        report.already_there += known
        report.saved += len(entries) - known


@contextmanager
def _watched(file: BinaryIO, report: Report) -> Generator[Advance]:
    with render.progress("reading", _bytes_in(file)) as (bar, task):

        def advance(what: str) -> None:
            done = file.tell() if file.seekable() else None
            bar.update(task, description=f"{what}, {report.read:,} messages", completed=done, refresh=True)

        yield advance


def _bytes_in(file: BinaryIO) -> int | None:
    """The length of a file; None where it is a stream."""
    if not file.seekable():
        return None
    size = file.seek(0, 2)
    file.seek(0)
    return size


def _tell(call: Call, report: Report, *, dry_run: bool) -> None:
    for fault in report.faults[:SHOWN_FAULTS]:
        render.note(f"line {fault.line}: {render.one_line(fault.reason)}")
    if report.skipped > SHOWN_FAULTS:
        render.note(f"and {report.skipped - SHOWN_FAULTS:,} more")
    if call.json:
        render.write_json(asdict(report) | {"dry_run": dry_run})
        return
    if dry_run:
        render.write(
            f"read {report.read:,}, usable {report.read - report.skipped:,}, skipped {report.skipped:,}"
        )
    else:
        render.write(
            f"read {report.read:,}, saved {report.saved:,}, "
            f"already there {report.already_there:,}, skipped {report.skipped:,}"
        )
