"""What the doctor finds: each kind of thing that can be wrong, and it changes none of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from zerda.memory import Finding, doctor
from zerda.memory.core.model import Scope
from zerda.memory.storage.folder import SQLiteFolder
from zerda.memory.testing import HashingEmbedder, draft
from zerda.memory.vault import Vault

KEY = b"k" * 32
EMBEDDER = HashingEmbedder(32)


@pytest.fixture(params=[None, KEY], ids=["plain", "encrypted"])
def key(request: pytest.FixtureRequest) -> bytes | None:
    given: bytes | None = request.param
    return given


@pytest.fixture
def path(tmp_path: Path, key: bytes | None) -> Iterator[Path]:
    """A memory with an entry of one tenant."""
    folder = SQLiteFolder(tmp_path / "m", keys=Vault(key) if key else None)
    folder.catalog.record_embedder(EMBEDDER.fingerprint)
    folder.store("acme").put(Scope("acme", "alice"), [draft("a red kite", embedder=EMBEDDER)])
    folder.close()
    return tmp_path / "m"


def changed(path: Path, sql: str, file: str = "zerda.db") -> None:
    db = apsw.Connection(str(path / file))
    db.execute(sql)
    db.close()


def kinds(found: list[Finding]) -> list[tuple[str, str]]:
    return [(one.kind, one.where) for one in found]


def test_a_folder_without_anything_has_nothing_wrong(tmp_path: Path) -> None:
    assert doctor(tmp_path) == []


def test_a_sound_memory_has_nothing_wrong(path: Path, key: bytes | None) -> None:
    assert doctor(path, encryption_key=key) == []


def test_a_lost_catalog_is_told_with_what_was_in_it(path: Path, key: bytes | None) -> None:
    (path / "zerda.db").unlink()
    (finding,) = doctor(path, encryption_key=key)
    assert (finding.kind, finding.where) == ("missing", "zerda.db")
    assert "keys" in finding.mend


def test_a_catalog_that_is_not_what_was_written_is_told(path: Path, key: bytes | None) -> None:
    (path / "zerda.db").write_bytes(b"nothing that was written" * 400)
    assert kinds(doctor(path, encryption_key=key)) == [("damaged", "zerda.db")]


def test_a_newer_layout_is_told(path: Path, key: bytes | None) -> None:
    changed(path, "PRAGMA user_version = 99")
    (finding,) = doctor(path, encryption_key=key)
    assert (finding.kind, finding.mend) == ("layout", "install a newer version")


def test_a_wrong_key_is_told_and_so_is_none(path: Path, key: bytes | None) -> None:
    other = b"o" * 32 if key else KEY
    assert kinds(doctor(path, encryption_key=other)) == [("key", "zerda.db")]
    if key:
        assert kinds(doctor(path)) == [("key", "zerda.db")]


@pytest.mark.parametrize("key", [KEY], indirect=True)
def test_a_key_record_that_cannot_be_read_is_told(path: Path, key: bytes) -> None:
    changed(path, "UPDATE meta SET value = '{}' WHERE name = 'encryption'")
    assert kinds(doctor(path, encryption_key=key)) == [("damaged", "zerda.db")]


@pytest.mark.parametrize("key", [KEY], indirect=True)
def test_a_tenants_lost_key_is_told(path: Path, key: bytes) -> None:
    changed(path, "DELETE FROM keys")
    assert kinds(doctor(path, encryption_key=key)) == [("key", "acme")]


@pytest.mark.parametrize("key", [None], indirect=True)
@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("DELETE FROM words", "index"),
        ("DELETE FROM vectors", "index"),
        ("UPDATE fingerprints SET name = 'another'", "embedder"),
    ],
)
def test_a_file_whose_derived_data_lack_something_is_told(path: Path, sql: str, kind: str) -> None:
    changed(path, sql, "acme_ltm.db")
    assert kinds(doctor(path)) == [(kind, "acme")]


@pytest.mark.parametrize("key", [None], indirect=True)
def test_a_file_of_nobody_and_one_that_others_may_open_are_told(path: Path) -> None:
    stray = path / "nobody_ltm.db"
    stray.write_bytes(b"")
    stray.chmod(0o644)
    assert kinds(doctor(path)) == [("stray", stray.name), ("rights", stray.name)]


def test_a_tenants_lost_file_is_told_and_put_aside(path: Path, key: bytes | None) -> None:
    (path / f"acme{'_ltm.db'}").unlink()
    assert kinds(doctor(path, encryption_key=key, set_aside=True)) == [("missing", "acme")]
    assert doctor(path, encryption_key=key) == []
