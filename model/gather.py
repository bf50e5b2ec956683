"""Step 1: gathers sentences, without duplicates and in an order that depends on nothing but their text.

A sentence may bring a translation that the teacher can read: so a teacher of one language teaches a model of
another.
"""

import argparse
import gzip
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from model.cache import SENTENCES, Sentence, write_lines

SHORTEST, LONGEST = 6, 400  # Characters; longer texts are chunked before they are embedded anyway.


def read(path: Path) -> Iterator[Sentence]:
    """A ``.tsv`` has source, sentence and maybe translation in a line; any other file a sentence."""
    open_as_text = gzip.open if path.suffix == ".gz" else open
    tabbed = ".tsv" in path.suffixes
    with open_as_text(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            source, text, *translation = line.split("\t") if tabbed else (path.stem, line)
            yield Sentence(source, *(" ".join(part.split()) for part in (text, *translation[:1])))


def gather(paths: Iterable[Path]) -> list[Sentence]:
    """Every sentence once, shuffled by the hash of its text: the same for the same files in any order."""
    found: dict[str, Sentence] = {}
    for path in sorted(paths):
        for sentence in read(path):
            if SHORTEST <= len(sentence.text) <= LONGEST:
                found.setdefault(sentence.text, sentence)
    return [found[text] for text in sorted(found, key=_digest)]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8")).digest()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.gather", description=__doc__)
    parser.add_argument(
        "paths", nargs="+", type=Path, help="text files: .tsv (source, tab, sentence) or plain, may be .gz"
    )
    sentences = gather(parser.parse_args().paths)
    write_lines(SENTENCES, ("\t".join(filter(None, sentence)) for sentence in sentences))
    print(f"{len(sentences):,} sentences")


if __name__ == "__main__":
    main()
