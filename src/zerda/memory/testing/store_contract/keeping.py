"""Keeping: what was put is there, once, as it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from ...core.model import Query
from ...errors import EntryConflict, EntryNotFound
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, ALL, BOB, STRANGER, TENANT, Ground, asked, found, ids, put

FULL: dict[str, Any] = {
    "id": "01-full",
    "session_id": "monday",
    "kind": "fact",
    "occurred_at": START + timedelta(microseconds=1),
    "recorded_at": START + timedelta(days=1, microseconds=999_999),
    "importance": 0.123456789,
    "tags": ("b", "a", "ü"),
    "topics": ("travel",),
    "metadata": {"z": [1, 2.5, None, True, {"deep": "ß"}], "a": "b", "": 0},
    "speaker": "Zoë",
    "origin": "web",
    "sources": ("x", "y"),
    "trust": "untrusted",
    "visibility": "tenant",
    "promoted_at": START + timedelta(days=2),
    "archived_at": START + timedelta(days=3),
    "expires_at": START + timedelta(days=4),
    "pinned": True,
    "access_count": 7,
    "last_access": START + timedelta(days=5),
    "masked": {"EMAIL": 2},
}


class Keeping(Ground):
    def test_an_entry_comes_back_as_it_was_put(self, store: Store) -> None:
        given = draft("Alice moved to Lyon.", **FULL)
        (kept,) = store.put(ALICE, [given])
        assert kept == replace(given.entry, tenant_id="acme", user_id="alice", seq=kept.seq)
        assert store.get(ALICE, "01-full") == kept
        assert store.find(ALICE, ALL) == [kept]

    def test_an_interaction_comes_back_with_its_parts(self, store: Store) -> None:
        kept = put(store, ALICE, {"input": "Where is Rome?", "output": "In Italy."})
        assert store.get(ALICE, kept.id).content == {"input": "Where is Rome?", "output": "In Italy."}

    def test_a_content_of_other_keys_comes_back_in_their_order(self, store: Store) -> None:
        content = {"z": 1, "a": {"y": [], "b": None}}
        kept = put(store, ALICE, content)
        assert list(store.get(ALICE, kept.id).content) == ["z", "a"]
        assert [one.text for one in store.pending(ALICE, "f", limit=1)] == [
            '{"z": 1, "a": {"y": [], "b": null}}'
        ]

    def test_entries_are_numbered_in_the_order_of_their_arrival(self, store: Store) -> None:
        first = store.put(ALICE, [draft("one"), draft("two", occurred_at=START - timedelta(days=9))])
        second = store.put(BOB, [draft("three")])
        numbers = [entry.seq for entry in (*first, *second)]
        assert numbers == sorted(set(numbers))
        assert numbers[0] > 0  # `after_seq=0`, where a cursor begins, is exclusive.

    def test_drafts_come_back_in_the_order_they_were_given(self, store: Store) -> None:
        drafts = [draft(f"number {number}") for number in range(20)]
        assert ids(store.put(ALICE, drafts)) == [one.entry.id for one in drafts]

    def test_putting_nothing_keeps_nothing(self, store: Store) -> None:
        assert store.put(ALICE, []) == []
        assert store.count(TENANT, ALL) == 0

    def test_an_entry_belongs_to_the_scope_whatever_its_draft_says(self, store: Store) -> None:
        kept = put(store, ALICE, "mine", tenant_id="other", user_id="bob")
        assert (kept.tenant_id, kept.user_id) == ("acme", "alice")
        assert store.count(BOB, ALL) == store.count(STRANGER, ALL) == 0

    def test_the_tenants_own_view_keeps_any_users_entry(self, store: Store) -> None:
        kept = put(store, TENANT, "of Bob", user_id="bob")
        assert store.get(BOB, kept.id).user_id == "bob"

    def test_an_entry_of_no_user_is_the_tenants_alone(self, store: Store) -> None:
        kept = put(store, TENANT, "of nobody")
        assert store.get(TENANT, kept.id).user_id is None
        with pytest.raises(EntryNotFound):
            store.get(ALICE, kept.id)

    def test_an_entry_of_no_user_that_is_shared_is_read_by_all(self, store: Store) -> None:
        kept = put(store, TENANT, "house rules", visibility="tenant")
        assert store.get(ALICE, kept.id) == kept

    def test_putting_the_same_again_changes_nothing(self, store: Store) -> None:
        given = draft("The cat sleeps.")
        (kept,) = store.put(ALICE, [given])
        before = asked(store, ALICE, "cat")
        assert store.put(ALICE, [given]) == [kept]
        assert store.count(ALICE, ALL) == 1
        assert asked(store, ALICE, "cat") == before

    def test_the_same_again_with_other_descriptions_is_the_same(self, store: Store) -> None:
        kept = put(store, ALICE, "The cat sleeps.", id="x", importance=0.2)
        assert put(store, ALICE, "The cat sleeps.", id="x", importance=0.9, tags=("new",)) == kept

    def test_the_same_again_does_not_bring_back_what_was_archived(self, store: Store) -> None:
        put(store, ALICE, "The cat sleeps.", id="x")
        store.mark(ALICE, ["x"], archived_at=START)
        assert put(store, ALICE, "The cat sleeps.", id="x").archived_at == START
        assert store.count(ALICE, Query()) == 0

    def test_the_same_twice_in_one_call_is_kept_once(self, store: Store) -> None:
        one, other = store.put(ALICE, [draft("same", id="x"), draft("same", id="x")])
        assert one == other
        assert store.count(ALICE, ALL) == 1

    def test_an_id_that_belongs_to_other_content_is_a_conflict_and_nothing_is_kept(
        self, store: Store
    ) -> None:
        put(store, ALICE, "first", id="x")
        with pytest.raises(EntryConflict):
            store.put(ALICE, [draft("a new one"), draft("second", id="x"), draft("another")])
        assert [entry.content for entry in store.find(ALICE, ALL)] == ["first"]
        assert found(store, ALICE, "new") == found(store, ALICE, "another") == []

    def test_an_id_given_twice_in_one_call_for_two_contents_is_a_conflict(self, store: Store) -> None:
        with pytest.raises(EntryConflict):
            store.put(ALICE, [draft("one", id="x"), draft("two", id="x")])
        assert store.count(TENANT, ALL) == 0

    def test_an_id_of_another_user_is_a_conflict_even_for_the_same_content(self, store: Store) -> None:
        put(store, BOB, "the password is swordfish", id="x")
        with pytest.raises(EntryConflict) as caught:
            put(store, ALICE, "the password is swordfish", id="x")
        assert "swordfish" not in str(caught.value)
        assert store.count(ALICE, ALL) == 0

    def test_tenants_do_not_share_ids(self, store: Store) -> None:
        put(store, ALICE, "ours", id="x")
        put(store, STRANGER, "theirs", id="x")
        assert [store.get(scope, "x").content for scope in (ALICE, STRANGER)] == ["ours", "theirs"]

    def test_what_a_caller_does_to_a_dictionary_afterwards_is_not_kept(self, store: Store) -> None:
        metadata: dict[str, Any] = {"list": [1]}
        kept = put(store, ALICE, "x", metadata=metadata)
        metadata["list"].append(2)
        handed_out: Any = store.get(ALICE, kept.id).metadata
        handed_out["list"].append(3)
        assert store.get(ALICE, kept.id).metadata == {"list": [1]}

    @pytest.mark.parametrize(
        "moment",
        [
            datetime.min.replace(tzinfo=UTC),
            datetime.max.replace(tzinfo=UTC),
            datetime(1969, 7, 20, tzinfo=UTC),
        ],
    )
    def test_any_time_that_can_be_told_is_kept_to_the_microsecond(
        self, store: Store, moment: datetime
    ) -> None:
        kept = put(store, ALICE, "x", occurred_at=moment, recorded_at=moment)
        assert store.get(ALICE, kept.id).occurred_at == moment
        assert store.count(ALICE, Query(since=moment, until=moment)) == 1

    def test_times_come_back_aware(self, store: Store) -> None:
        kept = store.get(ALICE, put(store, ALICE, "x", **FULL).id)
        times = [
            kept.occurred_at,
            kept.recorded_at,
            kept.promoted_at,
            kept.archived_at,
            kept.expires_at,
            kept.last_access,
        ]
        assert {time.utcoffset() if time else None for time in times} == {timedelta(0)}

    def test_an_entry_that_says_nothing_is_kept_and_has_no_passage(self, store: Store) -> None:
        kept = put(store, ALICE, " ")
        assert store.get(ALICE, kept.id).content == " "
        assert store.passages_of(ALICE, [kept.id]) == []
