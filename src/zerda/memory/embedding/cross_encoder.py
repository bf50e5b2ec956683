"""Cross-encoders: models that read question and hit together, from files that are here already."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module, util
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..after_fork import renew_in_child
from ..errors import ConfigError, EmbeddingError, MissingExtra
from .local import KNOWN_INPUTS, onnx_session, tokenizer_of
from .onnx_model import SentenceModel, sentence_model
from .preparing import Prefixes, sound

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.model import Hit

AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Any
    tokenizer: Any
    inputs: tuple[str, ...]


class CrossEncoder:
    """An ONNX cross-encoder of a folder: ``tokenizer.json`` and ``model.onnx`` (or ``onnx/model.onnx``).

    Its output is one logit for each pair (or two, the second for "relevant"), as exports of
    ms-marco-MiniLM or bge-reranker give. Needs the extra ``[local]``; nothing is downloaded. Files are read
    at first use. What is longer than the model reads is cut off, the hit's end first. Keeps
    `zerda.memory.Reranker`.

    Raises:
        ConfigError: the folder holds no such model.
        EmbeddingError: at first use, if a file is damaged or gives something else.
    """

    def __init__(
        self, path: str | Path, *, share: float = 1.0, max_tokens: int | None = None, threads: int = 1
    ) -> None:
        for package in ("onnxruntime", "tokenizers"):
            if util.find_spec(package) is None:
                raise MissingExtra(package, "local")
        self.share = share
        self._model: SentenceModel = sentence_model(
            Path(path), pooling="mean", prefixes=Prefixes(), max_tokens=max_tokens
        )
        self._threads = threads
        self._loaded: _Loaded | None = None
        self._loading = threading.Lock()
        renew_in_child(self)

    def judge(self, question: str, hits: Sequence[Hit]) -> list[float]:
        """The model's logit for each hit."""
        loaded = self._load()
        asked = sound(question)
        pairs = [loaded.tokenizer.encode(asked, sound(hit.text)) for hit in hits]
        batches = (pairs[start : start + AT_ONCE] for start in range(0, len(pairs), AT_ONCE))
        return [logit for batch in batches for logit in self._logits(loaded, batch)]

    def renew(self) -> None:
        """In a forked child: another thread may have held the lock, or been inside the session."""
        self._loading = threading.Lock()
        self._loaded = None

    def _logits(self, loaded: _Loaded, pairs: Sequence[Any]) -> list[float]:
        longest = max(len(pair.ids) for pair in pairs)
        given = {name: np.zeros((len(pairs), longest), np.int64) for name in KNOWN_INPUTS}
        for row, pair in enumerate(pairs):
            told = {"input_ids": pair.ids, "attention_mask": pair.attention_mask}
            for name, values in {**told, "token_type_ids": pair.type_ids}.items():
                given[name][row, : len(values)] = values
        (logits, *_) = loaded.session.run(None, {name: given[name] for name in loaded.inputs})
        return _last_column(logits, len(pairs), self._model.onnx.name)

    def _load(self) -> _Loaded:
        with self._loading:
            if self._loaded is None:
                session = onnx_session(self._model.onnx, self._threads)
                inputs = tuple(node.name for node in session.get_inputs())
                if strange := [name for name in inputs if name not in KNOWN_INPUTS]:
                    raise EmbeddingError(f"{self._model.onnx.name} wants {', '.join(strange)} too")
                tokenizer = tokenizer_of(self._model, strategy="only_second")
                tokenizer.no_padding()
                self._loaded = _Loaded(session, tokenizer, inputs)
            return self._loaded


def _last_column(logits: NDArray[Any], rows: int, name: str) -> list[float]:
    if logits.ndim == 1:
        logits = logits[:, None]
    if logits.ndim != 2 or logits.shape[0] != rows or logits.shape[1] not in (1, 2):
        raise EmbeddingError(f"{name} gives {logits.shape}, and no cross-encoder's one or two logits a pair")
    column = logits[:, -1] - (logits[:, 0] if logits.shape[1] == 2 else 0)
    return [float(one) for one in column]


class Predictor(Protocol):
    """What is asked of a model; a ``sentence_transformers.CrossEncoder`` is one."""

    def predict(self, sentences: list[tuple[str, str]], **options: Any) -> Any:
        """A number for each pair."""
        ...


class SentenceTransformersCrossEncoder:
    """A cross-encoder of the sentence-transformers library: a folder that it can load, or a loaded model.

    Nothing is downloaded. Loads at first use; calls take turns. Keeps `zerda.memory.Reranker`.
    """

    def __init__(
        self, path: str | Path | None = None, *, model: Predictor | None = None, share: float = 1.0
    ) -> None:
        if (path is None) == (model is None):
            raise ConfigError("a cross-encoder takes a folder or a model, one of both")
        if path is not None and not Path(path).is_dir():
            raise ConfigError(f"{str(path)!r} is no folder; models are not downloaded")
        if path is not None and util.find_spec("sentence_transformers") is None:
            raise MissingExtra("sentence-transformers", "sentence-transformers")
        self.share = share
        self._path = path
        self._model = model
        self._turn = threading.Lock()
        renew_in_child(self)

    def judge(self, question: str, hits: Sequence[Hit]) -> list[float]:
        """The model's number for each hit."""
        pairs = [(sound(question), sound(hit.text)) for hit in hits]
        with self._turn:
            told = np.asarray(self._loaded().predict(pairs, show_progress_bar=False), np.float64)
        if told.shape != (len(hits),):
            raise EmbeddingError(f"the cross-encoder gave {told.shape} for {len(hits)} pairs")
        return [float(one) for one in told]

    def renew(self) -> None:
        """In a forked child: another thread may have held the lock."""
        self._turn = threading.Lock()

    def _loaded(self) -> Predictor:
        if self._model is None:
            library = import_module("sentence_transformers")
            self._model = library.CrossEncoder(str(self._path), local_files_only=True)
        return self._model
