"""Step 3: asks the teacher for a vector of every sentence, and of every word and pair alone."""

import argparse
import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from model.cache import FOLDER, read_sentences, read_vocabulary
from model.teachers import MINILM, Teacher, teacher

TEXTS_A_FILE = 10_000  # What an interrupted run loses at most.


def teach(asked: Teacher, texts: Sequence[str], folder: Path) -> None:
    """Writes the vectors in files named by the texts they are of; what is there is not asked again."""
    folder.mkdir(parents=True, exist_ok=True)
    for start in range(0, len(texts), TEXTS_A_FILE):
        part = texts[start : start + TEXTS_A_FILE]
        path = _path(folder, part)
        if not path.exists():
            unfinished = folder / "unfinished.npy"
            np.save(unfinished, asked.embed(part).astype(np.float16))
            unfinished.rename(path)
        print(f"{start + len(part):,} of {len(texts):,}", flush=True)


def read_vectors(folder: Path, texts: Sequence[str]) -> NDArray[np.float32]:
    parts = [texts[start : start + TEXTS_A_FILE] for start in range(0, len(texts), TEXTS_A_FILE)]
    return np.concatenate([np.load(_path(folder, part)) for part in parts]).astype(np.float32)


def vectors_folder(name: str) -> Path:
    return FOLDER / f"teacher-{name}"


def taught_texts() -> list[str]:
    """What the teacher reads: each sentence, or its translation."""
    return [sentence.translation or sentence.text for sentence in read_sentences()]


def translated() -> bool:
    """Whether the sentences are of a language that the teacher cannot read, word by word."""
    return any(sentence.translation for sentence in read_sentences())


def token_texts() -> list[str]:
    vocabulary = read_vocabulary()
    return [*vocabulary.words, *(" ".join(pair) for pair in vocabulary.pairs)]


def _path(folder: Path, texts: Sequence[str]) -> Path:
    return folder / f"{hashlib.sha256(chr(10).join(texts).encode()).hexdigest()[:16]}.npy"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.teach", description=__doc__)
    parser.add_argument(
        "--teacher", default=MINILM, help=f"{MINILM}, a sentence-transformers folder, or model@address"
    )
    parser.add_argument("--name", default=MINILM, help="what the later steps and the model card call it")
    asked = parser.parse_args()
    found = teacher(asked.teacher)
    teach(found, taught_texts(), vectors_folder(asked.name))
    if not translated():
        teach(found, token_texts(), vectors_folder(asked.name))


if __name__ == "__main__":
    main()
