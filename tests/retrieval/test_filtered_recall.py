"""Filters and ``as_of``, through the manager."""

from datetime import UTC, datetime, timedelta

import pytest

from zerda.memory import AIMemoryManager, InvalidInput, MemoryConfig, Query
from zerda.memory.testing import START, HashingEmbedder, tick


@pytest.fixture
def clock():
    return tick()


@pytest.fixture(params=[True, False], ids=["on disk", "in memory"])
def memory(request, tmp_path, clock):
    config = MemoryConfig(
        enable_persistence=request.param, persistence_path=str(tmp_path), relevance_floor=0.0
    )
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=clock) as memory:
        yield memory


def texts(hits):
    return sorted(hit.entry.text for hit in hits)


def test_a_mapping_narrows_a_recall(memory):
    memory.remember("ann", "acme", "the red kite flew", tags=["toys"], metadata={"price": 12})
    memory.remember("ann", "acme", "the blue kite fell", tags=["work"], metadata={"price": 30})
    memory.remember("bob", "acme", "a kite of bob", tags=["work"], visibility="user")
    assert texts(memory.recall("ann", "acme", "kite", filters={"tags": "work"})) == ["the blue kite fell"]
    assert texts(memory.recall("ann", "acme", "kite", filters={"metadata.price": {"$lt": 20}})) == [
        "the red kite flew"
    ]
    assert texts(memory.recall("ann", "acme", "kite", filters=Query(tags=("toys",)))) == ["the red kite flew"]
    assert [one.text for one in memory.list("ann", "acme", filters={"tags": "toys"}).entries] == [
        "the red kite flew"
    ]


def test_a_context_holds_only_what_its_filters_let_in(memory):
    memory.remember("ann", "acme", "the red kite flew", tags=["toys"], importance=0.9)
    memory.remember("ann", "acme", "the blue kite fell", tags=["work"], importance=0.9)
    context = memory.build_context("ann", "acme", "kite", filters={"tags": "work"})
    assert [entry.text for entry in context.entries] == ["the blue kite fell"]


def test_a_filter_that_makes_no_sense_is_refused(memory):
    with pytest.raises(InvalidInput, match="no field"):
        memory.recall("ann", "acme", "kite", filters={"user_id": "bob"})


def test_as_of_a_moment_what_came_later_is_not_seen(memory, clock):
    memory.remember("ann", "acme", "the red kite flew")
    then = clock() + timedelta(seconds=1)
    clock.advance(timedelta(days=3))
    memory.remember("ann", "acme", "the blue kite fell")
    assert texts(memory.recall("ann", "acme", "kite", as_of=then)) == ["the red kite flew"]
    assert len(memory.recall("ann", "acme", "kite")) == 2
    context = memory.build_context("ann", "acme", "kite", as_of=then)
    assert [entry.text for entry in context.entries] == ["the red kite flew"]
    with pytest.raises(InvalidInput, match="zone"):
        memory.recall("ann", "acme", "kite", as_of=datetime(2026, 1, 1))
    assert then.tzinfo is UTC
    assert then > START
