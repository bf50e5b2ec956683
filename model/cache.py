"""Where the steps leave what they made for each other: plain files in ``model/cache``, which git ignores."""

import os
from collections.abc import Iterable
from pathlib import Path

from zerda.memory.embedding.static import Vocabulary

FOLDER = Path(os.environ.get("ZERDA_MODEL_CACHE", Path(__file__).parent / "cache"))
SENTENCES = FOLDER / "sentences.tsv"
VOCABULARY = FOLDER / "vocabulary.tsv"
TRAINED = FOLDER / "trained.npy"
RECIPE = FOLDER / "recipe.json"
EVALUATION = FOLDER / "evaluation.json"


def write_lines(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_sentences() -> list[tuple[str, str]]:
    """Pairs of source and sentence, as the gathering left them."""
    with SENTENCES.open(encoding="utf-8") as lines:
        pairs = (line.rstrip("\n").split("\t", 1) for line in lines)
        return [(source, text) for source, text in pairs]


def read_vocabulary() -> Vocabulary:
    """The vocabulary, as its step left it."""
    found: dict[str, list[str]] = {"word": [], "pair": [], "piece": []}
    for line in VOCABULARY.read_text(encoding="utf-8").splitlines():
        kind, token = line.split("\t")
        found[kind].append(token)
    pairs = (pair.split(" ") for pair in found["pair"])
    return Vocabulary(
        tuple(found["word"]), tuple((first, second) for first, second in pairs), tuple(found["piece"])
    )
