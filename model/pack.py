"""Step 5: rounds the trained vectors to a byte a number and writes the file that ships, and its answers."""

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.cache import RECIPE, TRAINED, read_vocabulary
from zerda.memory.core.rules.text import TEXT_RULE
from zerda.memory.embedding.static import ENGLISH, StaticEmbedder, Weights, write_weights

# Of every kind that may go wrong alone: case, marks, pairs, pieces, signs, numbers, another script, nothing.
KNOWN_TEXTS = (
    "I adopted a dog from the shelter last week.",
    "We got a puppy!",
    "When did you move to New York?",
    "She did not like the movie.",
    "CAFÉ Zürich, naïve façade",
    "the resturant was excelent",
    "Zbigniewa Brzęczyszczykiewicz",
    "born in 1987, 42 years ago",
    "我喜欢猫",
    "...",
)


def quantise(vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """A scale and a row of whole numbers from -127 to 127 for each vector."""
    scales = np.abs(vectors).max(axis=1) / 127
    safe = np.where(scales > 0, scales, 1)
    return scales.astype(np.float32), np.rint(vectors / safe[:, None]).astype(np.int8)


def known_answers(embedder: StaticEmbedder) -> dict[str, Any]:
    """What the file answers, for a test to compare: enough numbers to see any change of weights or rules."""
    vectors = embedder.embed(KNOWN_TEXTS)
    return {
        "fingerprint": embedder.fingerprint,
        "texts": [
            {
                "text": text,
                "coverage": round(embedder.coverage(text), 4),
                "first": [round(float(value), 4) for value in vector[:8]],
                "cosines": [round(float(value), 4) for value in vectors @ vector],
            }
            for text, vector in zip(KNOWN_TEXTS, vectors, strict=True)
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.pack", description=__doc__)
    parser.add_argument(
        "--out", type=Path, default=ENGLISH, help="the file to write (default: the package's own)"
    )
    path = parser.parse_args().out
    scales, rows = quantise(np.load(TRAINED))
    recipe = json.loads(RECIPE.read_text(encoding="utf-8"))
    header = {"text_rule": TEXT_RULE, **recipe}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_weights(path, header, Weights(header, read_vocabulary(), scales, rows))
    embedder = StaticEmbedder(path)
    answers = json.dumps(known_answers(embedder), indent=1, ensure_ascii=False, sort_keys=True)
    path.with_suffix(".answers.json").write_text(f"{answers}\n", encoding="utf-8")
    print(f"{path.name}: {path.stat().st_size:,} bytes, {embedder.fingerprint}")


if __name__ == "__main__":
    main()
