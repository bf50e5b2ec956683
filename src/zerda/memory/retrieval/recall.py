"""A question, made ready to be asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from ..core.model import Query, Scope, TimeSpan
from ..core.rules.language import asks_when, detect, named, rewrite_names, stop_words
from ..core.rules.speakers import USER_PART
from ..core.rules.text import query_terms, words
from ..core.rules.time_expressions import find_times
from ..errors import EmbeddingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..core.seams import Embedder
    from ..storage.base import Store


@dataclass(frozen=True, slots=True)
class Recall:
    """What every source and rule needs to know of one question. Nothing here outlives the call."""

    store: Store
    scope: Scope
    question: str
    query: Query
    now: datetime
    limit: int
    min_score: float = 0.1
    terms: tuple[tuple[str, ...], ...] = ()
    language: str | None = None
    named: frozenset[str] = frozenset()
    asks_when: bool = False
    times: tuple[TimeSpan, ...] = ()
    vector: NDArray[Any] | None = None
    fingerprint: str | None = None
    degraded: tuple[str, ...] = ()


def ask(
    store: Store,
    scope: Scope,
    question: str,
    *,
    query: Query,
    now: datetime,
    limit: int,
    min_score: float = 0.1,
    embedder: Embedder | None = None,
    degraded: tuple[str, ...] = (),
) -> Recall:
    """Read a question once: its words, the people it names, the days it speaks of, and its vector."""
    language = detect(question)
    people = named(question, _known_names(store, scope))
    vector, faults = _vector(embedder, rewrite_names(question, people, language))
    return Recall(
        store,
        scope,
        question,
        query,
        now,
        limit,
        min_score,
        language=language,
        terms=tuple(query_terms(question, language, without=stop_words(language) | _words_of(people))),
        named=frozenset(USER_PART if name == scope.user_id else name for name in people),
        asks_when=asks_when(question, language),
        times=find_times(question, now, language),
        vector=vector,
        fingerprint=embedder.fingerprint if embedder and vector is not None else None,
        degraded=degraded + faults,
    )


def _known_names(store: Store, scope: Scope) -> tuple[str, ...]:
    """Who spoke here, and the user, whose part of an interaction bears no name."""
    user = () if scope.user_id is None else (scope.user_id,)
    return (*store.speakers(scope), *user)


def _words_of(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(word for name in names for word in words(name))


def _vector(embedder: Embedder | None, text: str) -> tuple[NDArray[Any] | None, tuple[str, ...]]:
    """The question's vector; None where there is no embedder, it knows no word of it, or it failed."""
    if embedder is None:
        return None, ()
    try:
        vector = embedder.embed([text], role="query")[0]
    except EmbeddingError as error:
        return None, (f"meaning: {error}",)
    return (vector if vector.any() else None), ()
