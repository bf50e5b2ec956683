"""Proposes the passages that share words with the question."""

from ...core.model import Candidate, Proposal
from ..recall import Recall


def words(recall: Recall) -> Proposal:
    """The best passages by their words, and the scope's statistics for scoring them."""
    found = recall.store.search_words(recall.scope, recall.terms, recall.query, limit=recall.limit)
    ranked = (Candidate(key, 1 / place, "words") for place, key in enumerate(found.keys, 1))
    return Proposal(tuple(ranked), words=found)
