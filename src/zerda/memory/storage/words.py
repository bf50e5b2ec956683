"""Index tokens with a scope in them, so that counts and postings of one scope hold no other's words.

A token of the index is the word's token, a mark, its tenant's number, a mark, and the number of who may
see it. The marks are private-use characters, which no text of a user's can put into a token; the second
tells what is archived from what is live. A user's search asks for exact tokens, of what is their own and
of what the tenant shares; the tenant's own view asks for all tokens that begin with the word and the
tenant. Counts are then exact for each.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .sql import Reach

_TENANT = "\uf000"
_LIVE = "\uf001"
_ARCHIVED = "\uf002"
_LAST = "\U0010ffff"  # Sorts after every scope's number.
_FINAL = re.compile(r"(?:[a-z0-9]|[^\x00-\x7f\ue000-\uf8ff\ud800-\udfff])+")
_ALL_FINAL = re.compile(f"{_FINAL.pattern}(?: {_FINAL.pattern})*")

MAX_TERMS = 256
"""Most terms in one search, rarest first: a question of a megabyte costs no more than a long one."""


def final(token: str) -> bool:
    """Whether a token holds what tokens are made of, and nothing else."""
    return _FINAL.fullmatch(token) is not None


def suffix(tenant: int, scope: int, *, live: bool) -> str:
    """What is added to the tokens of a passage that ``scope`` may see."""
    return f"{_TENANT}{tenant}{_LIVE if live else _ARCHIVED}{scope}"


def indexed(tokens: Sequence[str], mark: str) -> str:
    """The text that the index is given for a passage."""
    joined = " ".join(tokens)
    if joined.count(" ") == len(tokens) - 1 and _ALL_FINAL.fullmatch(joined):  # As ever; one look for all.
        return joined.replace(" ", f"{mark} ") + mark
    return " ".join([token + mark for token in tokens if _FINAL.fullmatch(token)])


def stretches(token: str, reach: Reach, *, archived: bool | None) -> list[tuple[str, str]]:
    """The stretches of the index's tokens that a search for ``token`` reads: first and last, inclusive."""
    return [(start, start + _LAST if reach.everyone else start) for start in _marked(token, reach, archived)]


def phrase(token: str, reach: Reach, *, archived: bool | None) -> str:
    """The search for a token within a scope, in the syntax of FTS5."""
    star = " *" if reach.everyone else ""
    return " OR ".join(f'"{marked}"{star}' for marked in _marked(token, reach, archived))


def _marked(token: str, reach: Reach, archived: bool | None) -> list[str]:
    """The index's tokens of a word; for the tenant's own view what they begin with."""
    if not _FINAL.fullmatch(token):
        return []
    scopes = ("",) if reach.everyone else tuple(scope for scope in reach.visible if scope)
    shelves = {False: (_LIVE,), True: (_ARCHIVED,), None: (_LIVE, _ARCHIVED)}[archived]
    return [f"{token}{_TENANT}{reach.tenant}{shelf}{scope}" for shelf in shelves for scope in scopes]


LOOKED_THROUGH = 8
"""So much cheaper than to fetch a posting it is to look whether it stands among those that were fetched."""


def affordable(
    terms: Sequence[tuple[str, ...]], postings: Mapping[str, int], budget: int
) -> tuple[list[tuple[str, ...]], list[tuple[str, ...]]]:
    """The terms to fetch, rarest first, and those to look for only among what was fetched.

    The first are those whose postings together stay within the budget, and at least one; the second those
    that may be looked through for as much again. Of each term only the tokens that are there; a term that
    is nowhere is left out.
    """
    present = [tuple(token for token in term if postings.get(token)) for term in terms]
    costs = sorted(
        (sum(postings[token] for token in term), place) for place, term in enumerate(present) if term
    )
    fetched: list[tuple[str, ...]] = []
    among: list[tuple[str, ...]] = []
    spent = 0.0
    for cost, place in costs[:MAX_TERMS]:
        if not fetched or spent + cost <= budget:
            fetched.append(present[place])
            spent += cost
        elif spent + cost / LOOKED_THROUGH <= 2 * budget:
            among.append(present[place])
            spent += cost / LOOKED_THROUGH
    return fetched, among
