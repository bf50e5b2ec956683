"""From a question to ranked hits: propose, gather, weigh, rank."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import repeat

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
from ..core.rules.bm25 import Corpus, Term, attainable, counted, matrix
from ..core.rules.crowding import Place, Said, collapsed, refilled
from ..core.rules.decay import SECONDS_PER_DAY, half_life_days
from ..core.rules.floor import FULL, written_as_names
from ..core.rules.hearing import by_parts, telling
from ..core.rules.language import detect
from ..core.rules.passages import text_of
from ..core.rules.ranking import (
    Background,
    Floats,
    Pool,
    Question,
    Ranked,
    Weights,
    best_of_entries,
    rank,
    time_match,
)
from ..core.rules.text import words
from ..core.seams import Source
from ..errors import ZerdaError
from .recall import Recall

WIDER = (4, 16)
"""Times as many candidates, where copies of one text are as many as there were places for all."""

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
    ranking, crowded = _ranked(recall, sources, weights, decay_rate, limit)
    for times in WIDER if crowded else ():
        wider = replace(recall, limit=recall.limit * times)
        ranking, crowded = _ranked(wider, sources, weights, decay_rate, limit)
        if not crowded:
            break
    return ranking


def _ranked(
    recall: Recall, sources: Mapping[str, Source], weights: Weights, decay_rate: float, limit: int
) -> tuple[Ranking, bool]:
    """What is found among so many candidates, and whether copies took the places of others."""
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
    said = _said_by(pool)
    places = collapsed(best_of_entries(ranked), lambda one: said(one.utterance.entry_id), limit)
    near = sum(len(place.copies) + len(place.beside) for place in places)
    crowded = len(places) < limit and near >= recall.limit // 2
    return Ranking(_hits(recall, refilled(places, limit), matching), evidence.degraded), crowded


def _said_by(pool: Sequence[StoredPassage]) -> Callable[[str], Said]:
    """What an entry says, as far as its passages are at hand."""
    passages: dict[str, list[StoredPassage]] = {}
    for one in pool:
        passages.setdefault(one.entry_id, []).append(one)

    @cache
    def said(entry_id: str) -> Said:
        mine = passages[entry_id]
        return Said(frozenset(word for one in mine for word in one.tokens.split(" ")), mine[0].trust)

    return said


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
    heard = evidence.words.frequencies
    asked = telling(by_parts(recall.terms, heard, recall.language), heard)
    terms = [_term(tokens, heard) for tokens in asked]
    question = Question(
        attainable(terms, corpus),
        named=recall.named,
        asks_when=recall.asks_when,
        unknown=_names_unknown(recall, terms) if corpus.passages else False,
        background=Background(evidence.vectors.background_mean, evidence.vectors.background_sd),
        passages=corpus.passages or FULL,
        language=recall.language,
    )
    told = dict(zip(StoredPassage._fields, zip(*pool, strict=True) if pool else repeat(()), strict=False))
    return question, Pool(
        [
            told["key"],
            told["entry_id"],
            told["session"],
            told["position"],
            matrix(terms, corpus, counted(told["tokens"], terms), np.array(told["length"], np.int64)),
            _cosines(recall, told["halves"]),
            told["speaker"],
            told["length"],
            told["question"],
            [times != "[]" for times in told["times"]],
            [_time_match(recall, one) for one in pool] if recall.times else [0.0] * len(pool),
            told["importance"],
            _strengths(recall, told["said_at"], told["used_at"], told["access_count"], decay_rate),
            [evidence.proposed_by.get(key, _NOBODY) for key in told["key"]],
            _mentions(recall, told["tokens"]),
        ]
    )


_NOBODY: frozenset[str] = frozenset()


def _mentions(recall: Recall, texts: Sequence[str]) -> list[bool]:
    """Which passages hold the name of the one whom the question names."""
    if len(recall.named) != 1:
        return [False] * len(texts)
    names = [f" {word} " for name in recall.named for word in words(name)]
    return [any(name in f" {text} " for name in names) for text in texts]


def _names_unknown(recall: Recall, terms: Sequence[Term]) -> bool:
    """Whether the question names somebody or something that no passage of the scope does."""
    unheard = {token for term in terms if not term.df for token in term.tokens}
    return not unheard.isdisjoint(written_as_names(recall.question, detect(recall.question), recall.times))


def _term(tokens: tuple[str, ...], frequencies: Mapping[str, int]) -> Term:
    said = tuple(token for token in tokens if frequencies.get(token))
    return Term(said or tokens[:1], max((frequencies[token] for token in said), default=0))


def _cosines(recall: Recall, halves: Sequence[bytes | None]) -> Floats:
    """How near each passage lies to the question; NaN where one of them has no vector."""
    cosines = np.full(len(halves), np.nan)
    there = [one for one in halves if one is not None]
    if recall.vector is not None and there:
        vectors = np.frombuffer(b"".join(there), "<f2").reshape(len(there), -1).astype(np.float32)
        # Row by row: the last bits of a matrix product depend on how many rows there are.
        rows = [one is not None for one in halves]
        cosines[rows] = (vectors * recall.vector).sum(axis=1)
    return cosines


def _time_match(recall: Recall, one: StoredPassage) -> float:
    return time_match(recall.times, spans_from(one.times), one.occurred_at.date())


def _strengths(
    recall: Recall, said: Sequence[int], used: Sequence[int | None], uses: Sequence[int], decay_rate: float
) -> Floats:
    """What decay left of each passage's entry: `decay.strength`, for many at once."""
    if decay_rate <= 0:
        return np.ones(len(said))
    lasting = {count: half_life_days(rate=decay_rate, uses=count) for count in set(uses)}
    last = np.array([at or first for first, at in zip(said, used, strict=True)], np.float64)
    ages = np.maximum(micros(recall.now) - last, 0.0) / MICROSECONDS_PER_DAY
    left: Floats = 2.0 ** -(ages / np.array([lasting[count] for count in uses]))
    return left


MICROSECONDS_PER_DAY = 1e6 * SECONDS_PER_DAY


def _hits(
    recall: Recall, places: Sequence[Place[Ranked]], pool: Mapping[int, StoredPassage]
) -> tuple[Hit, ...]:
    best = [place.one for place in places]
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
            tuple(copy.utterance.entry_id for copy in place.copies),
        )
        for place, one in zip(places, best, strict=True)
        if one.utterance.entry_id in entries
    )
