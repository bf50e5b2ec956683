"""The best of a ranking, judged anew."""

from __future__ import annotations

import logging
from dataclasses import replace

from ..core.rules.reranking import reordered, sound
from ..core.seams import Reranker
from ..errors import ZerdaError
from .pipeline import Ranking

log = logging.getLogger(__name__)


def judged(ranking: Ranking, question: str, reranker: Reranker, most: int) -> Ranking:
    """The ranking with its first ``most`` hits in a new order; as it was, and saying so, where that fails."""
    best, rest = ranking.hits[:most], ranking.hits[most:]
    if len(best) < 2:
        return ranking
    try:
        told = list(reranker.judge(question, best))
    except ZerdaError as error:
        return _unchanged(ranking, str(error))
    if not sound(told, len(best)):
        return _unchanged(ranking, f"it gave no number for each of {len(best)} hits")
    return replace(ranking, hits=(*reordered(best, told, reranker.share), *rest))


def _unchanged(ranking: Ranking, why: str) -> Ranking:
    log.warning("hits keep their first order: %s", why)
    return replace(ranking, degraded=(*ranking.degraded, f"reranker: {why}"))
