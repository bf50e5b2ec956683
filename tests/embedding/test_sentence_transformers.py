"""The adapter to sentence-transformers: its own work, with a model that the caller brings."""

from __future__ import annotations

from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zerda.memory.embedding.sentence_transformers import SentenceTransformersEmbedder
from zerda.memory.errors import ConfigError, EmbeddingError, MissingExtra


class Lengths:
    """A model of the caller's: the length of the text with its prompt, and 1."""

    def __init__(self, prompts: dict[str, str] | None = None) -> None:
        self.prompts = prompts or {}
        self.calls: list[tuple[list[str], str]] = []

    def encode(self, sentences: list[str], **options: Any) -> np.ndarray:
        self.calls.append((sentences, options["prompt"]))
        return np.array([[len(options["prompt"] + text), 1] for text in sentences], dtype=np.float64)


def adapter(model: Any, **options: Any) -> SentenceTransformersEmbedder:
    return SentenceTransformersEmbedder(model=model, name="lengths-1", **options)


def test_rows_are_made_unit_length() -> None:
    rows = adapter(Lengths()).embed(["abc", "abcdefg"])
    assert rows.dtype == np.float32
    assert np.allclose(rows, np.array([[3, 1], [7, 1]]) / np.sqrt([[10], [50]]), atol=1e-6)


def test_a_models_own_prompts_are_its_prefixes() -> None:
    model = Lengths({"query": "query: ", "document": "passage: "})
    embedder = adapter(model)
    embedder.embed(["a"])
    embedder.embed(["a"], role="query")
    assert [prompt for _, prompt in model.calls] == ["passage: ", "query: "]


def test_prefixes_that_are_given_come_first_even_if_empty() -> None:
    model = Lengths({"query": "query: ", "passage": "passage: "})
    embedder = adapter(model, query_prefix="ask: ", passage_prefix="")
    embedder.embed(["a"])
    embedder.embed(["a"], role="query")
    assert [prompt for _, prompt in model.calls] == ["", "ask: "]


def test_without_a_prompt_the_library_is_told_to_add_none() -> None:
    model = Lengths()
    adapter(model).embed(["a"])
    assert model.calls == [(["a"], "")]


def test_name_and_prefixes_make_the_fingerprint() -> None:
    model = Lengths()
    prints = {
        adapter(model).fingerprint,
        adapter(model, query_prefix="").fingerprint,
        adapter(model, passage_prefix="p").fingerprint,
        SentenceTransformersEmbedder(model=model, name="lengths-2").fingerprint,
    }
    assert len(prints) == 4
    assert adapter(model).fingerprint == adapter(Lengths()).fingerprint
    assert model.calls == []


def test_blank_texts_are_zero_rows() -> None:
    rows = adapter(Lengths()).embed(["", "a", "  "])
    assert rows.any(axis=1).tolist() == [False, True, False]
    assert adapter(Lengths()).embed([]).shape == (0, 2)


def test_a_long_text_is_read_to_its_end() -> None:
    model = Lengths()
    adapter(model, max_words=10).embed(["one two three four five. " * 9 + "The needle."])
    pieces = model.calls[0][0]
    assert len(pieces) > 3
    assert pieces[-1].endswith("The needle.")


def test_dimensions_are_learnt() -> None:
    assert adapter(Lengths()).dimensions == 2


def test_an_unusable_answer_is_an_embedding_error() -> None:
    class Broken:
        def encode(self, sentences: list[str], **options: Any) -> list[list[float]]:
            return [[float("nan")] for _ in sentences]

    with pytest.raises(EmbeddingError, match="not finite"):
        adapter(Broken()).embed(["a"])


def test_a_model_without_a_name_is_refused() -> None:
    with pytest.raises(ConfigError, match="changes whenever its weights do"):
        SentenceTransformersEmbedder(model=Lengths())


def test_a_folder_and_a_model_exclude_each_other() -> None:
    with pytest.raises(ConfigError, match="one of both"):
        SentenceTransformersEmbedder("somewhere", model=Lengths(), name="x")


INSTALLED = util.find_spec("sentence_transformers") is not None


@pytest.mark.skipif(INSTALLED, reason="sentence-transformers is installed")
def test_without_the_library_a_folder_names_the_extra(tmp_path: Path) -> None:
    with pytest.raises(MissingExtra, match=r"zerda-memory\[sentence-transformers\]"):
        SentenceTransformersEmbedder(tmp_path)


@pytest.mark.skipif(not INSTALLED, reason="sentence-transformers is not installed")
def test_a_folder_without_a_saved_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"modules\.json"):
        SentenceTransformersEmbedder(tmp_path)


@pytest.mark.skipif(not INSTALLED, reason="sentence-transformers is not installed")
def test_a_saved_model_is_loaded_from_its_folder(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import BoW

    texts = ["fox desert", "tax form", "fox tax"]
    bag = BoW(vocab=["fox", "desert", "tax", "form"])
    SentenceTransformer(modules=[bag], device="cpu").save(str(tmp_path / "bag"))
    embedder = SentenceTransformersEmbedder(tmp_path / "bag", device="cpu")
    fingerprint = embedder.fingerprint
    rows = embedder.embed(texts)
    assert np.allclose(rows, np.array([[1, 1, 0, 0], [0, 0, 1, 1], [1, 0, 1, 0]]) / np.sqrt(2), atol=1e-6)
    (tmp_path / "bag" / "config_sentence_transformers.json").write_text("{}")
    assert SentenceTransformersEmbedder(tmp_path / "bag").fingerprint != fingerprint
