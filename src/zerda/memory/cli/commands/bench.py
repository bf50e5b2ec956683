"""``zerda bench``: measure what a recall finds, and what it costs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, astuple
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .. import render
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory.bench.rows import Row
    from zerda.memory.bench.table import Figures, Measure
    from zerda.memory.bench.task import Conversation

Item = TypeVar("Item")


@click.group()
def command() -> None:
    """Measure what a recall finds, and what it costs."""


_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
_embedder = click.option("--embedder", default="auto", show_default=True, metavar="NAME")
_most = click.option(
    "--conversations", type=click.IntRange(1), help="Only so many of them, from the first on."
)
_row = click.option("--row", "wanted", multiple=True, metavar="NAME", help="Only this row; may be repeated.")
_storage = click.option("--storage", default="", metavar="URL", help="Keep ours on this PostgreSQL server.")
_reranker = click.option(
    "--reranker", default="none", metavar="NAME", help="Ours with the best hits judged anew, too."
)
_beside = click.option(
    "--beside",
    default="",
    metavar="NAMES",
    help="Other systems too, with the same embedder: chroma,langgraph,mem0,txtai, or installed.",
)
_json = click.option("--json", "as_json", is_flag=True, help="Write JSON, a line for each row.")
_baseline = click.option(
    "--baseline",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="An earlier run's JSON: tell what has changed since.",
)
_plot = click.option("--plot", type=click.Path(path_type=Path), help="Draw the rows into a PNG.")


@command.command()
@_file
@_embedder
@_most
@_row
@click.option("--ablation", is_flag=True, help="Ours without each step of the ranking, instead of the rows.")
@_storage
@_reranker
@_beside
@_json
@_baseline
@_plot
def locomo(
    file: Path,
    embedder: str,
    conversations: int | None,
    ablation: bool,
    storage: str,
    reranker: str,
    beside: str,
    **how: Any,
) -> None:
    """Ask LoCoMo's questions; each conversation is a memory of its own.

    The figures are shares of the evidence found (categories 1 to 4), in per cent: R@k among the first k.
    """
    from zerda.memory.bench import locomo as data
    from zerda.memory.bench import rows
    from zerda.memory.bench.others import beside as others

    told = list(data.conversations(file))[:conversations]
    table = rows.ablation(embedder, storage) if ablation else rows.rows(embedder, storage, reranker)
    _compare(told, {**table, **others(_names(beside), embedder)}, **how)


@command.command()
@_file
@_embedder
@_most
@_row
@click.option("--with-abstention", is_flag=True, help="Count questions that nothing answers too.")
@_json
@_baseline
@_plot
def longmemeval(
    file: Path, embedder: str, conversations: int | None, with_abstention: bool, **how: Any
) -> None:
    """Ask LongMemEval's questions, each of its own sessions.

    The figures are shares of the questions, in per cent: any, or all, of the sessions with the answer are
    among the first k different sessions found.
    """
    from zerda.memory.bench import longmemeval as data
    from zerda.memory.bench.measures import SESSION_MEASURES
    from zerda.memory.bench.rows import rows

    told = list(islice(data.conversations(file, with_abstention=with_abstention), conversations))
    _compare(told, rows(embedder), SESSION_MEASURES, "any session@5", **how)


@command.command()
@_file
@_row
@_beside
@_baseline
@_plot
@memory_command
def own(
    call: Call,
    file: Path,
    beside: str,
    wanted: tuple[str, ...],
    baseline: Path | None,
    plot: Path | None,
) -> None:
    """Ask your own memory your own questions.

    FILE holds a line of JSON for each: {"question": ..., "ids": [...]}, the entries that should be found.
    Plain full-text search and meaning alone are asked the same of the same entries, in a copy that is
    removed at the end.
    """
    from zerda.memory.bench import own as data
    from zerda.memory.bench.others import beside as others

    asked = data.questions(file)
    with call.open(making=False) as memory:
        told = data.conversation(memory, call.user, call.tenant, asked)
        table = data.rows(memory, call.user, call.tenant)
        table = {**table, **others(_names(beside), memory.config.embedding_model)}
        _compare([told], table, as_json=call.json, wanted=wanted, baseline=baseline, plot=plot)


@command.command()
@_file
@_embedder
@_most
@_json
def abstain(file: Path, embedder: str, conversations: int | None, as_json: bool) -> None:
    """Put LoCoMo's questions to the memory of another conversation: nothing should be found.

    And to their own, with the relevance floor and without: what does the floor cost?
    """
    from zerda.memory import MemoryConfig
    from zerda.memory.bench import locomo as data
    from zerda.memory.bench.abstain import abstention
    from zerda.memory.bench.rows import Ours

    told = list(data.conversations(file))[:conversations]
    table = {"ours, words alone": "none", "ours": embedder}
    with render.progress("asking", len(told) * len(table)) as (bar, task):
        found = [
            abstention(name, Ours(MemoryConfig(embedding_model=model)), told, done=lambda: bar.advance(task))
            for name, model in table.items()
        ]
    if as_json:
        for one in found:
            render.write_json(asdict(one))
        return
    render.write_table(
        ["row", "answered with nothing", "R@10 with the floor", "without", "precision of what passes"],
        [[one.row, *(f"{value:.1f}" for value in astuple(one)[1:])] for one in found],
    )


def _names(listed: str) -> list[str]:
    return [name.strip() for name in listed.split(",") if name.strip()]


def _compare(
    told: list[Conversation],
    table: Mapping[str, Row],
    measures: Mapping[str, Measure] | None = None,
    main: str = "R@10",
    *,
    wanted: tuple[str, ...],
    as_json: bool,
    baseline: Path | None,
    plot: Path | None,
) -> None:
    """Run the rows side by side, and show them."""
    from zerda.memory.bench.measures import MEASURES
    from zerda.memory.bench.table import figures, run

    chosen = {name: row for name, row in table.items() if not wanted or name in wanted}
    if not chosen:
        raise click.BadParameter(f"no row has that name; there are {', '.join(table)}", param_hint="--row")
    with render.progress("asking", len(told) * len(chosen)) as (bar, task):
        runs = [run(name, row, told, done=lambda: bar.advance(task)) for name, row in chosen.items()]
    found = [figures(one, runs[0], measures or MEASURES, main) for one in runs]
    _show(found, as_json=as_json, baseline=baseline)
    if plot is not None:
        from zerda.memory.bench.plot import draw

        draw(found, plot)


def _show(found: list[Figures], *, as_json: bool, baseline: Path | None) -> None:
    if as_json:
        for one in found:
            render.write_json(asdict(one))
        return
    names, main = list(found[0].means), found[0].main
    categories = [f"{main} {name}" for name in found[0].categories]
    figures = [f"95 % of {main}", "above the first row", "first / second half", "ms p50 / p95"]
    render.write_table(
        ["row", *names, *categories, *figures],
        [
            [
                one.row,
                *(f"{one.means[name]:.1f}" for name in names),
                *(f"{value:.1f}" for value in one.categories.values()),
                "{:.1f} to {:.1f}".format(*one.interval),
                "{:+.1f} to {:+.1f}".format(*one.above_first["all"]) if one.above_first else "",
                " / ".join(f"{value:.1f}" for value in one.halves.values()),
                "{:.1f} / {:.1f}".format(*one.milliseconds),
            ]
            for one in found
        ],
    )  # fmt: skip
    if baseline is not None:
        _show_changes(found, baseline)


def _show_changes(found: list[Figures], baseline: Path) -> None:
    """What each figure is above the same row's in an earlier run."""
    lines = [json.loads(line) for line in baseline.read_text("utf-8").splitlines() if line.strip()]
    before = {line["row"]: line["means"] for line in lines}
    names = list(found[0].means)
    render.write_table(
        ["since then", *names],
        [
            [one.row, *(f"{one.means[name] - before[one.row].get(name, 0.0):+.1f}" for name in names)]
            for one in found
            if one.row in before
        ],
    )


