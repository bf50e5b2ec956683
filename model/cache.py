"""Where the steps leave what they made for each other: plain files in ``model/cache``, which git ignores."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

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


class Sentence(NamedTuple):
    """What a model learns from: ``translation`` is what the teacher reads in its place, if any."""

    source: str
    text: str
    translation: str = ""


def read_sentences() -> list[Sentence]:
    """The sentences, as the gathering left them."""
    with SENTENCES.open(encoding="utf-8") as lines:
        return [Sentence(*line.rstrip("\n").split("\t")) for line in lines]


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
