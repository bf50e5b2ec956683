"""What callers of the sentence model of our own may rely on."""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.embedding.static import (
    ENGLISH,
    StaticEmbedder,
    Vocabulary,
    Weights,
    read_weights,
    write_weights,
)
from zerda.memory.errors import EmbeddingError

ANSWERS = json.loads(ENGLISH.with_suffix(".answers.json").read_text(encoding="utf-8"))
TEXTS = [answer["text"] for answer in ANSWERS["texts"]]


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


def tiny(path: Path) -> StaticEmbedder:
    """A model of three words, a pair and three pieces, whose every sum can be done by hand."""
    vocabulary = Vocabulary(("?", "no", "dog"), (("no", "dog"),), ("<ca", "cat", "at>"))
    rows = np.array([[0, 3], [1, 0], [2, 0], [0, 5], [3, 0], [0, 3], [0, 3]], dtype=np.int8)
    write_weights(path, {"made": "by hand"}, Weights({}, vocabulary, np.ones(7, dtype=np.float32), rows))
    return StaticEmbedder(path)


def unit(*values: float) -> list[float]:
    return [value / sum(v * v for v in values) ** 0.5 for value in values]


def test_the_shipped_model_gives_its_known_answers(embedder: StaticEmbedder) -> None:
    vectors = embedder.embed(TEXTS)
    assert embedder.fingerprint == ANSWERS["fingerprint"]
    for answer, vector in zip(ANSWERS["texts"], vectors, strict=True):
        assert vector[:8] == pytest.approx(answer["first"], abs=1e-4)
        assert vectors @ vector == pytest.approx(answer["cosines"], abs=1e-4)
        assert embedder.coverage(answer["text"]) == pytest.approx(answer["coverage"], abs=1e-4)


def test_texts_that_mean_the_same_are_nearer_than_texts_that_do_not(embedder: StaticEmbedder) -> None:
    adopted, puppy, film = embedder.embed(
        ["I adopted a dog from the shelter", "We brought a puppy home", "That film bored everyone"]
    )
    assert adopted @ puppy > adopted @ film + 0.2


def test_a_text_is_the_sum_of_its_words_pairs_and_signs(tmp_path: Path) -> None:
    small = tiny(tmp_path / "tiny.zsm")
    assert small.embed(["no"])[0] == pytest.approx([1, 0])
    assert small.embed(["No dog"])[0] == pytest.approx(unit(1 + 2, 5))
    assert small.embed(["dog?"])[0] == pytest.approx(unit(2, 3))


def test_an_unknown_word_counts_as_one_word_made_of_its_pieces(tmp_path: Path) -> None:
    small = tiny(tmp_path / "tiny.zsm")
    assert small.embed(["cat dog"])[0] == pytest.approx(unit(1 + 2, 2))


def test_a_text_that_says_nothing_to_the_model_gives_a_zero_row(embedder: StaticEmbedder) -> None:
    vectors = embedder.embed(["", "...\ud800", "我喜欢猫", "dog"])
    assert not vectors[:3].any()
    assert np.linalg.norm(vectors[3]) == pytest.approx(1, abs=1e-6)


def test_no_texts_give_no_rows(embedder: StaticEmbedder) -> None:
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_a_misspelt_word_does_not_vanish(embedder: StaticEmbedder) -> None:
    right, wrong, other = embedder.embed(["restaurant", "restuarant", "mountain"])
    assert embedder.coverage("restuarant") == 0
    assert right @ wrong > other @ wrong + 0.2


def test_a_sentence_with_typing_errors_stays_near_itself(embedder: StaticEmbedder) -> None:
    right, wrong, other = embedder.embed(
        [
            "We ate at that little restaurant by the river",
            "We ate at that litle restuarant by the rivr",
            "We climbed that little mountain by the river",
        ]
    )
    assert right @ wrong > 0.6
    assert right @ wrong > other @ wrong + 0.2


def test_a_name_that_no_one_has_heard_is_like_itself_alone(embedder: StaticEmbedder) -> None:
    first, same, other = embedder.embed(
        ["Xanthippa Quorridge", "a xanthippa QUORRIDGE", "Bodewin Falkstrand"]
    )
    assert first @ same > 0.8
    assert first @ other < 0.5


