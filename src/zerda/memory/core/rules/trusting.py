"""What an entry may claim by where it came from; a claim is lowered here and never raised."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, get_args
from urllib.parse import urlsplit

from ..model import TRUSTS, Origin, Trust

if TYPE_CHECKING:
    from ..model import MemoryEntry

OF_ORIGIN: Mapping[Origin, Trust] = {
    "user": "user",
    "assistant": "user",
    "tool": "untrusted",
    "web": "untrusted",
    "file": "untrusted",
    "import": "untrusted",
    "derived": "untrusted",
}
"""What is trusted by itself: what a user or the assistant said, and nothing that came from elsewhere."""

MOST_IMPORTANT: Mapping[Trust, float] = {
    "system": 1.0,
    "owner": 1.0,
    "user": 1.0,
    "untrusted": 0.5,  # That of an ordinary entry: it wins no place by its own word.
    "quarantined": 0.0,
}
"""The importance that counts, however much is claimed."""

assert set(OF_ORIGIN) == set(get_args(Origin))


def trusts_from(least: Trust) -> tuple[Trust, ...]:
    """This degree of trust and those above it."""
    return TRUSTS[: TRUSTS.index(least) + 1]


def trusted_from(least: Trust, trust: Trust) -> bool:
    """Whether something is trusted as much, or more."""
    return TRUSTS.index(trust) <= TRUSTS.index(least)


def lowest(trusts: Iterable[Trust]) -> Trust:
    """The least trusted of them."""
    return max(trusts, key=TRUSTS.index)


def trust_of(origin: Origin, claimed: Trust | None, *, may_raise: bool) -> Trust:
    """The trust of something new: by its origin, or as claimed; only who ``may_raise`` claims more."""
    own = OF_ORIGIN[origin]
    if claimed is None:
        return own
    return claimed if may_raise else lowest((own, claimed))


def counted_importance(importance: float, trust: Trust) -> float:
    """The importance as far as it counts."""
    return min(importance, MOST_IMPORTANT[trust])


def source_of(entry: MemoryEntry) -> str | None:
    """What counts as one source: the host of an address, else the source as it was given; None unnamed."""
    return None if entry.source is None else host_of(entry.source)


def host_of(source: str) -> str:
    """The host of an address; any other text as it is."""
    if "://" not in source:
        return source
    try:
        return (urlsplit(source).hostname or source).rstrip(".")
    except ValueError:  # No address after all.
        return source
