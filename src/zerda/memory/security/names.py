"""Names of people and places, found by a Presidio analyzer with a model of the caller's choice."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from zerda.memory.errors import ConfigError, MissingExtra

from .recognizers.base import SPOKEN_FOR, Group, Hit
from .recognizers.view import View

KINDS: Mapping[str, str] = {"PERSON": "PERSON", "LOCATION": "LOCATION"}
"""What Presidio calls them, and what the placeholders do."""

SURE = 0.5
"""Presidio's score from which a name counts; its spaCy recognizer gives 0.85 to whatever the model says."""

_RANK = SPOKEN_FOR - 20  # Whatever has a form of its own wins: a model sees names in keys and numbers.


class Analyzer(Protocol):
    """What is needed of `presidio_analyzer.AnalyzerEngine`."""

    def analyze(self, text: str, language: str, entities: Any = None) -> Sequence[Any]:
        """Results with ``entity_type``, ``start``, ``end`` and ``score``."""
        ...


class _Latest:
    """The last text of each thread with what was found in it: one reading serves all kinds."""

    def __init__(self, analyzer: Analyzer, language: str, kinds: Sequence[str]) -> None:
        self._analyzer, self._language, self._kinds = analyzer, language, list(kinds)
        self._kept = threading.local()

    def read(self, text: str) -> Sequence[Any]:
        if getattr(self._kept, "text", None) != text:
            self._kept.found = self._analyzer.analyze(text, self._language, self._kinds)
            self._kept.text = text
        found: Sequence[Any] = self._kept.found
        return found


@dataclass(frozen=True, slots=True)
class _Names:
    kind: str
    called: str
    sure: float
    latest: _Latest = field(repr=False)
    group: Group = "personal"

    def find(self, view: View) -> Iterator[Hit]:
        for one in self.latest.read(view.text):
            written = view.text[one.start : one.end]
            if one.entity_type == self.called and one.score >= self.sure and "\uffff" not in written:
                yield Hit(one.start, one.end, _RANK + one.score, self.kind)


def name_recognizers(
    analyzer: Analyzer | None = None, *, language: str = "en", model: str | None = None, sure: float = SURE
) -> tuple[_Names, ...]:
    """Recognizers of names for ``MaskingPolicy(recognizers=…)``: ``PERSON`` and ``LOCATION``.

    Names have no form: how many are found is the model's merit, and words that are no names are masked
    too. A text is read once for both kinds, in tens of milliseconds instead of a fraction of one.

    Args:
        analyzer: a `presidio_analyzer.AnalyzerEngine`; None makes one (extra ``names``).
        language: of the texts; an analyzer reads one at a time.
        model: the spaCy package that it reads with; None is spaCy's small one of the language. It has to be
            installed: nothing is downloaded.
        sure: score from which a name counts, 0 to 1.
    """
    if not 0 <= sure <= 1:
        raise ConfigError(f"sure is {sure!r}; it runs from 0 to 1")
    latest = _Latest(analyzer or _engine(language, model), language, tuple(KINDS))
    return tuple(_Names(kind, called, sure, latest) for called, kind in KINDS.items())


MODELS: Mapping[str, str] = {
    "en": "en_core_web_sm", "de": "de_core_news_sm", "fr": "fr_core_news_sm", "es": "es_core_news_sm",
    "it": "it_core_news_sm", "pt": "pt_core_news_sm", "nl": "nl_core_news_sm", "pl": "pl_core_news_sm",
}  # fmt: skip
"""spaCy's small models, by language."""


def _engine(language: str, model: str | None) -> Analyzer:
    try:
        import spacy.util
        from presidio_analyzer import AnalyzerEngine
        from presidio_analyzer.nlp_engine import NlpEngineProvider
    except ImportError as error:
        raise MissingExtra("presidio-analyzer", "names") from error
    model = model or MODELS.get(language)
    if model is None:
        raise ConfigError(f"language is {language!r}; known are {', '.join(MODELS)}; or give an analyzer")
    if not spacy.util.is_package(model):  # Presidio would download it.
        raise ConfigError(f"the spaCy model {model} is not installed; install its wheel, or give an analyzer")
    told = {"nlp_engine_name": "spacy", "models": [{"lang_code": language, "model_name": model}]}
    engine = NlpEngineProvider(nlp_configuration=told).create_engine()
    analyzer: Analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=[language])
    return analyzer
