"""Scopes: a user reaches their own and what is shared, to the byte, and nobody else's words move a number."""

from __future__ import annotations

import unicodedata

import pytest

from ...core.model import Query, Scope, VectorHits
from ...errors import EntryNotFound
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import (
    ALICE,
    ALL,
    BOB,
    EMBEDDER,
    STRANGER,
    TENANT,
    Ground,
    asked,
    found,
    ids,
    index,
    near,
    put,
    versions,
)  # fmt: skip

E_ACUTE = "\u00e9"

# Pairs that a careless comparison would take for the same.
LOOK_ALIKES = [
    (Scope("acme", "alice"), Scope("acme", "Alice")),
    (Scope("acme", "alice"), Scope("acme", "alic")),
    (Scope("acme", "alice"), Scope("acme", "alice2")),
    (Scope("acme", "alice"), Scope("acme", "al%")),
    (Scope("acme", "alice"), Scope("acme", "a_ice")),
    (Scope("acme", "alice"), Scope("acme", "al*")),
    (Scope("acme", "alice"), Scope("acme", "alice' OR '1'='1")),
    (Scope("acme", "alice"), Scope("acme", 'alice" OR "alice')),
    (Scope("acme", "1"), Scope("acme", "01")),
    (Scope("acme", "1"), Scope("acme", "1.0")),
    (Scope("acme", "b:c"), Scope("acme:b", "c")),
    (Scope("acme", "alice"), Scope("Acme", "alice")),
    (Scope("acme", "alice"), Scope("acm%", "alice")),
    (Scope("acme", "caf" + E_ACUTE), Scope("acme", unicodedata.normalize("NFD", "caf" + E_ACUTE))),
    (Scope("acme", "alice"), Scope("acme", "\u0430lice")),
    (Scope("acme", "straße"), Scope("acme", "strasse")),
]


def background(store: Store, scope: Scope, text: str) -> VectorHits:
    (vector,) = EMBEDDER.embed([text])
    return store.search_vectors(scope, vector, EMBEDDER.fingerprint, Query(), limit=5)


def gettable(store: Store, scope: Scope) -> set[str]:
    """The ids that a scope can get, of those that are asked about."""
    try:
        return {store.get(scope, "secret").id}
    except EntryNotFound:
        return set()


def reached(store: Store, scope: Scope) -> set[str]:
    """The names of the calls by which a scope gets at anything of the entry "secret"."""
    keys = [*range(200)]  # A caller may guess them.
    answers = {
        "get": "secret" in gettable(store, scope),
        "find": store.find(scope, ALL),
        "count": store.count(scope, ALL),
        "history": versions(store, scope, "secret"),
        "speakers": store.speakers(scope),
        "words": asked(store, scope, "swordfish").keys,
        "frequencies": asked(store, scope, "swordfish").frequencies["swordfish"],
        "statistics": asked(store, scope, "swordfish").passages,
        "vectors": background(store, scope, "swordfish").hits,
        "background": background(store, scope, "swordfish").background_mean,
        "passages": store.passages(scope, keys, ALL, before=3, after=3),
        "passages_of": store.passages_of(scope, ["secret"]),
        "pending": store.pending(scope, "another", limit=9),
        "stats": store.stats(scope, "another").passages,
        "mark": store.mark(scope, ["secret"], pinned=True),
        "delete": store.delete(scope, ["secret"]),
        "put_vectors": store.put_vectors(scope, "f", keys, EMBEDDER.embed(["x"] * len(keys))),
    }
    return {name for name, answer in answers.items() if answer}


