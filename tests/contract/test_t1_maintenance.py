"""T1, T2, D5, D6, D12: a round of upkeep in its order, never an error, bounded, and twice is once."""

from __future__ import annotations

import asyncio
import threading
from datetime import timedelta
from typing import Any

import pytest

from zerda.memory import (
    AccessDenied,
    AIMemoryManager,
    EmbeddingError,
    EntryNotFound,
    MemoryConfig,
    Query,
    StorageBusy,
)
from zerda.memory.errors import ErasureIncomplete
from zerda.memory.testing import HashingEmbedder, Ticking, tick

ALICE = ("alice", "acme")
DAY = timedelta(days=1)


def fill(memory: AIMemoryManager, count: int, *, importance: float = 0.3, user: str = "alice") -> list[str]:
    notes = [{"content": f"fennec number {n} was seen", "importance": importance} for n in range(count)]
    return [entry.id for entry in memory.remember_many(user, "acme", notes)]


def state(memory: AIMemoryManager) -> list[Any]:
    found = memory._bundle("acme").store.find(memory_scope(), Query(archived=None, limit=None))
    return [(entry.id, entry.archived_at, entry.archived_because, entry.version) for entry in found]


def memory_scope() -> Any:
    from zerda.memory.gate import whole_tenant

    return whole_tenant("acme")


def archived(memory: AIMemoryManager) -> int:
    return int(memory.stats("acme")["archived"])


# ── never an error ──────────────────────────────────────────────────────────────────────────────────


def test_D5_a_new_unread_or_cleared_tenant_is_no_error(memory: AIMemoryManager) -> None:
    report = memory.run_maintenance("new")
    assert isinstance(report, dict)
    assert report["failures"] == report["reasons"] == []
    fill(memory, 3)
    assert memory.run_maintenance("acme")["working"] == {"forgotten": 0}
    memory.build_context(*ALICE, "fennec")
    memory.clear_tenant("acme")
    assert memory.run_maintenance("acme")["ltm"]["scanned"] == 0
    assert asyncio.run(memory.arun_maintenance("newer"))["tenant_id"] == "newer"


def test_T1_the_steps_stand_in_their_order(memory: AIMemoryManager) -> None:
    keys = list(memory.run_maintenance("acme"))
    assert [key for key in keys if key in ("stm", "ltm", "working", "compression", "indexing")] == [
        "stm",
        "ltm",
        "working",
        "compression",
        "indexing",
    ]


def test_T1_each_step_sees_what_the_one_before_it_did(
    memory: AIMemoryManager, clock: Ticking, monkeypatch: pytest.MonkeyPatch
) -> None:
    from zerda.memory.upkeep.compressing import Compression
    from zerda.memory.upkeep.round import Round

    called: list[str] = []
    for owner, name in (
        (Round, "_evict"), (Round, "_fade"), (Round, "_purge"), (Round, "_forget_in_working"),
        (Compression, "run"), (Round, "_index"),
    ):  # fmt: skip
        step = getattr(owner, name)

        def noted(self: Any, *args: Any, _step: Any = step, _name: str = name) -> Any:
            called.append(_name)
            return _step(self, *args)

        monkeypatch.setattr(owner, name, noted)
    memory.run_maintenance("acme")
    assert called == ["_evict", "_fade", "_purge", "_forget_in_working", "run", "_index"]


# ── what fades ──────────────────────────────────────────────────────────────────────────────────────


def test_T1_what_has_faded_is_archived_with_a_reason_and_comes_back(
    memory: AIMemoryManager, clock: Ticking
) -> None:
    ids = fill(memory, 10)
    clock.advance(400 * DAY)
    report = memory.run_maintenance("acme")
    assert report["ltm"] == {"scanned": 10, "archived": 2, "waiting": 8, "expired": 0, "purged": 0}
    gone = [one["id"] for one in report["reasons"]]
    assert set(gone) < set(ids)
    assert "strength 0.000 (below 0.05)" in report["reasons"][0]["reason"]
    for entry_id in gone:
        assert memory.get(*ALICE, entry_id).archived_because == "faded"
        assert entry_id not in {
            hit.entry.id for hit in memory.recall(*ALICE, "fennec", limit=50, min_score=0)
        }
    back = memory.restore(*ALICE, gone[0])
    assert (back.archived_at, back.archived_because, back.access_count) == (None, None, 1)
    clock.advance(DAY)
    memory.run_maintenance("acme")
    assert memory.get(*ALICE, gone[0]).archived_at is None


