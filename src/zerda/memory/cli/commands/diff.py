"""``zerda diff``: how one recall differs from another."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from zerda.memory import InvalidInput

from .. import render


class _Place(NamedTuple):
    """Where a memory stands in a recall."""

    rank: int
    score: float
    text: str


_file = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("before", metavar="A", type=_file)
@click.argument("after", metavar="B", type=_file)
@click.option("--json", "as_json", is_flag=True, help="Write JSON, a line for each difference.")
def command(before: Path, after: Path, as_json: bool) -> None:
    """Compare two recalls that `zerda recall --json` wrote into the files A and B.

    What came, what went, what moved; nothing on stdout where they are the same.
    """
    told = list(_differences(_read(before), _read(after)))
    for one in told:
        if as_json:
            render.write_json(one)
    if not as_json and told:
        render.write_table(("", "place", "score", "id", "what"), [_row(one) for one in told])
    if not told:
        render.note("they are the same")


def _read(path: Path) -> dict[str, _Place]:
    places: dict[str, _Place] = {}
    for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1):
        try:
            told: Any = json.loads(line)
            places[str(told["entry"]["id"])] = _Place(
                len(places) + 1, float(told["score"]), str(told["text"])
            )
        except (ValueError, TypeError, KeyError, RecursionError):
            raise InvalidInput(f"{path}, line {number} is no hit of zerda recall --json") from None
    return places


def _differences(before: dict[str, _Place], after: dict[str, _Place]) -> Iterator[dict[str, Any]]:
    """In the order of the second recall; what went stands behind."""
    for entry_id in (*after, *(one for one in before if one not in after)):
        old, new = before.get(entry_id), after.get(entry_id)
        if old is None or new is None or (old.rank, round(old.score, 3)) != (new.rank, round(new.score, 3)):
            change = "came" if old is None else "went" if new is None else "moved"
            yield {
                "change": change,
                "id": entry_id,
                "rank": [old and old.rank, new and new.rank],
                "score": [old and old.score, new and new.score],
                "text": (new or old or _Place(0, 0, "")).text,
            }


def _row(one: dict[str, Any]) -> tuple[str, ...]:
    ranks = [f"{rank}" if rank else "–" for rank in one["rank"]]
    scores = [f"{score:.2f}" if score is not None else "–" for score in one["score"]]
    return one["change"], " → ".join(ranks), " → ".join(scores), one["id"], one["text"]
