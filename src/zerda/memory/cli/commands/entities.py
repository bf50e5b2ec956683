"""``zerda entities``: whom and what the memory is about."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from .. import render
from ..options import Call, memory_command

if TYPE_CHECKING:
    from zerda.memory import Entity, Relation


@click.command("entities")
@click.argument("name", required=False)
@click.option("--type", "kind", help="Only these: person, place, organisation, product, title, date, other.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True, help="At most so many.")
@click.option("--depth", type=click.IntRange(1, 6), default=1, show_default=True, help="Steps from NAME.")
@memory_command
def command(call: Call, name: str | None, kind: str | None, limit: int, depth: int) -> None:
    """List whom and what the memory is about; with a NAME, how that has to do with others.

    Exits with 4 where nothing is known by that NAME.
    """
    with call.open(making=False) as memory:
        if name is None:
            found = memory.entities(call.user, call.tenant, type=kind, limit=limit)
            _show(call, found, [])
            return
        entity = memory.entity(call.user, call.tenant, name)
        _show(call, [entity], memory.related(call.user, call.tenant, name, depth=depth)[:limit])


def _show(call: Call, entities: list[Entity], relations: list[Relation]) -> None:
    if call.json:
        for record in [*map(asdict, entities), *map(asdict, relations)]:
            render.write_json(record)
        return
    columns = ("name", "type", "entries", "last (UTC)")
    render.write_table(columns, map(_row, entities))
    if relations:
        render.write_table(("subject", "relation", "object"), map(_said, relations))


def _row(entity: Entity) -> tuple[str, str, str, str]:
    return entity.name, entity.type, str(entity.entries), render.when(entity.last_at)


def _said(relation: Relation) -> tuple[str, str, str]:
    return relation.subject, relation.relation, relation.object
