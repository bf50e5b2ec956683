"""How the manager finds what was said, and puts it before a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..context.context_builder import DEFAULT_INSTRUCTION, BuiltContext, Document, Fate, as_document
from ..core.aio import awaitable
from ..core.model import Hit, Hits, MemoryEntry, Query, Scope, Trust
from ..core.rules.crowding import Place, Said, Shares, admitted, collapsed
from ..core.rules.matching import awake, matches
from ..core.rules.text import index_tokens
from ..retrieval.judging import judged
from ..retrieval.pipeline import Ranking, find_hits
from ..retrieval.presets import FINDING
from ..retrieval.recall import ask
from ..security.access import Permission
from ..upkeep.indexing import index_newest
from .arguments import flag_of, narrowed_of, score_of, text_of, trust_of, whole_of
from .steps import Steps

if TYPE_CHECKING:
    from .bundle import _TenantBundle

HISTORY = 5
"""Entries of short-term memory that a context shows as the recent conversation."""


COMPARED = 20_000
"""Characters of an entry by which near copies are known: more makes no other page of it."""


class RecallMethods(Steps):
    """The part of `AIMemoryManager` that finds, and assembles."""

    def recall(
        self,
        user_id: str,
        tenant_id: str,
        query: str,
        *,
        limit: int | None = None,
        session_id: str | None = None,
        min_score: float | None = None,
        filters: Query | Mapping[str, Any] | None = None,
        as_of: datetime | None = None,
        min_trust: Trust | None = None,
    ) -> Hits:
        """The entries that answer the query, best first; nothing is a normal answer.

        Args:
            limit: hits at the most (``config.retrieval_limit``).
            session_id: only what was said in this session.
            min_score: probability of relevance from which a hit counts (``config.relevance_floor``).
            filters: conditions that entries meet, such as ``{"tags": "work"}`` (`docs/filters.md`); they
                narrow what the user may see, never widen it.
            as_of: ask as of a moment: what was recorded later is not seen, and ages and "yesterday" are
                counted from then. What was changed since is seen as it is now.
            min_trust: what is less trusted is not found (``config.min_trust``).

        Of near copies of one text the best is returned, and ``copies`` names the others. ``degraded`` of the
        answer names what could not be asked, such as an embedder that is away.
        """
        scope = self._may(user_id, tenant_id, Permission.READ)
        floor = score_of(min_score, "min_score", self.config.relevance_floor)
        most = whole_of(self.config.retrieval_limit if limit is None else limit, "limit")
        narrowed = narrowed_of(filters, as_of, trust_of(min_trust, self.config.min_trust))
        if session_id is not None:
            narrowed = narrowed.only(session_id=session_id)
        ranking = self._find(scope, text_of(query, "query"), narrowed, most)
        return Hits((hit for hit in ranking.hits if hit.score >= floor), ranking.degraded)

    def build_context(
        self,
        user_id: str,
        tenant_id: str,
        query: str,
        *,
        documents: Iterable[Document | Mapping[str, Any] | str] | None = None,
        top_k_semantic: int = 8,
        top_k_ltm: int = 10,
        include_profile: bool = True,
        session_id: str | None = None,
        token_budget: int | None = None,
        min_score: float | None = None,
        filters: Query | Mapping[str, Any] | None = None,
        as_of: datetime | None = None,
        min_trust: Trust | None = None,
        count_use: bool = True,
    ) -> BuiltContext:
        """What to put before a model for this query, within ``token_budget`` (``config.max_tokens``).

        What words and meaning find must pass the relevance floor; the most important and the newest
        entries compete with it for their places, but for the first: that is of what answers best. The chosen
        ones become the user's working memory.

        Args:
            documents: texts, dicts with ``page_content``, or `Document`s, for this context alone; masked.
            top_k_semantic: entries that words and meaning may propose.
            top_k_ltm: promoted entries that importance may propose.
            include_profile: say what is known of the user: language, manner, interests, preferences.
            session_id: the running conversation, whose last turns are shown.
            min_score: cosine from which meaning proposes (``config.min_score``).
            filters, as_of, min_trust: as in `recall`; they hold for all that is remembered.
            count_use: False for a look at what a model would be given: no entry counts as used by it.
        """
        scope = self._may(user_id, tenant_id, Permission.READ)
        narrowed = narrowed_of(filters, as_of, trust_of(min_trust, self.config.min_trust))
        query = self._masked(tenant_id, text_of(query, "query"))
        budget = whole_of(self.config.max_tokens if token_budget is None else token_budget, "token_budget")
        bundle = self._bundle(tenant_id)
        working = bundle.working
        most_found = whole_of(top_k_semantic, "top_k_semantic", least=0)
        most_important = whole_of(top_k_ltm, "top_k_ltm", least=0)
        cosine = score_of(min_score, "min_score", self.config.min_score)
        ranking = self._find(scope, query, narrowed, most_found, cosine)
        proposed = ranking.hits[:most_found]
        found = [hit for hit in proposed if hit.score >= self.config.relevance_floor]
        important = self._most_important(bundle, scope, narrowed, most_important)
        window = bundle.short_term(scope)
        hits = {hit.entry.id: hit for hit in found}
        recent = [entry for entry in _running(window.get_all()) if matches(narrowed, entry)]
        proposing = [*(hit.entry for hit in found), *important, *recent]
        places = _collapsed(proposing)
        candidates = [place.one for place in places]
        ranked = self._selector.rank(query, candidates, {one: hit.score for one, hit in hits.items()})
        worth = _best_first([one.entry for one in ranked], found)
        chosen, refused = admitted(worth, self._shares, self.config.retrieval_limit)
        beside = [one for place in places for one in place.beside]
        chosen += beside[: max(0, self.config.retrieval_limit - len(chosen))]
        copies = {copy.id: place.one.id for place in places for copy in (*place.copies, *place.beside)}
        copies.update((copy, hit.entry.id) for hit in found for copy in hit.copies)
        chosen = working.load(chosen, user_id=scope.user_id)
        context = self._context_builder.build(
            [self._masked_document(tenant_id, one) for one in documents or ()],
            [hits.get(entry.id, entry) for entry in chosen],
            _spoken(window.get_recent(HISTORY, session_id=session_id), narrowed),
            bundle.profiles.to_context_string(user_id)
            if flag_of(include_profile, "include_profile")
            else None,
            query=query,
            token_budget=budget,
            trace=[
                *_fates(proposed, proposing, {entry.id for entry in chosen}, self.config.relevance_floor),
                *(Fate(one, f"near copy of {of}") for one, of in copies.items()),
                *(Fate(one, why) for one, why in refused.items()),
            ],
            degraded=ranking.degraded,
        )
        if flag_of(count_use, "count_use"):
            self._uses.add(scope, [entry.id for entry in context.entries])
        return context

    def build_prompt(
        self,
        user_id: str,
        tenant_id: str,
        query: str,
        *,
        documents: Iterable[Document | Mapping[str, Any] | str] | None = None,
        system_instruction: str = DEFAULT_INSTRUCTION,
        include_profile: bool = True,
        session_id: str | None = None,
        token_budget: int | None = None,
        min_trust: Trust | None = None,
    ) -> str:
        """One prompt: the instruction, the context, the header ``=== Current Query ===``, the query.

        The query is masked like all that is kept.
        """
        context = self.build_context(
            user_id,
            tenant_id,
            query,
            documents=documents,
            include_profile=include_profile,
            session_id=session_id,
            token_budget=token_budget,
            min_trust=min_trust,
        )
        return self._context_builder.build_prompt(
            context.query, context, system_instruction=system_instruction
        )

    @property
    def _shares(self) -> Shares:
        return Shares(self.config.context_per_source, self.config.context_untrusted_share)

    def _find(
        self, scope: Scope, query: str, filters: Query, limit: int, min_score: float | None = None
    ) -> Ranking:
        """Ask, after giving vectors to what was said just now."""
        store = self._bundle(scope.tenant_id).store
        now = filters.as_of or self._clock()
        embedder, lacking = self._identity.to_read()
        if embedder is not None:
            lacking += index_newest(store, scope, embedder)
        recall = ask(
            store,
            scope,
            self._masked(scope.tenant_id, query),
            query=filters.only(now=now),
            now=now,
            limit=self.config.candidate_limit,
            min_score=self.config.min_score if min_score is None else min_score,
            embedder=embedder,
            degraded=lacking,
        )
        rate = self.config.decay_rate if self.config.enable_decay else 0.0
        weights = self._weights(recall.fingerprint)
        most = max(limit, 1)
        if self._reranker is None:
            return find_hits(recall, FINDING, weights, decay_rate=rate, limit=most)
        bound = self.config.rerank_limit
        ranking = find_hits(recall, FINDING, weights, decay_rate=rate, limit=max(most, bound))
        ranking = judged(ranking, recall.question, self._reranker, bound)
        return replace(ranking, hits=ranking.hits[:most])

    def _masked(self, tenant_id: str, query: str) -> str:
        masker = self._masker_of(tenant_id)
        return str(masker.mask_value(query)[0]) if masker else query

    def _masked_document(self, tenant_id: str, given: Document | Mapping[str, Any] | str) -> Document:
        document, masker = as_document(given), self._masker_of(tenant_id)
        if masker is None:
            return document
        text, metadata = document.page_content, dict(document.metadata)
        told = masker.mask_value({"text": text, "metadata": metadata})[0]
        return Document(told["text"], told["metadata"])

    def _most_important(
        self, bundle: _TenantBundle, scope: Scope, filters: Query, limit: int
    ) -> list[MemoryEntry]:
        query = filters.only(
            promoted=True,
            order="important",
            min_importance=self.config.min_importance,
            limit=limit,
            now=self._clock(),
        )
        return bundle.store.find(scope, query) if limit > 0 else []

    arecall = awaitable(recall)
    abuild_context = awaitable(build_context)
    abuild_prompt = awaitable(build_prompt)


def _running(window: list[MemoryEntry]) -> list[MemoryEntry]:
    """What was said in the running session: the end of a conversation that is over is not recent."""
    return [entry for entry in window if entry.session_id == window[-1].session_id]


def _spoken(entries: Iterable[MemoryEntry], query: Query) -> list[MemoryEntry]:
    return [entry for entry in entries if entry.kind in ("interaction", "message") and awake(query, entry)]


def _best_first(ranked: Sequence[MemoryEntry], found: Sequence[Hit]) -> list[MemoryEntry]:
    """The ranking behind what answers best: so many new and important entries cannot take its place."""
    best = [hit.entry for hit in found[:1]]
    return [*best, *(entry for entry in ranked if entry.id != best[0].id)] if best else [*ranked]


def _collapsed(entries: Iterable[MemoryEntry]) -> list[Place[MemoryEntry]]:
    """Each entry once; near copies behind the first of them."""
    once = {entry.id: entry for entry in entries}
    return collapsed(once.values(), _said, len(once))


def _said(entry: MemoryEntry) -> Said:
    return Said(frozenset(index_tokens(entry.text[:COMPARED]).tokens), entry.trust)


def _fates(
    hits: Iterable[Hit], candidates: Sequence[MemoryEntry], chosen: set[str], floor: float
) -> list[Fate]:
    """Why each candidate was put up for the context, or was not: what was found first, best first."""
    found = {hit.entry.id: hit for hit in hits}
    proposed = dict.fromkeys(entry.id for entry in candidates)
    fates = []
    for entry_id in dict.fromkeys([*found, *proposed]):
        hit = found.get(entry_id)
        fate = "selected" if entry_id in chosen else "others weighed more"
        if entry_id not in proposed:
            fate = f"below the floor {floor:g}"
        sources, parts = (hit.sources, hit.parts) if hit else (("recent or important",), {})
        fates.append(Fate(entry_id, fate, sources, hit.score if hit else None, parts))
    return fates
