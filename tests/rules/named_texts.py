"""Sentences with what they name, and how well the rules find it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from zerda.memory.core.entities import Naming
from zerda.memory.core.rules.entities import extract
from zerda.memory.core.rules.naming import key_of

SETS = Path(__file__).parent / "names"


@dataclass(frozen=True)
class Case:
    """A text, the names in it with their types, and what it says of two of them; all by key."""

    text: str
    names: dict[str, str] = field(default_factory=dict)
    ties: frozenset[tuple[str, str, str]] = frozenset()


def cases(which: str) -> list[Case]:
    """The cases of ``tuned`` or ``held_out``."""
    lines = [line for line in (SETS / f"{which}.txt").read_text("utf-8").splitlines() if line[:1] != "#"]
    return list(_cases(lines))


def _cases(lines: list[str]) -> Iterator[Case]:
    for block in "\n".join(lines).strip().split("\n\n"):
        text, *told = block.splitlines()
        names: dict[str, str] = {}
        ties: set[tuple[str, str, str]] = set()
        for line in told:
            mark, items = line.strip()[0], line.strip()[1:].split(";")
            for item in items:
                if mark == "+":
                    name, kind = item.rsplit("=", 1)
                    names[key_of(name)] = kind.strip()
                else:
                    a, how, b = item.split(">")
                    ties.add((key_of(a), how.strip(), key_of(b)))
        yield Case(text, names, frozenset(ties))


@dataclass
class Score:
    """Right, found and true, of names, of names with their type, and of ties."""

    right: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    true: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def precision(self, what: str) -> float:
        return self.right[what] / max(1, self.found[what])

    def recall(self, what: str) -> float:
        return self.right[what] / max(1, self.true[what])


def score(given: list[Case]) -> Score:
    """How the rules do on these."""
    total = Score()
    for case in given:
        naming = extract(case.text)
        for what, true, found in _compared(case, naming):
            total.right[what] += len(true & found)
            total.found[what] += len(found)
            total.true[what] += len(true)
            if true != found:
                total.faults.append(
                    f"{what}: missed {sorted(true - found)}, wrong {sorted(found - true)}\n    {case.text}"
                )
    return total


def _compared(case: Case, naming: Naming) -> Iterator[tuple[str, set[object], set[object]]]:
    yield "names", {*case.names}, {one.key for one in naming.mentions}
    yield "types", {*case.names.items()}, {(one.key, one.type) for one in naming.mentions}
    yield "ties", {*case.ties}, {(one.subject, one.relation, one.object) for one in naming.ties}
