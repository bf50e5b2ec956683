"""The one place that writes to the terminal. Whatever was said passes through `clean` or `as_json` first.

Results go to stdout: tables on a terminal, tab-separated lines in a pipe, JSON where asked. All else
(notes, questions, progress, errors) goes to stderr.
"""

from __future__ import annotations

import json
import logging
import os
import re
import sys
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress, TaskID

    from zerda.memory import Hit, MemoryEntry

# Sequences that drive a terminal (ECMA-48): CSI; OSC, DCS, SOS, PM and APC up to their end; any other
# escape. One that never ends is taken to be cut short, and loses only what introduces it.
_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
# Other controls but tab and line feed; lone surrogates, which no terminal takes; and what reverses the
# order in which the rest of a line is shown.
_UNSHOWABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\ud800-\udfff\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def clean(text: str) -> str:
    """The text without what could drive or deceive a terminal; nothing stored is changed by this."""
    return _UNSHOWABLE.sub("", _SEQUENCES.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))


def one_line(text: str) -> str:
    """The cleaned text on one line."""
    return re.sub(r"\s*[\n\t]\s*", " ", clean(text))


def as_json(value: object) -> str:
    """One line of JSON: readable in every script, escaped where a terminal might obey."""
    text = json.dumps(value, ensure_ascii=False, default=_plain, allow_nan=False)
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def entry_record(entry: MemoryEntry) -> dict[str, Any]:
    """An entry as JSON shows it: every field, and its text."""
    return as_record(entry) | {"text": entry.text}


def as_record(value: Any) -> dict[str, Any]:
    """Any value of ours as JSON shows it."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def hit_record(hit: Hit) -> dict[str, Any]:
    """A hit as JSON shows it."""
    return {
        "score": hit.score,
        "text": hit.text,
        "sources": hit.sources,
        "parts": hit.parts,
        "copies": hit.copies,
        "entry": entry_record(hit.entry),
    }


def who(entry: MemoryEntry) -> str:
    """Who said it, or what it is."""
    return entry.speaker or entry.kind


def when(moment: datetime) -> str:
    """To the minute, in UTC as it is stored."""
    return f"{moment:%Y-%m-%d %H:%M}"


def why(hit: Hit) -> str:
    """What each step of the ranking contributed, largest first, and who proposed the hit."""
    parts = sorted(hit.parts.items(), key=lambda part: -abs(part[1]))
    told = " · ".join(f"{name} {value:+.2f}" for name, value in parts if abs(value) >= 0.005)
    return f"{told or 'nothing adds to it'} (proposed by {', '.join(hit.sources)})"


def size(count: int) -> str:
    """A number of bytes as people read it."""
    for unit, least in (("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)):
        if count >= least:
            return f"{count / least:,.1f} {unit}"
    return f"{count} bytes"


# ── stdout ───────────────────────────────────────────────────────────────────────────────────────────


def prepare_streams() -> None:
    """Let no character that the terminal's encoding lacks end a command."""
    for stream in (sys.stdout, sys.stderr):
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")


def on_terminal(stream: TextIO) -> bool:
    """Whether a person watches the stream."""
    return stream.isatty()


def write(text: str) -> None:
    """A text that was said, or made of what was said."""
    click.echo(clean(text))


def write_json(value: object) -> None:
    """One value on one line."""
    click.echo(as_json(value))


def write_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table on a terminal; in a pipe a line for each row, its cells apart by tabs, without a heading.

    On a terminal the cells for which there is no column stand below the last one that has one.
    """
    if on_terminal(sys.stdout):
        _write_rich_table(columns, rows)
        return
    for row in rows:
        click.echo("\t".join(map(one_line, row)))


def line(*pieces: str | tuple[str, str], indent: int = 0) -> None:
    """Pieces of text, some with a style, on one line: cut at the edge of a terminal, whole in a pipe."""
    styled = [piece if isinstance(piece, tuple) else (piece, "") for piece in pieces]
    told = [(one_line(said), style) for said, style in styled]
    if not on_terminal(sys.stdout):
        click.echo(" " * indent + "".join(said for said, _ in told))
        return
    from rich.text import Text

    console().print(Text.assemble(" " * indent, *told, no_wrap=True, overflow="ellipsis"))


def console(stream: TextIO | None = None) -> Console:
    """A rich console; ``NO_COLOR`` leaves it no styles at all."""
    from rich.console import Console

    plain = {"color_system": None} if os.environ.get("NO_COLOR") else {}
    return Console(file=stream or sys.stdout, highlight=False, markup=False, emoji=False, **plain)  # type: ignore[arg-type]


def _write_rich_table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold", show_header=any(columns))
    for column in columns:
        table.add_column(column, overflow="fold")
    last = len(columns) - 1
    for row in rows:
        below = ("\n" + clean("\n".join(row[last + 1 :])), "dim") if len(row) > len(columns) else ""
        table.add_row(*(Text(clean(cell)) for cell in row[:last]), Text.assemble(clean(row[last]), below))
    console().print(table)


# ── stderr ───────────────────────────────────────────────────────────────────────────────────────────


def note(text: str) -> None:
    """Something that a person wants to know, and a program does not."""
    click.echo(clean(text), err=True)


def complain(reason: str) -> None:
    """An error, in one line."""
    click.echo(f"zerda: {one_line(reason)}", err=True)


class _Warnings(logging.Handler):
    """Tells what the library warns of as the command tells its own errors."""

    def emit(self, record: logging.LogRecord) -> None:
        complain(record.getMessage())


def show_warnings() -> None:
    """Show the library's warnings in a line each, but not that a memory is open to whoever may run this."""
    log = logging.getLogger("zerda.memory")
    if not any(isinstance(handler, _Warnings) for handler in log.handlers):
        log.addHandler(_Warnings(logging.WARNING))
    logging.getLogger("zerda.memory.security.access").setLevel(logging.ERROR)


@contextmanager
def progress(what: str, total: int | None) -> Generator[tuple[Progress, TaskID]]:
    """A bar on stderr while something long runs; nothing where no one watches."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    shown = console(sys.stderr)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=shown, transient=True, disable=not shown.is_terminal) as bar:
        yield bar, bar.add_task(what, total=total)


def flattened(record: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """The rows of a record: dotted names, and values as text."""
    for name, value in record.items():
        if isinstance(value, Mapping) and value:
            yield from flattened(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value if isinstance(value, str) else as_json(value).strip('"')


def _plain(value: object) -> object:
    """What JSON lacks, as something that it has."""
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
