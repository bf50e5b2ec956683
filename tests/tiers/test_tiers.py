"""The tiers are views of one store: nothing is copied, nothing drifts."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

import postgres_server
from zerda.memory import (
    AIMemoryManager,
    ConfigError,
    EntryNotFound,
    LongTermMemory,
    MemoryConfig,
    SemanticMemory,
    ShortTermMemory,
    WorkingMemory,
)
from zerda.memory.storage.base import Store
from zerda.memory.storage.memory import InMemoryStore
from zerda.memory.testing import HashingEmbedder, draft, tick

ALICE = ("alice", "acme")


@pytest.fixture(params=["in memory", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)])
def memory(request: pytest.FixtureRequest) -> Iterator[AIMemoryManager]:
    storage = request.getfixturevalue("postgres") if request.param == "postgres" else ""
    config = MemoryConfig(enable_persistence=False, storage=storage, window_size=3)
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=tick()) as manager:
        yield manager


@pytest.fixture(params=["in memory", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)])
def store(request: pytest.FixtureRequest) -> Iterator[Store]:
    if request.param == "in memory":
        yield InMemoryStore()
        return
    from zerda.memory.storage.postgres import PostgresStore

    with PostgresStore(request.getfixturevalue("postgres")) as store:
        yield store


def test_short_term_memory_holds_the_newest_oldest_first(store: Store) -> None:
    short = ShortTermMemory(window_size=3, tenant_id="acme", store=store)
    for n in range(5):
        short.add(f"note {n}")
    assert [entry.content for entry in short.get_all()] == ["note 2", "note 3", "note 4"]
    assert [entry.content for entry in short.get_recent(2)] == ["note 3", "note 4"]
    assert short.get_recent(0) == []
    assert short.is_full
    assert short.get_all()[0].metadata["tenant_id"] == "acme"


def test_clearing_short_term_memory_deletes_nothing(memory: AIMemoryManager) -> None:
    entry = memory.remember(*ALICE, "one")
    memory._bundle("acme").stm.clear()
    assert memory._bundle("acme").stm.get_all() == []
    assert memory.get(*ALICE, entry.id) == entry
    memory.remember(*ALICE, "two")
    assert [one.content for one in memory._bundle("acme").stm.get_all()] == ["two"]


def test_what_is_important_is_promoted_and_still_lives_once(memory: AIMemoryManager) -> None:
    plain = memory.remember(*ALICE, "plain", importance=0.69)
    high = memory.remember(*ALICE, "important", importance=0.7)
    bundle = memory._bundle("acme")
    assert [entry.id for entry in bundle.ltm.get_top_by_importance()] == [high.id]
    assert [entry.id for entry in bundle.stm.get_all()] == [plain.id, high.id]
    assert memory.stats("acme")["entries"] == 2


def test_promoting_twice_is_promoting_once(memory: AIMemoryManager) -> None:
    ltm = memory._bundle("acme").ltm
    entry = memory.remember(*ALICE, "plain")
    assert ltm.store(entry).promoted_at is not None
    ltm.store(entry)
    assert ltm.count() == 1


def test_long_term_memory_stands_alone_on_a_file_that_tenants_share(tmp_path: Path) -> None:
    ours = LongTermMemory(tmp_path / "ltm.db", "acme")
    theirs = LongTermMemory(tmp_path / "ltm.db", "other")
    entry = draft("the cello stands in the hall", importance=0.8).entry
    ours.store(entry)
    assert ours.get(entry.id).content == entry.content
    with pytest.raises(EntryNotFound):
        theirs.get(entry.id)
    assert (ours.count(), theirs.count(), theirs.clear()) == (1, 0, 0)
    assert ours.get_recent()[0].metadata["tenant_id"] == "acme"
    theirs.close()
    ours.close()
    again = LongTermMemory(tmp_path / "ltm.db", "acme")
    assert again.count() == 1
    assert again.delete(entry.id)
    assert not again.delete(entry.id)
    again.close()


def test_semantic_memory_stands_alone_and_finds_by_meaning(store: Store) -> None:
    semantic = SemanticMemory(tenant_id="acme", embedder=HashingEmbedder(), store=store)
    semantic.add_batch([draft("the cello stands in the hall").entry, draft("tea is green").entry])
    (entry, score), *_ = semantic.search("where is the cello", k=1)
    assert entry.content == "the cello stands in the hall"
    assert 0 < score <= 1
    assert semantic.search("where is the cello", min_score=0.99) == []
    assert semantic.stats()["pending"] == 0
    with pytest.raises(ConfigError, match="makes no vectors"):
        SemanticMemory("none").search("x")


def test_working_memory_is_bounded_and_replaced() -> None:
    working = WorkingMemory(capacity=2, token_budget=100)
    entries = [draft(f"note {n}").entry for n in range(3)]
    assert working.load(entries, user_id="ann") == entries[:2]
    assert working.load(entries[2:], user_id="ann") == entries[2:]
    assert working.get_all(user_id="ann") == working.get_all() == entries[2:]
    assert working.load([draft("word " * 500).entry, entries[0]]) == [entries[0]]


def test_working_memory_of_one_user_is_not_anothers() -> None:
    working = WorkingMemory()
    one, two = draft("one").entry, draft("two").entry
    working.load([one], user_id="ann")
    working.load([two], user_id="bob")
    assert working.get_all(user_id="ann") == [one]
    assert working.get_all(user_id="eve") == []
    working.clear(user_id="ann")
    assert working.get_all() == [two]
    assert working.remove(two.id)
    assert not working.remove(two.id)
    assert working.stats()["entries"] == 0


def test_what_is_added_to_a_full_working_memory_pushes_the_last_out() -> None:
    working = WorkingMemory(capacity=2)
    entries = [draft(f"note {n}").entry for n in range(3)]
    for entry in entries:
        working.add(entry)
    assert working.get_all() == [entries[2], entries[1]]
    assert working.get_as_text() == "note 2\n\nnote 1"


def test_sizes_that_cannot_work_are_refused() -> None:
    for make in (lambda: ShortTermMemory(0), lambda: WorkingMemory(0), lambda: WorkingMemory(token_budget=0)):
        with pytest.raises(ConfigError):
            make()


def test_no_clock_can_empty_the_window(memory: AIMemoryManager) -> None:
    for n in range(3):
        memory.remember(*ALICE, f"note {n}", occurred_at=tick()() - timedelta(days=4_000 * n))
    assert [entry.content for entry in memory._bundle("acme").stm.get_all()] == ["note 0", "note 1", "note 2"]
