"""What is wrong with a memory in a folder, and how to mend it. Looking changes nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import apsw

from ..errors import KeyNeeded, NotEncrypted, StorageDamaged, StorageError, WrongKey
from .catalog import ENDING, MIGRATIONS, Place, add_key, generation, placed, readable, value
from .disks import network_disk
from .driver import RETIRED, Source, fetched, migrations, opened, translated, version
from .folder import CATALOG, SQLiteFolder
from .rekeying import on_disk

if TYPE_CHECKING:
    from ..core.seams import Ring

Kind = Literal[
    "missing", "damaged", "key", "layout", "index", "embedder", "unfinished", "stray", "rights",
    "disk", "installation",
]  # fmt: skip

RESTORE = "bring it back with `zerda restore`, or put it aside with `zerda doctor --set-aside`"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it should be: what kind of thing, where, what it is, how to mend it.

    ``serious`` says that something said may be lost or refused; the rest costs room, or finds less.
    """

    kind: Kind
    where: str
    what: str
    mend: str
    serious: bool = True


def examine(folder: SQLiteFolder) -> list[Finding]:
    """Look at the disk, the catalog and every tenant's file; an empty list means that all is well."""
    return [*_disk(folder), *_files(folder)]


def _disk(folder: SQLiteFolder) -> Iterator[Finding]:
    if kind := network_disk(Path(os.path.realpath(folder.path))):
        what = f"the folder lies on a network file system ({kind}), whose locks may fail"
        yield Finding("disk", str(folder.path), what, "move the memory to a local disk, or to PostgreSQL")


def _files(folder: SQLiteFolder) -> list[Finding]:
    if not (folder.path / CATALOG).exists():
        return list(_without_catalog(folder))
    if broken := _broken(Source(folder.path / CATALOG, MIGRATIONS), CATALOG):
        return [broken]
    try:
        ring = folder.catalog.ring()
    except (WrongKey, KeyNeeded, NotEncrypted) as error:
        return [Finding("key", CATALOG, str(error), "give the right key; nothing was changed")]
    except StorageDamaged as error:
        return [Finding("damaged", CATALOG, str(error), "bring zerda.db back from a backup")]
    return [*_tenants(folder, ring), *_unfinished(folder), *_strays(folder), *_rights(folder)]


def _without_catalog(folder: SQLiteFolder) -> Iterator[Finding]:
    if files := sorted(folder.path.glob(f"*{ENDING}")):
        yield Finding(
            "missing",
            CATALOG,
            f"zerda.db is missing beside {len(files)} files of tenants",
            "bring zerda.db back from a backup: grants are in it, and the keys of encrypted files",
        )


# ── a tenant ─────────────────────────────────────────────────────────────────────────────────────


def _tenants(folder: SQLiteFolder, ring: Ring | None) -> Iterator[Finding]:
    with folder.catalog.reading() as db:
        embedder = value(db, "embedder")
        rows = fetched(db, "SELECT tenant_id, sealed FROM tenants ORDER BY tenant_id")
    for name, sealed in rows:
        where = readable(ring, name, sealed)
        try:
            with folder.catalog.reading() as db:
                place = placed(db, ring, name)
        except StorageDamaged as error:
            yield Finding("key", where, str(error), "bring zerda.db back from a backup")
            continue
        if place is None or not place.made:
            continue
        if ring is not None and not place.version:
            yield Finding(
                "key", where, f"{place.file} is not encrypted yet", "run `zerda encryption encrypt` again"
            )
        yield from _tenant(folder.source(place), where, embedder)


def _tenant(source: Source, where: str, embedder: str | None) -> Iterator[Finding]:
    if broken := _broken(source, where):
        yield broken
        return
    connection = opened(source)
    try:
        with translated(source.path):
            yield from _index(connection, where)
            yield from _vectors(connection, where, embedder)
    finally:
        connection.close()


def _broken(source: Source, where: str) -> Finding | None:
    """What keeps a file from being used, if anything does."""
    name = source.path.name
    try:
        connection = opened(Source(source.path, key=source.key, made=True))
    except StorageDamaged as error:
        kind: Kind = "damaged" if source.path.exists() else "missing"
        return Finding(kind, where, str(error), RESTORE)
    except StorageError as error:
        return Finding("damaged", where, str(error), "see the folder's rights and the disk")
    try:
        with translated(source.path):
            if (found := version(connection)) > (known := len(migrations(source.migrations))):
                return None if found == RETIRED else _too_new(name, where, found, known)
            told = fetched(connection, "PRAGMA integrity_check(3)")
    except StorageDamaged as error:
        return Finding("damaged", where, str(error), RESTORE)
    finally:
        connection.close()
    if told != [("ok",)]:
        return Finding("damaged", where, f"{name} is not sound (integrity check)", RESTORE)
    return None


