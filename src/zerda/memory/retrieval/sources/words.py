"""Proposes the passages that share words with the question."""

from ...core.model import Candidate, Proposal, WordHits
from ...core.rules.hearing import by_parts
from ..recall import Recall


def words(recall: Recall) -> Proposal:
    """The best passages by their words, and the scope's statistics for scoring them.

    A compound that nobody in the scope said is looked for by its parts: a second search, where there is one.
    """
    found = _search(recall, recall.terms)
    terms = by_parts(recall.terms, found.frequencies, recall.language)
    if terms != recall.terms:
        found = _search(recall, terms)
    ranked = (Candidate(key, 1 / place, "words") for place, key in enumerate(found.keys, 1))
    return Proposal(tuple(ranked), words=found)


def _search(recall: Recall, terms: tuple[tuple[str, ...], ...]) -> WordHits:
    return recall.store.search_words(recall.scope, terms, recall.query, limit=recall.limit)
