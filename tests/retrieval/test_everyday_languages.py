"""Everyday questions in ten languages; `everyday_languages` holds them."""

import pytest
from everyday_languages import ANSWERS, ASKED, KINDS, SAID

from zerda.memory import AIMemoryManager, MemoryConfig

LOOKED_AT = 3  # Of what has changed, both versions shall be among so many; elsewhere the first is meant.


@pytest.fixture(scope="module", params=["none", "static"])
def answered(request: pytest.FixtureRequest) -> dict[tuple[str, str], bool]:
    """Whether the answer came first, by language and kind."""
    return {
        (language, kind): right
        for language in SAID
        for kind, right in zip(KINDS, answers(language, request.param), strict=True)
    }


def answers(language: str, embedder: str) -> list[bool]:
    with AIMemoryManager(MemoryConfig(enable_persistence=False, embedding_model=embedder)) as memory:
        ids = [entry.id for entry in memory.remember_many("ann", "acme", SAID[language])]
        found = [
            [ids.index(hit.entry.id) for hit in memory.recall("ann", "acme", q)] for q in ASKED[language]
        ]
    return [
        wanted <= set(places[: 1 if len(wanted) == 1 else LOOKED_AT])
        for places, wanted in zip(found, ANSWERS, strict=True)
    ]


def test_nearly_all_are_answered(answered: dict[tuple[str, str], bool]) -> None:
    assert sum(answered.values()) >= 46, [case for case, right in answered.items() if not right]


@pytest.mark.parametrize("language", SAID)
def test_no_language_is_left_behind(answered: dict[tuple[str, str], bool], language: str) -> None:
    assert sum(answered[language, kind] for kind in KINDS) >= 3


@pytest.mark.parametrize("kind", KINDS)
def test_no_kind_of_question_is_left_behind(answered: dict[tuple[str, str], bool], kind: str) -> None:
    assert sum(answered[language, kind] for language in SAID) >= 8


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("Der Ersatzschlüssel liegt unter dem Topf.", "Wo ist der Schlüssel?"),
        ("Am Montag muss ich zum Zahnarzt.", "Wann ist der Zahnarzttermin?"),
        ("Wir fuhren mit dem Schiff auf der Donau.", "Wo war die Donaudampfschifffahrt?"),
        ("De kinderfiets staat in de schuur.", "Waar is de fiets?"),
    ],
)
def test_compounds_and_their_parts_find_each_other(said: str, question: str) -> None:
    with AIMemoryManager(MemoryConfig(enable_persistence=False, embedding_model="none")) as memory:
        memory.remember_many("ann", "acme", [said, *SAID["de"][-2:], *SAID["en"]])
        assert [hit.text for hit in memory.recall("ann", "acme", question)][:1] == [said]