def test_T1_twice_in_a_row_is_once(make: Any, clock: Ticking) -> None:
    memory = make(max_long_term=20)
    fill(memory, 30)
    fill(memory, 30, importance=0.9)
    memory.build_context(*ALICE, "fennec")
    clock.advance(700 * DAY)
    memory.run_maintenance("acme")
    once = state(memory)
    report = memory.run_maintenance("acme")
    assert state(memory) == once
    assert report["reasons"] == []
    assert report["stm"]["evicted"] == report["working"]["forgotten"] == report["indexing"]["indexed"] == 0


@pytest.mark.parametrize("count", [1, 4, 5, 99, 100])
def test_T1_at_most_a_fifth_is_put_away_in_a_day(make: Any, clock: Ticking, count: int) -> None:
    memory = make(max_long_term=10)
    fill(memory, count // 2)
    fill(memory, count - count // 2, importance=0.9)
    clock.advance(4_000 * DAY)
    for _ in range(3):
        memory.run_maintenance("acme")
        assert archived(memory) <= max(1, count // 5)
    clock.advance(DAY)
    memory.run_maintenance("acme")
    assert archived(memory) <= 2 * max(1, count // 5)


def test_T1_nothing_younger_than_a_day_fades_however_fast(make: Any, clock: Ticking) -> None:
    memory = make(base_decay_rate=1.0, deletion_threshold=1.0, max_long_term=1)
    fill(memory, 20, importance=0.9)
    clock.advance(timedelta(hours=23))
    memory.run_maintenance("acme")
    assert archived(memory) == 0
    clock.advance(timedelta(hours=2))
    memory.run_maintenance("acme")
    assert archived(memory) > 0


def test_T1_an_import_of_old_conversations_is_new(memory: AIMemoryManager, clock: Ticking) -> None:
    old = clock() - 3_000 * DAY
    memory.remember_many(*ALICE, [{"content": f"fennec {n}", "occurred_at": old} for n in range(10)])
    clock.advance(2 * DAY)
    assert memory.run_maintenance("acme")["ltm"]["archived"] == 0


def test_T1_pins_are_exempt(make: Any, clock: Ticking) -> None:
    memory = make(max_long_term=5)
    ids = fill(memory, 10, importance=0.9)
    for entry_id in ids:
        memory.pin(*ALICE, entry_id)
    clock.advance(4_000 * DAY)
    report = memory.run_maintenance("acme")
    assert report["compression"]["needed"]
    assert archived(memory) == 0


def test_T1_what_is_used_stays(memory: AIMemoryManager, clock: Ticking) -> None:
    used, *others = fill(memory, 10)
    clock.advance(100 * DAY)
    memory._uses.add(memory._may(*ALICE, _read()), [used])
    memory.flush()
    clock.advance(5 * DAY)
    for _ in range(10):
        memory.run_maintenance("acme")
        clock.advance(DAY)
    assert memory.get(*ALICE, used).archived_at is None
    assert all(memory.get(*ALICE, one).archived_at for one in others[:5])


def _read() -> Any:
    from zerda.memory import Permission

    return Permission.READ


def test_T1_a_clock_that_jumps_back_archives_nothing_and_is_no_error(
    memory: AIMemoryManager, clock: Ticking
) -> None:
    fill(memory, 10)
    clock.advance(-1_000 * DAY)
    assert memory.run_maintenance("acme")["ltm"]["archived"] == 0
    clock.advance(1_000 * DAY)
    assert memory.run_maintenance("acme")["ltm"]["archived"] == 0


def test_T1_a_dry_run_tells_what_a_round_would_do_and_does_nothing(make: Any, clock: Ticking) -> None:
    memory = make(max_long_term=5)
    fill(memory, 20)
    memory.remember(*ALICE, "soon gone", expires_at=clock() + DAY)
    for _ in range(2):
        memory.remember_many(*ALICE, [{"content": f"the same {n}", "importance": 0.9} for n in range(8)])
    clock.advance(400 * DAY)
    before = state(memory)
    told = memory.run_maintenance("acme", dry_run=True)
    assert state(memory) == before
    assert told["dry_run"]
    done = memory.run_maintenance("acme")
    assert told["stm"] == done["stm"]
    assert told["ltm"] == done["ltm"]
    assert [one["id"] for one in told["reasons"] if one["because"] != "x"][:5] == [
        one["id"] for one in done["reasons"]
    ][:5]


def test_T1_a_user_who_asks_needs_the_admin_role(memory: AIMemoryManager) -> None:
    memory.grant("bob", "acme", "writer")
    with pytest.raises(AccessDenied):
        memory.run_maintenance("acme", actor="bob")
    memory.grant("bob", "acme", "admin")
    assert memory.run_maintenance("acme", actor="bob")["failures"] == []


# ── tiers ───────────────────────────────────────────────────────────────────────────────────────────


def test_T1_what_has_slipped_leaves_short_term_memory_and_nothing_else(
    memory: AIMemoryManager, clock: Ticking
) -> None:
    fill(memory, 12)
    clock.advance(60 * DAY)
    fresh = fill(memory, 2)
    report = memory.run_maintenance("acme")
    assert report["stm"]["evicted"] == 9
    assert report["ltm"]["archived"] == 0
    window = memory._bundle("acme").short_term(memory._may(*ALICE, _read())).get_all()
    assert [entry.id for entry in window][-2:] == fresh
    assert len(window) == 5
    assert memory.stats("acme")["entries"] == 14


def test_T1_working_memory_lets_go_of_what_is_not_live(memory: AIMemoryManager, clock: Ticking) -> None:
    (one,) = fill(memory, 1)
    memory.build_context(*ALICE, "fennec")
    assert memory.stats("acme")["working"]["entries"] == 1
    memory.archive(*ALICE, one)
    assert memory.run_maintenance("acme")["working"] == {"forgotten": 1}
    assert memory.stats("acme")["working"]["entries"] == 0


def test_D6_without_decay_nothing_fades_in_any_tier(make: Any, clock: Ticking) -> None:
    memory = make(enable_decay=False)
    fill(memory, 20, importance=0.01)
    memory.build_context(*ALICE, "fennec")
    working = memory.stats("acme")["working"]["entries"]
    clock.advance(9_000 * DAY)
    report = memory.run_maintenance("acme")
    assert report["stm"] == {"evicted": 0}
    assert report["ltm"]["archived"] == report["ltm"]["waiting"] == 0
    assert memory.stats("acme")["working"]["entries"] == working > 0
    assert archived(memory) == 0


@pytest.mark.parametrize("curve", ["power", "ebbinghaus"])
def test_the_curve_is_a_setting(make: Any, clock: Ticking, curve: str) -> None:
    memory = make(decay_curve=curve)
    fill(memory, 10)
    clock.advance(400 * DAY)
    assert memory.run_maintenance("acme")["ltm"]["archived"] == 0


def test_D12_no_row_bound(make: Any, clock: Ticking) -> None:
    memory = make(embedding_model="none")
    fill(memory, 2_500)
    clock.advance(400 * DAY)
    report = memory.run_maintenance("acme")
    assert report["ltm"]["scanned"] == 2_500
    assert (report["ltm"]["archived"], report["ltm"]["waiting"]) == (500, 2_000)
    assert archived(memory) == 500


# ── expiry and purge ────────────────────────────────────────────────────────────────────────────────


def test_what_has_expired_is_archived_at_once_whatever_the_share(
    memory: AIMemoryManager, clock: Ticking
) -> None:
    ends = clock() + timedelta(hours=1)
    for n in range(5):
        memory.remember(*ALICE, f"ticket {n}", id=f"{n}", expires_at=ends)
    memory.pin(*ALICE, "4")
    clock.advance(timedelta(hours=2))
    report = memory.run_maintenance("acme")
    assert report["ltm"]["expired"] == 4
    assert memory.get(*ALICE, "0").archived_because == "expired"
    assert memory.get(*ALICE, "4").archived_at is None


def test_what_was_archived_long_ago_is_erased(memory: AIMemoryManager, clock: Ticking) -> None:
    memory.save_interaction(*ALICE, "the okapi hides", "yes", id="x", topics=["okapi"])
    pinned = memory.remember(*ALICE, "pinned okapi", id="p")
    memory.pin(*ALICE, pinned.id)
    for entry_id in ("x", "p"):
        memory.archive(*ALICE, entry_id)
    clock.advance(364 * DAY)
    assert memory.run_maintenance("acme")["ltm"]["purged"] == 0
    clock.advance(2 * DAY)
    assert memory.run_maintenance("acme", dry_run=True)["ltm"]["purged"] == 1
    assert memory.run_maintenance("acme")["ltm"]["purged"] == 1
    with pytest.raises(EntryNotFound):
        memory.get(*ALICE, "x")
    assert memory.get(*ALICE, "p").archived_at is not None
    assert memory.profile(*ALICE).topic_frequency == {}


# ── together ────────────────────────────────────────────────────────────────────────────────────────


def test_T1_only_its_own_tenant_is_touched(memory: AIMemoryManager, clock: Ticking) -> None:
    fill(memory, 10)
    memory.remember("alice", "other", "fennec", importance=0.1)
    clock.advance(400 * DAY)
    memory.run_maintenance("acme")
    assert memory.stats("other")["archived"] == 0


def test_T1_rounds_at_the_same_time_archive_no_more_than_one(memory: AIMemoryManager, clock: Ticking) -> None:
    fill(memory, 50)
    clock.advance(400 * DAY)
    threads = [threading.Thread(target=memory.run_maintenance, args=("acme",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert archived(memory) == 10


def test_T1_pending_vectors_are_made_and_a_failing_embedder_is_reported() -> None:
    class Broken(HashingEmbedder):
        broken = True

        def embed(self, texts: Any, *, role: Any = "passage") -> Any:
            if self.broken:
                raise EmbeddingError("the model is away")
            return super().embed(texts, role=role)

    embedder = Broken()
    with AIMemoryManager(MemoryConfig(enable_persistence=False), embedder=embedder, clock=tick()) as memory:
        fill(memory, 3)
        assert memory.run_maintenance("acme")["failures"] == ["vectors: the model is away"]
        embedder.broken = False
        assert memory.run_maintenance("acme")["indexing"] == {"indexed": 3}
        assert memory.stats("acme")["pending"] == 0


def test_a_round_completes_an_erasure_that_a_reader_held_up(
    memory: AIMemoryManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = fill(memory, 1)
    store = memory._bundle("acme").store

    def held(**_: Any) -> None:
        raise StorageBusy("a reader held the file")

    with monkeypatch.context() as patched:
        patched.setattr(store, "scrub", held)
        with pytest.raises(ErasureIncomplete):
            memory.forget(*ALICE, one)
        assert "a reader held the file" in memory.run_maintenance("acme")["failures"][0]
    assert memory.run_maintenance("acme", dry_run=True)["erasures"] == {"completed": 0}
    assert memory.run_maintenance("acme")["erasures"] == {"completed": 1}
    assert all(receipt.complete for receipt in memory.receipts("acme"))


def test_D7_rounds_saves_contexts_and_clears_at_once_raise_nothing(make: Any, clock: Ticking) -> None:
    memory = make(max_long_term=5, base_decay_rate=1.0)
    clock.step = timedelta(hours=7)  # So that much fades and is merged while they run.
    failures: list[BaseException] = []

    def work(number: int) -> None:
        user = f"u{number}"
        try:
            for n in range(6):
                memory.save_interaction(user, "acme", f"fennec {n % 2}", "yes", importance=0.9)
                memory.build_context(user, "acme", "fennec")
                memory.run_maintenance("acme")
                if number == 0 and n == 3:
                    memory.clear_tenant("acme")
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    memory.flush()
    assert memory.stats("acme")["pending"] == 0