class Scopes(Ground):
    @pytest.mark.parametrize(("owner", "other_one"), LOOK_ALIKES)
    def test_nothing_private_is_reached_by_one_who_looks_alike(
        self, store: Store, owner: Scope, other_one: Scope
    ) -> None:
        store.put(owner, [draft("the word is swordfish", id="secret", speaker="Ann", embedder=EMBEDDER)])
        assert reached(store, other_one) == set()
        assert reached(store, owner) >= {"get", "find", "words", "vectors", "passages", "pending", "history"}

    def test_nothing_crosses_from_tenant_to_tenant_even_if_it_is_shared(self, store: Store) -> None:
        put(store, ALICE, "the word is swordfish", id="secret", visibility="tenant")
        index(store, TENANT)
        assert reached(store, STRANGER) == reached(store, Scope("other")) == set()

    def test_what_is_shared_is_read_by_every_user_of_the_tenant(self, store: Store) -> None:
        shared = draft("the word is swordfish", id="secret", visibility="tenant", embedder=EMBEDDER)
        store.put(ALICE, [shared])
        assert store.get(BOB, "secret").user_id == "alice"
        assert (
            ids(store.find(BOB, ALL))
            == found(store, BOB, "swordfish")
            == near(store, BOB, "swordfish")
            == ["secret"]
        )
        assert (
            store.count(BOB, ALL) == store.stats(BOB).entries == asked(store, BOB, "swordfish").passages == 1
        )

    def test_what_is_shared_can_be_made_private_again(self, store: Store) -> None:
        put(store, ALICE, "the word is swordfish", id="secret", visibility="tenant")
        store.revise(ALICE, draft("the word is swordfish", id="secret", visibility="user"))
        index(store, TENANT)
        assert reached(store, BOB) == set()

    def test_what_is_private_can_be_shared(self, store: Store) -> None:
        put(store, ALICE, "the word is swordfish", id="secret")
        store.revise(ALICE, draft("the word is swordfish", id="secret", visibility="tenant"))
        assert found(store, BOB, "swordfish") == ["secret"]

    def test_a_former_private_version_of_what_is_shared_is_history_too(self, store: Store) -> None:
        put(store, ALICE, "draft", id="x", visibility="tenant")
        store.revise(ALICE, draft("final", id="x", visibility="tenant"))
        assert [entry.content for entry in store.history(BOB, "x")] == ["draft", "final"]

    def test_a_search_of_one_user_is_not_cut_short_by_the_entries_of_others(self, store: Store) -> None:
        store.put(BOB, [draft("kite kite kite", embedder=EMBEDDER) for _ in range(60)])
        store.put(ALICE, [draft("there was a kite in the sky", id="x", embedder=EMBEDDER)])
        assert found(store, ALICE, "kite", limit=1) == near(store, ALICE, "kite", limit=1) == ["x"]
        assert [one.text for one in store.pending(ALICE, "another", limit=1)] == [
            "there was a kite in the sky"
        ]

    def test_the_statistics_of_words_are_those_of_the_scope_alone(self, store: Store) -> None:
        put(store, ALICE, "a kite")
        before = asked(store, ALICE, "kite")
        store.put(BOB, [draft("kite and more words than she has") for _ in range(9)])
        store.put(STRANGER, [draft("kite", visibility="tenant")])
        assert asked(store, ALICE, "kite") == before
        store.delete(TENANT, ids(store.find(BOB, ALL)))
        assert asked(store, ALICE, "kite") == before

    def test_the_background_of_vectors_is_that_of_the_scope_alone(self, store: Store) -> None:
        store.put(ALICE, [draft(text, embedder=EMBEDDER) for text in ("a kite", "tea", "the harbour")])
        before = background(store, ALICE, "kite")
        store.put(BOB, [draft("kite", embedder=EMBEDDER) for _ in range(9)])
        assert background(store, ALICE, "kite") == before

    @pytest.mark.parametrize("scope", [BOB, STRANGER, Scope("acme", "never seen"), Scope("never seen")])
    def test_a_vector_that_was_replaced_or_deleted_is_in_nobodys_background(
        self, store: Store, scope: Scope
    ) -> None:
        store.put(ALICE, [draft("a red kite", id=name, embedder=EMBEDDER) for name in ("a", "b", "c")])
        background(store, ALICE, "kite")
        keys = store.passages_of(ALICE, ["a"])
        store.put_vectors(ALICE, EMBEDDER.fingerprint, keys, EMBEDDER.embed(["a red kite"]))
        store.delete(ALICE, ["b"])
        store.mark(ALICE, ["c"], archived_at=START)
        assert background(store, scope, "kite") == VectorHits()

    def test_what_others_share_counts_in_the_statistics(self, store: Store) -> None:
        put(store, ALICE, "a kite")
        put(store, BOB, "the kite", visibility="tenant")
        hits = asked(store, ALICE, "kite")
        assert (hits.passages, hits.frequencies["kite"]) == (2, 2)

    def test_the_tenants_own_view_reads_everyones(self, store: Store) -> None:
        for number, scope in enumerate((ALICE, BOB, STRANGER)):
            store.put(scope, [draft("kite", id=f"{number}", embedder=EMBEDDER)])
        assert ids(store.find(TENANT, ALL)) == ["1", "0"]
        assert sorted(found(store, TENANT, "kite")) == sorted(near(store, TENANT, "kite")) == ["0", "1"]
        assert asked(store, TENANT, "kite").frequencies["kite"] == 2

    def test_a_query_cannot_widen_a_scope(self, store: Store) -> None:
        put(store, ALICE, "kite", id="x", session_id="s", tags=("t",))
        for query in (Query(ids=("x",)), Query(session_id="s"), Query(tags=("t",)), Query(kinds=("note",))):
            assert store.find(BOB, query) == []
            assert store.count(BOB, query) == 0

    def test_numbers_are_told_within_the_scope(self, store: Store) -> None:
        store.put(
            ALICE, [draft("one", session_id="s"), draft({"input": "two", "output": "three"}, session_id="t")]
        )
        put(store, BOB, "four", session_id="s", visibility="tenant")
        put(store, STRANGER, "five")
        hers, his, all_of_it = (store.stats(scope, "f") for scope in (ALICE, BOB, TENANT))
        assert (hers.entries, hers.passages, hers.pending, hers.users) == (3, 4, 4, 2)
        assert (his.entries, his.passages, his.pending, his.sessions, his.users) == (1, 1, 1, 1, 1)
        assert (all_of_it.entries, all_of_it.sessions, all_of_it.users) == (3, 3, 2)

    def test_pending_is_zero_where_no_fingerprint_is_given(self, store: Store) -> None:
        put(store, ALICE, "one")
        assert [store.stats(ALICE).pending, store.stats(ALICE, "f").pending] == [0, 1]

    def test_a_watermark_begins_at_zero_and_only_rises(self, store: Store) -> None:
        assert store.watermark(ALICE) == 0
        told = []
        for seq in (5, 3, 0, 5, 9):
            store.set_watermark(ALICE, seq)
            told.append(store.watermark(ALICE))
        assert told == [5, 5, 5, 5, 9]

    def test_everyone_has_a_watermark_of_their_own(self, store: Store) -> None:
        for seq, scope in enumerate((ALICE, BOB, TENANT, STRANGER), 1):
            store.set_watermark(scope, seq)
        assert [store.watermark(scope) for scope in (ALICE, BOB, TENANT, STRANGER)] == [1, 2, 3, 4]
        assert store.watermark(Scope("acme", "carol")) == 0

    def test_a_watermark_hides_nothing_from_the_store_itself(self, store: Store) -> None:
        kept = put(store, ALICE, "kite", archived_at=None, promoted_at=START)
        store.set_watermark(ALICE, kept.seq)
        assert store.find(ALICE, Query()) == [kept]
        assert store.find(ALICE, Query(after_seq=store.watermark(ALICE))) == []
