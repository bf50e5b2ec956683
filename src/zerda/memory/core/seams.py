"""Every Protocol on one page: where parts of your own go in.

The storage seam is the abstract class `zerda.memory.storage.base.Store`, since it gives as well as asks.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from .entities import Naming
    from .model import Hit, Proposal, Role

Clock = Callable[[], datetime]
"""Tells the time: aware, in UTC. Only doors, the manager and upkeep ask it; rules are told."""


@runtime_checkable
class LLMProtocol(Protocol):
    """Any language model; no base class is needed."""

    def generate(self, prompt: str, max_tokens: int = 256) -> str:
        """Answer the prompt in at most ``max_tokens`` tokens."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of one length. Used from many threads at once.

    Vectors are compared only with vectors of the same ``fingerprint``: it names the model, its weights
    and how texts are prepared. ``fast`` says that an embedding costs less than storing the text, so
    that it may be made within a save. Text beyond ``max_words`` is not read (None: all is).
    """

    @property
    def fingerprint(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    @property
    def fast(self) -> bool: ...

    @property
    def max_words(self) -> int | None: ...

    def embed(self, texts: Sequence[str], *, role: Role = "passage") -> NDArray[Any]:
        """Unit-length float32 rows, one for each text; a text that says nothing to it gives a zero row.

        Raises `EmbeddingError` where it cannot.
        """
        ...


class TokenCounter(Protocol):
    """Counts a text's tokens as a model would."""

    def __call__(self, text: str) -> int: ...


class Masker(Protocol):
    """Replaces what must not be kept. ``counts`` tells how often by kind, never what."""

    def mask_value(
        self, value: Any, *, vault: MutableMapping[str, str] | None = None
    ) -> tuple[Any, dict[str, int]]:
        """The value (text, or lists and dicts of it) with placeholders, and the counts.

        ``vault``, which only a memory with ``reversible_masking`` gives, receives placeholders with values.
        """
        ...


class EntityExtractor(Protocol):
    """Finds what a text names, and what it says of two of them. Used from many threads at once.

    ``rule`` names how: entries that were read by another rule are read again, but for those of ``besides``,
    which are left as they are. It raises nothing: one that can fail falls back to
    `zerda.memory.core.rules.entities` and says so in its own way.
    """

    @property
    def rule(self) -> str: ...

    @property
    def besides(self) -> Sequence[str]: ...

    def extract(self, text: str, *, at: datetime | None = None) -> Naming:
        """The names in a text in its order, and the ties between them; ``at`` is when it was said."""
        ...


class Source(Protocol):
    """Proposes passages for a recall (`zerda.memory.retrieval.recall.Recall`), at most ``recall.limit``.

    A plain function will do. One of our errors out of it is named in ``degraded``, and the others go on.
    """

    def __call__(self, recall: Any, /) -> Proposal: ...


class Reranker(Protocol):
    """Judges anew what a recall ranked best. Used from many threads at once.

    ``share`` is how much its judgement counts beside the first ranking, 0 to 1: 1 takes its order alone.
    """

    @property
    def share(self) -> float: ...

    def judge(self, question: str, hits: Sequence[Hit]) -> Sequence[float]:
        """A number for each hit, in the hits' order: the higher, the better it answers.

        One of our errors out of it, such as `LLMError`, leaves the first ranking, and is named in
        ``degraded`` and in the log.
        """
        ...


class Ring(Protocol):
    """The keys of one encrypted store, proven right."""

    @property
    def hides_ids(self) -> bool: ...

    def wrapped(self, key: bytes, owner: str, version: int) -> bytes:
        """A data key as it may be kept beside the data."""
        ...

    def unwrapped(self, wrapped: bytes, owner: str, version: int) -> bytes:
        """The data key again."""
        ...

    def sealed(self, secret: bytes, what: str) -> bytes:
        """A secret of the store as it may be kept beside the data; another root key changes nothing of it."""
        ...

    def unsealed(self, sealed: bytes, what: str) -> bytes:
        """The secret again."""
        ...

    def known_as(self, id: str, kind: str) -> str:
        """The name of an id in files and catalog."""
        ...

    def sealed_id(self, id: str) -> bytes | None:
        """The id itself for whoever holds the key, where its name is another."""
        ...

    def unsealed_id(self, sealed: bytes) -> str:
        """The id again."""
        ...


class Keys(Protocol):
    """Where a store's keys come from. Used from many threads at once."""

    def begin(self, store_id: str) -> str:
        """The key record of a store that begins to be encrypted; it may be kept beside the data."""
        ...

    def unlock(self, record: str, store_id: str) -> Ring:
        """The ring to a record; `WrongKey` where the key does not open it. Cheap when asked again."""
        ...

    def again(self, ring: Ring) -> str:
        """The key record of the same store under this root key, where the store was opened with another."""
        ...