@command.command()
@click.option("--sizes", default="1000,10000,100000", show_default=True, help="Numbers of entries.")
@click.option("--size", type=click.IntRange(1), help="Only this number of entries.")
@click.option(
    "--beside", type=click.IntRange(0), default=0, help="Entries of another user in the same tenant."
)
@click.option("--embedders", default="none,auto", show_default=True, help="Embedding models.")
@click.option(
    "--texts",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Save the lines of this file; made up sentences where they are too few.",
)
@click.option("--json", "as_json", is_flag=True, help="Write JSON, a line for each row.")
def speed(
    sizes: str, size: int | None, beside: int, embedders: str, texts: Path | None, as_json: bool
) -> None:
    """Save and recall at several sizes; CPU time, so compare the rows of one run with each other."""
    from zerda.memory.bench.speed import import_milliseconds, measure

    numbers = [size] if size else [int(one) for one in sizes.split(",")]
    names = embedders.split(",")
    said = [line for line in texts.read_text("utf-8").splitlines() if line.strip()] if texts else []
    with render.progress("measuring", len(numbers) * len(names)) as (bar, task):
        measured = measure(numbers, names, beside=beside, texts=said)
        found = list(_each(measured, lambda: bar.advance(task)))
    starting = import_milliseconds()
    if as_json:
        for one in found:
            render.write_json(asdict(one) | {"import_ms": starting})
        return
    render.write_table(
        ["entries", "beside", "embedder", "imported/s", "save ms p50 / p95", "recall ms p50 / p95",
         "embedding ms", "rows read", "two-stage", "memory B", "disk B", "open ms"],
        [
            [
                f"{one.entries:,}",
                f"{one.beside:,}",
                one.embedder,
                f"{one.import_per_second:,.0f}",
                f"{one.save.p50:.2f} / {one.save.p95:.2f}",
                f"{one.recall.p50:.1f} / {one.recall.p95:.1f}",
                f"{one.embedding_ms:.2f}",
                f"{one.rows_per_recall:.0f}",
                "" if one.two_stage is None else f"{one.two_stage:.3f}",
                f"{one.bytes_of_memory_per_entry:,.0f}",
                f"{one.bytes_on_disk_per_entry:,.0f}",
                f"{one.open_and_first_recall_ms:.0f}",
            ]
            for one in found
        ],
    )  # fmt: skip
    render.note(f"importing zerda.memory takes {starting:.0f} ms more than starting Python")


