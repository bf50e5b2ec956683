from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zerda.memory.core.model import MemoryEntry, Query, Scope
from zerda.memory.core.rules.matching import awake, matches, ordered, owns, reads
from zerda.memory.testing import START

DAY = timedelta(days=1)


def entry(**fields):
    given = {"id": "e", "tenant_id": "acme", "content": "c", "occurred_at": START, "recorded_at": START}
    return MemoryEntry(**{**given, **fields})


def test_an_empty_query_describes_what_is_not_archived():
    assert matches(Query(), entry(seq=1))
    assert not matches(Query(), entry(seq=1, archived_at=START))


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        (Query(ids=("a", "b")), {"id": "b"}),
        (Query(kinds=("note", "fact")), {"kind": "fact"}),
        (Query(session_id="s"), {"session_id": "s"}),
        (Query(speakers=("Ann", "Bob")), {"speaker": "Bob"}),
        (Query(origins=("web",)), {"origin": "web"}),
        (Query(tags=("x", "y")), {"tags": ("z", "y")}),
        (Query(topics=("x",)), {"topics": ("x", "z")}),
        (Query(since=START), {}),
        (Query(until=START), {}),
        (Query(min_importance=0.7), {"importance": 0.7}),
        (Query(promoted=True), {"promoted_at": START}),
        (Query(pinned=True), {"pinned": True}),
        (Query(archived=True), {"archived_at": START}),
        (Query(now=START), {"expires_at": START + DAY}),
        (Query(after_seq=4), {"seq": 5}),
        (Query(before_seq=6), {"seq": 5}),
    ],
)
def test_a_condition_that_holds_lets_an_entry_in(query, fields):
    assert matches(query, entry(**{"seq": 1, **fields}))


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        (Query(ids=()), {}),
        (Query(ids=("a",)), {"id": "A"}),
        (Query(kinds=("fact",)), {"kind": "note"}),
        (Query(session_id="s"), {"session_id": "S"}),
        (Query(session_id="s"), {"session_id": None}),
        (Query(speakers=("Ann",)), {"speaker": None}),
        (Query(origins=("web",)), {"origin": "user"}),
        (Query(tags=("x",)), {"tags": ()}),
        (Query(topics=("x",)), {"topics": ("xx",)}),
        (Query(since=START), {"occurred_at": START - DAY}),
        (Query(until=START), {"occurred_at": START + DAY}),
        (Query(min_importance=0.7), {"importance": 0.69}),
        (Query(promoted=True), {}),
        (Query(promoted=False), {"promoted_at": START}),
        (Query(pinned=False), {"pinned": True}),
        (Query(archived=True), {}),
        (Query(now=START), {"expires_at": START}),
        (Query(after_seq=5), {"seq": 5}),
        (Query(before_seq=5), {"seq": 5}),
    ],
)
def test_a_condition_that_fails_keeps_an_entry_out(query, fields):
    assert not matches(query, entry(**{"seq": 1, **fields}))


def test_every_condition_has_to_hold():
    query = Query(tags=("x",), pinned=True)
    assert not matches(query, entry(seq=1, tags=("x",)))
    assert not matches(query, entry(seq=1, pinned=True))


def test_archived_and_expired_entries_are_not_even_neighbours():
    assert not awake(Query(), entry(archived_at=START))
    assert not awake(Query(now=START), entry(expires_at=START))
    assert awake(Query(archived=None), entry(archived_at=START))


ALICE, BOB, TENANT = Scope("acme", "alice"), Scope("acme", "bob"), Scope("acme")


def test_a_user_reads_their_own_and_what_is_shared():
    assert reads(ALICE, entry(user_id="alice"))
    assert not reads(BOB, entry(user_id="alice"))
    assert reads(BOB, entry(user_id="alice", visibility="tenant"))
    assert not reads(Scope("other"), entry(user_id="alice", visibility="tenant"))


def test_a_user_changes_only_their_own():
    assert owns(ALICE, entry(user_id="alice"))
    assert not owns(BOB, entry(user_id="alice", visibility="tenant"))
    assert owns(TENANT, entry(user_id="alice"))
    assert not owns(ALICE, entry(user_id=None))


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([0.1, 0.5, 0.9])), unique_by=lambda it: it[0]))
def test_equally_important_entries_come_newest_first(pairs):
    entries = [entry(seq=seq, importance=importance) for seq, importance in pairs]
    found = [(it.importance, it.seq) for it in ordered(Query(order="important"), entries)]
    assert found == sorted(found, reverse=True)


def test_new_and_old_go_by_arrival_whatever_the_clock_said():
    late = entry(id="late", seq=2, occurred_at=START - DAY)
    early = entry(id="early", seq=1, occurred_at=START)
    assert ordered(Query(), [early, late]) == [late, early]
    assert ordered(Query(order="oldest"), [late, early]) == [early, late]


def test_the_limit_cuts_after_ordering():
    entries = [entry(seq=seq) for seq in (1, 3, 2)]
    assert [it.seq for it in ordered(Query(limit=2), entries)] == [3, 2]
    assert len(ordered(Query(limit=None), entries)) == 3
