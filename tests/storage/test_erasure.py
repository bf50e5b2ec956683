"""What was deleted and scrubbed is in no file: no word of it, no vector, no trace in the index."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from zerda.memory.core.model import Draft, Query, Scope
from zerda.memory.errors import StorageBusy, StorageError
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import START, HashingEmbedder, draft

ALICE = Scope("acme", "alice")
EMBEDDER = HashingEmbedder(384)
SECRET = "zanzibarquartz"


def bytes_in(folder: Path) -> bytes:
    """Everything that lies in the files."""
    return b"".join(file.read_bytes() for file in folder.iterdir())


def secret(number: int = 0) -> Draft:
    """An entry whose every part can be told apart from all others'."""
    return draft(
        f"{SECRET}{number} is what nobody may know",
        id=f"secret-{number}",
        embedder=EMBEDDER,
        tags=(f"{SECRET}tag",),
        metadata={"note": f"{SECRET}note"},
        speaker=f"{SECRET}speaker",
        session_id=f"{SECRET}session",
    )


def vector_bytes(one: Draft) -> bytes:
    assert one.vectors is not None
    return one.vectors[0].astype("<f2").tobytes()


@pytest.mark.parametrize(("others", "secrets"), [(0, 1), (1, 1), (20, 3), (600, 200)])
def test_a_deleted_text_is_in_no_file(tmp_path: Path, others: int, secrets: int) -> None:
    with SQLiteStore(tmp_path / "m.db") as store:
        hidden = [secret(number) for number in range(secrets)]
        store.put(ALICE, [draft(f"harbour number {n}", embedder=EMBEDDER) for n in range(others)])
        for start in range(0, secrets, 50):
            store.put(ALICE, hidden[start : start + 50])
        store.revise(ALICE, draft("harmless", id="secret-0"))
        assert SECRET.encode() in bytes_in(tmp_path)
        assert vector_bytes(hidden[-1]) in bytes_in(tmp_path) or secrets == 1
        assert store.delete(ALICE, [one.entry.id for one in hidden]) == secrets
        store.scrub()
        left = bytes_in(tmp_path)
        assert SECRET.encode() not in left
        assert not any(vector_bytes(one) in left for one in hidden)
        assert store.count(ALICE, Query()) == others


def test_a_word_is_gone_though_its_neighbours_in_the_index_stay(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "m.db") as store:
        for number in range(40):
            store.put(ALICE, [draft(f"{SECRET[:9]} {SECRET[:9]}{number}x", id=str(number))])
        store.delete(ALICE, [str(number) for number in range(0, 40, 2)])
        store.scrub()
        left = bytes_in(tmp_path)
        assert f"{SECRET[:9]}2x".encode() not in left
        assert store.search_words(ALICE, [(f"{SECRET[:9]}3x",)], Query(), limit=9).keys


def test_a_scrub_waits_for_readers_and_says_so_when_they_stay(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "m.db") as store, SQLiteStore(tmp_path / "m.db") as other:
        store.put(ALICE, [secret()])
        with other._reader() as lease:
            lease.connection.execute("SELECT count(*) FROM entries").fetchall()
            store.delete(ALICE, ["secret-0"])
            with pytest.raises(StorageBusy, match=r"m\.db"):
                store.scrub(timeout_seconds=0.05)
        store.scrub()
        assert SECRET.encode() not in bytes_in(tmp_path)


def test_a_scrub_goes_on_once_the_reader_has_left(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "m.db") as store, SQLiteStore(tmp_path / "m.db") as other:
        store.put(ALICE, [secret()])
        with other._reader() as lease:
            lease.connection.execute("SELECT count(*) FROM entries").fetchall()
            store.delete(ALICE, ["secret-0"])
            scrubbing = threading.Thread(target=store.scrub, kwargs={"timeout_seconds": 60})
            scrubbing.start()
        scrubbing.join(60)
        assert not scrubbing.is_alive()
        assert SECRET.encode() not in bytes_in(tmp_path)


def test_a_scrub_within_a_transaction_is_refused(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "m.db") as store, pytest.raises(StorageError, match="transaction"):  # noqa: SIM117
        with store.transaction():
            store.scrub()


def test_the_copy_in_memory_forgets_the_vector_too(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "m.db") as store:
        store.put(ALICE, [secret(), draft("harbour", embedder=EMBEDDER)])
        (vector,) = EMBEDDER.embed([f"{SECRET}0 is what nobody may know"])
        assert store.search_vectors(ALICE, vector, EMBEDDER.fingerprint, Query(), limit=2).hits[0][1] > 0.9
        store.delete(ALICE, ["secret-0"])
        assert store.search_vectors(ALICE, vector, EMBEDDER.fingerprint, Query(), limit=2).hits[0][1] < 0.9
        with store._reader() as lease:
            ((copy,),) = [(held.index,) for held in lease.file.derived.values()]
        blocks = [block for block, _ in copy._blocks]
        assert sum(int(np.any(block.codes[: copy._blocks[0][1]], axis=1).sum()) for block in blocks) == 1


def test_an_archived_text_is_erased_as_well(tmp_path: Path) -> None:
    with SQLiteStore(tmp_path / "m.db") as store:
        store.put(ALICE, [secret()])
        store.mark(ALICE, ["secret-0"], archived_at=START)
        store.delete(ALICE, ["secret-0"])
        store.scrub()
        assert SECRET.encode() not in bytes_in(tmp_path)
