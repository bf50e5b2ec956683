"""Any endpoint that speaks OpenAI's ``/embeddings``: Ollama, llama.cpp, vLLM, LM Studio, providers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.rules.chunking import CHUNK_WORDS
from ..errors import ConfigError, EmbeddingError
from ..http import Endpoint, Pace
from .preparing import Prefixes, checked_rows, fingerprint_of, unit_rows, windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.model import Role

BATCH_SIZE = 64
PROBE = "How many numbers has a vector of yours?"


class OpenAIEmbedder:
    """Embeds through an endpoint. Each text that it is given leaves this machine for ``base_url``.

    ``base_url`` is the part before ``/embeddings``; without a path, ``/v1`` is meant. A call fails within
    about ``timeout_seconds`` for each batch, all tries included; after repeated failures at once
    (`Pace`). Nothing is asked before the first text, except that ``dimensions`` asks if it is not known.
    Servers cut long texts silently, so a text of more than ``max_words`` is embedded in pieces.

    Args:
        dimensions: asked of the server, for models that can shorten their vectors.
        revision: part of the fingerprint. A server may change its weights under one model name; nothing
            else can tell.

    Raises:
        EmbeddingError: in ``embed`` and ``dimensions``, for every failure and every unusable answer.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api_key: str | None = None,
        timeout_seconds: float = 10.0,
        query_prefix: str = "",
        passage_prefix: str = "",
        dimensions: int | None = None,
        revision: str = "",
        batch_size: int = BATCH_SIZE,
        max_words: int = CHUNK_WORDS,
        pace: Pace | None = None,
    ) -> None:
        if not model:
            raise ConfigError("the model of an embedding endpoint is ''; name one that it serves")
        if batch_size < 1 or max_words < 1:
            raise ConfigError(f"batch_size is {batch_size}, max_words {max_words}; both are at least 1")
        self._endpoint = Endpoint(
            base_url, error=EmbeddingError, api_key=api_key, timeout_seconds=timeout_seconds, pace=pace
        )
        self._model = model
        self._prefixes = Prefixes(query_prefix, passage_prefix)
        self._asked = dimensions
        self._revision = revision
        self._batch_size = batch_size
        self._max_words = max_words
        self._learnt = dimensions

    @property
    def fingerprint(self) -> str:
        facts = {
            "dimensions": self._asked,
            "prefixes": [self._prefixes.query, self._prefixes.passage],
            "revision": self._revision,
        }
        return fingerprint_of(f"openai:{self._model}", facts)

    @property
    def dimensions(self) -> int:
        return self._learnt or self._ask([PROBE]).shape[1]

    @property
    def fast(self) -> bool:
        return False

    @property
    def max_words(self) -> int:
        return self._max_words

    def embed(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        cut = windows(texts, self._max_words)
        if not cut.pieces:
            return np.zeros((len(texts), self.dimensions if texts else self._learnt or 0), dtype=np.float32)
        pieces = [self._prefixes.before(piece, role) for piece in cut.pieces]
        batches = [pieces[at : at + self._batch_size] for at in range(0, len(pieces), self._batch_size)]
        return cut.joined(unit_rows(np.concatenate([self._ask(batch) for batch in batches])))

    def _ask(self, texts: list[str]) -> NDArray[np.float32]:
        body: dict[str, Any] = {"model": self._model, "input": texts, "encoding_format": "float"}
        if self._asked:
            body["dimensions"] = self._asked
        answer = self._endpoint.post("/embeddings", body)
        who = f"the model {self._model} at {self._endpoint.where}"
        rows = checked_rows(_vectors(answer, who), len(texts), self._learnt, who)
        self._learnt = rows.shape[1]
        return rows


def _vectors(answer: Any, who: str) -> list[Any]:
    """The vectors of an answer, in the order of the texts."""
    items = answer.get("data") if isinstance(answer, Mapping) else None
    if not isinstance(items, list) or not all(isinstance(item, Mapping) for item in items):
        raise EmbeddingError(f"{who} answered with JSON that holds no list of embeddings")
    numbers = [item.get("index", place) for place, item in enumerate(items)]
    if set(map(type, numbers)) - {int} or sorted(numbers) != list(range(len(items))):
        raise EmbeddingError(f"{who} numbered its {len(items)} vectors in a way that cannot be followed")
    ordered = dict(zip(numbers, items, strict=True))
    return [ordered[number].get("embedding") for number in range(len(items))]
