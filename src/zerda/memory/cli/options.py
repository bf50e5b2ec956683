"""The options that all commands share, and the memory that they open."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import click

from . import render

if TYPE_CHECKING:  # Help is shown without loading what it takes to remember.
    from zerda.memory import AIMemoryManager, MemoryConfig

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Call:
    """What the common options say: which memory, whose, and whether programs read the output."""

    path: str | None = None
    storage: str | None = None
    tenant: str = "local"
    user: str = "me"
    config: str | None = None
    embedder: str | None = None
    no_masking: bool = False
    key_file: str | None = None
    keyring: str | None = None
    json: bool = False

    def settings(self) -> MemoryConfig:
        """The configuration: of the file or the environment, changed by the options."""
        from zerda.memory import MemoryConfig

        base = MemoryConfig.from_file(self.config) if self.config else MemoryConfig.from_env(os.environ)
        return replace(
            base,
            persistence_path=base.persistence_path if self.path is None else self.path,
            storage=base.storage if self.storage is None else self.storage,
            embedding_model=base.embedding_model if self.embedder is None else self.embedder,
        )

    @property
    def key(self) -> str | bytes | Callable[[], str | bytes] | None:
        """The encryption key: of the key file or the keyring, else the passphrase in the environment."""
        from zerda.memory import ConfigError, key_from_file, key_from_keyring

        if self.keyring is not None:
            return key_from_keyring(self.keyring)
        if self.key_file is None:
            return os.environ.get(PASSPHRASE) or None
        folder = Path(self.settings().persistence_path).resolve()
        if folder in Path(self.key_file).resolve().parents:
            raise ConfigError(f"the key file {self.key_file} lies in the memory that it opens; keep it apart")
        return key_from_file(self.key_file)

    def open(self, *, making: bool = True) -> AIMemoryManager:
        """The memory; close it, or use it as a context manager.

        ``making`` False, for a command that is about what is kept already: where there is no memory, an
        empty one that keeps nothing.
        """
        from zerda.memory import AIMemoryManager

        render.show_warnings()
        settings = self.settings()
        kept_here = settings.enable_persistence and not settings.storage
        if not making and kept_here and not Path(settings.persistence_path, _CATALOG).is_file():
            render.note(f"there is no memory in {settings.persistence_path}")
            settings = replace(settings, enable_persistence=False)
        if self.no_masking:
            settings = replace(settings, mask_secrets=False)
        return AIMemoryManager(settings, encryption_key=self.key, enable_privacy_masking=not self.no_masking)


_CATALOG = "zerda.db"  # In every folder that is a memory.

TRUSTS = ("untrusted", "user", "owner", "system")
"""Degrees of trust that a recall may ask for."""

PASSPHRASE = (
    "ZERDA_ENCRYPTION_KEY"  # Only the environment: a command line is for all users of a machine to see.
)

_OPTIONS = [
    click.option("--path", envvar="ZERDA_PATH", show_envvar=True, help="Folder of the memory."),
    click.option("--storage", metavar="URL", help="PostgreSQL server that keeps the memory instead."),
    click.option("--tenant", envvar="ZERDA_TENANT", show_envvar=True, default="local", show_default=True),
    click.option("--user", envvar="ZERDA_USER", show_envvar=True, default="me", show_default=True),
    click.option("--config", metavar="FILE", help="TOML file with a table [memory]."),
    click.option("--embedder", metavar="NAME", help="Embedding model; 'none' finds by words alone."),
    click.option("--no-masking", is_flag=True, help="Keep personal data and secrets as they were said."),
    click.option(
        "--key-file",
        envvar="ZERDA_KEY_FILE",
        show_envvar=True,
        metavar="FILE",
        help=f"Key of an encrypted memory; or its passphrase in {PASSPHRASE}.",
    ),
    click.option(
        "--keyring",
        envvar="ZERDA_KEYRING",
        show_envvar=True,
        metavar="NAME",
        help="The name under which the system's keyring holds that key.",
    ),
    click.option("--json", is_flag=True, help="Write JSON; a list is a line for each."),
]


def memory_command(function: Callable[Concatenate[Call, P], R]) -> Callable[P, R]:
    """Give a command the common options, gathered into the `Call` that is its first argument."""

    @wraps(function)
    def gathered(*args: P.args, **kwargs: P.kwargs) -> R:
        values: dict[str, Any] = dict(kwargs)
        call = Call(**{field.name: values.pop(field.name) for field in fields(Call)})
        return function(call, *args, **values)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered


def explicit(name: str) -> bool:
    """Whether the user set an option of the running command, on the command line or in the environment."""
    source = click.get_current_context().get_parameter_source(name)
    return source in (click.core.ParameterSource.COMMANDLINE, click.core.ParameterSource.ENVIRONMENT)
