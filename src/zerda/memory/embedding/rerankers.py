"""Rerankers on this machine, by name, as a configuration gives them: one line to add another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ..errors import ConfigError

if TYPE_CHECKING:
    from ..core.seams import Reranker


def reranker_named(name: str) -> Reranker | None:
    """The reranker of that name, None for "none". No model is loaded yet.

    Names: ``none``, ``late`` (token by token with MiniLM), ``folder:PATH`` (an ONNX cross-encoder),
    ``sentence-transformers:PATH``.

    Raises:
        ConfigError: for any other name; the message lists what would do.
        MissingExtra: for one whose packages are not installed.
    """
    if name in ("none", ""):
        return None
    beginning, colon, rest = name.partition(":")
    if (maker := RERANKERS.get(beginning + colon)) and bool(colon) == bool(rest):
        return maker(rest)
    raise ConfigError(
        f"no reranker is named {name!r}; these are: none, late, llm, folder:PATH, sentence-transformers:PATH"
    )


def _late(rest: str) -> Reranker:
    from .late_interaction import LateInteraction

    return LateInteraction()


def _folder(rest: str) -> Reranker:
    from .cross_encoder import CrossEncoder

    return CrossEncoder(rest)


def _sentence_transformers(rest: str) -> Reranker:
    from .cross_encoder import SentenceTransformersCrossEncoder

    return SentenceTransformersCrossEncoder(rest)


RERANKERS: Mapping[str, Callable[[str], Reranker]] = {
    "late": _late,
    "folder:": _folder,
    "sentence-transformers:": _sentence_transformers,
}
