"""A table's rows as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zerda.memory import MissingExtra

from .table import Figures


def draw(found: Sequence[Figures], path: Path) -> None:
    """Write a PNG: a bar for each row's main measure, with its 95 % interval."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("matplotlib", "bench") from error
    picture = Figure(figsize=(8, 1 + 0.5 * len(found)), layout="constrained")
    axes = picture.add_subplot()
    rows = list(reversed(found))
    values = [row.means[row.main] for row in rows]
    spread = [
        [value - row.interval[0] for value, row in zip(values, rows, strict=True)],
        [row.interval[1] - value for value, row in zip(values, rows, strict=True)],
    ]
    axes.barh([row.row for row in rows], values, xerr=spread, color="#c8874a", ecolor="#5a4632", capsize=3)
    axes.set_xlim(0, 100)
    axes.set_xlabel(f"{found[0].main}, % (95 % interval)")
    picture.savefig(path, format="png", dpi=150)
