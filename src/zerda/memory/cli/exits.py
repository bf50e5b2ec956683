"""Exit codes: this table is the only place that knows them."""

from collections.abc import Mapping

from zerda.memory import EntryNotFound, MissingExtra, ZerdaError

OK = 0
FAILED = 1
USAGE = 2
MISSING_EXTRA = 3
NOT_FOUND = 4
INTERRUPTED = 130  # 128 + SIGINT, as shells say it.

EXITS: Mapping[type[Exception], int] = {
    MissingExtra: MISSING_EXTRA,
    EntryNotFound: NOT_FOUND,
    ZerdaError: FAILED,
    OSError: FAILED,
}


def exit_code(error: Exception) -> int:
    """The code of the nearest kind that the table names."""
    return next(EXITS[kind] for kind in type(error).__mro__ if kind in EXITS)
