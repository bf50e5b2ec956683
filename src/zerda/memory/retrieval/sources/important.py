"""Proposes what matters most."""

from ...core.model import Candidate, Proposal
from ..recall import Recall

MOST_IMPORTANT = 10


def important(recall: Recall) -> Proposal:
    """The passages of the promoted entries of the greatest importance."""
    query = recall.query.only(promoted=True, order="important", limit=MOST_IMPORTANT)
    keys = recall.store.passages_of(
        recall.scope, [entry.id for entry in recall.store.find(recall.scope, query)]
    )
    return Proposal(tuple(Candidate(key, 1.0, "important") for key in keys))
