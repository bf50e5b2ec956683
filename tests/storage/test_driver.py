"""Files that are new, newer, damaged, full, somebody else's, or out of reach."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from zerda.memory.core.model import Query, Scope
from zerda.memory.errors import (
    InvalidInput,
    SchemaTooNew,
    StorageDamaged,
    StorageError,
    StorageFull,
    StorageUnavailable,
)
from zerda.memory.storage import driver
from zerda.memory.storage.folder import SQLiteFolder
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import draft

ALICE = Scope("acme", "alice")
SRC = Path(__file__).parents[2] / "src"
LAYOUT = len(driver.migrations(""))
MIGRATIONS = Path(driver.__file__).parent / "migrations"
posix = pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")


def made(path: Path, entries: int = 1) -> Path:
    """A store's file with some entries in it, closed."""
    with SQLiteStore(path) as store:
        store.put(ALICE, [draft(f"the harbour, time {n}", id=str(n)) for n in range(entries)])
    return path


def pragma(path: Path, name: str) -> object:
    connection = apsw.Connection(str(path))
    try:
        return connection.pragma(name)
    finally:
        connection.close()


# ── new files ────────────────────────────────────────────────────────────────────────────────────────


def test_making_a_store_makes_no_file(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "deep" / "m.db")
    assert list(tmp_path.iterdir()) == []
    assert store.count(ALICE, Query()) == 0
    assert (tmp_path / "deep" / "m.db").exists()
    store.close()


@posix
def test_only_the_owner_may_read_what_is_made(tmp_path: Path) -> None:
    folder = SQLiteFolder(tmp_path / "memory")
    folder.store("acme").put(ALICE, [draft("private")])
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "memory").iterdir()}
    assert set(modes.values()) == {0o600}
    assert {"zerda.db", "acme_ltm.db", "acme_ltm.db-wal"} <= modes.keys()
    assert stat.S_IMODE((tmp_path / "memory").stat().st_mode) == 0o700
    folder.close()


@pytest.mark.parametrize(("durability", "level"), [("full", 2), ("relaxed", 1)])
def test_files_are_opened_as_promised(tmp_path: Path, durability: driver.Durability, level: int) -> None:
    with SQLiteStore(tmp_path / "m.db", durability=durability) as store, store._reader() as lease:
        told = {
            name: lease.connection.pragma(name)
            for name in (
                "journal_mode",
                "synchronous",
                "foreign_keys",
                "secure_delete",
                "temp_store",
                "mmap_size",
            )
        }
    assert told == {
        "journal_mode": "wal",
        "synchronous": level,
        "foreign_keys": 1,
        "secure_delete": 1,
        "temp_store": 2,
        "mmap_size": 0,
    }


def test_an_unknown_durability_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="'fast'"):
        SQLiteStore(tmp_path / "m.db", durability="fast")  # type: ignore[arg-type]


# ── layouts ──────────────────────────────────────────────────────────────────────────────────────────


def add_layout(monkeypatch: pytest.MonkeyPatch, *statements: str) -> None:
    """As if the next version of this package brought one more migration."""
    before = driver.migrations

    def more(prefix: str) -> tuple[tuple[str, ...], ...]:
        return (*before(prefix), *([statements] if prefix == "" else []))

    monkeypatch.setattr(driver, "migrations", more)


def test_a_newer_layout_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = made(tmp_path / "m.db")
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 99)
    connection.close()
    before = path.read_bytes()
    store = SQLiteStore(path)
    for call in (lambda: store.count(ALICE, Query()), lambda: store.put(ALICE, [draft("x")])):
        with pytest.raises(SchemaTooNew, match="99"):
            call()
    store.close()
    assert path.read_bytes() == before


def test_a_layout_that_another_process_made_newer_is_noticed_at_the_next_call(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "m.db") as store:
        store.put(ALICE, [draft("kite")])
        connection = apsw.Connection(str(tmp_path / "m.db"))
        connection.pragma("user_version", LAYOUT + 1)
        connection.close()
        with pytest.raises(SchemaTooNew):
            store.count(ALICE, Query())
        with pytest.raises(SchemaTooNew):
            store.put(ALICE, [draft("tea")])


