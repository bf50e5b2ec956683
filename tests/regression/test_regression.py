"""What our own conversations give must not fall below what was recorded: README.md here says how."""

import json
from collections import Counter

import pytest
from regression_set import ASKER, EMBEDDERS, FLOOR, Found, ask_all, measured, questions, sizes, turns

FLOORS = json.loads(FLOOR.read_text("utf-8"))
LANGUAGES = {"en", "de", "es", "fr", "ja"}


@pytest.fixture(scope="module", params=EMBEDDERS)
def asked(request: pytest.FixtureRequest) -> tuple[str, list[Found]]:
    return request.param, ask_all(request.param)


@pytest.mark.parametrize("measure", ["R@5", "R@10", "floor of relevance"])
def test_no_group_of_questions_falls_below_its_floor(asked: tuple[str, list[Found]], measure: str) -> None:
    embedder, found = asked
    figures, floors = measured(found)[measure], FLOORS[embedder][measure]
    assert figures.keys() == floors.keys()
    fallen = {group: (value, floors[group]) for group, value in figures.items() if value < floors[group]}
    assert fallen == {}, "measured, and the floor, of each group that fell"


def test_meaning_adds_to_words() -> None:
    assert FLOORS["auto"]["R@10"]["all"] > FLOORS["none"]["R@10"]["all"]


def test_the_set_is_what_its_readme_says() -> None:
    said, asked = turns(), questions()
    ids = [note.id for note in said]
    assert len(set(ids)) == len(ids) == 301
    assert {question.language for question in asked} == LANGUAGES
    assert Counter(bool(question.evidence) for question in asked) == {True: 116, False: 20}
    assert all(question.evidence <= set(ids) for question in asked)
    assert all((question.category == "nothing") == (not question.evidence) for question in asked)
    assert len({question.text for question in asked}) == len(asked)
    assert min(sizes().values()) >= 8
    assert ASKER[0] not in {note.speaker for note in said}
