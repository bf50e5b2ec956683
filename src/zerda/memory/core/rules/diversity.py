"""So that the first hits do not all say the same."""

from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")

SAME = 0.9  # Share of words in common from which two texts are one.
DEPTH = 50  # Only the first hits are compared, each with those kept before: at most 1,225 comparisons.


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Words in common as a share of all words of the two (Jaccard); two empty texts are the same."""
    union = len(one | other)
    return len(one & other) / union if union else 1.0


def repeats_last(
    items: Sequence[T], words: Callable[[T], frozenset[str]], *, same: float = SAME, depth: int = DEPTH
) -> list[T]:
    """The items in their order, but what nearly repeats a better one stands behind the first ``depth``.

    Nothing is dropped: a repeat is still evidence, only not worth a place in front.
    """
    kept: list[tuple[T, frozenset[str]]] = []
    repeats: list[T] = []
    for item in items[:depth]:
        said = words(item)
        if any(overlap(said, other) >= same for _, other in kept):
            repeats.append(item)
        else:
            kept.append((item, said))
    return [*(item for item, _ in kept), *repeats, *items[depth:]]


def spread_out(
    items: Sequence[T],
    relevance: Callable[[T], float],
    similarity: Callable[[T, T], float],
    *,
    weight: float,
    depth: int = DEPTH,
) -> list[T]:
    """The first ``depth`` items by relevance less ``weight`` times their likeness to what is chosen already.

    Greedy (Carbonell & Goldstein 1998). ``weight`` 0 keeps the order; equal items keep theirs. On
    conversations it finds nothing more, so nothing uses it unasked.
    """
    left = list(items[:depth])
    nearest = [0.0] * len(left)
    chosen: list[T] = []
    while left:
        best = max(range(len(left)), key=lambda i: relevance(left[i]) - weight * nearest[i])
        chosen.append(left.pop(best))
        nearest.pop(best)
        nearest = [max(n, similarity(chosen[-1], item)) for n, item in zip(nearest, left, strict=True)]
    return [*chosen, *items[depth:]]
