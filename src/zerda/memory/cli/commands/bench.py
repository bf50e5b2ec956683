"""``zerda bench``: measure what a recall finds, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

import click

from .. import render

Item = TypeVar("Item")


@click.group()
def command() -> None:
    """Measure what a recall finds, and what it costs."""


@command.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--embedder", default="auto", show_default=True, metavar="NAME")
@click.option("--conversations", type=click.IntRange(1), help="Only so many of them, from the first on.")
@click.option("--row", "wanted", multiple=True, metavar="NAME", help="Only this row; may be repeated.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON, a line for each row.")
def locomo(
    file: Path, embedder: str, conversations: int | None, wanted: tuple[str, ...], as_json: bool
) -> None:
    """Ask LoCoMo's questions; each conversation is a memory of its own.

    The figures are shares of the evidence found (categories 1 to 4), in per cent: R@k among the first k.
    """
    from zerda.memory.bench import locomo as data
    from zerda.memory.bench.locomo_table import figures
    from zerda.memory.bench.rows import rows

    told = list(data.conversations(file))[:conversations]
    table = {name: row for name, row in rows(embedder).items() if not wanted or name in wanted}
    with render.progress("asking", len(told) * len(table)) as (bar, task):
        found = [figures(name, row, told, done=lambda: bar.advance(task)) for name, row in table.items()]
    if as_json:
        for one in found:
            render.write_json(asdict(one))
        return
    names = list(found[0].means)
    categories = [f"c{name} R@10" for name in found[0].categories]
    render.write_table(
        ["row", *names, *categories, "95 % of R@10", "first / second half", "ms p50 / p95"],
        [
            [
                one.row,
                *(f"{one.means[name]:.1f}" for name in names),
                *(f"{value:.1f}" for value in one.categories.values()),
                "{:.1f} to {:.1f}".format(*one.interval),
                " / ".join(f"{value:.1f}" for value in one.halves.values()),
                "{:.1f} / {:.1f}".format(*one.milliseconds),
            ]
            for one in found
        ],
    )


@command.command()
@click.option("--sizes", default="1000,10000,100000", show_default=True, help="Numbers of entries.")
@click.option("--embedders", default="none,auto", show_default=True, help="Embedding models.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON, a line for each row.")
def speed(sizes: str, embedders: str, as_json: bool) -> None:
    """Save and recall at several sizes; CPU time, so compare the rows of one run with each other."""
    from zerda.memory.bench.speed import import_milliseconds, measure

    numbers = [int(size) for size in sizes.split(",")]
    names = embedders.split(",")
    with render.progress("measuring", len(numbers) * len(names)) as (bar, task):
        found = list(_each(measure(numbers, names), lambda: bar.advance(task)))
    starting = import_milliseconds()
    if as_json:
        for one in found:
            render.write_json(asdict(one) | {"import_ms": starting})
        return
    base = found[0]
    render.write_table(
        ["entries", "embedder", "imported/s", "save ms p50 / p95", "recall ms p50 / p95", "of the first row",
         "rows read", "memory B", "disk B", "open ms"],
        [
            [
                f"{one.entries:,}",
                one.embedder,
                f"{one.import_per_second:,.0f}",
                f"{one.save.p50:.2f} / {one.save.p95:.2f}",
                f"{one.recall.p50:.1f} / {one.recall.p95:.1f}",
                f"{one.recall.p50 / base.recall.p50:.1f}x",
                f"{one.rows_per_recall:.0f}",
                f"{one.bytes_of_memory_per_entry:,.0f}",
                f"{one.bytes_on_disk_per_entry:,.0f}",
                f"{one.open_and_first_recall_ms:.0f}",
            ]
            for one in found
        ],
    )  # fmt: skip
    render.note(f"importing zerda.memory takes {starting:.0f} ms more than starting Python")


def _each(items: Iterable[Item], done: Callable[[], object]) -> Iterator[Item]:
    for item in items:
        yield item
        done()
