"""Marks what is put before a model, and cuts it out where it comes back as something said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..after_fork import Lock
from ..core.rules.chunking import parts
from ..core.rules.seals import mark_of, without_own

if TYPE_CHECKING:
    from ..core.model import Content, Note

OWN_CONTEXT = "our own context was cut out"
NOISE = "noise"
"""Flags of an entry: what was taken from it, or why it was not kept."""


class Seal:
    """Marks by a memory's secret, which is read when it is first needed."""

    def __init__(self, secret: Callable[[], bytes]) -> None:
        self._secret = secret
        self._key: bytes | None = None

    @property
    def key(self) -> bytes:
        """The key of the marks."""
        if self._key is None:
            self._key = self._secret()
        return self._key

    def __call__(self, before: str, after: str) -> str:
        """The mark that stands between these texts."""
        return mark_of(self.key, before, after)

    def cut(self, text: str) -> tuple[str, int]:
        """The text without what we made ourselves, and how many times that was in it."""
        return without_own(self.key, text)


class Sieve:
    """Keeps back what nobody said: our own context that comes back, and noise where that is asked for."""

    def __init__(self, seal: Seal, noise: Callable[[str], bool] | None = None) -> None:
        self._seal = seal
        self._noise = noise
        self._counts: Counter[str] = Counter()
        self._lock = Lock()

    def sift(self, note: Note) -> tuple[Note, tuple[str, ...], bool]:
        """The note without our own context, what to flag it with, and whether anything is left to keep."""
        given: object = note.content
        if not isinstance(given, (str, Mapping)):  # It is refused where notes are checked.
            return note, (), True
        content, cuts = self._cut(given)
        said = [text for _, text in parts(content)]
        if cuts:
            self._count(OWN_CONTEXT, cuts)
            return replace(note, content=content), (OWN_CONTEXT,), any(map(str.strip, said))
        if self._noise is not None and said and all(map(self._noise, said)):
            self._count(NOISE, 1)
            return note, (NOISE,), False
        return note, (), True

    def counts(self) -> dict[str, int]:
        """How often something was cut out or not kept, in this process."""
        with self._lock:
            return {"own_context": self._counts[OWN_CONTEXT], "noise": self._counts[NOISE]}

    def _cut(self, content: Content) -> tuple[Content, int]:
        if isinstance(content, str):
            return self._seal.cut(content)
        cut: dict[str, Any] = {}
        total = 0
        for name, value in content.items():
            cut[name], cuts = self._seal.cut(value) if isinstance(value, str) else (value, 0)
            total += cuts
        return (cut, total) if total else (content, 0)

    def _count(self, what: str, times: int) -> None:
        with self._lock:
            self._counts[what] += times
