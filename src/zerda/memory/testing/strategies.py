"""Hypothesis strategies for what people put into a memory, and for what hurts."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Any

from ..errors import MissingExtra

try:
    from hypothesis import strategies as st
except ImportError as error:
    raise MissingExtra("hypothesis", "testing") from error

from .clocks import START

VOCABULARY = ("kite", "kites", "red", "harbour", "tea", "Katze", "schläft", "кошка", "猫", "東京", "🙂", "?")
"""Few words, so that entries share them: some with stems, some in unspaced scripts, some that are none."""


def _joined(text: str) -> str:
    """The text with each pair of surrogates as the character that it stands for, as JSON reads it."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def texts(max_size: int = 60) -> st.SearchStrategy[str]:
    """Any text at all, lone surrogates and control characters among it."""
    return st.text(st.characters(), max_size=max_size).map(_joined)


def sentences() -> st.SearchStrategy[str]:
    """A few words of `VOCABULARY`."""
    return st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=5).map(" ".join)


def contents() -> st.SearchStrategy[str | dict[str, Any]]:
    """Texts, interactions, and the odd mapping."""
    said = st.one_of(sentences(), sentences(), texts())
    return st.one_of(
        said,
        st.fixed_dictionaries({"input": said, "output": said}),
        st.dictionaries(texts(5), json_values(), max_size=2),
    )


def json_values() -> st.SearchStrategy[Any]:
    """What JSON can hold, and what comes back from it unchanged."""
    numbers = st.integers() | st.floats(allow_nan=False).filter(math.isfinite)
    return st.recursive(
        st.none() | st.booleans() | numbers | texts(10),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts(5), inner, max_size=3),
        max_leaves=6,
    )


def moments(spread: timedelta = timedelta(hours=3)) -> st.SearchStrategy[datetime]:
    """Times about `START`, to the minute, so that some pauses are long and some are none."""
    minutes = int(spread.total_seconds() // 60)
    return st.integers(-minutes, minutes).map(lambda minute: START + timedelta(minutes=minute))
