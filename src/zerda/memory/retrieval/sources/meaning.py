"""Proposes the passages whose vectors lie near the question's."""

from ...core.model import Candidate, Proposal
from ..recall import Recall


def meaning(recall: Recall) -> Proposal:
    """The nearest passages of at least ``min_score``; nothing where the question has no vector."""
    if recall.vector is None or recall.fingerprint is None:
        return Proposal()
    found = recall.store.search_vectors(
        recall.scope, recall.vector, recall.fingerprint, recall.query, limit=recall.limit
    )
    near = (Candidate(key, score, "meaning") for key, score in found.hits if score >= recall.min_score)
    return Proposal(tuple(near), vectors=found)
