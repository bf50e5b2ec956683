"""Names are masked where an analyzer finds them, behind the same seam as all other kinds."""

import re
import sys
from dataclasses import dataclass
from typing import Any

import pytest

from zerda.memory.errors import ConfigError, MissingExtra
from zerda.memory.security.names import name_recognizers
from zerda.memory.security.policy import MaskingPolicy


@dataclass
class Found:
    entity_type: str
    start: int
    end: int
    score: float = 0.85


class Listed:
    """An analyzer that knows a few names."""

    def __init__(self, score: float = 0.85) -> None:
        self.texts: list[str] = []
        self.score = score

    def analyze(self, text: str, language: str, entities: Any = None) -> list[Found]:
        self.texts.append(text)
        people = [Found("PERSON", *one.span(), self.score) for one in re.finditer("Anna Berg|anna", text)]
        return people + [Found("LOCATION", *one.span()) for one in re.finditer("Lyon", text)]


def test_people_and_places_get_placeholders() -> None:
    masker = MaskingPolicy(recognizers=name_recognizers(Listed())).masker()
    assert masker is not None
    text, counts = masker.mask("Anna Berg (anna@example.com) moved to Lyon; Anna Berg is well.")
    assert text == "[PERSON_1] ([EMAIL_1]) moved to [LOCATION_1]; [PERSON_1] is well."
    assert counts == {"EMAIL": 1, "PERSON": 2, "LOCATION": 1}
    assert masker.mask(text) == (text, {})


def test_a_text_is_read_once_for_all_kinds() -> None:
    analyzer = Listed()
    masker = MaskingPolicy(recognizers=name_recognizers(analyzer)).masker()
    assert masker is not None
    masker.find("Anna Berg in Lyon")
    assert analyzer.texts == ["Anna Berg in Lyon"]


def test_a_doubtful_name_stays() -> None:
    masker = MaskingPolicy(recognizers=name_recognizers(Listed(score=0.3))).masker()
    assert masker is not None
    assert masker.mask("Anna Berg in Lyon")[0] == "Anna Berg in [LOCATION_1]"


def test_a_kind_of_names_may_be_let_through() -> None:
    masker = MaskingPolicy(recognizers=name_recognizers(Listed()), let_through=["LOCATION"]).masker()
    assert masker is not None
    assert masker.mask("Anna Berg in Lyon")[0] == "[PERSON_1] in Lyon"


def test_what_is_lacking_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    with pytest.raises(MissingExtra, match=r"zerda-memory\[names\]"):
        name_recognizers()
    with pytest.raises(ConfigError, match="sure is 2"):
        name_recognizers(Listed(), sure=2)
