"""Disks of the network are told from local ones by the table of mounts, read as data."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from zerda.memory import doctor
from zerda.memory.core.model import Scope
from zerda.memory.storage import disks
from zerda.memory.storage.folder import SQLiteFolder
from zerda.memory.testing import draft

TABLE = rb"""rootfs / rootfs rw 0 0
/dev/vda1 / ext4 rw,relatime 0 0
proc /proc proc rw 0 0
files:/home /mnt/home nfs4 rw,vers=4.2 0 0
/dev/vdb1 /mnt/home/fast xfs rw 0 0
//server/share /mnt/our\040share cifs rw 0 0
me@host:/ /mnt/ssh fuse.sshfs rw 0 0
broken
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/", "ext4"),
        ("/var/lib/memory", "ext4"),
        ("/mnt/home", "nfs4"),
        ("/mnt/home/ana/memory", "nfs4"),
        ("/mnt/home/fast/memory", "xfs"),
        ("/mnt/homely", "ext4"),
        ("/mnt/our share/memory", "cifs"),
        ("/mnt/ssh/memory", "fuse.sshfs"),
    ],
)
def test_the_nearest_mount_tells_the_kind(folder: str, kind: str) -> None:
    assert disks.mounted(Path(folder), TABLE) == kind


@pytest.mark.parametrize("table", [b"", b"\n", b"x", b"a b\n", b"\xff \xff \xff", b"a /\\777 nfs\n"])
def test_a_table_that_makes_no_sense_tells_nothing(table: bytes) -> None:
    assert disks.mounted(Path("/mnt"), table) is None


@pytest.fixture
def on_nfs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that the table of mounts says to lie on NFS."""
    folder = tmp_path / "far away"
    table = tmp_path / "mounts"
    escaped = str(folder).replace(" ", r"\040")
    table.write_text(f"/dev/vda1 / ext4 rw 0 0\nfiles:/x {escaped} nfs rw 0 0\n")
    monkeypatch.setattr(disks, "MOUNTS", table)
    disks.warn_of_network_disk.cache_clear()
    yield folder
    disks.warn_of_network_disk.cache_clear()


def saved(folder: Path, tenant: str) -> None:
    memory = SQLiteFolder(folder)
    memory.store(tenant).put(Scope(tenant, "alice"), [draft("a red kite")])
    memory.close()


def test_a_memory_on_a_network_disk_is_warned_of_once(on_nfs: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        saved(on_nfs, "acme")
        saved(on_nfs, "globex")
    (told,) = [record.getMessage() for record in caplog.records if "network" in record.getMessage()]
    assert str(on_nfs) in told
    assert "(nfs)" in told
    assert "local disk" in told


def test_the_doctor_tells_of_a_network_disk(on_nfs: Path) -> None:
    saved(on_nfs, "acme")
    (finding,) = doctor(on_nfs)
    assert (finding.kind, finding.serious) == ("disk", True)
    assert "nfs" in finding.what


def test_a_local_disk_is_not_warned_of(
    tmp_path: Path, on_nfs: Path, caplog: pytest.LogCaptureFixture
) -> None:
    saved(tmp_path / "near", "acme")
    assert not [record for record in caplog.records if "network" in record.getMessage()]
    assert doctor(tmp_path / "near") == []


def test_a_system_without_a_table_of_mounts_tells_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disks, "MOUNTS", tmp_path / "none")
    assert disks.network_disk(tmp_path) is None
