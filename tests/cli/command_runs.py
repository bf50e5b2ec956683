"""What it is to run ``zerda``: the shapes that the fixtures here give to tests."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Ran:
    """What a run of the command wrote, and its exit code."""

    code: int
    out: str
    err: str

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def record(self) -> dict[str, Any]:
        [record] = self.records
        return record


Run = Callable[..., Ran]
"""Takes arguments of the command, and as ``input`` what is typed."""

OnTerminal = Callable[..., tuple[str, int]]
"""The same before a person: what the terminal got, and the exit code."""
