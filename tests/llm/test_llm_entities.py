"""Names found by a model; one that fails leaves what the rules find."""

from __future__ import annotations

import logging

import pytest

from zerda.memory.core.rules.entities import extract
from zerda.memory.llm.entities import LLMExtractor
from zerda.memory.testing import ScriptedLLM

TEXT = "Quillon was late. My sister Ana was not."


def test_a_model_adds_what_the_rules_do_not_see() -> None:
    found = LLMExtractor(ScriptedLLM(["Quillon | person\nAna | person\nQuillon | knows | Ana"])).extract(TEXT)
    assert {one.name: (one.type, one.count) for one in found.mentions} == {
        "Quillon": ("person", 1), "Ana": ("person", 1),
    }  # fmt: skip
    assert [(one.subject, one.relation, one.object) for one in found.ties] == [("quillon", "knows", "ana")]


def test_a_name_that_is_not_in_the_text_is_not_taken() -> None:
    found = LLMExtractor(ScriptedLLM(["Napoleon | person\nAna | person\nAna | knows | Napoleon"])).extract(
        TEXT
    )
    assert {one.name for one in found.mentions} == {"Ana"}
    assert found.ties == ()


@pytest.mark.parametrize("answer", ["I would say that there are several names.", "", "||", ValueError("x")])
def test_a_model_that_fails_or_babbles_leaves_the_rules_and_is_reported(
    answer: str | Exception, caplog: pytest.LogCaptureFixture
) -> None:
    extractor = LLMExtractor(ScriptedLLM([answer, "NONE"]))
    with caplog.at_level(logging.WARNING):
        assert extractor.extract(TEXT) == extract(TEXT)
    assert extractor.last_error is not None
    assert "by rules alone" in caplog.text
    assert "Quillon" not in caplog.text + str(extractor.last_error)
    extractor.extract(TEXT)
    assert extractor.last_error is None


def test_nothing_is_asked_about_nothing() -> None:
    llm = ScriptedLLM()
    assert LLMExtractor(llm).extract("  ").mentions == ()
    assert llm.prompts == []
