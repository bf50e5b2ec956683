"""Transfers: what leaves a store comes into another as it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from ...core.model import Draft, Query
from ...core.rules.passages import passages_of
from ...core.transfer import Carried
from ...errors import EntryConflict, EntryErased
from ...storage.base import Store
from ...storage.memory import InMemoryStore
from ..clocks import START
from ..drafts import draft
from .ground import ALICE, ALL, BOB, EMBEDDER, TENANT, Ground, near, put

HOUR = timedelta(hours=1)


def told(store: Store) -> None:
    """A little of everything."""
    put(store, ALICE, "one", id="1", tags=("work",), metadata={"n": [1, None]}, occurred_at=START)
    put(store, ALICE, {"input": "two", "output": "three"}, id="2", occurred_at=START)
    put(store, BOB, "shared", id="3", visibility="tenant", session_id="talk", occurred_at=START)
    put(store, ALICE, "later", id="4", occurred_at=START + 2 * HOUR, embedder=EMBEDDER)
    store.revise(ALICE, draft("one again", id="1", importance=0.9, occurred_at=START))
    store.mark(ALICE, ["2"], archived_at=START + HOUR, pinned=True)
    store.count_uses(BOB, {"3": 4}, START + HOUR)
    put(store, ALICE, "a last word", id="5", occurred_at=START + 2 * HOUR)
    store.delete(ALICE, ["1x"])


def packed(store: Store, *, vectors: bool = True) -> list[Carried]:
    """All of a tenant, ready to be carried in."""
    return [with_draft(one) for one in store.carried(TENANT, vectors=vectors)]


def with_draft(one: Carried) -> Carried:
    passages = passages_of(one.entry.content, occurred_at=one.entry.occurred_at)
    return replace(one, draft=Draft(one.entry, passages, one.vectors, one.fingerprint))


def compared(store: Store, *, vectors: bool = True) -> list[tuple[object, ...]]:
    """What has to be the same in both, all but the numbers that a store gives."""
    return [
        (
            replace(one.entry, seq=0), tuple(replace(version, seq=0) for version in one.former), one.places,
            one.derived_session, one.current_session, one.fingerprint if vectors else None,
            None if one.vectors is None or not vectors else np.asarray(one.vectors, "<f2").tobytes(),
        )
        for one in store.carried(TENANT, vectors=vectors)
    ]  # fmt: skip


class Carrying(Ground):
    """What `carried` and `carry_in` promise."""

    def test_all_that_is_ones_own_is_carried_in_order_of_arrival(self, store: Store) -> None:
        told(store)
        assert [one.entry.id for one in store.carried(TENANT)] == ["1", "2", "3", "4", "5"]
        assert [one.entry.id for one in store.carried(ALICE)] == ["1", "2", "4", "5"]
        assert [one.entry.id for one in store.carried(BOB)] == ["3"]
        first = next(iter(store.carried(ALICE)))
        assert [(version.version, version.content) for version in first.former] == [(1, "one")]

    def test_it_comes_into_another_store_as_it_was(self, store: Store) -> None:
        told(store)
        with InMemoryStore() as target:
            target.carry_in(TENANT, packed(store))
            assert compared(target) == compared(store)
            assert near(target, ALICE, "later") == near(store, ALICE, "later") == ["4"]

    def test_it_comes_out_of_another_store_as_it_was(self, store: Store) -> None:
        with InMemoryStore() as source:
            told(source)
            store.carry_in(TENANT, packed(source))
            assert compared(store) == compared(source)
            assert store.history(ALICE, "1") != []

    def test_carried_in_again_it_changes_nothing(self, store: Store) -> None:
        with InMemoryStore() as source:
            told(source)
            first = store.carry_in(TENANT, packed(source))
            before = compared(store)
            assert [one.seq for one in store.carry_in(TENANT, packed(source))] == [one.seq for one in first]
            assert compared(store) == before

    def test_one_by_one_gives_the_same_places(self, store: Store) -> None:
        with InMemoryStore() as source:
            told(source)
            source.delete(ALICE, ["4"])
            for one in packed(source):
                store.carry_in(TENANT, [one])
            assert compared(store) == compared(source)

    def test_what_follows_joins_the_session_as_it_would_have(self, store: Store) -> None:
        with InMemoryStore() as source:
            told(source)
            store.carry_in(TENANT, packed(source))
            at = START + 2 * HOUR
            joined = [put(one, ALICE, "more", id="6", occurred_at=at).session_id for one in (store, source)]
            assert joined[0] == joined[1] == store.get(ALICE, "5").session_id
            assert compared(store) == compared(source)

    def test_a_place_that_is_taken_gives_way_to_the_sessions_end(self, store: Store) -> None:
        put(store, ALICE, "here first", id="here", session_id="talk")
        with InMemoryStore() as source:
            put(source, ALICE, "one", id="1", session_id="talk")
            store.carry_in(TENANT, packed(source))
        places = [one.places[0].position for one in store.carried(ALICE)]
        assert places == [0, 1]

    def test_vectors_stay_behind_where_they_are_not_asked_for(self, store: Store) -> None:
        told(store)
        assert all(one.vectors is None and one.fingerprint is None for one in store.carried(TENANT))
        with InMemoryStore() as target:
            target.carry_in(TENANT, packed(store, vectors=False))
            assert compared(target, vectors=False) == compared(store, vectors=False)
            assert near(target, ALICE, "later") == []

    def test_another_entry_under_the_id_is_a_conflict_and_an_erased_one_refused(self, store: Store) -> None:
        put(store, ALICE, "other words", id="1")
        with InMemoryStore() as source:
            put(source, ALICE, "one", id="1")
            put(source, ALICE, "two", id="2")
            one, two = packed(source)
            with pytest.raises(EntryConflict):
                store.carry_in(TENANT, [two, one])
            assert store.count(TENANT, ALL) == 1
            store.erase(ALICE, Query(), "r")
            with pytest.raises(EntryErased):
                store.carry_in(TENANT, [one])
