"""Step 6: measures a packed model on sentences that it was not trained on, and its speed."""

import argparse
import json
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.cache import EVALUATION, read_sentences
from model.spelling import misspelt
from model.teach import read_vectors, taught_texts, vectors_folder
from model.teachers import MINILM
from model.train import held_out
from zerda.memory.embedding.static import ENGLISH, StaticEmbedder

COMPARED = (
    4_000  # Held-out sentences whose pairs are compared (fewer if fewer were held out): eight million pairs.
)
NEIGHBOURS = 10
TIMED_TEXTS, TIMED_WORDS = 10_000, 27  # The mean length of a conversation's turn.


def agreement(ours: NDArray[np.float32], theirs: NDArray[np.float32]) -> dict[str, float]:
    """How far the model holds the same texts for alike as the teacher."""
    mine, teachers = ours @ ours.T, theirs @ theirs.T
    pairs = np.triu_indices(len(ours), 1)
    return {
        "pair correlation": float(np.corrcoef(mine[pairs], teachers[pairs])[0, 1]),
        "shared nearest ten": _shared_neighbours(mine, teachers),
    }


def _shared_neighbours(mine: NDArray[np.float32], teachers: NDArray[np.float32]) -> float:
    ranks = []
    for similarities in (mine.copy(), teachers.copy()):
        np.fill_diagonal(similarities, -1)
        ranks.append(np.argpartition(-similarities, NEIGHBOURS, axis=1)[:, :NEIGHBOURS])
    return float(np.mean([len({*a} & {*b}) / NEIGHBOURS for a, b in zip(*ranks, strict=True)]))


def found_again(embedder: StaticEmbedder, texts: Sequence[str]) -> dict[str, float]:
    """How near a sentence stays to itself with typing errors, and how often it is the nearest of all."""
    draw = random.Random(0)
    clean, wrong = embedder.embed(texts), embedder.embed([misspelt(text, draw) for text in texts])
    near = wrong @ clean.T
    first = near.argmax(axis=1) == np.arange(len(texts))
    return {"misspelt cosine": float(np.diag(near).mean()), "misspelt found": float(first.mean())}


def speed(path: Path, texts: Sequence[str]) -> dict[str, float]:
    """Of processor time on one core: texts of 27 words a second, milliseconds a query and to load."""
    words = " ".join(texts).split()
    long = [" ".join(words[at : at + TIMED_WORDS]) for at in range(0, TIMED_TEXTS * TIMED_WORDS, TIMED_WORDS)]
    embedder = StaticEmbedder(path)
    load = _seconds(lambda: embedder.embed(["hello"]))
    query = min(_seconds(lambda: embedder.embed(["When did Ann move to the city?"])) for _ in range(100))
    return {
        "load ms": load * 1000,
        "query ms": query * 1000,
        "texts a second": TIMED_TEXTS / min(_seconds(lambda: embedder.embed(long)) for _ in range(5)),
    }


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()  # Not the clock on the wall: others may use the machine.
    work()
    return time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.evaluate", description=__doc__)
    parser.add_argument("--model", type=Path, default=ENGLISH)
    parser.add_argument("--name", default=MINILM, help="the teacher's name, as given to model.teach")
    asked = parser.parse_args()
    texts = [sentence.text for sentence in read_sentences()]
    compared = held_out(len(texts))[:COMPARED]
    theirs = read_vectors(vectors_folder(asked.name), taught_texts())[compared]
    embedder, chosen = StaticEmbedder(asked.model), [texts[row] for row in compared]
    ours = embedder.embed(chosen)
    figures = {
        **agreement(ours, theirs),
        **found_again(embedder, chosen),
        "coverage": float(np.mean([embedder.coverage(text) for text in chosen])),
        **speed(asked.model, texts),
    }
    EVALUATION.write_text(json.dumps(figures, indent=1), encoding="utf-8")
    for name, value in figures.items():
        print(f"{name:20} {value:.4g}")


if __name__ == "__main__":
    main()
