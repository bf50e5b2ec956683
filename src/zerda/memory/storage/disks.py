"""Which disks of the network a memory should not lie on: their locks do not reach other machines."""

from __future__ import annotations

import logging
import re
from functools import lru_cache
from pathlib import Path

MOUNTS = Path("/proc/self/mounts")
"""What Linux has mounted. Other systems have no such file; there nothing is told."""

NETWORK = frozenset(
    "9p afs beegfs ceph cifs coda davfs glusterfs gpfs lustre ncpfs nfs nfs4 ocfs2 orangefs pvfs2 smb3 smbfs"
    " fuse.ceph fuse.davfs2 fuse.gcsfuse fuse.glusterfs fuse.juicefs fuse.rclone fuse.s3fs fuse.sshfs".split()
)

_OCTAL = re.compile(rb"\\([0-7]{3})")

_log = logging.getLogger(__name__)


def network_disk(folder: Path) -> str | None:
    """The kind of network file system that a folder lies on, or will once it is made."""
    try:
        table = MOUNTS.read_bytes()
    except OSError:
        return None
    kind = mounted(folder, table)
    return kind if kind in NETWORK else None


def mounted(folder: Path, table: bytes) -> str | None:
    """The kind of file system of a folder by a table of mounts; the nearest counts, of equals the last."""
    nearest, kind = -1, None
    around = {str(place): len(place.parts) for place in (folder, *folder.parents)}
    for line in table.splitlines():
        fields = line.split(b" ")
        place = _plain(fields[1]) if len(fields) > 2 else ""
        if around.get(place, -1) >= max(nearest, 0):
            nearest, kind = around[place], _plain(fields[2])
    return kind


def _plain(field: bytes) -> str:
    """A field as it was before the kernel escaped its spaces, line ends and backslashes."""
    return _OCTAL.sub(lambda found: bytes([int(found[1], 8) & 0xFF]), field).decode(errors="surrogateescape")


@lru_cache(maxsize=1024)
def warn_of_network_disk(folder: Path) -> None:
    """Log, once for each folder and process, that its disk is one of the network."""
    if kind := network_disk(folder):
        _log.warning(
            "%s lies on a network file system (%s): its locks may fail and damage the memory; use a local"
            " disk, or PostgreSQL for several machines",
            folder,
            kind,
        )
