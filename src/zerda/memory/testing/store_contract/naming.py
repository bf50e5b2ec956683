"""Names: what entries name follows them, and nobody sees more of it than of the entries."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from ...core.entities import Mention, Naming, Sighting, Tie
from ...core.model import Query, Scope
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, ALL, BOB, LIVE, STRANGER, TENANT, Ground, ids, put, undone

RULE = "test 1"
ANA, BO = Mention("ana", "Anastasia Zebulon", "person", 2, 3.0), Mention("bo", "Bo", "other", 1, 0.0)
KNOWS = Tie("ana", "sails_with", "bo")
BOTH = Naming((ANA, BO), (KNOWS,))


def name(store: Store, scope: Scope, naming: Naming = BOTH, rule: str = RULE) -> int:
    """Say of every entry that was not yet read that it names this."""
    return store.put_names(scope, rule, [(one, naming) for one in store.unnamed(scope, rule, limit=100)])


def keys(store: Store, scope: Scope, query: Query = LIVE) -> list[str]:
    return sorted(one.key for one in store.sightings(scope, query))


class Names(Ground):
    def test_what_was_read_comes_back_counted(self, store: Store) -> None:
        put(store, ALICE, "one", occurred_at=START)
        put(store, ALICE, "two", occurred_at=START + timedelta(days=1))
        assert name(store, ALICE) == 2
        first, last = START, START + timedelta(days=1)
        assert sorted(store.sightings(ALICE, LIVE), key=lambda one: one.key) == [
            Sighting("ana", ANA.name, "person", 4, 6.0, 2, first, last),
            Sighting("bo", "Bo", "other", 2, 0.0, 2, first, last),
        ]
        assert store.ties(ALICE, LIVE) == {KNOWS: 2}

    def test_entries_are_read_once_by_each_rule_oldest_first(self, store: Store) -> None:
        entries = [put(store, ALICE, text) for text in ("a", "b", "c")]
        assert ids(store.unnamed(ALICE, RULE, limit=2)) == ids(entries[:2])
        name(store, ALICE)
        assert store.unnamed(ALICE, RULE, limit=9) == []
        assert ids(store.unnamed(ALICE, "another", limit=9)) == ids(entries)
        name(store, ALICE, Naming((BO,)), rule="another")
        assert (keys(store, ALICE), store.ties(ALICE, LIVE)) == (["bo"], {})
        assert store.unnamed(ALICE, "another", limit=9) == []

    def test_what_another_rule_has_read_may_be_left_as_it_is(self, store: Store) -> None:
        put(store, ALICE, "a")
        name(store, ALICE, rule="better")
        fresh = put(store, ALICE, "b")
        assert ids(store.unnamed(ALICE, RULE, limit=9, besides=("better", "other"))) == [fresh.id]
        assert len(store.unnamed(ALICE, RULE, limit=9, besides=("bett",))) == 2

    def test_entries_of_one_session_may_be_read_alone(self, store: Store) -> None:
        one = put(store, ALICE, "a", session_id="one")
        put(store, ALICE, "b", session_id="two")
        assert ids(store.unnamed(ALICE, RULE, limit=9, session_id="one")) == [one.id]
        assert store.unnamed(BOB, RULE, limit=9, session_id="one") == []

    def test_an_entry_that_names_nothing_is_read_all_the_same(self, store: Store) -> None:
        put(store, ALICE, "nothing")
        assert name(store, ALICE, Naming()) == 1
        assert store.unnamed(ALICE, RULE, limit=9) == []

    def test_one_may_ask_for_some(self, store: Store) -> None:
        put(store, ALICE, "x")
        name(store, ALICE, Naming((ANA, BO, Mention("cy", "Cy")), (KNOWS, Tie("cy", "knows", "cy"))))
        assert [one.key for one in store.sightings(ALICE, LIVE, keys=["bo", "nobody", "bo"])] == ["bo"]
        assert store.sightings(ALICE, LIVE, keys=[]) == []
        assert store.ties(ALICE, LIVE, keys=["bo"]) == {KNOWS: 1}
        assert store.ties(ALICE, LIVE, keys=[]) == {}

    def test_entries_are_found_by_what_they_mention(self, store: Store) -> None:
        entries = [put(store, ALICE, text) for text in ("a", "b", "c")]
        read = [(one, BOTH if one.content != "b" else Naming()) for one in entries]
        store.put_names(ALICE, RULE, read)
        assert ids(store.mentioning(ALICE, "ana", LIVE)) == ids([entries[2], entries[0]])
        assert ids(store.mentioning(ALICE, "ana", Query(order="oldest", limit=1))) == ids(entries[:1])
        assert store.mentioning(ALICE, "an", LIVE) == []

    def test_nobody_sees_what_anothers_entries_name(self, store: Store) -> None:
        put(store, ALICE, "hers")
        put(store, STRANGER, "a stranger's")
        name(store, ALICE)
        for scope in (BOB, STRANGER, Scope("acme", "alic"), Scope("acme", "Alice"), Scope("acme", "%")):
            assert store.sightings(scope, LIVE) == []
            assert store.sightings(scope, LIVE, keys=["ana"]) == []
            assert store.ties(scope, LIVE) == store.ties(scope, LIVE, keys=["ana"]) == {}
            assert store.mentioning(scope, "ana", LIVE) == []
        assert store.unnamed(BOB, RULE, limit=9) == []
        assert (keys(store, TENANT), keys(store, Scope("other"))) == (["ana", "bo"], [])

    def test_what_is_shared_names_for_all_and_each_name_is_counted_for_who_asks(self, store: Store) -> None:
        put(store, ALICE, "shared", visibility="tenant")
        put(store, ALICE, "private")
        put(store, BOB, "his")
        for scope in (ALICE, BOB):
            name(store, scope)
        entries = {
            scope.user_id: store.sightings(scope, LIVE, keys=["ana"])[0].entries for scope in (ALICE, BOB)
        }
        assert entries == {"alice": 2, "bob": 2}
        assert store.ties(TENANT, LIVE) == {KNOWS: 3}

    def test_an_archived_or_expired_entry_names_nothing(self, store: Store) -> None:
        gone = put(store, ALICE, "away")
        put(store, ALICE, "over", expires_at=START + timedelta(days=1))
        name(store, ALICE)
        store.mark(ALICE, [gone.id], archived_at=START)
        later = Query(now=START + timedelta(days=2))
        assert (keys(store, ALICE), keys(store, ALICE, later)) == (["ana", "bo"], [])
        assert store.ties(ALICE, later) == {}
        store.mark(ALICE, [gone.id], archived_at=None)
        assert store.ties(ALICE, LIVE) == {KNOWS: 2}

    def test_a_query_narrows_what_is_named(self, store: Store) -> None:
        put(store, ALICE, "a", tags=("work",))
        put(store, ALICE, "b")
        name(store, ALICE)
        assert store.sightings(ALICE, Query(tags=("work",)), keys=["ana"])[0].entries == 1

    def test_an_entity_goes_with_the_last_entry_that_names_it(self, store: Store) -> None:
        first, second = put(store, ALICE, "a"), put(store, ALICE, "b")
        name(store, ALICE)
        store.delete(ALICE, [first.id])
        assert (keys(store, ALICE), store.ties(ALICE, LIVE)) == (["ana", "bo"], {KNOWS: 1})
        store.erase(ALICE, Query(ids=(second.id,)), "receipt")
        assert (keys(store, ALICE, ALL), store.ties(ALICE, ALL)) == ([], {})
        store.scrub()
        assert store.traces("acme", "receipt", [ANA.name, KNOWS.relation]).clean

    def test_a_trace_of_a_name_is_found_while_it_is_kept(self, store: Store) -> None:
        put(store, ALICE, "x")
        name(store, ALICE, Naming((Mention("zebulon", "Zebulon"),)))
        assert not store.traces("acme", "none", ["Zebulon"]).clean

    def test_a_clear_takes_all_names_of_its_scope(self, store: Store) -> None:
        put(store, ALICE, "a")
        put(store, BOB, "b")
        name(store, TENANT)
        store.clear(ALICE)
        assert (keys(store, ALICE), keys(store, BOB)) == ([], ["ana", "bo"])

    def test_a_new_version_is_read_anew(self, store: Store) -> None:
        entry = put(store, ALICE, "a")
        name(store, ALICE)
        store.revise(ALICE, draft("other words", id=entry.id))
        assert (keys(store, ALICE), store.ties(ALICE, LIVE)) == ([], {})
        assert ids(store.unnamed(ALICE, RULE, limit=9)) == [entry.id]

    def test_what_was_read_of_a_former_version_or_of_what_is_gone_is_not_kept(self, store: Store) -> None:
        entry, gone = put(store, ALICE, "a"), put(store, ALICE, "b")
        store.revise(ALICE, draft("other words", id=entry.id))
        store.delete(ALICE, [gone.id])
        assert store.put_names(ALICE, RULE, [(entry, BOTH), (gone, BOTH)]) == 0
        assert keys(store, ALICE) == []

    def test_what_was_read_of_words_that_were_rewritten_since_is_not_kept(self, store: Store) -> None:
        entry = put(store, ALICE, "Anastasia Zebulon")
        name(store, ALICE)
        store.rewrite(ALICE, draft("[NAME]", id=entry.id))
        assert (keys(store, ALICE), store.ties(ALICE, LIVE)) == ([], {})
        assert store.put_names(ALICE, RULE, [(entry, BOTH)]) == 0
        assert keys(store, ALICE) == []

    def test_nobody_names_for_another(self, store: Store) -> None:
        entry = put(store, ALICE, "a")
        assert store.put_names(BOB, RULE, [(entry, BOTH)]) == 0
        assert store.put_names(STRANGER, RULE, [(entry, BOTH)]) == 0
        assert keys(store, ALICE) == []

    def test_names_are_kept_with_the_rest_of_a_transaction_or_not_at_all(self, store: Store) -> None:
        put(store, ALICE, "a")
        with undone(store):
            name(store, ALICE)
        assert keys(store, ALICE) == []
        assert len(store.unnamed(ALICE, RULE, limit=9)) == 1

    def test_any_text_may_be_a_name(self, store: Store) -> None:
        odd = 'Ô "\x00\ud800\\'
        put(store, ALICE, "a")
        name(store, ALICE, Naming((Mention(odd, odd, odd),), (Tie(odd, odd, odd),)))
        (one,) = store.sightings(ALICE, LIVE, keys=[odd])
        assert (one.key, one.name, one.type) == (odd, odd, odd)
        assert store.ties(ALICE, LIVE, keys=[odd]) == {Tie(odd, odd, odd): 1}
        assert len(store.mentioning(ALICE, odd, LIVE)) == 1

    def test_others_see_what_was_read_here(self, store: Store, other: Store | None) -> None:
        if other is None:
            return
        put(store, ALICE, "a")
        name(store, ALICE)
        assert (keys(other, ALICE), other.unnamed(ALICE, RULE, limit=9)) == (["ana", "bo"], [])

    def test_names_are_there_after_a_restart(self, store: Store, reopen: Callable[[], Store] | None) -> None:
        put(store, ALICE, "a")
        name(store, ALICE)
        if reopen is None:
            return
        assert keys(reopen(), ALICE) == ["ana", "bo"]
