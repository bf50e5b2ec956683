"""Backups come back whole, the doctor finds what is broken, and neither changes what it looks at."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import zerda.memory as zm
from zerda.memory import (
    AIMemoryManager,
    Finding,
    InvalidInput,
    KeyNeeded,
    MemoryConfig,
    StorageDamaged,
    StorageError,
    StorageUnavailable,
    WrongKey,
)
from zerda.memory.testing import HashingEmbedder

KEY, OTHER = b"k" * 32, b"o" * 32
KEYS = pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])


def memory_in(path: Path, key: bytes | None = None, **settings: object) -> AIMemoryManager:
    config = MemoryConfig(persistence_path=str(path), **settings)  # type: ignore[arg-type]
    return AIMemoryManager(
        config, encryption_key=key, embedder=HashingEmbedder(), enable_privacy_masking=False
    )


def filled(path: Path, key: bytes | None = None, **settings: object) -> Path:
    with memory_in(path, key, **settings) as memory:
        for tenant in ("acme", "omega"):
            memory.grant("alice", tenant)
            memory.remember_many(
                "alice", tenant, [f"{tenant} has kite number {number}" for number in range(30)]
            )
            memory.revoke("bob", tenant, "reader")
    return path


def count(path: Path, key: bytes | None = None, tenant: str = "acme") -> int:
    with memory_in(path, key) as memory:
        assert len(memory.recall("alice", tenant, "kite number", min_score=0)) == 10
        return int(memory.stats(tenant)["entries"])


def contents(path: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in path.iterdir()}


# ── backups ──────────────────────────────────────────────────────────────────────────────────────


@KEYS
def test_a_backup_comes_back_whole_and_is_not_changed_by_it(tmp_path: Path, key: bytes | None) -> None:
    filled(tmp_path / "m", key)
    manifest = zm.backup(tmp_path / "m", tmp_path / "b", encryption_key=key)
    assert (manifest.entries, manifest.encrypted) == (60, key is not None)
    before = contents(tmp_path / "b")
    assert zm.restore(tmp_path / "b", tmp_path / "again", encryption_key=key) == 60
    assert contents(tmp_path / "b") == before
    assert count(tmp_path / "again", key) == count(tmp_path / "again", key, "omega") == 30
    with memory_in(tmp_path / "again", key, access_policy="strict") as memory:
        memory.recall("alice", "acme", "kite")
        with pytest.raises(zm.AccessDenied):
            memory.recall("bob", "acme", "kite")
    assert zm.doctor(tmp_path / "again", encryption_key=key) == []


def test_a_backup_of_an_encrypted_memory_is_ciphertext_and_needs_its_key(tmp_path: Path) -> None:
    filled(tmp_path / "m", KEY, hide_ids=True)
    zm.backup(tmp_path / "m", tmp_path / "b", encryption_key=KEY)
    said = b"".join(contents(tmp_path / "b").values()) + " ".join(contents(tmp_path / "b")).encode()
    assert not [word for word in (b"kite", b"acme", b"alice") if word in said]
    for key, error in ((None, KeyNeeded), (OTHER, WrongKey)):
        with pytest.raises(error):
            zm.restore(tmp_path / "b", tmp_path / "again", encryption_key=key)
        with pytest.raises(error):
            zm.backup(tmp_path / "m", tmp_path / "b2", encryption_key=key)
    assert not (tmp_path / "again").exists()


@KEYS
def test_what_is_written_meanwhile_is_in_no_backup_by_halves(tmp_path: Path, key: bytes | None) -> None:
    filled(tmp_path / "m", key)
    memory, stop = memory_in(tmp_path / "m", key), threading.Event()
    kept: list[str] = []

    def save() -> None:
        while not stop.is_set():
            kept.extend(entry.id for entry in memory.remember_many("alice", "acme", ["one", "two", "three"]))

    writer = threading.Thread(target=save)
    writer.start()
    try:
        for number in range(3):
            before = len(kept)
            zm.backup(tmp_path / "m", tmp_path / f"b{number}", encryption_key=key)
            zm.restore(tmp_path / f"b{number}", tmp_path / f"r{number}", encryption_key=key)
            entries = count(tmp_path / f"r{number}", key) - 30
            assert before <= entries
            assert entries % 3 == 0
    finally:
        stop.set()
        writer.join()
        memory.close()


def test_a_tenants_key_may_change_while_a_backup_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zerda.memory.storage import backup as module

    filled(tmp_path / "m", KEY)
    real, changed = module._copy_tenant, list[str]()

    def disturbed(folder: object, place: object, to: Path) -> object:
        if not changed:
            changed.append("acme")
            zm.rotate_tenant_key(tmp_path / "m", KEY, "acme")
        return real(folder, place, to)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "_copy_tenant", disturbed)
    zm.backup(tmp_path / "m", tmp_path / "b", encryption_key=KEY)
    zm.restore(tmp_path / "b", tmp_path / "again", encryption_key=KEY)
    assert (changed, count(tmp_path / "again", KEY)) == (["acme"], 30)


def test_one_tenants_backup_holds_nothing_of_another(tmp_path: Path) -> None:
    filled(tmp_path / "m")
    manifest = zm.backup(tmp_path / "m", tmp_path / "b", tenants=["acme"])
    assert manifest.entries == 30
    assert b"omega" not in b"".join(contents(tmp_path / "b").values())
    with pytest.raises(InvalidInput, match="no tenant 'nobody'"):
        zm.backup(tmp_path / "m", tmp_path / "b2", tenants=["nobody"])


@pytest.mark.parametrize(("old", "new"), [(None, None), (KEY, KEY), (None, KEY), (KEY, OTHER)])
def test_a_tenant_is_brought_back_into_another_memory_under_that_ones_keys(
    tmp_path: Path, old: bytes | None, new: bytes | None
) -> None:
    filled(tmp_path / "m", old)
    zm.backup(tmp_path / "m", tmp_path / "b", encryption_key=old)
    with memory_in(tmp_path / "there", new) as memory:
        memory.remember("zoe", "zeta", "zeta is here already")
    back = {"encryption_key": new, "backup_key": old, "tenants": ["acme"]}
    assert zm.restore(tmp_path / "b", tmp_path / "there", **back) == 30  # type: ignore[arg-type]
    assert count(tmp_path / "there", new) == 30
    with memory_in(tmp_path / "there", new, access_policy="strict") as memory:
        memory.recall("alice", "acme", "kite")
    assert not new or b"kite" not in b"".join(contents(tmp_path / "there").values())
    with pytest.raises(InvalidInput, match="replaced"):
        zm.restore(tmp_path / "b", tmp_path / "there", **back)  # type: ignore[arg-type]
    assert zm.doctor(tmp_path / "there", encryption_key=new) == []


@KEYS
def test_a_tenant_goes_back_to_its_backup_under_the_hands_of_others(
    tmp_path: Path, key: bytes | None
) -> None:
    filled(tmp_path / "m", key)
    zm.backup(tmp_path / "m", tmp_path / "b", encryption_key=key)
    with memory_in(tmp_path / "m", key) as theirs:
        theirs.remember("alice", "acme", "said after the backup", id="late")
        zm.restore(tmp_path / "b", tmp_path / "m", encryption_key=key, tenants=["acme"], replace=True)
        assert theirs.stats("acme")["entries"] == 30
        theirs.remember("alice", "acme", "said after the restore", id="later")
    assert count(tmp_path / "m", key) == 31
    assert zm.doctor(tmp_path / "m", encryption_key=key) == []


@pytest.mark.parametrize("name", ["acme_ltm.db", "zerda.db", "manifest.json"])
def test_a_backup_that_was_changed_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    filled(tmp_path / "m")
    zm.backup(tmp_path / "m", tmp_path / "b")
    path = tmp_path / "b" / name
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(StorageDamaged, match=name):
        zm.restore(tmp_path / "b", tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_a_manifest_names_no_file_outside_the_backup(tmp_path: Path) -> None:
    filled(tmp_path / "m")
    zm.backup(tmp_path / "m", tmp_path / "b")
    path = tmp_path / "b" / "manifest.json"
    path.write_text(path.read_text("utf-8").replace("acme_ltm.db", "../m/acme_ltm.db"), "utf-8")
    with pytest.raises(StorageDamaged):
        zm.restore(tmp_path / "b", tmp_path / "again")


def test_neither_a_backup_nor_a_memory_is_written_over(tmp_path: Path) -> None:
    filled(tmp_path / "m")
    zm.backup(tmp_path / "m", tmp_path / "b")
    with pytest.raises(InvalidInput, match="exists"):
        zm.backup(tmp_path / "m", tmp_path / "b")
    with pytest.raises(InvalidInput, match="holds a memory"):
        zm.restore(tmp_path / "b", tmp_path / "m")
    for call in (lambda: zm.backup(tmp_path / "x", tmp_path / "b2"), lambda: zm.key_status(tmp_path / "x")):
        with pytest.raises(StorageUnavailable, match="no memory"):
            call()
    with pytest.raises(StorageUnavailable, match="no backup"):
        zm.restore(tmp_path / "m", tmp_path / "again")
    assert not (tmp_path / "x").exists()


# ── the doctor ───────────────────────────────────────────────────────────────────────────────────


def truncated(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2 + 100)


def page_zeroed(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(bytes(4096))


def bits_flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(4096 + 50, len(data), 4096):
        data[at] ^= 0xFF
    path.write_bytes(data)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def header_changed(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"not a database at all")


def deleted(path: Path) -> None:
    path.unlink()


def replaced_by_another(path: Path) -> None:
    path.write_bytes(os.urandom(path.stat().st_size))


DAMAGES = [truncated, page_zeroed, bits_flipped, emptied, header_changed, deleted, replaced_by_another]


@KEYS
@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_is_a_typed_error_found_and_put_aside_and_others_are_served(
    tmp_path: Path, damage: Callable[[Path], None], key: bytes | None
) -> None:
    path = filled(tmp_path / "m", key)
    zm.backup(path, tmp_path / "b", encryption_key=key)
    damage(path / "acme_ltm.db")
    broken = contents(path)
    with memory_in(path, key) as memory:
        try:
            memory.save_many("alice", "acme", [(f"question {n}", "answer") for n in range(30)])
            assert memory.get("alice", "acme", memory.list("alice", "acme").entries[-1].id)
            touched = True
        except StorageError:
            touched = False
        assert len(memory.recall("alice", "omega", "kite number", min_score=0)) == 10
    if not touched:
        assert contents(path).get("acme_ltm.db") == broken.get("acme_ltm.db")
    findings = zm.doctor(path, encryption_key=key)
    assert [(one.kind in ("damaged", "missing"), one.where, one.serious) for one in findings] == [
        (True, "acme", True)
    ]
    before = contents(path)
    assert zm.doctor(path, encryption_key=key, set_aside=True) == findings
    aside = [name for name in contents(path) if ".corrupt-" in name]
    assert [contents(path)[name] for name in aside] == [before[n] for n in ("acme_ltm.db",) if n in before]
    with memory_in(path, key) as memory:
        memory.remember("alice", "acme", "a new beginning")
        assert memory.stats("acme")["entries"] == 1
    assert zm.doctor(path, encryption_key=key) == []
    zm.restore(tmp_path / "b", path, encryption_key=key, tenants=["acme"], replace=True)
    assert (count(path, key), zm.doctor(path, encryption_key=key)) == (30, [])


@KEYS
def test_a_damaged_tenant_is_restored_in_place(tmp_path: Path, key: bytes | None) -> None:
    path = filled(tmp_path / "m", key)
    zm.backup(path, tmp_path / "b", encryption_key=key)
    header_changed(path / "acme_ltm.db")
    zm.restore(tmp_path / "b", path, encryption_key=key, tenants=["acme"], replace=True)
    assert (count(path, key), zm.doctor(path, encryption_key=key)) == (30, [])


def test_the_doctor_tells_what_else_is_not_as_it_should_be(tmp_path: Path) -> None:
    import apsw

    path = filled(tmp_path / "m")
    db = apsw.Connection(str(path / "acme_ltm.db"))
    db.execute("DELETE FROM words_docsize WHERE id IN (SELECT key FROM passages LIMIT 2)")
    db.execute("DELETE FROM vectors WHERE key IN (SELECT key FROM passages LIMIT 3)")
    db.close()
    (path / "stray_ltm.db").write_bytes(b"")
    (path / "zerda.db").chmod(0o644)
    found = {(one.kind, one.where): one for one in zm.doctor(path)}
    (path / "stray_ltm.db").chmod(0o600)
    assert set(found) >= {("index", "acme"), ("stray", "stray_ltm.db"), ("rights", "zerda.db")}
    assert all(isinstance(one, Finding) and one.mend for one in found.values())


def test_the_doctor_sees_keys_that_do_not_fit_and_a_catalog_that_is_gone(tmp_path: Path) -> None:
    path = filled(tmp_path / "m", KEY)
    for key in (None, OTHER):
        assert [one.kind for one in zm.doctor(path, encryption_key=key)] == ["key"]
    (path / "zerda.db").unlink()
    assert [one.kind for one in zm.doctor(path, encryption_key=KEY)] == ["missing"]
    assert not (path / "zerda.db").exists()


def test_a_healthy_memory_has_no_findings_and_is_not_changed_by_a_look(tmp_path: Path) -> None:
    path = filled(tmp_path / "m", KEY, hide_ids=True)
    before = contents(path)
    assert zm.doctor(path, encryption_key=KEY) == []
    assert contents(path) == before


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_plain_memory_is_encrypted_and_its_keys_are_changed(tmp_path: Path) -> None:
    path = filled(tmp_path / "m")
    assert (zm.key_status(path).encrypted, zm.key_status(path).plain) == (False, 2)
    zm.encrypt_memory(path, KEY, hide_ids=True)
    status = zm.key_status(path)
    assert (status.encrypted, status.hides_ids, status.derivation) == (True, True, {"kdf": "raw"})
    assert (status.tenants, status.plain, status.unfinished) == (2, 0, 0)
    zm.rotate_tenant_key(path, KEY, "acme")
    zm.rotate_root_key(path, KEY, OTHER)
    zm.destroy_tenant(path, OTHER, "omega")
    assert (count(path, OTHER), zm.key_status(path).tenants) == (30, 1)
    assert zm.resume_key_changes(path, OTHER) == 0
    assert zm.doctor(path, encryption_key=OTHER) == []
    with memory_in(path, OTHER, access_policy="strict") as memory, pytest.raises(zm.AccessDenied):
        memory.recall("bob", "acme", "kite")


def test_a_key_file_holds_bytes_hex_or_a_passphrase(tmp_path: Path) -> None:
    file = tmp_path / "key"
    for data, key in (
        (KEY, KEY),
        (KEY.hex().encode() + b"\n", KEY),
        (b"a long passphrase\n", "a long passphrase"),
    ):
        file.write_bytes(data)
        assert zm.key_from_file(file) == key
    for data in (b"", b"\xff\xfe"):
        file.write_bytes(data)
        with pytest.raises(zm.ConfigError):
            zm.key_from_file(file)
    with pytest.raises(zm.ConfigError, match="cannot be read"):
        zm.key_from_file(tmp_path / "none")


def test_the_audit_of_grants_is_whole_after_ids_are_hidden(tmp_path: Path) -> None:
    path = filled(tmp_path / "m")
    zm.encrypt_memory(path, KEY, hide_ids=True)
    with memory_in(path, KEY) as memory:
        memory.grant("zoe_the_third", "acme")
        number, faults = memory._stores.catalog.check_audit("acme")
        assert (number > 2, faults) == (True, [])
        assert {grant.principal for grant in memory._stores.catalog.grants("acme")} == {
            "alice",
            "bob",
            "zoe_the_third",
        }
    said = b"".join(contents(path).values())
    assert not [name for name in (b"alice", b"zoe_the_third", b"acme", b"omega") if name in said]