def test_an_older_layout_is_brought_forward_with_all_that_is_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(tmp_path / "m.db", 3)
    add_layout(monkeypatch, "ALTER TABLE entries ADD COLUMN extra TEXT", "UPDATE entries SET extra = id")
    with SQLiteStore(path) as store:
        assert store.count(ALICE, Query()) == 3
    assert pragma(path, "user_version") == LAYOUT + 1
    assert [file.name for file in tmp_path.iterdir()] == ["m.db"]


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(tmp_path / "m.db", 3)
    with monkeypatch.context() as patch:
        add_layout(patch, "DELETE FROM words", "DELETE FROM nothing_of_that_name")
        with SQLiteStore(path) as store, pytest.raises(StorageError):
            store.count(ALICE, Query())
    assert pragma(path, "user_version") == LAYOUT
    with SQLiteStore(path) as store:
        assert len(store.search_words(ALICE, [("harbour",)], Query(), limit=9).keys) == 3
    copy = driver.copy_of(path, LAYOUT)
    with SQLiteStore(copy) as store:
        assert store.count(ALICE, Query()) == 3


def test_a_migration_of_an_encrypted_file_copies_nothing_in_the_clear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, key = tmp_path / "m.db", bytes(range(32))
    with SQLiteStore(path, key=key) as store:
        store.put(ALICE, [draft("zanzibarquartz", id="x")])
    monkeypatch.setattr(driver, "_let_go", lambda *_: None)  # As if the process had been killed just before.
    add_layout(monkeypatch, "ALTER TABLE entries ADD COLUMN extra TEXT")
    with SQLiteStore(path, key=key) as store:
        assert store.get(ALICE, "x").content == "zanzibarquartz"
    monkeypatch.undo()
    copy = driver.copy_of(path, LAYOUT)
    assert b"zanzibar" not in copy.read_bytes()
    with SQLiteStore(copy, key=key) as store:
        assert store.get(ALICE, "x").content == "zanzibarquartz"


def test_the_copy_stays_when_the_new_layout_is_not_sound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(tmp_path / "m.db", 3)
    add_layout(
        monkeypatch,
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = replace(sql, 'speaker TEXT,', 'speaker TEXT NOT NULL,')",
        "PRAGMA writable_schema = RESET",
    )
    with SQLiteStore(path) as store, pytest.raises(StorageDamaged, match=rf"m\.db\.layout-{LAYOUT}"):
        store.count(ALICE, Query())
    monkeypatch.undo()
    with SQLiteStore(driver.copy_of(path, LAYOUT)) as store:
        assert store.count(ALICE, Query()) == 3


def test_a_scrub_removes_the_copy_that_a_broken_migration_left(tmp_path: Path) -> None:
    path = made(tmp_path / "m.db")
    (tmp_path / "m.db.layout-1").write_bytes(b"old words")
    (tmp_path / "other.db.layout-1").write_bytes(b"not ours")
    with SQLiteStore(path) as store:
        store.scrub()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["m.db", "other.db.layout-1"]


def test_processes_that_open_a_new_file_at_once_agree_on_its_layout(tmp_path: Path) -> None:
    program = (
        "import sys; from zerda.memory.core.model import Query, Scope;"
        "from zerda.memory.storage.sqlite import SQLiteStore;"
        "print(SQLiteStore(sys.argv[1]).count(Scope('t'), Query()))"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "m.db")],
            env={**os.environ, "PYTHONPATH": str(SRC)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(6)
    ]
    assert [process.communicate(timeout=120) for process in processes] == [("0\n", "")] * 6


# ── what is not ours, or not what was written ────────────────────────────────────────────────────────


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (x)")
    connection.commit()
    connection.close()
    with SQLiteStore(path) as store, pytest.raises(StorageUnavailable, match="another program"):
        store.count(ALICE, Query())
    connection = sqlite3.connect(path)
    assert connection.execute("SELECT name FROM sqlite_schema").fetchall() == [("theirs",)]
    connection.close()


