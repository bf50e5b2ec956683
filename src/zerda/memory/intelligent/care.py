"""What whoever runs a memory does with it as a whole: keys, backups, a look at its health.

All of it may be done while other processes use the memory, unless a function says otherwise.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import StorageUnavailable
from ..vault import EncryptionKey, Vault

if TYPE_CHECKING:
    from ..storage.backup import Manifest
    from ..storage.doctor import Finding
    from ..storage.folder import SQLiteFolder

Location = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class KeyStatus:
    """How a memory is encrypted, as it tells without a key.

    ``derivation`` says how the root key is made ("raw", or "scrypt" with its parameters). ``plain`` counts
    tenants whose file is not encrypted, ``unfinished`` changes of a key that were begun and not ended.
    """

    encrypted: bool
    hides_ids: bool
    derivation: dict[str, Any]
    tenants: int
    plain: int
    unfinished: int


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────


def key_status(path: Location) -> KeyStatus:
    """How the memory in a folder is encrypted; no key is needed, and none is shown."""
    from ..storage.catalog import ENCRYPTION, value
    from ..storage.driver import fetched

    with _memory(path, None) as folder, folder.catalog.reading() as db:
        record = json.loads(value(db, ENCRYPTION) or "{}")
        ((tenants, plain),) = fetched(db, "SELECT count(*), count(*) FILTER (WHERE key = 0) FROM tenants")
        ((unfinished,),) = fetched(db, "SELECT count(*) FROM replacing")
    derivation = {name: told for name, told in record.get("root", {}).items() if name != "salt"}
    hides_ids = bool(record.get("hide_ids"))
    return KeyStatus(bool(record), hides_ids, derivation, int(tenants), int(plain), int(unfinished))


def encrypt_memory(path: Location, encryption_key: EncryptionKey, *, hide_ids: bool = False) -> None:
    """Encrypt a plain memory, tenant by tenant. If it is cut short, call it again: it goes on.

    Each file is written anew beside the old one, compared row by row, and swapped. Processes that have the
    memory open without the key are refused from then on; nothing that they were told is stored is lost.
    What the old files left on the disk's free blocks is beyond reach: encrypt from the start if you can.
    """
    from ..storage.rekeying import encrypt

    vault = Vault(encryption_key, hide_ids=hide_ids)
    with _memory(path, vault) as folder:
        encrypt(folder, vault)


def rotate_root_key(path: Location, encryption_key: EncryptionKey, new_key: EncryptionKey) -> None:
    """Wrap every tenant's key with another root key, in one transaction; no tenant's file is touched.

    A process that was given the former key is refused at its next call; one that was given a function
    asks it again.
    """
    from ..storage.rekeying import rotate_root

    with _memory(path, Vault(encryption_key)) as folder:
        rotate_root(folder, Vault(new_key))


def rotate_tenant_key(path: Location, encryption_key: EncryptionKey, tenant_id: str) -> None:
    """Write a tenant's file anew under a new key; the old key and the old file are gone afterwards."""
    from ..storage.rekeying import rotate_tenant

    with _memory(path, Vault(encryption_key)) as folder:
        rotate_tenant(folder, tenant_id)


def destroy_tenant(path: Location, encryption_key: EncryptionKey, tenant_id: str) -> None:
    """Destroy a tenant by destroying its key: copies of its file, in backups too, open no more.

    A backup that holds the key record still opens with the root key that it was made under.
    """
    from ..storage.rekeying import destroy_tenant as destroy

    with _memory(path, Vault(encryption_key)) as folder:
        destroy(folder, tenant_id)


def resume_key_changes(path: Location, encryption_key: EncryptionKey | None = None) -> int:
    """Bring to their end the changes of keys and files that were cut short; return how many there were."""
    from ..storage.rekeying import resume

    with _memory(path, _vault(encryption_key)) as folder:
        return len(resume(folder))


# ── copies ───────────────────────────────────────────────────────────────────────────────────────


def backup(
    path: Location,
    to: Location,
    *,
    encryption_key: EncryptionKey | None = None,
    tenants: Sequence[str] | None = None,
) -> Manifest:
    """Copy a memory, or some of its tenants, into a new folder while it is in use; verified when it returns.

    An encrypted memory is copied as ciphertext, with its key record: the copy opens with the same key.
    """
    from ..storage.backup import back_up

    with _memory(path, _vault(encryption_key)) as folder:
        return back_up(folder, Path(to), at=datetime.now(UTC), tenants=tenants)


def restore(
    backup: Location,
    path: Location,
    *,
    encryption_key: EncryptionKey | None = None,
    tenants: Sequence[str] | None = None,
    replace: bool = False,
    backup_key: EncryptionKey | None = None,
) -> int:
    """Bring a backup back into a folder without a memory, or some tenants of it into the memory there.

    Nothing is written before the backup has proven to be what was written. ``replace`` gives up what the
    tenants have now. ``backup_key`` is the backup's, where it differs from the memory's. Returns how many
    entries were brought back.
    """
    from ..storage.backup import bring_back, bring_back_tenant

    keys = _vault(encryption_key if backup_key is None else backup_key)
    if tenants is None:
        return bring_back(Path(backup), Path(path), keys).entries
    with _memory(path, _vault(encryption_key)) as folder:
        return sum(bring_back_tenant(Path(backup), keys, folder, one, replace=replace) for one in tenants)


def doctor(
    path: Location, *, encryption_key: EncryptionKey | None = None, set_aside: bool = False
) -> list[Finding]:
    """What is wrong with the memory in a folder, and how to mend it; nothing is an empty list.

    ``set_aside`` renames files that are damaged to ``*.corrupt-<time>``, so that their tenants begin anew;
    close what has the memory open first.
    """
    from ..storage import doctor as looking
    from ..storage.folder import SQLiteFolder

    folder = SQLiteFolder(path, keys=_vault(encryption_key))
    try:
        findings = looking.examine(folder)
        if set_aside and any(finding.kind in ("damaged", "missing") for finding in findings):
            looking.set_aside(folder, at=datetime.now(UTC))
        return findings
    finally:
        folder.close()


def _vault(encryption_key: EncryptionKey | None) -> Vault | None:
    return None if encryption_key is None else Vault(encryption_key)


@contextmanager
def _memory(path: Location, vault: Vault | None) -> Iterator[SQLiteFolder]:
    """A memory that is there; a folder without one is not made into one."""
    from ..storage.folder import CATALOG, SQLiteFolder

    if not (Path(path) / CATALOG).is_file():
        raise StorageUnavailable(f"there is no memory in {path}: it has no {CATALOG}")
    folder = SQLiteFolder(path, keys=vault)
    try:
        yield folder
    finally:
        folder.close()
