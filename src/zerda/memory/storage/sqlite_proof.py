"""A search for traces of an erasure: in every table and index, in freed pages, and byte by byte in files."""

from __future__ import annotations

import glob
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from ..core.trust import Proof
from .driver import fetched
from .sqlite_erasure import burials
from .traces import forms, possible_ids

if TYPE_CHECKING:
    from apsw import Connection

PLAIN = b"SQLite format 3\x00"

ORPHANS = {
    "versions without an entry": "SELECT 1 FROM versions WHERE entry NOT IN (SELECT seq FROM entries)",
    "mentions without an entry": "SELECT 1 FROM mentions WHERE entry NOT IN (SELECT seq FROM entries)",
    "ties without an entry": "SELECT 1 FROM ties WHERE entry NOT IN (SELECT seq FROM entries)",
    "originals without an entry": "SELECT 1 FROM originals WHERE entry NOT IN (SELECT seq FROM entries)",
    "passages without an entry": "SELECT 1 FROM passages WHERE entry NOT IN (SELECT seq FROM entries)",
    "vectors without a passage": "SELECT 1 FROM vectors WHERE key NOT IN (SELECT key FROM passages)",
    "words without a passage": "SELECT 1 FROM words_docsize WHERE id NOT IN (SELECT key FROM passages)",
    "sessions without an entry": "SELECT 1 FROM sessions WHERE code NOT IN (SELECT session FROM entries)",
}


def proof(db: Connection, path: Path, tenant_id: str, receipt_id: str, texts: Sequence[str]) -> Proof:
    """What is left of a receipt's entries, and of the texts."""
    traces = [
        *(what for what, sql in ORPHANS.items() if fetched(db, f"{sql} LIMIT 1")),
        *_in_tables(db, tenant_id, receipt_id, texts),
        *_in_freed_pages(path),
        *_in_files(path, texts),
    ]
    searched = (
        "tables", "indexes", "write-ahead log",
        "freed pages" if _is_plain(path) else "files (encrypted: no text could be read in them)",
    )  # fmt: skip
    return Proof(tuple(dict.fromkeys(traces)), searched)


# ── tables ───────────────────────────────────────────────────────────────────────────────────────


def _in_tables(db: Connection, tenant_id: str, receipt_id: str, texts: Sequence[str]) -> Iterator[str]:
    known = burials(db, tenant_id)
    rows = fetched(
        db,
        "SELECT digest FROM tombstones WHERE receipt = :receipt AND content IS NOT NULL",
        {"receipt": receipt_id},
    )
    erased = {digest for (digest,) in rows}
    told: dict[str, bool] = {}

    def is_erased(text: str) -> bool:
        if text not in told:
            told[text] = not erased.isdisjoint(known.ids([text]))
        return told[text]

    for table in _tables(db):
        for row in db.execute(f'SELECT * FROM "{table}"'):
            for value in row:
                if isinstance(value, str):
                    if any(is_erased(word) for word in possible_ids(value)):
                        yield f"an erased id in {table}"
                    if any(form in value for text in texts for form in forms(text)):
                        yield f"a text in {table}"


def _tables(db: Connection) -> list[str]:
    """The tables with text of ours; those of the word index hold its own numbers and blobs."""
    rows = fetched(db, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    return [
        name
        for (name,) in rows
        if not name.startswith(("words", "word_counts", "sqlite_", "tombstone", "receipts"))
    ]


# ── files ────────────────────────────────────────────────────────────────────────────────────────


def _in_freed_pages(path: Path) -> Iterator[str]:
    """Pages that the file does not use have to be blank, but for the list of them (file format, 1.5).

    The list keeps page numbers that it no longer counts; a word that is above every page's number is none.
    """
    if not _is_plain(path):
        return
    with path.open("rb") as file:
        header = file.read(100)
        (size,) = struct.unpack(">H", header[16:18])
        size = 65_536 if size == 1 else size
        pages, trunk = struct.unpack(">II", header[28:36])
        while trunk:
            trunk, count, *words = struct.unpack(f">{size // 4}I", _page(file, trunk, size))
            leaves = words[:count]
            if any(word > pages for word in words) or any(any(_page(file, leaf, size)) for leaf in leaves):
                yield "a freed page that is not blank"


def _page(file: BinaryIO, number: int, size: int) -> bytes:
    file.seek((number - 1) * size)
    return file.read(size)


def _in_files(path: Path, texts: Sequence[str]) -> Iterator[str]:
    wanted = [form.encode("utf-8", "surrogatepass") for text in texts for form in forms(text)]
    longest = max(map(len, wanted), default=0)
    for file in files_of(path):
        ending = file.name.removeprefix(path.name) or "database"
        if any(_holds(file, one, longest) for one in wanted):
            yield f"a text in the bytes of the file ({ending})"


def files_of(path: Path) -> list[Path]:
    """A database's file and what lies beside it under its name: its log, its index, copies."""
    return sorted(Path(name) for name in glob.glob(glob.escape(str(path)) + "*"))


def _holds(file: Path, wanted: bytes, overlap: int, chunk: int = 1 << 22) -> bool:
    """Whether the bytes stand in a file, read a piece at a time."""
    before = b""
    with file.open("rb") as opened:
        while piece := opened.read(chunk):
            if wanted in before + piece:
                return True
            before = piece[-overlap:]
    return False


def _is_plain(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(PLAIN)) == PLAIN
