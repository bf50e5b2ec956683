"""What the chapters of the contract share: fixtures to override, who is who, and a way to ask by words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from ...core.model import Content, MemoryEntry, Query, Scope, WordHits
from ...core.rules.language import detect
from ...core.rules.text import query_terms
from ...errors import EntryNotFound
from ...storage.base import Store
from ..drafts import draft
from ..embedders import HashingEmbedder

ALICE, BOB, TENANT = Scope("acme", "alice"), Scope("acme", "bob"), Scope("acme")
STRANGER = Scope("other", "alice")

EMBEDDER = HashingEmbedder(128)
OTHER_EMBEDDER = HashingEmbedder(128, name="other")

LIVE, ALL = Query(), Query(archived=None, limit=None)


class Ground:
    """The fixtures. ``store`` has to be given; the others where the backend can."""

    @pytest.fixture
    def store(self) -> Store:
        """An empty store, closed after the test."""
        raise NotImplementedError("give a fixture `store`")

    @pytest.fixture
    def other(self, store: Store) -> Store | None:
        """A second opener of the data of ``store``, as another process would be; None if there is none."""
        return None

    @pytest.fixture
    def reopen(self, store: Store) -> Callable[[], Store] | None:
        """Close ``store`` and open its data again; None if closing ends it."""
        return None


def put(store: Store, scope: Scope, content: Content, **fields: Any) -> MemoryEntry:
    """Keep one entry."""
    return store.put(scope, [draft(content, **fields)])[0]


def ids(entries: Sequence[MemoryEntry]) -> list[str]:
    return [entry.id for entry in entries]


def asked(store: Store, scope: Scope, text: str, query: Query = LIVE, *, limit: int = 50) -> WordHits:
    """What a question's words find."""
    return store.search_words(scope, query_terms(text, detect(text)), query, limit=limit)


def found(store: Store, scope: Scope, text: str, query: Query = LIVE, *, limit: int = 50) -> list[str]:
    """The ids of the entries that a question's words find, best first."""
    return owners(store, scope, asked(store, scope, text, query, limit=limit).keys, query)


def near(store: Store, scope: Scope, text: str, query: Query = LIVE, *, limit: int = 50) -> list[str]:
    """The ids of the entries whose vectors are nearest to that of a text."""
    (vector,) = EMBEDDER.embed([text])
    hits = store.search_vectors(scope, vector, EMBEDDER.fingerprint, query, limit=limit)
    return owners(store, scope, [key for key, _ in hits.hits], query)


def owners(store: Store, scope: Scope, keys: Sequence[int], query: Query = LIVE) -> list[str]:
    """The ids of the entries that passages belong to, each once, in the order of the keys."""
    of = {passage.key: passage.entry_id for passage in store.passages(scope, keys, query)}
    return list(dict.fromkeys(of[key] for key in keys))


def versions(store: Store, scope: Scope, entry_id: str) -> list[MemoryEntry]:
    """The history of an entry; none where the scope has no such entry, however the store says so."""
    try:
        return store.history(scope, entry_id)
    except EntryNotFound:
        return []


def index(store: Store, scope: Scope, embedder: HashingEmbedder = EMBEDDER) -> int:
    """Give all that is pending in a scope its vector."""
    pending = store.pending(scope, embedder.fingerprint, limit=10_000)
    vectors = embedder.embed([one.text for one in pending])
    return store.put_vectors(scope, embedder.fingerprint, [one.key for one in pending], vectors)


@contextmanager
def undone(store: Store, error: type[BaseException] = KeyError) -> Iterator[None]:
    """A transaction that ends with an exception, which has to come out of it."""
    try:
        with store.transaction():
            yield
            raise error
    except error:
        return
    raise AssertionError("the transaction swallowed the exception")
