"""Hard questions in five styles and three languages, beside plain full-text search and meaning alone."""

from __future__ import annotations

from statistics import fmean

import pytest
from made_conversations import STYLES, made

from zerda.memory.bench.measures import share_at
from zerda.memory.bench.rows import rows
from zerda.memory.bench.table import run


@pytest.fixture(scope="module")
def found() -> dict[str, dict[str, float]]:
    """R@10 in per cent of each row, over all, by kind of question, and by style."""
    told = list(made())
    table: dict[str, dict[str, list[float]]] = {}
    for name, row in rows("static").items():
        for conversation, answers in zip(told, run(name, row, told).answers, strict=True):
            for answer in answers:
                for group in ("all", answer.category, conversation.name.split()[0]):
                    table.setdefault(name, {}).setdefault(group, []).append(100 * share_at(answer, 10))
    return {name: {group: fmean(one) for group, one in groups.items()} for name, groups in table.items()}


def test_ours_is_far_above_either_way_alone(found: dict[str, dict[str, float]]) -> None:
    assert found["ours"]["all"] > found["plain FTS5"]["all"] + 20
    assert found["ours"]["all"] > found["meaning alone"]["all"] + 15


@pytest.mark.parametrize("style", STYLES)
def test_in_no_style_it_is_below_the_better_one(found: dict[str, dict[str, float]], style: str) -> None:
    assert found["ours"][style] >= max(found["plain FTS5"][style], found["meaning alone"][style])


def test_inference_needs_meaning_and_neighbours_of_words_do_not_bury_it(
    found: dict[str, dict[str, float]],
) -> None:
    assert found["ours"]["inference"] > found["meaning alone"]["inference"] + 10


def test_of_two_hops_it_finds_about_what_plain_search_finds(found: dict[str, dict[str, float]]) -> None:
    assert found["ours"]["multi-hop"] > found["plain FTS5"]["multi-hop"] - 5
    assert found["ours, words alone"]["multi-hop"] > found["plain FTS5"]["multi-hop"] - 5