def _too_new(name: str, where: str, found: int, known: int) -> Finding:
    return Finding(
        "layout",
        where,
        f"{name} has layout {found}, this zerda-memory knows {known}",
        "install a newer version",
    )


def _index(db: apsw.Connection, where: str) -> Iterator[Finding]:
    """Every passage has its words, and no words are of none."""
    ((lacking,),) = fetched(
        db, "SELECT count(*) FROM passages WHERE key NOT IN (SELECT id FROM words_docsize)"
    )
    ((spare,),) = fetched(db, "SELECT count(*) FROM words_docsize WHERE id NOT IN (SELECT key FROM passages)")
    if lacking or spare:
        what = f"the index of words lacks {lacking} passages and has {spare} too many"
        yield Finding("index", where, what, RESTORE)


def _vectors(db: apsw.Connection, where: str, embedder: str | None) -> Iterator[Finding]:
    rows = fetched(
        db,
        "SELECT f.name, count(*) FROM vectors v JOIN fingerprints f ON f.code = v.fingerprint GROUP BY 1",
    )
    for name, count in rows:
        if embedder is not None and name != embedder:
            what = f"{count} vectors are of {name}, the memory's embedder is {embedder}; words find them"
            yield Finding("embedder", where, what, "call `flush` with the memory's embedder", serious=False)
    ((lost,),) = fetched(
        db,
        "SELECT count(*) FROM passages p WHERE p.live = 1 AND p.embedded > 0"
        " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.key = p.key)",
    )
    if lost:
        yield Finding("index", where, f"{lost} passages have lost their vectors; words find them", RESTORE)


# ── the folder ───────────────────────────────────────────────────────────────────────────────────


def _unfinished(folder: SQLiteFolder) -> Iterator[Finding]:
    with folder.catalog.reading() as db:
        rows = fetched(db, "SELECT old, file FROM replacing ORDER BY old")
    for old, file in rows:
        what = f"{old} is being replaced by {file}" if file else f"{old} is being destroyed"
        yield Finding("unfinished", old, what, "run `zerda encryption resume`", serious=False)


def _strays(folder: SQLiteFolder) -> Iterator[Finding]:
    with folder.catalog.reading() as db:
        known = {
            file for (file,) in fetched(db, "SELECT file FROM tenants UNION SELECT file FROM replacing")
        } | {file for (file,) in fetched(db, "SELECT old FROM replacing")}
    for path in sorted(folder.path.glob(f"*{ENDING}")):
        if path.name not in known:
            what = f"{path.name} is of no tenant that zerda.db knows"
            yield Finding("stray", path.name, what, "delete it if it is not yours to keep", serious=False)


def _rights(folder: SQLiteFolder) -> Iterator[Finding]:
    if os.name == "nt":
        return
    for path in [folder.path, *sorted(folder.path.iterdir())]:
        if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            what = f"{path.name} can be opened by other users of this machine"
            yield Finding("rights", path.name, what, f"chmod go= {path.name}", serious=False)


# ── putting aside ────────────────────────────────────────────────────────────────────────────────


def set_aside(folder: SQLiteFolder, *, at: datetime) -> list[str]:
    """Rename the files that are damaged to ``*.corrupt-<time>``, so that their tenants begin anew.

    Close what has the memory open first. The file's key stays, so that a repair remains possible. The
    names that the files have now are returned.
    """
    with folder.catalog.unlocked() as (db, ring):
        rows = fetched(db, "SELECT tenant_id FROM tenants ORDER BY tenant_id")
        places = [(name, place) for (name,) in rows if (place := placed(db, ring, name)) and place.made]
    broken = [(name, place) for name, place in places if _broken(folder.source(place), name)]
    return [_put_aside(folder, name, place, at) for name, place in broken]


def _put_aside(folder: SQLiteFolder, name: str, place: Place, at: datetime) -> str:
    aside = f"{place.file}.corrupt-{at:%Y%m%dT%H%M%SZ}"
    for ending in ("", "-wal"):
        if (path := folder.path / f"{place.file}{ending}").exists():
            path.rename(folder.path / f"{aside}{ending}")
    (folder.path / f"{place.file}-shm").unlink(missing_ok=True)
    on_disk(folder.path)
    with folder.catalog.unlocked() as (db, ring):
        key = add_key(db, ring, name)
        file = generation(place.file, key) if key else place.file
        db.execute(
            "UPDATE tenants SET file = ?, folded = ?, key = ?, made = 0 WHERE tenant_id = ?",
            (file, file.casefold(), key, name),
        )
    return aside
