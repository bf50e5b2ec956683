"""From a question to ranked hits: propose, gather, weigh, rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ..core.model import Candidate, Hit, Proposal, Query, StoredPassage, VectorHits, WordHits
from ..core.rules.bm25 import Corpus, Term, attainable, by_term
from ..core.rules.decay import age_in_days, strength
from ..core.rules.floor import written_as_names
from ..core.rules.language import detect
from ..core.rules.passages import text_of
from ..core.rules.ranking import (
    Background,
    Question,
    Ranked,
    Utterance,
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
    question, utterances = _weigh(recall, evidence, pool, decay_rate)
    ranked = rank(question, utterances, weights)
    matching = {passage.key: passage for passage in pool if passage.matching}
    best = best_of_entries(one for one in ranked if one.utterance.key in matching)[:limit]
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
) -> tuple[Question, list[Utterance]]:
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
    wanted = frozenset(token for term in terms for token in term.tokens)
    return question, [
        _utterance(recall, passage, terms, corpus, wanted, evidence.proposed_by, decay_rate)
        for passage in pool
    ]


def _names_unknown(recall: Recall, terms: Sequence[Term]) -> bool:
    """Whether the question names somebody or something that no passage of the scope does."""
    unheard = {token for term in terms if not term.df for token in term.tokens}
    return not unheard.isdisjoint(written_as_names(recall.question, detect(recall.question), recall.times))


def _term(tokens: tuple[str, ...], frequencies: Mapping[str, int]) -> Term:
    return Term(tokens, max((frequencies.get(token, 0) for token in tokens), default=0))


def _utterance(
    recall: Recall,
    stored: StoredPassage,
    terms: Sequence[Term],
    corpus: Corpus,
    wanted: frozenset[str],
    proposed_by: Mapping[int, frozenset[str]],
    decay_rate: float,
) -> Utterance:
    passage = stored.passage
    counts = Counter(token for token in passage.tokens if token in wanted)
    return Utterance(
        stored.key,
        stored.entry_id,
        stored.session,
        stored.position,
        words=by_term(terms, corpus, counts, passage.length) if counts else (),
        meaning=_cosine(recall, stored),
        speaker=stored.speaker,
        length=passage.length,
        question=passage.question,
        has_time=bool(passage.times),
        time_match=time_match(recall.times, passage.times, stored.occurred_at.date())
        if recall.times
        else 0.0,
        importance=stored.importance,
        strength=_strength(recall, stored, decay_rate),
        proposed_by=proposed_by.get(stored.key, frozenset()),
    )


def _cosine(recall: Recall, stored: StoredPassage) -> float | None:
    if recall.vector is None or stored.vector is None:
        return None
    return float(stored.vector @ recall.vector)


def _strength(recall: Recall, stored: StoredPassage, decay_rate: float) -> float:
    age = age_in_days(stored.last_access or stored.occurred_at, recall.now)
    return strength(age, rate=decay_rate, uses=stored.access_count)


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
