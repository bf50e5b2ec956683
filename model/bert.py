"""A BERT encoder in a page of torch: runs MiniLM and its kin from a sentence-transformers folder.

Why not a library: on a CPU with bfloat16 and batches of equal length this is several times as fast as an ONNX
session, and half a million short sentences are a matter of minutes.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn import functional

TOKENS_PER_BATCH = 8_192  # Bounds memory; larger batches are no faster on two cores.


class Bert:
    """Turns texts into mean-pooled unit vectors, at most ``max_tokens`` tokens of each."""

    def __init__(self, folder: Path, *, max_tokens: int = 96, dtype: torch.dtype = torch.bfloat16) -> None:
        self.config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        if self.config["model_type"] != "bert":
            raise ValueError(
                f"{folder} holds a {self.config['model_type']!r} model; only 'bert' is read here"
            )
        weights = load_file(str(folder / "model.safetensors"))
        self.weights = {name.removeprefix("bert."): tensor.to(dtype) for name, tensor in weights.items()}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(max_length=max_tokens)
        self.dimensions: int = self.config["hidden_size"]

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        ids = [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]
        vectors = np.empty((len(ids), self.dimensions), dtype=np.float32)
        for rows in _batches_of_equal_length(ids):
            batch = torch.tensor([ids[row] for row in rows])
            vectors[rows] = self._forward(batch).float().numpy()
        return vectors

    @torch.inference_mode()
    def _forward(self, ids: torch.Tensor) -> torch.Tensor:
        table = self.weights
        hidden = (
            table["embeddings.word_embeddings.weight"][ids]
            + table["embeddings.position_embeddings.weight"][: ids.shape[1]]
            + table["embeddings.token_type_embeddings.weight"][0]
        )
        hidden = self._norm("embeddings.LayerNorm", hidden)
        for number in range(self.config["num_hidden_layers"]):
            hidden = self._layer(f"encoder.layer.{number}", hidden)
        return functional.normalize(hidden.float().mean(1), dim=1)

    def _layer(self, name: str, hidden: torch.Tensor) -> torch.Tensor:
        rows, length, width = hidden.shape
        heads = self.config["num_attention_heads"]
        query, key, value = (
            self._linear(f"{name}.attention.self.{part}", hidden)
            .view(rows, length, heads, width // heads)
            .transpose(1, 2)
            for part in ("query", "key", "value")
        )
        mixed = functional.scaled_dot_product_attention(query, key, value)
        mixed = mixed.transpose(1, 2).reshape(rows, length, width)
        hidden = self._norm(
            f"{name}.attention.output.LayerNorm",
            hidden + self._linear(f"{name}.attention.output.dense", mixed),
        )
        inner = functional.gelu(self._linear(f"{name}.intermediate.dense", hidden))
        return self._norm(f"{name}.output.LayerNorm", hidden + self._linear(f"{name}.output.dense", inner))

    def _linear(self, name: str, hidden: torch.Tensor) -> torch.Tensor:
        return functional.linear(hidden, self.weights[f"{name}.weight"], self.weights[f"{name}.bias"])

    def _norm(self, name: str, hidden: torch.Tensor) -> torch.Tensor:
        weight, bias = self.weights[f"{name}.weight"], self.weights[f"{name}.bias"]
        return functional.layer_norm(hidden, (hidden.shape[-1],), weight, bias, self.config["layer_norm_eps"])


def _batches_of_equal_length(ids: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Rows of one length together, so nothing is padded and nothing is masked."""
    by_length: dict[int, list[int]] = {}
    for row, tokens in enumerate(ids):
        by_length.setdefault(len(tokens), []).append(row)
    for length in sorted(by_length):
        rows, size = by_length[length], max(1, TOKENS_PER_BATCH // length)
        for start in range(0, len(rows), size):
            yield rows[start : start + size]