def overwrite(path: Path, start: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(start)
        file.write(data)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "no database at all": lambda path: (
        path.write_text("these are my notes, and no database\n" * 100) and None
    ),
    "a lost header": lambda path: overwrite(path, 0, b"\xff" * 100),
    "lost pages": lambda path: overwrite(path, 4096, b"\xa5" * (path.stat().st_size - 4096)),
    "a file cut short": lambda path: os.truncate(path, path.stat().st_size // 2 // 4096 * 4096),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_a_damaged_file_says_so_and_names_itself(tmp_path: Path, name: str) -> None:
    path = made(tmp_path / "m.db", 200)
    DAMAGES[name](path)

    def use(store: SQLiteStore) -> None:
        store.find(ALICE, Query(limit=None))
        store.search_words(ALICE, [("harbour",)], Query(), limit=999)
        store.put(ALICE, [draft(f"more {n}") for n in range(50)])

    with SQLiteStore(path) as store, pytest.raises(StorageDamaged, match=r"m\.db"):
        use(store)


@pytest.mark.parametrize("value", ["X'FF00'", "'{'", "CAST(X'FFFE' AS TEXT)", "'[1'"])
def test_a_row_that_cannot_be_read_says_so_without_its_words(tmp_path: Path, value: str) -> None:
    path = made(tmp_path / "m.db")
    connection = apsw.Connection(str(path))
    connection.execute(f"UPDATE entries SET content = {value}")
    connection.close()
    with SQLiteStore(path) as store, pytest.raises(StorageDamaged) as caught:
        store.find(ALICE, Query())
    assert "harbour" not in str(caught.value)


def test_a_vector_that_was_cut_short_says_so(tmp_path: Path) -> None:
    import numpy as np

    from zerda.memory.testing import HashingEmbedder

    embedder = HashingEmbedder(64)
    path = tmp_path / "m.db"
    with SQLiteStore(path) as store:
        store.put(ALICE, [draft("kite", embedder=embedder), draft("tea", embedder=embedder)])
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE vectors SET vector = substr(vector, 1, 99) WHERE key = 1")
    connection.close()
    with SQLiteStore(path) as store, pytest.raises(StorageDamaged):
        store.search_vectors(ALICE, np.ones(64, np.float32), embedder.fingerprint, Query(), limit=2)


# ── no room, no rights ───────────────────────────────────────────────────────────────────────────────


def test_a_full_disk_says_so_and_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "m.db") as store:
        store.put(ALICE, [draft("the harbour", id="x")])
        with store._pool.writing(store._source) as lease:
            pages = lease.connection.pragma("page_count")
            lease.connection.pragma("max_page_count", pages + 2)
        with pytest.raises(StorageFull, match=r"m\.db") as caught:
            store.put(ALICE, [draft(f"secret {'x' * 5000} {n}") for n in range(50)])
        assert "secret" not in str(caught.value)
        assert store.count(ALICE, Query()) == 1
        with store._pool.writing(store._source) as lease:
            lease.connection.pragma("max_page_count", 100_000)
        store.put(ALICE, [draft(f"again {'x' * 5000} {n}") for n in range(50)])
        assert store.count(ALICE, Query()) == 51


@posix
def test_a_limit_on_the_size_of_files_is_survived(tmp_path: Path) -> None:
    program = """
import resource, signal, sys
from zerda.memory.core.model import Query, Scope
from zerda.memory.errors import StorageError
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import draft
scope, kept = Scope("t", "u"), 0
store = SQLiteStore(sys.argv[1])
store.put(scope, [draft("first")])
resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, resource.RLIM_INFINITY))
try:
    while kept < 500:
        store.put(scope, [draft("x" * 3000 + str(kept))])
        kept += 1
except StorageError as error:
    print(kept < 500, "m.db" in str(error))
assert store.count(scope, Query(limit=None)) == kept + 1
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store.put(scope, [draft("later")])
print(store.count(scope, Query()) == kept + 2)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "m.db")],
        env={**os.environ, "PYTHONPATH": str(SRC)}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("True True\nTrue\n", "")


def test_a_folder_is_no_file_and_a_file_no_folder(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path) as store, pytest.raises(StorageUnavailable, match="is a folder"):
        store.count(ALICE, Query())
    (tmp_path / "file").touch()
    with pytest.raises(StorageUnavailable, match="is a file"):
        SQLiteFolder(tmp_path / "file")
    with SQLiteStore(tmp_path / "file" / "m.db") as store, pytest.raises(StorageUnavailable, match=r"m\.db"):
        store.count(ALICE, Query())


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StorageUnavailable, match=tmp_path.name):
            SQLiteFolder(tmp_path / "memory").store("acme").count(ALICE, Query())
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("kind", ["", "catalog_"])
@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
def test_layouts_are_numbered_without_a_gap(kind: str, dialect: str) -> None:
    """A layout's number is its file's place: one that fills a gap would be taken for a newer one."""
    names = [file.name for file in MIGRATIONS.iterdir() if file.name.endswith(f".{dialect}.sql")]
    ours = sorted(name.removeprefix(kind) for name in names if name.startswith(f"{kind}0"))
    assert [int(name[:4]) for name in ours] == list(range(1, len(ours) + 1))
