"""Masking takes work that grows as its text does, whatever the text: counted, not timed."""

import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from types import FrameType

import hostile_texts
import pytest

from zerda.memory.security import recognizers
from zerda.memory.security.masking import SensitiveDataMasker
from zerda.memory.security.recognizers.base import Keyed, Pattern

MASKER = SensitiveDataMasker()
SIZE = 10_000
TWICE = 2.8
"""Work that is linear gives 2, work that is quadratic 4; tables begin to be read otherwise on the way."""
LONGEST_READ = 50_000
"""Characters that one pattern may read from one place on; the longest tokens are of that length."""


def work(text: str) -> int:
    """Calls of Python and of C that masking a text takes."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        MASKER.mask(text)
    finally:
        sys.setprofile(None)
    return calls


def growth(texts: list[str]) -> tuple[int, int]:
    """What doubling a text adds to the work, and doubling it again."""
    first, second, third = map(work, texts)
    return second - first, third - second


@pytest.mark.parametrize("piece", hostile_texts.PIECES, ids=ascii)
def test_twice_the_text_is_about_twice_the_work(piece: str) -> None:
    second, third = growth([hostile_texts.repeated(piece, size * SIZE) for size in (1, 2, 4)])
    assert third <= TWICE * max(second, SIZE)


@pytest.mark.parametrize("seed", range(25))
def test_so_it_is_in_what_a_fuzzer_makes(seed: int) -> None:
    second, third = growth([hostile_texts.mixed(seed, size * SIZE) for size in (1, 2, 4)])
    assert third <= TWICE * max(second, SIZE)


def compiled() -> Iterator[tuple[str, re.Pattern[str]]]:
    """Every pattern in the files of the recognizers, with its name."""
    for module in pkgutil.iter_modules(recognizers.__path__):
        home = importlib.import_module(f"{recognizers.__name__}.{module.name}")
        for name, held in vars(home).items():
            if isinstance(held, re.Pattern):
                yield f"{module.name}.{name}", held
            elif isinstance(held, (Pattern, Keyed)):
                yield f"{module.name}.{name}", held.pattern


UNBOUNDED = {"view._RUN", "view._SEAM", "view._GROUP", "base._LENGTHS", "private_key._BODY"}
"""These go on as long as their characters do and fail nowhere, so nothing is read twice."""

OF_SHORT_VALUES = {
    "cn_resident_id._DIGITS",
    "date_of_birth._NUMBERS",
    "ip_address._VERSION",
    "key_value._NAME_AND_NUMBER",
    "key_value._WORD_AND_DIGITS",
    "key_value._IDENTIFIER",
}
"""These see what another pattern found, 200 characters at the most."""


@pytest.mark.parametrize(("name", "pattern"), tuple(compiled()), ids=str)
def test_no_pattern_reads_on_without_end(name: str, pattern: re.Pattern[str]) -> None:
    parser = importlib.import_module("re._parser")
    longest = parser.parse(pattern.pattern, pattern.flags).getwidth()[1]
    assert longest <= LONGEST_READ or name in UNBOUNDED | OF_SHORT_VALUES
