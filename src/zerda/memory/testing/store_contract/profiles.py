"""Profiles: one for each user of a tenant, with what was learnt and from what; and clearing it all."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from ...core.model import Query, Scope
from ...core.rules.profile import Learnt, UserProfile
from ...errors import InvalidInput
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, ALL, BOB, EMBEDDER, STRANGER, TENANT, Ground, found, ids, near, put, undone

KNOWN = UserProfile(
    tenant_id="acme",
    user_id="alice",
    total_interactions=3,
    session_count=2,
    last_session="s2",
    query_words=17,
    importance_sum=1.75,
    memory_retention_boost=0.25,
    first_at=START,
    last_at=START + timedelta(microseconds=1),
    explicit_preferences={"greeting": "Grüß Gott \x00", "n": 1.5, "list": [], "none": None, "in": {"x": [1]}},
    learnt=(
        Learnt("language", "de", 1.75, 2, START, ("a", "b")),
        Learnt("topic", "tea", 0.5, 1, START + timedelta(days=1), ()),
        Learnt("word", "tea", 1.0, 1, START, ("b",)),
    ),
)


class Profiles(Ground):
    def test_an_unknown_user_has_a_blank_profile_that_is_kept_nowhere(self, store: Store) -> None:
        assert store.profile(ALICE) == UserProfile(tenant_id="acme", user_id="alice")
        assert store.profiles(TENANT) == []

    def test_a_profile_comes_back_as_it_was_kept(self, store: Store) -> None:
        store.put_profile(ALICE, KNOWN)
        assert store.profile(ALICE) == KNOWN
        assert store.profiles(ALICE) == store.profiles(TENANT) == [KNOWN]

    def test_a_profile_takes_the_place_of_the_former(self, store: Store) -> None:
        store.put_profile(ALICE, KNOWN)
        changed = replace(
            KNOWN,
            total_interactions=4,
            explicit_preferences={"n": 2, "new": "x"},
            learnt=(replace(KNOWN.learnt[0], weight=9.0, count=3), Learnt("topic", "cello", 1.0, 1, START)),
        )
        store.put_profile(ALICE, changed)
        assert store.profile(ALICE) == replace(
            changed, learnt=tuple(sorted(changed.learnt, key=lambda one: (one.trait, one.value)))
        )

    def test_who_knows_the_former_profile_may_say_so(self, store: Store) -> None:
        store.put_profile(ALICE, KNOWN, known=store.profile(ALICE))
        assert store.profile(ALICE) == KNOWN
        changed = replace(KNOWN, explicit_preferences={"n": 2}, learnt=KNOWN.learnt[1:])
        store.put_profile(ALICE, changed, known=store.profile(ALICE))
        assert store.profile(ALICE) == changed

    def test_each_user_of_each_tenant_has_their_own(self, store: Store) -> None:
        store.put_profile(ALICE, KNOWN)
        store.put_profile(BOB, KNOWN)
        store.put_profile(STRANGER, KNOWN)
        assert [one.user_id for one in store.profiles(TENANT)] == ["alice", "bob"]
        assert store.profile(BOB) == replace(KNOWN, user_id="bob")
        assert store.profile(Scope("acme", "Alice")).total_interactions == 0
        assert store.delete_profiles(TENANT) == 2
        assert store.profiles(TENANT) == []
        assert store.profile(STRANGER) == replace(KNOWN, tenant_id="other")

    def test_one_users_profile_is_deleted_alone(self, store: Store) -> None:
        store.put_profile(ALICE, KNOWN)
        store.put_profile(BOB, KNOWN)
        assert (store.delete_profiles(ALICE), store.delete_profiles(ALICE)) == (1, 0)
        assert [one.user_id for one in store.profiles(TENANT)] == ["bob"]
        store.put_profile(ALICE, UserProfile(tenant_id="acme", user_id="alice"))
        assert store.profile(ALICE).learnt == ()

    def test_what_is_handed_out_is_nobody_elses(self, store: Store) -> None:
        given = {"list": [1]}
        store.put_profile(ALICE, replace(KNOWN, explicit_preferences=given))
        given["list"].append(2)
        store.profile(ALICE).explicit_preferences["list"].append(3)
        assert store.profile(ALICE).explicit_preferences == {"list": [1]}

    def test_a_profile_is_kept_with_the_rest_of_a_transaction_or_not_at_all(self, store: Store) -> None:
        with undone(store):
            store.put_profile(ALICE, KNOWN)
            put(store, ALICE, "x")
        assert store.profiles(TENANT) == []

    def test_the_whole_tenant_has_no_profile_of_its_own(self, store: Store) -> None:
        for call in (lambda: store.profile(TENANT), lambda: store.put_profile(TENANT, KNOWN)):
            with pytest.raises(InvalidInput):
                call()

    def test_a_preference_that_is_no_json_is_refused(self, store: Store) -> None:
        with pytest.raises(InvalidInput):
            store.put_profile(ALICE, replace(KNOWN, explicit_preferences={"x": object()}))
        assert store.profiles(TENANT) == []

    def test_a_cleared_tenant_holds_nothing_and_others_all_of_theirs(self, store: Store) -> None:
        for scope in (ALICE, BOB, STRANGER):
            store.put(scope, [draft("the red kite", id=f"{scope.user_id}", embedder=EMBEDDER)])
            store.put(scope, [draft("old kite", id=f"{scope.user_id} 2")])
            store.mark(scope, [f"{scope.user_id} 2"], archived_at=START)
            store.put_profile(scope, KNOWN)
            store.set_watermark(scope, 1)
        assert store.clear(TENANT) == 4
        assert store.find(TENANT, ALL) == []
        assert store.profiles(TENANT) == []
        assert found(store, TENANT, "kite") == near(store, TENANT, "kite") == []
        assert store.users("acme") == ()
        assert (store.watermark(ALICE), store.watermark(STRANGER)) == (0, 1)
        assert ids(store.find(STRANGER, ALL)) == ["alice 2", "alice"]
        assert found(store, STRANGER, "kite") == near(store, STRANGER, "kite") == ["alice"]
        assert store.profile(STRANGER).total_interactions == 3

    def test_one_user_is_cleared_alone(self, store: Store) -> None:
        put(store, ALICE, "a", id="a", visibility="tenant")
        put(store, BOB, "b", id="b", visibility="tenant")
        store.put_profile(ALICE, KNOWN)
        store.put_profile(BOB, KNOWN)
        store.set_watermark(TENANT, 1)
        assert store.clear(ALICE) == 1
        assert ids(store.find(TENANT, ALL)) == ["b"]
        assert [one.user_id for one in store.profiles(TENANT)] == ["bob"]
        assert store.watermark(TENANT) == 1

    def test_more_than_a_batch_is_cleared(self, store: Store) -> None:
        store.put(ALICE, [draft("kite", id=f"{n}") for n in range(1_203)])
        assert store.clear(TENANT) == 1_203
        assert store.count(TENANT, ALL) == 0

    def test_what_was_cleared_may_be_said_again(self, store: Store) -> None:
        put(store, ALICE, "one", id="x")
        store.clear(TENANT)
        put(store, ALICE, "two", id="x")
        assert store.get(ALICE, "x").content == "two"
        assert found(store, ALICE, "one two") == ["x"]

    def test_each_clear_of_a_tenant_is_counted_for_it_and_that_of_a_user_is_not(self, store: Store) -> None:
        assert store.generation(TENANT) == 0
        store.clear(TENANT)
        store.clear(TENANT)
        store.clear(ALICE)  # Else a save of Bob's that is under way would be given up.
        assert (store.generation(ALICE), store.generation(BOB), store.generation(STRANGER)) == (2, 2, 0)

    def test_an_undone_clear_cleared_nothing(self, store: Store) -> None:
        put(store, ALICE, "x", id="x")
        store.put_profile(ALICE, KNOWN)
        with undone(store):
            store.clear(TENANT)
        assert ids(store.find(TENANT, Query())) == ["x"]
        assert store.profile(ALICE) == KNOWN
        assert store.generation(TENANT) == 0

    def test_why_an_entry_was_archived_is_kept_until_it_is_restored(self, store: Store) -> None:
        put(store, ALICE, "x", id="x")
        assert store.get(ALICE, "x").archived_because is None
        store.mark(ALICE, ["x"], archived_at=START, archived_because="faded")
        assert store.get(ALICE, "x").archived_because == "faded"
        store.revise(ALICE, draft("y", id="x"))
        assert store.get(ALICE, "x").archived_because == "faded"
        store.mark(ALICE, ["x"], archived_at=None, archived_because=None)
        assert store.get(ALICE, "x").archived_because is None

    def test_entries_are_found_by_when_they_were_archived_or_expire(self, store: Store) -> None:
        day = timedelta(days=1)
        store.put(ALICE, [draft(text, id=text) for text in ("a", "b", "c")])
        store.mark(ALICE, ["a"], archived_at=START)
        store.mark(ALICE, ["b"], archived_at=START + day)
        store.mark(ALICE, ["c"], expires_at=START)
        cases = [
            (Query(archived=True, archived_since=START + day), ["b"]),
            (Query(archived=True, archived_before=START + day), ["a"]),
            (Query(archived=None, archived_since=START), ["b", "a"]),
            (Query(expired_by=START), ["c"]),
            (Query(expired_by=START - day), []),
        ]
        for query, expected in cases:
            assert ids(store.find(ALICE, query)) == expected
            assert store.count(ALICE, query) == len(expected)
