"""An encrypted file keeps the contract, and what goes wrong with it loses and shows nothing."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from killing import killed_at, started

from zerda.memory.core.model import Query, Scope
from zerda.memory.errors import StorageDamaged, StorageError
from zerda.memory.storage import driver, rekeying
from zerda.memory.storage.base import Store
from zerda.memory.storage.driver import Source
from zerda.memory.storage.folder import SQLiteFolder
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import HashingEmbedder, draft
from zerda.memory.testing.store_contract import StoreContract
from zerda.memory.vault import Vault

KEY = b"k" * 32
ALICE = Scope("acme", "alice")
EMBEDDER = HashingEmbedder(64)
KILLS = int(os.environ.get("ZERDA_PROVE_KILLS", "5"))


class TestEncryptedStore(StoreContract):
    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        with SQLiteStore(tmp_path / "m.db", key=KEY) as store:
            yield store

    @pytest.fixture
    def other(self, store: Store, tmp_path: Path) -> Store:
        return SQLiteStore(tmp_path / "m.db", key=KEY)

    @pytest.fixture
    def reopen(self, store: Store, tmp_path: Path) -> Callable[[], Store]:
        def again() -> Store:
            store.close()
            return SQLiteStore(tmp_path / "m.db", key=KEY)

        return again


def opened(path: Path) -> SQLiteFolder:
    return SQLiteFolder(path, keys=Vault(KEY))


def ids(folder: SQLiteFolder) -> set[str]:
    return {entry.id for entry in folder.store("acme").find(ALICE, Query(limit=None))}


def text_of(number: int) -> str:
    return f"the moonfish number {number} sleeps under the lantern"


def leaks(path: Path, count: int) -> list[tuple[str, bytes]]:
    vectors = EMBEDDER.embed([text_of(number) for number in range(count)]).astype("<f2")
    needles = [b"moonfish", b"lantern", b"alice", *(vector.tobytes() for vector in vectors)]
    files = {file.name: file.read_bytes() for file in path.iterdir()}
    return [(name, needle) for name, data in files.items() for needle in needles if needle in data]


@pytest.mark.parametrize("acknowledged", range(3, 3 + 4 * KILLS, 4))
def test_a_killed_writer_loses_nothing_and_leaves_no_plaintext(tmp_path: Path, acknowledged: int) -> None:
    reading, writing = os.pipe()

    def write_on() -> None:
        store = opened(tmp_path).store("acme")
        for number in count():
            store.put(ALICE, [draft(text_of(number), id=f"e{number}", embedder=EMBEDDER)])
            os.write(writing, f"e{number}\n".encode())

    child = started(write_on)
    told = os.fdopen(reading, closefd=True)
    os.close(writing)
    kept = {told.readline().strip() for _ in range(acknowledged)}
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    kept |= {line.strip() for line in told if line.endswith("\n")}
    told.close()
    assert leaks(tmp_path, len(kept)) == []
    folder = opened(tmp_path)
    assert kept <= ids(folder)
    assert len(ids(folder)) <= len(kept) + 1
    folder.close()
    assert leaks(tmp_path, len(kept)) == []


def test_the_search_for_leaks_finds_them_in_a_plain_file(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "m.db") as store:
        store.put(ALICE, [draft(text_of(number), embedder=EMBEDDER) for number in range(3)])
        assert len({needle for _, needle in leaks(tmp_path, 3)}) == 6


@pytest.mark.parametrize("room", [0.3, 0.5, 0.9])
def test_a_key_that_changes_on_a_full_disk_changes_nothing_until_there_is_room(
    tmp_path: Path, room: float
) -> None:
    folder = opened(tmp_path)
    folder.store("acme").put(ALICE, [draft(text_of(number), id=f"e{number}") for number in range(200)])
    expected = ids(folder)
    folder.store("acme").scrub()
    folder.close()
    limit = int((tmp_path / "acme_ltm.db").stat().st_size * room)

    def too_little_room(arrived: Callable[[str], None]) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
        in_need = opened(tmp_path)
        with pytest.raises(StorageError):
            rekeying.rotate_tenant(in_need, "acme")
        assert ids(in_need) == expected
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        in_need.store("acme").put(ALICE, [draft("there is room again", id="later")])
        assert rekeying.resume(in_need) == ("acme",)
        assert ids(in_need) == {*expected, "later"}

    assert not killed_at("never", too_little_room)
    again = opened(tmp_path)
    assert (ids(again), len(list(tmp_path.glob("acme*_ltm.db")))) == ({*expected, "later"}, 1)


def test_a_wal_that_is_gone_leaves_what_was_before_it_or_is_told(tmp_path: Path) -> None:
    def write(arrived: Callable[[str], None]) -> None:
        store = opened(tmp_path).store("acme")
        store.put(ALICE, [draft("before", id="before")])
        store.scrub()
        store.put(ALICE, [draft("after", id="after")])
        arrived("written")

    assert killed_at("written", write)
    (tmp_path / "acme_ltm.db-wal").unlink()
    (tmp_path / "acme_ltm.db-shm").unlink()
    assert ids(opened(tmp_path)) == {"before"}


def test_a_file_whose_first_wal_is_gone_is_damaged_and_not_begun_anew(tmp_path: Path) -> None:
    def write(arrived: Callable[[str], None]) -> None:
        opened(tmp_path).store("acme").put(ALICE, [draft("before", id="before")])
        arrived("written")

    assert killed_at("written", write)
    (tmp_path / "acme_ltm.db-wal").unlink()
    (tmp_path / "acme_ltm.db-shm").unlink()
    with pytest.raises(StorageDamaged):
        ids(opened(tmp_path))


def test_pages_put_in_the_place_of_others_do_not_pass(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "m.db", key=KEY) as store:
        store.put(ALICE, [draft(text_of(number)) for number in range(50)])
        store.scrub()
    data = bytearray((tmp_path / "m.db").read_bytes())
    data[4096:8192], data[8192:12288] = data[8192:12288], data[4096:8192]
    (tmp_path / "m.db").write_bytes(data)
    with SQLiteStore(tmp_path / "m.db", key=KEY) as store, pytest.raises(StorageDamaged):
        store.put(ALICE, [draft("more")])


def test_a_tenants_file_is_no_other_tenants(tmp_path: Path) -> None:
    folder = opened(tmp_path)
    for tenant in ("acme", "omega"):
        folder.store(tenant).put(Scope(tenant, "alice"), [draft(f"{tenant} says moonfish")])
    folder.close()
    (tmp_path / "acme_ltm.db").write_bytes((tmp_path / "omega_ltm.db").read_bytes())
    with pytest.raises(StorageDamaged):
        ids(opened(tmp_path))


def test_an_older_layout_is_brought_up_with_its_key_and_its_copy_is_ciphertext(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every, copies = driver.migrations(""), list[bytes]()
    plainly = driver._let_go

    def looked_at(copy: Path, *rest: Any) -> None:
        copies.append(copy.read_bytes())
        plainly(copy, *rest)

    with monkeypatch.context() as older:
        older.setattr(driver, "migrations", lambda prefix: every[:1])
        db = driver.connect(Source(tmp_path / "m.db", key=KEY))
        db.execute("INSERT INTO meta (name, value) VALUES ('moonfish', 'lantern')")
        db.close()
    monkeypatch.setattr(driver, "_let_go", looked_at)
    with SQLiteStore(tmp_path / "m.db", key=KEY) as store:
        store.put(ALICE, [draft(text_of(1))])
    (copy,) = copies
    assert len(copy) > 4096
    assert b"moonfish" not in copy
    assert [file.name for file in tmp_path.iterdir()] == ["m.db"]
