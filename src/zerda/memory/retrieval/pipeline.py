"""From a question to ranked hits: propose, gather, weigh, rank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from ..core.model import (
    Candidate,
    Hit,
    Proposal,
    Query,
    StoredPassage,
    VectorHits,
    WordHits,
    micros,
    spans_from,
)
from ..core.rules.bm25 import Corpus, Term, added, attainable, values
from ..core.rules.decay import SECONDS_PER_DAY, strength
from ..core.rules.floor import written_as_names
from ..core.rules.language import detect
from ..core.rules.passages import text_of
from ..core.rules.ranking import (
    Background,
    Pool,
    Question,
    Ranked,
    Weights,
    best_of_entries,
    rank,
    time_match,
)
from ..core.seams import Source
from ..errors import ZerdaError
from .recall import Recall

BEFORE, AFTER = 3, 2
"""Neighbours that give evidence: the answer's topic mostly stands in the turn before it (docs: ranking)."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a recall found, best first, floor not yet applied; ``degraded`` names what was lacking."""

    hits: tuple[Hit, ...] = ()
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Evidence:
    """All that the sources said."""

    proposed_by: Mapping[int, frozenset[str]]
    words: WordHits = field(default_factory=WordHits)
    vectors: VectorHits = field(default_factory=VectorHits)
    degraded: tuple[str, ...] = ()


def find_hits(
    recall: Recall, sources: Mapping[str, Source], weights: Weights, *, decay_rate: float, limit: int
) -> Ranking:
    """The entries that answer the question, at most ``limit``, with the reasons for their ranks.

    Reads at most the sources' candidates and their neighbours, however large the scope is.
    """
    evidence = _propose(recall, sources)
    pool = recall.store.passages(
        recall.scope,
        list(evidence.proposed_by),
        recall.query,
        before=BEFORE,
        after=AFTER,
        fingerprint=recall.fingerprint,
    )
    question, pooled = _weigh(recall, evidence, pool, decay_rate)
    matching = {passage.key: passage for passage in pool if passage.matching}
    ranked = (one for one in rank(question, pooled, weights) if one.utterance.key in matching)
    best = list(islice(best_of_entries(ranked), limit))
    return Ranking(_hits(recall, best, matching), evidence.degraded)


def _propose(recall: Recall, sources: Mapping[str, Source]) -> _Evidence:
    """Ask every source; one that fails with an error of ours is named and passed over."""
    proposals: list[Proposal] = []
    faults: list[str] = []
    for name, source in sources.items():
        try:
            proposals.append(source(recall))
        except ZerdaError as error:
            faults.append(f"{name}: {error}")
    return _Evidence(
        _proposers(candidate for proposal in proposals for candidate in proposal.candidates),
        next((p.words for p in proposals if p.words), WordHits()),
        next((p.vectors for p in proposals if p.vectors), VectorHits()),
        (*recall.degraded, *faults),
    )


def _proposers(candidates: Iterable[Candidate]) -> dict[int, frozenset[str]]:
    by_key: dict[int, set[str]] = {}
    for candidate in candidates:
        by_key.setdefault(candidate.key, set()).add(candidate.source)
    return {key: frozenset(names) for key, names in by_key.items()}


def _weigh(
    recall: Recall, evidence: _Evidence, pool: Sequence[StoredPassage], decay_rate: float
) -> tuple[Question, Pool]:
    """The question and the pool as the ranking sees them: every passage scored exactly."""
    corpus = Corpus(evidence.words.passages, evidence.words.mean_length)
    terms = [_term(tokens, evidence.words.frequencies) for tokens in recall.terms]
    question = Question(
        attainable(terms, corpus),
        named=recall.named,
        asks_when=recall.asks_when,
        unknown=_names_unknown(recall, terms) if corpus.passages else False,
        background=Background(evidence.vectors.background_mean, evidence.vectors.background_sd),
    )
    return question, Pool(
        [
            [one.key for one in pool],
            [one.entry_id for one in pool],
            [one.session for one in pool],
            [one.position for one in pool],
            list(_words(pool, terms, corpus)),
            _cosines(recall, pool),
            [one.speaker for one in pool],
            [one.length for one in pool],
            [one.question for one in pool],
            [one.times != "[]" for one in pool],
            [_time_match(recall, one) for one in pool] if recall.times else [0.0] * len(pool),
            [one.importance for one in pool],
            list(_strengths(recall, pool, decay_rate)),
            [evidence.proposed_by.get(one.key, _NOBODY) for one in pool],
        ]
    )


_NOBODY: frozenset[str] = frozenset()


def _names_unknown(recall: Recall, terms: Sequence[Term]) -> bool:
    """Whether the question names somebody or something that no passage of the scope does."""
    unheard = {token for term in terms if not term.df for token in term.tokens}
    return not unheard.isdisjoint(written_as_names(recall.question, detect(recall.question), recall.times))


def _term(tokens: tuple[str, ...], frequencies: Mapping[str, int]) -> Term:
    return Term(tokens, max((frequencies.get(token, 0) for token in tokens), default=0))


def _words(
    pool: Sequence[StoredPassage], terms: Sequence[Term], corpus: Corpus
) -> Iterator[tuple[float, ...]]:
    """The BM25 of each passage by term; nothing where it has none of them."""
    wanted = {token for term in terms for token in term.tokens}
    worth = values(terms, corpus)
    for one in pool:
        tokens = one.tokens.split(" ")
        if wanted.isdisjoint(tokens):
            yield ()
            continue
        said = [token for token in tokens if token in wanted]
        yield added(worth, [max(map(said.count, term.tokens)) for term in terms], one.length, corpus)


def _cosines(recall: Recall, pool: Sequence[StoredPassage]) -> Sequence[float | None]:
    """How near each passage lies to the question; None where one of them has no vector."""
    cosines: list[float | None] = [None] * len(pool)
    rows = [row for row, one in enumerate(pool) if one.halves is not None]
    if recall.vector is None or not rows:
        return cosines
    blob = b"".join(one.halves for one in pool if one.halves is not None)
    vectors = np.frombuffer(blob, "<f2").reshape(len(rows), -1).astype(np.float32)
    # Row by row: the last bits of a matrix product depend on how many rows there are.
    for row, cosine in zip(rows, (vectors * recall.vector).sum(axis=1).tolist(), strict=True):
        cosines[row] = cosine
    return cosines


def _time_match(recall: Recall, one: StoredPassage) -> float:
    return time_match(recall.times, spans_from(one.times), one.occurred_at.date())


def _strengths(recall: Recall, pool: Sequence[StoredPassage], decay_rate: float) -> Iterator[float]:
    now = micros(recall.now)
    for one in pool:
        age = max(0, now - (one.used_at or one.said_at)) / MICROSECONDS_PER_DAY
        yield strength(age, rate=decay_rate, uses=one.access_count)


MICROSECONDS_PER_DAY = 1e6 * SECONDS_PER_DAY


def _hits(recall: Recall, best: Sequence[Ranked], pool: Mapping[int, StoredPassage]) -> tuple[Hit, ...]:
    query = Query(ids=tuple(one.utterance.entry_id for one in best), now=recall.now, limit=None)
    entries = {entry.id: entry for entry in recall.store.find(recall.scope, query)}
    return tuple(
        Hit(
            entries[one.utterance.entry_id],
            one.probability,
            text_of(entries[one.utterance.entry_id].content, pool[one.utterance.key].passage),
            dict(one.parts),
            tuple(sorted(one.utterance.proposed_by)) or ("neighbours",),
            pool[one.utterance.key].passage.role,
        )
        for one in best
        if one.utterance.entry_id in entries
    )
