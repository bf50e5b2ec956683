"""Proposes what was said last."""

from ...core.model import Candidate, Proposal
from ..recall import Recall

NEWEST = 5


def recent(recall: Recall) -> Proposal:
    """The passages of the newest entries."""
    newest = recall.store.find(recall.scope, recall.query.only(order="newest", limit=NEWEST))
    keys = recall.store.passages_of(recall.scope, [entry.id for entry in newest])
    return Proposal(tuple(Candidate(key, 1.0, "recent") for key in keys))
