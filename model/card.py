"""Step 7: writes the model card: what the model was made from, who taught it, what it can and cannot do."""

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from model.cache import EVALUATION, read_sentences
from zerda.memory.embedding.static import ENGLISH, StaticEmbedder, read_weights

ORIGINS = {
    "self_dialogue": ("Self-dialogue Corpus (Fainberg et al. 2018)", "BSD 3-Clause"),
    "synthetic_persona_chat": ("Synthetic-Persona-Chat (Jandaghi et al. 2023)", "CC BY 4.0"),
    "taskmaster": ("Taskmaster 2, 3 and 4 (Byrne et al. 2019 and later)", "CC BY 4.0"),
    "wordnet": ("WordNet 3.0 glosses and examples, Princeton University", "WordNet licence"),
}

CARD = """# Model card: {name}

A static sentence model: every word, pair of words and piece of a word has a vector of {dimensions} numbers,
and a text is their sum at unit length. Made by `model/` of this repository; nothing was taken from another
project's vocabulary or vectors.

- Fingerprint: `{fingerprint}`; {size:.1f} MB; {words:,} words, {pairs:,} pairs, {pieces:,} pieces
- Teacher: {teacher}, mean pooling, the first 96 tokens
- Recipe: `{recipe}`
- Licence of this file: that of the package

## Sentences

{count:,} sentences; digest `{sentences}`.

| source | sentences | licence |
|---|---|---|
{sources}

No benchmark's text, question or answer was among them.

## Figures

On sentences held out of the training, against the teacher, and on the machine that made it (one core):

| what | figure |
|---|---|
{figures}

*pair correlation*: of the cosines of all pairs with the teacher's. *shared nearest ten*: share of a
sentence's ten nearest that are also the teacher's ten nearest. *misspelt found*: how often a sentence with
typing errors is nearest to itself without. Other figures, and how it finds memories: `docs/own-model.md`.

## Limits

- English. Of another language it knows few words; `coverage` says how many.
- The order of words hardly counts: "dog bites man" is "man bites dog".
- A sentence and its negation are near each other, as they are for the teacher.
- A name that it has not seen is a heap of pieces: alike when spelt alike.
- It has the leanings of its teacher and of the sentences above: small talk in English of about 2018.
- Its vectors give words away: keep them like the texts.
"""


def card(path: Path, figures: Mapping[str, float], sources: Mapping[str, int]) -> str:
    header = read_weights(path).header
    return CARD.format(
        name=path.name,
        fingerprint=StaticEmbedder(path).fingerprint,
        size=path.stat().st_size / 1e6,
        count=sum(sources.values()),
        recipe=json.dumps(header["settings"], sort_keys=True),
        sources="\n".join(_source(name, number) for name, number in sorted(sources.items())),
        figures="\n".join(f"| {name} | {value:.4g} |" for name, value in figures.items()),
        **{key: header[key] for key in ("dimensions", "words", "pairs", "pieces", "teacher", "sentences")},
    )


def _source(name: str, number: int) -> str:
    title, licence = ORIGINS.get(name, (name, "see its owner"))
    return f"| {title} | {number:,} | {licence} |"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.card", description=__doc__)
    parser.add_argument("--model", type=Path, default=ENGLISH)
    path = parser.parse_args().model
    figures = json.loads(EVALUATION.read_text(encoding="utf-8"))
    sources = Counter(sentence.source for sentence in read_sentences())
    path.with_suffix(".card.md").write_text(card(path, figures, sources), encoding="utf-8")


if __name__ == "__main__":
    main()
