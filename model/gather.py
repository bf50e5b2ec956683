"""Step 1: gathers sentences, without duplicates and in an order that depends on nothing but their text."""

import argparse
import gzip
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from model.cache import SENTENCES, write_lines

SHORTEST, LONGEST = 6, 400  # Characters; longer texts are chunked before they are embedded anyway.


def read(path: Path) -> Iterator[tuple[str, str]]:
    """Pairs of source and sentence: a ``.tsv`` names its sources, any other text has a sentence a line."""
    open_as_text = gzip.open if path.suffix == ".gz" else open
    tabbed = ".tsv" in path.suffixes
    with open_as_text(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            source, text = line.split("\t", 1) if tabbed else (path.stem, line)
            yield source, " ".join(text.split())


def gather(paths: Iterable[Path]) -> list[tuple[str, str]]:
    """Every sentence once, shuffled by the hash of its text: the same for the same files in any order."""
    found: dict[str, str] = {}
    for path in sorted(paths):
        for source, text in read(path):
            if SHORTEST <= len(text) <= LONGEST:
                found.setdefault(text, source)
    return [(found[text], text) for text in sorted(found, key=_digest)]


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8")).digest()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.gather", description=__doc__)
    parser.add_argument(
        "paths", nargs="+", type=Path, help="text files: .tsv (source, tab, sentence) or plain, may be .gz"
    )
    sentences = gather(parser.parse_args().paths)
    write_lines(SENTENCES, (f"{source}\t{text}" for source, text in sentences))
    print(f"{len(sentences):,} sentences")


if __name__ == "__main__":
    main()
