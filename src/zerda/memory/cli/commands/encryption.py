"""``zerda encryption``: how a memory is encrypted, and changes of it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from dataclasses import asdict

import click

from zerda.memory import ConfigError, key_from_file

from .. import render
from ..options import PASSPHRASE, Call, explicit, memory_command

NEW_PASSPHRASE = "ZERDA_NEW_ENCRYPTION_KEY"


@click.group()
def command() -> None:
    """See how a memory is encrypted, and change its keys.

    The key comes from --key-file, or as a passphrase from ZERDA_ENCRYPTION_KEY. A change that was cut
    short is brought to its end by `zerda encryption resume`.
    """


@command.command()
@memory_command
def status(call: Call) -> None:
    """Tell how the memory is encrypted; no key is needed."""
    from zerda.memory import key_status

    told = asdict(key_status(call.settings().persistence_path))
    if call.json:
        render.write_json(told)
    else:
        render.write_table(("", ""), render.flattened(told))


@command.command()
@click.argument("file", type=click.Path(exists=False, dir_okay=False))
def new(file: str) -> None:
    """Write a new random key into FILE, which only you can read. Keep a copy: nothing replaces it."""
    with open(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w") as target:
        target.write(secrets.token_hex(32) + "\n")


@command.command()
@click.option("--hide-ids", is_flag=True, help="Pseudonyms in file names and zerda.db.")
@memory_command
def encrypt(call: Call, hide_ids: bool) -> None:
    """Encrypt a plain memory."""
    from zerda.memory import encrypt_memory

    encrypt_memory(call.settings().persistence_path, _key(call), hide_ids=hide_ids)


@command.command()
@memory_command
def rotate(call: Call) -> None:
    """Give the tenant that --tenant names a new key."""
    from zerda.memory import rotate_tenant_key

    tenant = _tenant(call)
    rotate_tenant_key(call.settings().persistence_path, _key(call), tenant)


@command.command("rotate-root")
@click.option("--new-key-file", metavar="FILE", help=f"The new key; or its passphrase in {NEW_PASSPHRASE}.")
@memory_command
def rotate_root(call: Call, new_key_file: str | None) -> None:
    """Give the memory another root key."""
    from zerda.memory import rotate_root_key

    new_key = key_from_file(new_key_file) if new_key_file else os.environ.get(NEW_PASSPHRASE)
    if not new_key:
        raise ConfigError(f"there is no new key; give --new-key-file, or set {NEW_PASSPHRASE}")
    rotate_root_key(call.settings().persistence_path, _key(call), new_key)


@command.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@memory_command
def destroy(call: Call, yes: bool) -> None:
    """Destroy the key and the file of the tenant that --tenant names, for ever."""
    from zerda.memory import destroy_tenant

    tenant = _tenant(call)
    if not yes:
        click.confirm(f"Destroy all that tenant {render.clean(tenant)} has, for ever?", abort=True, err=True)
    destroy_tenant(call.settings().persistence_path, _key(call), tenant)


@command.command()
@memory_command
def resume(call: Call) -> None:
    """Bring to their end changes that were cut short."""
    from zerda.memory import resume_key_changes

    ended = resume_key_changes(call.settings().persistence_path, call.key)
    render.note(f"{ended} changes were brought to their end")


def _key(call: Call) -> str | bytes | Callable[[], str | bytes]:
    if (key := call.key) is None:
        raise ConfigError(f"there is no encryption key; give --key-file or --keyring, or set {PASSPHRASE}")
    return key


def _tenant(call: Call) -> str:
    if not explicit("tenant"):
        raise ConfigError("which tenant? name it with --tenant")
    return call.tenant