@given(texts=st.lists(st.text(max_size=60), max_size=6))
def test_a_batch_gives_what_each_text_gives_alone(embedder: StaticEmbedder, texts: list[str]) -> None:
    together = embedder.embed(texts)
    assert together.dtype == np.float32
    for text, row in zip(texts, together, strict=True):
        assert np.array_equal(embedder.embed([text])[0], row)


def test_rows_stay_in_order_when_a_batch_is_cut(embedder: StaticEmbedder) -> None:
    texts = [f"{TEXTS[number % 3]} {'very ' * (number % 7)}" for number in range(1_100)]
    assert np.array_equal(embedder.embed(texts)[1_030], embedder.embed([texts[1_030]])[0])


def test_a_query_is_prepared_like_a_passage(embedder: StaticEmbedder) -> None:
    assert np.array_equal(embedder.embed(TEXTS, role="query"), embedder.embed(TEXTS, role="passage"))


def test_many_threads_may_open_and_use_one_embedder() -> None:
    expected = StaticEmbedder().embed(TEXTS)
    shared = StaticEmbedder()
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: shared.embed(TEXTS), range(64)))
    assert all(np.array_equal(answer, expected) for answer in answers)


def test_marks_without_a_known_word_have_no_meaning(embedder: StaticEmbedder) -> None:
    assert not embedder.embed(["?", "Кто там?", "!?"], role="query").any()
    assert embedder.embed(["Who?"], role="query").any()


def test_coverage_is_the_share_of_known_words(embedder: StaticEmbedder) -> None:
    assert embedder.coverage("I like coffee") == 1
    assert embedder.coverage("I like zzyzxq coffee") == 0.75
    assert embedder.coverage("我喜欢猫") == 0
    assert embedder.coverage("") == 0


def test_a_text_in_another_language_is_covered_less(embedder: StaticEmbedder) -> None:
    assert embedder.coverage("Ich habe gestern meine Großmutter im Krankenhaus besucht") < 0.6


def test_the_same_weights_give_the_same_file_and_others_another_fingerprint(tmp_path: Path) -> None:
    first, same = tiny(tmp_path / "first.zsm"), tiny(tmp_path / "same.zsm")
    assert (tmp_path / "first.zsm").read_bytes() == (tmp_path / "same.zsm").read_bytes()
    read = read_weights(tmp_path / "first.zsm")
    changed = Weights({}, read.vocabulary, read.scales * 2, read.rows)
    write_weights(tmp_path / "other.zsm", {"made": "by hand"}, changed)
    assert first.fingerprint == same.fingerprint
    assert first.fingerprint.startswith("zerda-static-1/2/")
    assert StaticEmbedder(tmp_path / "other.zsm").fingerprint != first.fingerprint


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tiny.zsm"
    tiny(path)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(EmbeddingError, match="damaged"):
        StaticEmbedder(path).embed(["no"])


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"zerda-static-1\n",
        b"zerda-static-1\n{}\n",
        b"zerda-static-1\n[]\nrows",
        b"a text\nof two lines\n",
    ],
)
def test_a_file_that_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.zsm"
    path.write_bytes(content)
    with pytest.raises(EmbeddingError, match=r"other\.zsm"):
        StaticEmbedder(path).embed(["no"])


def test_a_missing_file_is_named_when_first_used(tmp_path: Path) -> None:
    embedder = StaticEmbedder(tmp_path / "nowhere.zsm")
    with pytest.raises(EmbeddingError, match=r"nowhere\.zsm"):
        embedder.embed(["no"])


def test_making_an_embedder_opens_nothing(tmp_path: Path) -> None:
    embedder = StaticEmbedder(tmp_path / "later.zsm")
    tiny(tmp_path / "later.zsm")
    assert embedder.dimensions == 2


def test_numpy_and_our_own_ground_are_all_it_imports() -> None:
    script = (
        "import sys; before = set(sys.modules); import zerda.memory.embedding.static;"
        "print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    output = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    foreign = {name for name in output.split() if name not in sys.stdlib_module_names}
    assert foreign <= {"numpy", "zerda", "snowballstemmer"}


def test_the_model_stays_small_enough_to_ship() -> None:
    files = [path for path in ENGLISH.parent.iterdir() if path.is_file()]
    assert ENGLISH in files
    assert sum(path.stat().st_size for path in files) <= 10_000_000
