"""Index tokens with a scope in them, so that counts and postings of one scope hold no other's words.

A token of the index is the word's token, a mark, its tenant's number, a mark, and the number of who may
see it. The marks are private-use characters, which no text of a user's can put into a token. A user's
search asks for exact tokens, of what is their own and of what the tenant shares; the tenant's own view
asks for all tokens that begin with the word and the tenant. Counts are then exact for each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from .sql import Reach

_TENANT = "\uf000"
_SCOPE = "\uf001"
_LAST = "\U0010ffff"  # Sorts after every scope's number.
_FINAL = re.compile(r"(?:[a-z0-9]|[^\x00-\x7f\ue000-\uf8ff\ud800-\udfff])+")

MAX_PHRASES = 512
"""Most tokens in one search, rarest first: a question of a megabyte costs no more than a long one."""


def suffix(tenant: int, scope: int) -> str:
    """What is added to the tokens of a passage that ``scope`` may see."""
    return f"{_TENANT}{tenant}{_SCOPE}{scope}"


def indexed(tokens: Iterable[str], mark: str) -> str:
    """The text that the index is given for a passage."""
    return " ".join(token + mark for token in tokens if _FINAL.fullmatch(token))


def ranges(token: str, reach: Reach) -> list[tuple[str, str]]:
    """The stretches of the index's tokens that a search for ``token`` reads: first and last, inclusive."""
    if not _FINAL.fullmatch(token):
        return []
    if reach.everyone:
        start = f"{token}{_TENANT}{reach.tenant}{_SCOPE}"
        return [(start, start + _LAST)]
    exact = [token + suffix(reach.tenant, scope) for scope in reach.visible if scope]
    return [(one, one) for one in exact]


def phrase(token: str, reach: Reach) -> str:
    """The search for a token within a scope, in the syntax of FTS5."""
    if reach.everyone:
        return f'"{token}{_TENANT}{reach.tenant}{_SCOPE}" *'
    return " OR ".join(f'"{token}{suffix(reach.tenant, scope)}"' for scope in reach.visible if scope)


def affordable(terms: Sequence[tuple[str, ...]], frequencies: Mapping[str, int], budget: int) -> list[str]:
    """The tokens to ask for, rarest terms first, until those before reach the budget of postings."""
    costs = sorted(((_postings(term, frequencies), place) for place, term in enumerate(terms)))
    chosen: dict[str, None] = {}
    spent = 0
    for cost, place in costs:
        if spent >= budget or len(chosen) >= MAX_PHRASES:
            break
        spent += cost
        chosen.update(dict.fromkeys(token for token in terms[place] if frequencies.get(token)))
    return list(chosen)


def _postings(term: tuple[str, ...], frequencies: Mapping[str, int]) -> int:
    return sum(frequencies.get(token, 0) for token in term)
