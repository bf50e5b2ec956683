"""The group of commands: each is loaded when it is called, and errors become exit codes here."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

import click

from zerda.memory import ZerdaError, __version__

from . import render
from .exits import INTERRUPTED, OK, exit_code

COMMANDS: Mapping[str, str] = {
    "demo": "demo",
    "import": "import_file",
    "export": "export",
    "recall": "recall",
    "why": "why",
    "diff": "diff",
    "context": "context",
    "prompt": "prompt",
    "list": "list_entries",
    "show": "show",
    "entities": "entities",
    "forget": "forget",
    "mask": "mask",
    "review": "review",
    "quarantine": "quarantine",
    "release": "release",
    "since": "since",
    "reindex": "reindex",
    "stats": "stats",
    "chat": "chat",
    "mcp": "mcp",
    "worker": "worker",
    "migrate-storage": "migrate_storage",
    "backup": "backup",
    "restore": "restore",
    "doctor": "doctor",
    "encryption": "encryption",
    "serve": "serve",
    "ui": "ui",
    "keys": "keys",
    "bench": "bench",
}
"""Each command with its module in `commands`, which calls it ``command``; in the order of the help."""


class Commands(click.Group):
    """Loads a command when it is named; tells errors in a line and by exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f".commands.{COMMANDS[cmd_name]}", __package__)
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader who has heard enough (`zerda list | head`) is no error."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            _let_go_of_stdout()
            return OK
        return result

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run; return the exit code, or leave the process with it in standalone mode."""
        code = self._exit_code(args, prog_name, complete_var, extra)
        if standalone_mode:
            sys.exit(code)
        return code

    def _exit_code(
        self,
        args: Sequence[str] | None,
        prog_name: str | None,
        complete_var: str | None,
        extra: Mapping[str, Any],
    ) -> int:
        render.prepare_streams()
        try:
            code = super().main(args, prog_name, complete_var, False, **extra)
        except click.Abort:
            render.complain("interrupted")
            return INTERRUPTED
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            return error.exit_code
        except click.ClickException as error:
            render.complain(_with_hint(error))
            return error.exit_code
        except (ZerdaError, OSError) as error:
            render.complain(str(error))
            return exit_code(error)
        return code if isinstance(code, int) else OK


def _with_hint(error: click.ClickException) -> str:
    """What is wrong with the command line, and where help is."""
    if isinstance(error, click.UsageError) and error.ctx is not None:
        return f"{error.format_message()} (see {error.ctx.command_path} --help)"
    return error.format_message()


def _let_go_of_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush meets no broken pipe."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="%(version)s")
def zerda() -> None:
    """Memory for LLM applications: keeps what was said and finds it again.

    Entries live in ./memory_storage, or where --path or ZERDA_PATH says.
    """
