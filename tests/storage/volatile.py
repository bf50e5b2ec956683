"""A disk that forgets what was not synced: ``python volatile.py FOLDER IMAGES DURABILITY SEED [KEY]``.

It saves, and now and then writes down what the disk would hold if the power failed at that moment, and
beside it the ids that were acknowledged by then. Of the writes since a file's last sync the disk holds any
of them, in any order, the last of them perhaps in part. It prints how often each save was synced. With a key,
which is given in hex, there are no images.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import apsw

BASE = "multipleciphers-unix"
SAVES, IMAGES = 40, 25


class Disk:
    """What was synced of each file, and what was written since."""

    def __init__(self, images: Path, seed: int) -> None:
        self.synced: dict[str, bytes] = {}
        self.written: dict[str, list[tuple[int, bytes]]] = {}
        self.acknowledged: list[str] = []
        self.syncs = 0
        self._images, self._chance, self._cuts = images, random.Random(seed), 0
        self.most = IMAGES

    def write(self, name: str, offset: int, data: bytes) -> None:
        self.written.setdefault(name, []).append((offset, data))
        if self._chance.random() < 0.02:
            self.cut()

    def sync(self, name: str) -> None:
        self.syncs += 1
        self.synced[name] = Path(name).read_bytes()
        self.written[name] = []

    def gone(self, name: str) -> None:
        self.synced.pop(name, None)
        self.written.pop(name, None)

    def cut(self) -> None:
        """Write down what the power would leave now."""
        if self._cuts < self.most:
            self._cuts += 1
            image = self._images / str(self._cuts)
            image.mkdir(parents=True)
            (image / "acknowledged").write_text(json.dumps(self.acknowledged))
            for name, content in self.synced.items():
                (image / Path(name).name).write_bytes(self._left(content, self.written[name]))

    def _left(self, content: bytes, written: list[tuple[int, bytes]]) -> bytes:
        left = bytearray(content)
        for offset, data in self._chance.sample(written, self._chance.randint(0, len(written))):
            part = data[: self._chance.randint(1, len(data))] if self._chance.random() < 0.2 else data
            left.extend(bytes(max(0, offset + len(part) - len(left))))
            left[offset : offset + len(part)] = part
        return bytes(left)


class File(apsw.VFSFile):
    """A file of the disk's. It lies above the driver's cipher, so what it sees is what a plain file holds."""

    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        super().__init__(BASE, name, flags)
        self._disk = disk
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else str(name)

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        self._disk.write(self._name, offset, bytes(data))

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self._disk.sync(self._name)


class Volatile(apsw.VFS):
    def __init__(self, disk: Disk) -> None:
        super().__init__("volatile", BASE, makedefault=True)
        self._disk = disk

    def xOpen(self, name: Any, flags: list[int]) -> File:  # noqa: N802
        return File(self._disk, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self._disk.gone(filename)


def main(folder: str, images: str, durability: Any, seed: str, key: str = "") -> None:
    from zerda.memory import AIMemoryManager, MemoryConfig

    disk = Disk(Path(images), int(seed))
    disk.most = 0 if key else IMAGES
    volatile = Volatile(disk)
    config = MemoryConfig(
        persistence_path=os.path.abspath(folder), embedding_model="none", durability=durability
    )
    with AIMemoryManager(config, encryption_key=bytes.fromhex(key) or None) as memory:
        for number in range(SAVES):
            before = disk.syncs
            memory.remember("alice", "acme", f"the red kite circles above harbour {number}", id=f"e{number}")
            print(disk.syncs - before)
            disk.acknowledged.append(f"e{number}")
            if number % 3 == 0:
                disk.cut()
    del volatile


if __name__ == "__main__":
    main(*sys.argv[1:])
