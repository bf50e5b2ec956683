"""Models of the sentence-transformers library that lie on this machine already."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from importlib import import_module, util
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ..after_fork import renew_in_child
from ..core.rules.chunking import CHUNK_WORDS
from ..errors import ConfigError, MissingExtra
from .preparing import checked_rows, file_hashes, fingerprint_of, unit_rows, windows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.model import Role

PROMPT_NAMES: Mapping[Role, tuple[str, ...]] = {"query": ("query",), "passage": ("document", "passage")}
"""Names under which a model's configuration keeps its prefixes, as the library looks them up."""

WEIGHT_FILES = frozenset({".safetensors", ".bin", ".json", ".txt", ".model", ".onnx"})


class Encoder(Protocol):
    """What is asked of a model; a ``sentence_transformers.SentenceTransformer`` is one."""

    def encode(self, sentences: list[str], **options: Any) -> Any:
        """A row of numbers for each sentence. ``prompt`` is to be put before each of them."""
        ...


class SentenceTransformersEmbedder:
    """Embeds with a folder that the library can load, or with a model that is loaded already.

    Nothing is downloaded. Loads at first use; calls take turns, since the library's tokenizers are not
    made for threads. Prefixes are the model's own (its ``prompts``) unless they are given. A text of
    more than ``max_words`` is embedded in pieces.

    Args:
        path: a folder with a saved model.
        model: a loaded model instead; ``name`` then tells it apart from every other, weights included,
            since nothing can be read from the object that does.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        model: Encoder | None = None,
        name: str = "",
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        device: str | None = None,
        max_words: int = CHUNK_WORDS,
    ) -> None:
        if (path is None) == (model is None):
            raise ConfigError("a sentence-transformers embedder takes a folder or a model, one of both")
        if model is not None and not name:
            raise ConfigError("the model has no name; give one that changes whenever its weights do")
        self._path = None if path is None else _folder(Path(path))
        self._model = model
        self._name = name
        self._given: dict[Role, str | None] = {"query": query_prefix, "passage": passage_prefix}
        self._device = device
        self._max_words = max_words
        self._fingerprint: str | None = None
        self._dimensions: int | None = None
        self._turn = threading.RLock()
        renew_in_child(self)

    @property
    def fingerprint(self) -> str:
        with self._turn:
            if self._fingerprint is None:
                files = file_hashes(_weights(self._path), self._path) if self._path else {}
                facts = {"files": files, "prefixes": self._given}
                self._fingerprint = fingerprint_of(f"sentence-transformers:{self._name}", facts)
            return self._fingerprint

    @property
    def dimensions(self) -> int:
        return self._dimensions or self._encode(["one"], "passage").shape[1]

    @property
    def fast(self) -> bool:
        return False

    @property
    def max_words(self) -> int:
        return self._max_words

    def embed(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        cut = windows(texts, self._max_words)
        if not cut.pieces:
            return np.zeros((len(texts), self.dimensions), dtype=np.float32)
        return cut.joined(unit_rows(self._encode(cut.pieces, role)))

    def renew(self) -> None:
        """In a forked child: another thread may have held its turn."""
        self._turn = threading.RLock()

    def _encode(self, texts: list[str], role: Role) -> NDArray[np.float32]:
        with self._turn:
            model = self._loaded()
            answer = model.encode(
                texts, prompt=self._prefix(model, role), convert_to_numpy=True, show_progress_bar=False
            )
        rows = checked_rows(answer, len(texts), self._dimensions, "the sentence-transformers model")
        self._dimensions = rows.shape[1]
        return rows

    def _prefix(self, model: Encoder, role: Role) -> str:
        """Never None, which would let the library add a default of its own."""
        if (given := self._given[role]) is not None:
            return given
        prompts: Mapping[str, str] = getattr(model, "prompts", {})
        return next((prompts[name] for name in PROMPT_NAMES[role] if prompts.get(name)), "")

    def _loaded(self) -> Encoder:
        if self._model is None:
            library: Any = import_module("sentence_transformers")
            model: Encoder = library.SentenceTransformer(
                str(self._path), device=self._device, local_files_only=True
            )
            self._model = model
        return self._model


def _folder(path: Path) -> Path:
    if util.find_spec("sentence_transformers") is None:
        raise MissingExtra("sentence-transformers", "sentence-transformers")
    if not (path / "modules.json").is_file():
        raise ConfigError(f"{str(path)!r} is no saved sentence-transformers model: it lacks modules.json")
    return path


def _weights(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.suffix in WEIGHT_FILES and path.is_file()]
