"""The command ``zerda``. Importing this loads neither click nor rich."""

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from zerda.memory import MissingExtra

from .exits import MISSING_EXTRA


def main(args: Sequence[str] | None = None) -> int:
    """Run a command line (None: the process's own) and return its exit code, see `zerda.memory.cli.exits`."""
    for package in ("click", "rich"):
        if find_spec(package) is None:
            print(f"zerda: {MissingExtra(package, 'cli')}", file=sys.stderr)  # noqa: T201  # No click to print with.
            return MISSING_EXTRA
    from .app import zerda

    code: int = zerda.main(args, prog_name="zerda", standalone_mode=False)
    return code
