"""Which sources are asked, and with which weights: one line each."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.rules.ranking import PRESETS, Weights
from ..core.seams import Source
from .sources import important, meaning, recent, words

FINDING: Mapping[str, Source] = {"words": words, "meaning": meaning}
"""What a recall asks: only what has to do with the question."""

ASSEMBLING: Mapping[str, Source] = {**FINDING, "recent": recent, "important": important}
"""What a context asks too: the last turns and what matters most compete for their place."""


def weights_for(fingerprint: str | None) -> Weights:
    """The weights that were measured for an embedder; cautious ones for any other, words' own for none."""
    if fingerprint is None:
        return PRESETS["words"]
    family = fingerprint.partition("/")[0]
    return next(
        (PRESETS[name] for key, name in _FAMILIES.items() if family.startswith(key)), PRESETS["generic"]
    )


_FAMILIES = {"zerda-static": "static", "all-MiniLM-L6-v2": "minilm"}
