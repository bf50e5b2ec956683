"""Rerankers on this machine: late interaction, and cross-encoders from files."""

from __future__ import annotations

from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zerda.memory import ConfigError, EmbeddingError, Hit
from zerda.memory.embedding.cross_encoder import CrossEncoder, SentenceTransformersCrossEncoder
from zerda.memory.embedding.late_interaction import LateInteraction, max_sim
from zerda.memory.embedding.rerankers import reranker_named
from zerda.memory.testing import draft

pytestmark = pytest.mark.skipif(
    not all(map(util.find_spec, ("onnxruntime", "tokenizers"))), reason="needs the extra [local]"
)


def hits(*texts: str) -> list[Hit]:
    return [Hit(draft(text).entry, 0.5, text) for text in texts]


def test_each_token_of_the_question_finds_its_nearest() -> None:
    asked = np.array([[1, 0], [0, 1]], np.float32)
    assert max_sim(asked, np.array([[1, 0], [0.6, 0.8]], np.float32)) == pytest.approx((1 + 0.8) / 2)
    assert max_sim(asked, np.zeros((0, 2), np.float32)) == 0


def test_tokens_have_rows_of_unit_length_and_special_ones_have_none(tiny_folder: Path) -> None:
    from zerda.memory.embedding.local import LocalEmbedder

    fox, nothing, two = LocalEmbedder.from_folder(tiny_folder).token_rows(["fox", " ", "tax fox"])
    assert fox.tolist() == [[1, 0, 0]]
    assert nothing.shape == (0, 3)
    assert two.tolist() == [[0, 1, 0], [1, 0, 0]]


def test_late_interaction_reads_token_by_token(tiny_folder: Path) -> None:
    from zerda.memory.embedding.local import LocalEmbedder

    late = LateInteraction(LocalEmbedder.from_folder(tiny_folder))
    fox, tax, mixed, unknown = late.judge("fox", hits("fox fox", "tax", "tax tax tax fox", "Übung"))
    assert fox == mixed == pytest.approx(1)  # A mean of the whole text would bury the fox.
    assert tax == unknown == 0


def test_the_late_interaction_of_minilm_tells_an_answer_from_an_echo() -> None:
    late = LateInteraction()
    told = late.judge("Where does my sister live?", hits("My sister moved to Graz.", "I like my new bike."))
    assert told[0] > told[1] + 0.1


def test_a_model_that_pools_has_no_tokens(tiny_cross_encoder: Path) -> None:
    from zerda.memory.embedding.local import LocalEmbedder

    with pytest.raises(EmbeddingError, match="none for its tokens"):
        LateInteraction(LocalEmbedder.from_folder(tiny_cross_encoder)).judge("fox", hits("fox"))


def test_a_cross_encoder_reads_question_and_hit_together(tiny_cross_encoder: Path) -> None:
    told = CrossEncoder(tiny_cross_encoder).judge("desert", hits("fox", "tax form", "fox desert"))
    assert told == pytest.approx([1.5, -1.0, 2.0])


def test_many_hits_come_back_in_their_order(tiny_cross_encoder: Path) -> None:
    texts = ["fox " * (1 + n % 3) for n in range(40)]
    assert CrossEncoder(tiny_cross_encoder).judge("tax", hits(*texts)) == [n % 3 for n in range(40)]


def test_of_what_is_too_long_the_question_stays_whole(tiny_cross_encoder: Path) -> None:
    (told,) = CrossEncoder(tiny_cross_encoder, max_tokens=8).judge("desert desert", hits("fox " * 50))
    assert told == pytest.approx(2 * 0.5 + 6)


def test_a_sentence_model_is_no_cross_encoder(tiny_folder: Path) -> None:
    with pytest.raises(EmbeddingError, match="no cross-encoder's"):
        CrossEncoder(tiny_folder).judge("fox", hits("fox"))
    with pytest.raises(ConfigError):
        CrossEncoder(tiny_folder / "nowhere")


class Predicting:
    """A model as the library's: longer texts are better."""

    def __init__(self, shape: tuple[int, ...] | None = None) -> None:
        self.shape = shape

    def predict(self, sentences: list[tuple[str, str]], **options: Any) -> Any:
        assert options == {"show_progress_bar": False}
        return np.ones(self.shape) if self.shape else np.array([len(text) for _, text in sentences])


def test_a_loaded_model_of_the_library_will_do() -> None:
    assert SentenceTransformersCrossEncoder(model=Predicting()).judge("?", hits("a", "bbb")) == [1, 3]
    with pytest.raises(EmbeddingError, match=r"\(2, 3\) for 2 pairs"):
        SentenceTransformersCrossEncoder(model=Predicting((2, 3))).judge("?", hits("a", "b"))
    with pytest.raises(ConfigError, match="one of both"):
        SentenceTransformersCrossEncoder()
    with pytest.raises(ConfigError, match="not downloaded"):
        SentenceTransformersCrossEncoder("cross-encoder/ms-marco-MiniLM-L6-v2")


def test_rerankers_have_names(tiny_cross_encoder: Path) -> None:
    assert reranker_named("none") is None
    assert isinstance(reranker_named("late"), LateInteraction)
    assert isinstance(reranker_named(f"folder:{tiny_cross_encoder}"), CrossEncoder)
