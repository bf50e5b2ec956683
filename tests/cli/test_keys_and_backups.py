"""Commands for whoever runs a memory: keys, backup, restore, doctor."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runs import Run

from zerda.memory import AIMemoryManager, MemoryConfig

PASSPHRASE = "correct horse battery staple"


@pytest.fixture
def saved(folder: Path) -> Path:
    with AIMemoryManager(MemoryConfig(persistence_path=str(folder), embedding_model="none")) as memory:
        memory.remember("me", "local", "I play the cello.")
        memory.remember("me", "other", "I paint.")
    return folder


def test_a_memory_is_encrypted_and_used_with_a_key_file(run: Run, saved: Path, tmp_path: Path) -> None:
    key = str(tmp_path / "key")
    assert run("encryption", "new", key).code == 0
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert run("encryption", "encrypt", "--key-file", key, "--hide-ids").code == 0
    assert run("recall", "cello", "--key-file", key).code == 0
    without = run("recall", "cello")
    assert (without.code, "is encrypted" in without.err) == (1, True)
    status = run("encryption", "status", "--json").record
    assert (status["encrypted"], status["plain"], status["hides_ids"]) == (True, 0, True)
    assert run("encryption", "rotate", "--key-file", key, "--tenant", "local").code == 0
    assert run("encryption", "destroy", "--key-file", key, "--tenant", "other", "--yes").code == 0
    assert run("encryption", "resume", "--key-file", key).code == 0
    assert run("doctor", "--key-file", key).code == 0
    assert run("encryption", "status", "--json").record["tenants"] == 1
    assert "cello" in run("list", "--key-file", key).out


def test_a_passphrase_comes_from_the_environment_and_is_changed(
    run: Run, saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZERDA_ENCRYPTION_KEY", PASSPHRASE)
    assert run("encryption", "encrypt").code == 0
    monkeypatch.setenv("ZERDA_NEW_ENCRYPTION_KEY", "another one of that length")
    assert run("encryption", "rotate-root").code == 0
    assert run("list").code == 1
    monkeypatch.setenv("ZERDA_ENCRYPTION_KEY", "another one of that length")
    assert "cello" in run("list").out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["encryption", "encrypt"], "there is no encryption key"),
        (["encryption", "rotate-root"], "there is no new key"),
        (["encryption", "rotate"], "which tenant"),
        (["encryption", "destroy"], "which tenant"),
        (["backup", "."], "exists"),
        (["restore", "nowhere"], "no backup"),
    ],
)
def test_what_is_lacking_is_named(run: Run, saved: Path, args: list[str], message: str) -> None:
    ran = run(*args)
    assert (ran.code, message in ran.err) == (1, True)


def test_a_key_file_in_the_memory_that_it_opens_is_refused(run: Run, saved: Path) -> None:
    (saved / "key").write_text("00" * 32)
    ran = run("encryption", "encrypt", "--key-file", str(saved / "key"))
    assert (ran.code, "keep it apart" in ran.err) == (1, True)


def test_a_destruction_is_asked_about(run: Run, saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERDA_ENCRYPTION_KEY", PASSPHRASE)
    run("encryption", "encrypt")
    run("encryption", "destroy", "--tenant", "local", input="n\n")
    assert "cello" in run("list").out


def test_a_backup_comes_back(run: Run, saved: Path, tmp_path: Path) -> None:
    made = run("backup", str(tmp_path / "b"), "--json").record
    assert set(made["files"]) == {"zerda.db", "local_ltm.db", "other_ltm.db"}
    assert run("restore", str(tmp_path / "b"), "--path", str(tmp_path / "again")).code == 0
    assert "cello" in run("list", "--path", str(tmp_path / "again")).out
    run("forget", run("list", "--json").records[0]["id"], "--yes")
    back = run("restore", str(tmp_path / "b"), "--tenant", "local", "--replace", "--json")
    assert back.record["entries"] == 1
    assert "cello" in run("list").out


def test_the_doctor_fails_where_something_may_be_lost_and_puts_it_aside_when_asked(
    run: Run, saved: Path
) -> None:
    assert (run("doctor").code, run("doctor").out) == (0, "")
    (saved / "local_ltm.db").write_bytes(b"no database" * 1_000)
    ran = run("doctor", "--json")
    assert (ran.code, ran.record["kind"], ran.record["where"]) == (1, "damaged", "local")
    assert run("list").code == 1
    assert "zerda restore" in run("doctor").out
    assert run("doctor", "--set-aside").code == 1
    assert (run("doctor").code, run("list").code) == (0, 0)
    assert len(list(saved.glob("*.corrupt-*"))) == 1
