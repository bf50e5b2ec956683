"""Sessions: named by the caller, or derived from pauses."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from ...core.model import MemoryEntry, Query, Scope
from ...storage.base import Store
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, BOB, TENANT, Ground, ids, put

HALF_AN_HOUR = timedelta(minutes=30)


def at(store: Store, minutes: float, scope: Scope = ALICE, **fields: Any) -> MemoryEntry:
    """Keep something said so many minutes after the start."""
    return put(store, scope, f"at {minutes}", occurred_at=START + timedelta(minutes=minutes), **fields)


class Sessions(Ground):
    def test_a_named_session_stays_as_it_is_named(self, store: Store) -> None:
        kept = put(store, ALICE, "x", session_id="Monday, at the café")
        assert store.get(ALICE, kept.id).session_id == "Monday, at the café"
        assert ids(store.find(ALICE, Query(session_id="Monday, at the café"))) == [kept.id]

    def test_what_follows_within_half_an_hour_is_of_the_same_session(self, store: Store) -> None:
        first, second, third = at(store, 0), at(store, 29), at(store, 58)
        assert first.session_id is not None
        assert first.session_id == second.session_id == third.session_id

    def test_a_pause_of_half_an_hour_is_none_yet(self, store: Store) -> None:
        assert at(store, 0).session_id == at(store, 30).session_id

    def test_a_longer_pause_begins_a_new_session(self, store: Store) -> None:
        first = at(store, 0)
        second = put(store, ALICE, "x", occurred_at=START + HALF_AN_HOUR + timedelta(microseconds=1))
        assert second.session_id not in (None, first.session_id)

    def test_the_pause_is_the_callers_to_choose(self, store: Store) -> None:
        drafts = [
            draft(f"at {second}", occurred_at=START + timedelta(seconds=second)) for second in (0, 10, 21)
        ]
        first, second, third = store.put(ALICE, drafts, session_gap_seconds=10)
        assert first.session_id == second.session_id != third.session_id

    def test_a_clock_set_back_a_little_goes_on_with_the_session(self, store: Store) -> None:
        assert at(store, 0).session_id == at(store, -20).session_id

    def test_a_clock_set_back_far_begins_a_new_session(self, store: Store) -> None:
        assert at(store, 0).session_id != at(store, -31).session_id

    def test_the_pause_is_counted_from_the_last_entry_and_not_from_the_latest(self, store: Store) -> None:
        at(store, 0)
        earlier = at(store, -20)
        assert at(store, 15).session_id != earlier.session_id

    def test_a_session_once_left_is_not_joined_again(self, store: Store) -> None:
        first, second = at(store, 0), at(store, 100)
        third = at(store, 1)
        assert len({first.session_id, second.session_id, third.session_id}) == 3

    def test_a_named_session_in_between_does_not_end_a_derived_one(self, store: Store) -> None:
        first = at(store, 0)
        at(store, 500, session_id="elsewhere")
        assert at(store, 10).session_id == first.session_id

    def test_users_have_sessions_of_their_own(self, store: Store) -> None:
        hers, his = at(store, 0), at(store, 1, BOB)
        assert hers.session_id != his.session_id
        assert at(store, 2).session_id == hers.session_id

    def test_each_user_that_the_tenants_view_keeps_has_their_own(self, store: Store) -> None:
        hers, his, hers_again = store.put(
            TENANT, [draft("a", user_id="alice"), draft("b", user_id="bob"), draft("c", user_id="alice")]
        )
        assert hers.session_id == hers_again.session_id != his.session_id
        assert at(store, 1).session_id == hers.session_id

    def test_pauses_within_one_call_count_too(self, store: Store) -> None:
        kept = store.put(ALICE, [draft("x", occurred_at=START + timedelta(hours=hour)) for hour in range(4)])
        assert len({entry.session_id for entry in kept}) == 4

    def test_putting_the_same_again_does_not_prolong_a_session(self, store: Store) -> None:
        given = draft("x", id="x", occurred_at=START)
        store.put(ALICE, [given])
        last = at(store, 20)
        store.put(ALICE, [given])
        assert at(store, 45).session_id == last.session_id

    def test_a_derived_session_is_found_by_its_name(self, store: Store) -> None:
        first, second = at(store, 0), at(store, 1)
        at(store, 100)
        assert ids(store.find(ALICE, Query(session_id=first.session_id))) == [second.id, first.id]

    def test_sessions_are_counted_within_the_scope(self, store: Store) -> None:
        for minutes in (0, 1, 100):
            at(store, minutes)
        at(store, 0, BOB, session_id="s")
        assert [store.stats(scope).sessions for scope in (ALICE, BOB, TENANT)] == [2, 1, 3]
