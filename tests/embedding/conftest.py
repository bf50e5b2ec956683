"""A sentence model of a few words, written byte by byte, so that no test needs a large one."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "query", "passage", "fox", "desert", "tax", "form")
TABLE = (  # A row for each word: padding must not count, so it is large.
    (99, 99, 99), (0, 0, 0), (0, 0, 1), (0, 0, 0), (0, 5, 0), (0, -5, 0),
    (1, 0, 0), (1, 0.5, 0), (0, 1, 0), (0.5, 1, 0),
)  # fmt: skip
FLOAT, INT64 = 1, 7  # Element types of ONNX.


def _field(number: int, value: int | bytes | str) -> bytes:
    """A field of a protocol buffer: a number, or something with a length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _tensor(name: str, kind: int, *axes: int | str) -> bytes:
    shape = b"".join(_field(1, _field(1 if isinstance(axis, int) else 2, axis)) for axis in axes)
    return _field(1, name) + _field(2, _field(1, _field(1, kind) + _field(2, shape)))


def _onnx() -> bytes:
    """A graph that looks up a row of the table for each token."""
    table = b"".join(struct.pack("<3f", *row) for row in TABLE)
    weights = _field(1, len(WORDS)) + _field(1, 3) + _field(2, FLOAT) + _field(8, "table") + _field(9, table)
    gather = _field(1, "table") + _field(1, "input_ids") + _field(2, "hidden") + _field(4, "Gather")
    inputs = b"".join(
        _field(11, _tensor(name, INT64, "batch", "length")) for name in ("input_ids", "attention_mask")
    )
    output = _field(12, _tensor("hidden", FLOAT, "batch", "length", 3))
    graph = _field(1, gather) + _field(2, "tiny") + _field(5, weights) + inputs + output
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 13))


def _tokenizer() -> str:
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [
                {"id": number, "content": word, "single_word": False, "lstrip": False, "rstrip": False,
                 "normalized": False, "special": True}
                for number, word in enumerate(WORDS[:4])
            ],
            "normalizer": {"type": "Lowercase"},
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": {
                "type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "[CLS]", "type_id": 0}},
                           {"Sequence": {"id": "A", "type_id": 0}},
                           {"SpecialToken": {"id": "[SEP]", "type_id": 0}}],
                "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
                "special_tokens": {word: {"id": word, "ids": [WORDS.index(word)], "tokens": [word]}
                                   for word in ("[CLS]", "[SEP]")},
            },
            "decoder": None,
            "model": {"type": "WordLevel", "vocab": {word: i for i, word in enumerate(WORDS)},
                      "unk_token": "[UNK]"},
        }
    )  # fmt: skip


def _pair_onnx() -> bytes:
    """A graph that adds up a number for each token of a pair: foxes and deserts count, forms against."""
    worth = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.5, -1.0, -0.5)
    numbers = b"".join(struct.pack("<f", one) for one in worth)
    table = _field(1, len(WORDS)) + _field(1, 1) + _field(2, FLOAT) + _field(8, "table") + _field(9, numbers)
    axis = _field(1, 1) + _field(2, INT64) + _field(8, "axis") + _field(9, struct.pack("<q", 1))
    gather = _field(1, "table") + _field(1, "input_ids") + _field(2, "each") + _field(4, "Gather")
    keep = _field(1, "keepdims") + _field(3, 0) + _field(20, 2)
    total = (
        _field(1, "each") + _field(1, "axis") + _field(2, "logits") + _field(4, "ReduceSum") + _field(5, keep)
    )
    inputs = b"".join(
        _field(11, _tensor(name, INT64, "batch", "length")) for name in ("input_ids", "attention_mask")
    )
    output = _field(12, _tensor("logits", FLOAT, "batch", 1))
    graph = (
        _field(1, gather) + _field(1, total) + _field(2, "pairs") + _field(5, table) + _field(5, axis)
        + inputs + output
    )  # fmt: skip
    return _field(1, 8) + _field(7, graph) + _field(8, _field(2, 13))


@pytest.fixture
def tiny_cross_encoder(tiny_folder: Path) -> Path:
    """A folder with an ONNX model that gives a logit for a question and a text."""
    (tiny_folder / "model.onnx").write_bytes(_pair_onnx())
    return tiny_folder


@pytest.fixture
def tiny_folder(tmp_path: Path) -> Path:
    """A folder with an ONNX model of three dimensions that reads ten tokens."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(_onnx())
    (folder / "tokenizer.json").write_text(_tokenizer(), encoding="utf-8")
    (folder / "config.json").write_text('{"max_position_embeddings": 10}', encoding="utf-8")
    return folder