@command.command()
@click.argument("storage", metavar="URL")
@click.option("--large", default=200_000, show_default=True, help="Entries of the large tenant.")
@click.option("--tenants", default=500, show_default=True, help="How many small tenants.")
@click.option("--small", default=200, show_default=True, help="Entries of each small tenant.")
@_embedder
@_json
def tenants(storage: str, large: int, tenants: int, small: int, embedder: str, as_json: bool) -> None:
    """One large tenant and many small ones on the PostgreSQL server at URL; they are cleared at the end."""
    from zerda.memory.bench.tenancy import measure

    with render.progress("measuring", 2) as (bar, task):
        found = list(_each(measure(storage, embedder, large, small, tenants), lambda: bar.advance(task)))
    if as_json:
        for one in found:
            render.write_json(asdict(one))
        return
    render.write_table(
        ["tenants", "entries of each", "imported/s", "recall ms p50 / p95", "server's CPU ms", "found"],
        [
            [
                f"{one.tenants:,}",
                f"{one.entries:,}",
                f"{one.imported_per_second:,.0f}",
                f"{one.call.p50:.1f} / {one.call.p95:.1f}",
                "" if one.server is None else f"{one.server:.1f}",
                f"{one.found:.1f} %",
            ]
            for one in found
        ],
    )  # fmt: skip


@command.command()
@click.option("--entries", default=100_000, show_default=True, help="Entries of the tenant.")
@click.option("--leaving", default=10_000, show_default=True, help="How many of them are erased.")
@click.option("--tenants", default=5_000, show_default=True, help="Tenants whose keys are wrapped anew.")
@_json
def trust(entries: int, leaving: int, tenants: int, as_json: bool) -> None:
    """What access, erasure, keys, maintenance and many calls at once cost, beside what they may."""
    from zerda.memory.bench.guarding import measure

    if not 0 < leaving < entries:
        raise click.UsageError(f"--leaving is {leaving}; it is at least 1 and below --entries, {entries}")
    rows = []
    for one in measure(entries, leaving, tenants):
        if as_json:
            render.write_json(asdict(one))
        rows.append([one.what, f"{one.value:,.2f} {one.unit}", f"{one.most:g} {one.unit}"])
    if not as_json:
        render.write_table(["what", "measured", "meant to stay below"], rows)


def _each(items: Iterable[Item], done: Callable[[], object]) -> Iterator[Item]:
    for item in items:
        yield item
        done()
