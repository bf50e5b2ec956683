"""Keys are changed while others work, and a kill at any step loses nothing."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

import apsw
import pytest
from killing import killed_at, started

from zerda.memory import InvalidInput, KeyNeeded, NotEncrypted, StorageDamaged, WrongKey
from zerda.memory.core.model import Query, Scope
from zerda.memory.storage import rekeying
from zerda.memory.storage.doctor import examine
from zerda.memory.storage.driver import copy_into
from zerda.memory.storage.folder import SQLiteFolder
from zerda.memory.storage.sqlite import SQLiteStore
from zerda.memory.testing import draft
from zerda.memory.vault import Vault

KEY, OTHER = b"k" * 32, b"o" * 32
ACME, OMEGA = Scope("acme", "alice"), Scope("omega", "bob")
STEPS = ("recorded", "copied", "verified", "retired", "swapped", "removed", "forgotten")


def opened(path: Path, key: bytes | None = KEY, *, hide_ids: bool = False) -> SQLiteFolder:
    return SQLiteFolder(path, keys=None if key is None else Vault(key, hide_ids=hide_ids))


def filled(path: Path, key: bytes | None = KEY) -> Path:
    with_key = opened(path, key)
    with_key.store("acme").put(
        ACME, [draft(f"kite number {number}", id=f"e{number}") for number in range(40)]
    )
    with_key.store("omega").put(OMEGA, [draft("omega says moonfish")])
    with_key.close()
    return path


def ids(folder: SQLiteFolder, scope: Scope = ACME) -> set[str]:
    return {entry.id for entry in folder.store(scope.tenant_id).find(scope, Query(limit=None))}


def needles(path: Path, *words: str) -> set[str]:
    said = b"".join(file.read_bytes() for file in path.iterdir())
    return {word for word in words if word.encode() in said}


EXPECTED = {f"e{number}" for number in range(40)}


def test_a_new_key_of_a_tenant_leaves_one_file_that_says_the_same(tmp_path: Path) -> None:
    before = {file.name for file in filled(tmp_path).iterdir()}
    folder = opened(tmp_path)
    rekeying.rotate_tenant(folder, "acme")
    assert ids(folder) == EXPECTED
    folder.close()
    after = {file.name for file in tmp_path.iterdir()}
    assert (before - after, len(after)) == ({"acme_ltm.db"}, len(before))


def test_who_has_the_file_open_goes_on_with_the_new_one(tmp_path: Path) -> None:
    mine, theirs = opened(filled(tmp_path)), opened(tmp_path)
    assert ids(theirs) == EXPECTED
    for number in range(3):
        rekeying.rotate_tenant(mine, "acme")
        theirs.store("acme").put(ACME, [draft("a word of theirs", id=f"theirs{number}")])
        mine.store("acme").put(ACME, [draft("a word of mine", id=f"mine{number}")])
    said = EXPECTED | {f"{whose}{number}" for whose in ("mine", "theirs") for number in range(3)}
    assert ids(mine) == ids(theirs) == said


@pytest.mark.parametrize("step", STEPS)
def test_a_kill_while_a_key_is_changed_loses_nothing(tmp_path: Path, step: str) -> None:
    filled(tmp_path)
    assert killed_at(step, lambda arrived: rekeying.rotate_tenant(opened(tmp_path), "acme", arrived))
    folder = opened(tmp_path)
    folder.store("acme").put(ACME, [draft("said after the kill", id="after")])
    assert ids(folder) == EXPECTED | {"after"}
    rekeying.resume(folder)
    assert ids(folder) == EXPECTED | {"after"}
    assert rekeying.resume(folder) == ()
    folder.close()
    stems = sorted(file.name.partition("~")[0] for file in tmp_path.iterdir())
    assert stems == ["acme", "omega_ltm.db", "zerda.db"]


@pytest.mark.parametrize("step", ["begun", *STEPS])
@pytest.mark.parametrize("hide_ids", [False, True])
def test_a_kill_while_a_memory_is_encrypted_is_gone_on_from(
    tmp_path: Path, step: str, hide_ids: bool
) -> None:
    filled(tmp_path, None)
    assert needles(tmp_path, "moonfish") == {"moonfish"}

    def encrypt(arrived: Callable[[str], None] = lambda step: None) -> None:
        vault = Vault(KEY, hide_ids=hide_ids)
        rekeying.encrypt(SQLiteFolder(tmp_path, keys=vault), vault, arrived)

    assert killed_at(step, encrypt)
    encrypt()
    folder = opened(tmp_path)
    assert (ids(folder), len(ids(folder, OMEGA)), folder.tenants()) == (EXPECTED, 1, ("acme", "omega"))
    folder.close()
    hidden = ("acme", "omega") if hide_ids else ()
    assert not needles(tmp_path, "moonfish", "kite", "alice", *hidden)
    assert not hide_ids or not [file for file in tmp_path.iterdir() if "acme" in file.name]


def test_a_process_without_the_key_is_refused_once_a_memory_is_encrypted(tmp_path: Path) -> None:
    plain, vault = opened(filled(tmp_path, None), None), Vault(KEY)
    assert ids(plain) == EXPECTED
    rekeying.encrypt(SQLiteFolder(tmp_path, keys=vault), vault)
    with pytest.raises(KeyNeeded):
        plain.store("acme").put(ACME, [draft("too late")])
    with pytest.raises(KeyNeeded):
        plain.store("new").put(Scope("new", "alice"), [draft("too late")])
    assert ids(opened(tmp_path)) == EXPECTED


@pytest.mark.parametrize("plain", [False, True])
def test_what_others_write_while_keys_change_is_kept(tmp_path: Path, plain: bool) -> None:
    filled(tmp_path, None if plain else KEY)
    reading, writing = os.pipe()

    def write_on() -> None:
        store = opened(tmp_path, None if plain else KEY).store("acme")
        with suppress(KeyNeeded):
            for number in count():
                store.put(ACME, [draft("a word of theirs", id=f"theirs{number}")])
                os.write(writing, f"theirs{number}\n".encode())

    child = started(write_on)
    os.close(writing)
    told = os.fdopen(reading)
    kept = {told.readline().strip() for _ in range(5)}
    vault = Vault(KEY)
    mine = SQLiteFolder(tmp_path, keys=vault)
    if plain:
        rekeying.encrypt(mine, vault)
    else:
        for _ in range(4):
            rekeying.rotate_tenant(mine, "acme")
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == (0 if plain else -signal.SIGKILL), "the child failed; its traceback is above"
    kept |= {line.strip() for line in told if line.endswith("\n")}
    told.close()
    assert EXPECTED | kept <= ids(mine)
    assert len(ids(mine)) <= len(EXPECTED | kept) + 1


def test_a_copy_that_says_something_else_takes_no_ones_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = opened(filled(tmp_path))

    def forgetful(connection: apsw.Connection, path: Path, key: bytes | None) -> None:
        copy_into(connection, path, key)
        with SQLiteStore(path, key=key) as copy:
            copy.delete(ACME, ["e7"])

    monkeypatch.setattr(rekeying, "copy_into", forgetful)
    with pytest.raises(StorageDamaged, match="does not say what"):
        rekeying.rotate_tenant(folder, "acme")
    assert ids(folder) == EXPECTED
    monkeypatch.undo()
    rekeying.resume(folder)
    assert ids(folder) == EXPECTED


def test_another_root_key_opens_everything_and_the_former_nothing(tmp_path: Path) -> None:
    files = {file: file.read_bytes() for file in filled(tmp_path).iterdir() if file.name != "zerda.db"}
    folder = opened(tmp_path)
    rekeying.rotate_root(folder, Vault(OTHER))
    folder.close()
    assert {file: file.read_bytes() for file in files} == files
    assert ids(opened(tmp_path, OTHER)) == EXPECTED
    with pytest.raises(WrongKey):
        ids(opened(tmp_path, KEY))


def test_a_process_whose_key_is_a_function_goes_on_after_the_root_key_has_changed(tmp_path: Path) -> None:
    given = [KEY]
    theirs = SQLiteFolder(filled(tmp_path), keys=Vault(lambda: given[0]))
    assert ids(theirs) == EXPECTED
    rekeying.rotate_root(opened(tmp_path), Vault(OTHER))
    with pytest.raises(WrongKey):
        theirs.catalog.standing("acme", "alice")
    given[0] = OTHER
    theirs.store("new").put(Scope("new", "alice"), [draft("with a key under the new root")])
    assert theirs.tenants() == ("acme", "new", "omega")


@pytest.mark.parametrize("step", [None, "recorded", "retired", "swapped", "removed"])
def test_a_destroyed_tenant_is_gone_and_a_copy_of_its_file_is_of_no_use(
    tmp_path: Path, step: str | None
) -> None:
    filled(tmp_path / "m")
    stolen = (tmp_path / "m" / "acme_ltm.db").read_bytes()
    if step:
        assert killed_at(
            step, lambda arrived: rekeying.destroy_tenant(opened(tmp_path / "m"), "acme", arrived)
        )
        rekeying.resume(opened(tmp_path / "m"))
    else:
        rekeying.destroy_tenant(opened(tmp_path / "m"), "acme")
    folder = opened(tmp_path / "m")
    assert folder.tenants() == ("omega",)
    assert ids(folder) == set()
    folder.close()
    for file in (tmp_path / "m").glob("acme*"):
        file.write_bytes(stolen)
    with pytest.raises(StorageDamaged):
        ids(opened(tmp_path / "m"))


def test_who_has_a_destroyed_tenant_open_begins_it_anew(tmp_path: Path) -> None:
    mine, theirs = opened(filled(tmp_path)), opened(tmp_path)
    assert ids(theirs) == EXPECTED
    rekeying.destroy_tenant(mine, "acme")
    theirs.store("acme").put(ACME, [draft("a new beginning", id="new")])
    assert ids(mine) == ids(theirs) == {"new"}


def test_nothing_of_a_destroyed_key_is_left_in_any_file(tmp_path: Path) -> None:
    folder = opened(filled(tmp_path))
    with folder.catalog.reading() as db:
        rows = db.execute("SELECT wrapped FROM keys WHERE tenant_id = 'acme'").fetchall()
    assert [file for file in tmp_path.iterdir() if rows[0][0] in file.read_bytes()]
    rekeying.destroy_tenant(folder, "acme")
    assert not [file for file in tmp_path.iterdir() if rows[0][0] in file.read_bytes()]


def test_a_plain_memory_has_no_key_to_change_and_an_unknown_tenant_none_either(tmp_path: Path) -> None:
    plain = opened(filled(tmp_path / "plain", None), None)
    for change in (rekeying.rotate_tenant, rekeying.destroy_tenant):
        with pytest.raises(NotEncrypted):
            change(plain, "acme")
        with pytest.raises(InvalidInput, match="no tenant 'nobody'"):
            change(opened(filled(tmp_path / change.__name__)), "nobody")
    with pytest.raises(NotEncrypted):
        rekeying.rotate_root(plain, Vault(OTHER))


@pytest.mark.parametrize("step", STEPS[:-1])
def test_the_doctor_sees_what_was_cut_short_and_nothing_after_it_was_ended(tmp_path: Path, step: str) -> None:
    filled(tmp_path)
    assert killed_at(step, lambda arrived: rekeying.rotate_tenant(opened(tmp_path), "acme", arrived))
    kinds = [finding.kind for finding in examine(opened(tmp_path))]
    assert kinds == ["unfinished"]
    rekeying.resume(opened(tmp_path))
    assert examine(opened(tmp_path)) == []
