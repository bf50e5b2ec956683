"""T4, D8: clearing reaches everything of a tenant, nothing of another, and no late write undoes it."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest

from zerda.memory import AccessDenied, AIMemoryManager, MemoryConfig, UserMemory
from zerda.memory.testing import HashingEmbedder, tick

ALICE = ("alice", "acme")


class Holding(HashingEmbedder):
    """Keeps passages waiting, once it is told to, until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.holds = False
        self.reached = threading.Event()
        self.released = threading.Event()

    def embed(self, texts: Any, *, role: Any = "passage") -> Any:
        if self.holds and role == "passage":
            self.reached.set()
            self.released.wait(30)
        return super().embed(texts, role=role)


def fill(memory: AIMemoryManager, tenant: str) -> None:
    for user in ("alice", "bob"):
        memory.save_interaction(user, tenant, "the fennec sleeps", "yes", importance=0.9, topics=["foxes"])
        entry = memory.remember(user, tenant, "the fennec eats")
        memory.update(user, tenant, entry.id, content="the fennec drinks")
        memory.archive(user, tenant, memory.remember(user, tenant, "old fennec").id)
        memory.build_context(user, tenant, "fennec")


def test_T4_everything_of_the_tenant_goes_and_nothing_of_another(memory: AIMemoryManager) -> None:
    fill(memory, "acme")
    fill(memory, "other")
    before = memory.stats("other")
    assert memory.clear_tenant("acme") is None  # type: ignore[func-returns-value]
    told = memory.stats("acme")
    for key in ("entries", "archived", "pinned", "sessions", "users", "pending"):
        assert told[key] == 0
    assert told["stm"]["current_size"] == told["working"]["entries"] == told["ltm"]["total_entries"] == 0
    assert told["semantic"]["passages"] == told["profile_manager"]["user_count"] == 0
    assert memory.recall(*ALICE, "fennec", min_score=0) == []
    assert memory.build_context(*ALICE, "fennec").full_text == ""
    memory.flush()  # Uses that were counted before are no error.
    after = memory.stats("other")
    assert {**after, "bytes_on_disk": 0} == {**before, "bytes_on_disk": 0}
    assert memory.recall("bob", "other", "fennec", min_score=0)


def test_T4_a_new_or_cleared_tenant_is_cleared_without_complaint(memory: AIMemoryManager) -> None:
    memory.clear_tenant("new")
    memory.clear_tenant("new")
    assert memory.remember("alice", "new", "begin again").seq > 0
    asyncio.run(memory.aclear_tenant("new"))
    assert memory.stats("new")["entries"] == 0


def test_T4_no_byte_is_left_in_the_files(tmp_path: Path) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path))
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=tick()) as memory:
        memory.save_interaction(*ALICE, "the xylophonist sleeps", "yes", topics=["marimba"])
        memory.set_preferences(*ALICE, {"greeting": "salamander"})
        memory.clear_tenant("acme")
        files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not [word for word in (b"xylophonist", b"marimba", b"salamander") if word in files]


def test_T4_who_clears_for_a_user_needs_that_users_admin_role(memory: AIMemoryManager) -> None:
    memory.grant("bob", "acme", "owner")
    memory.remember("bob", "acme", "x")
    with pytest.raises(AccessDenied):
        memory.clear_tenant("acme", actor="bob")
    assert memory.stats("acme")["entries"] == 1
    memory.grant("bob", "acme", "admin")
    memory.clear_tenant("acme", actor="bob")
    assert memory.stats("acme")["entries"] == 0


def test_D8_a_save_that_began_before_a_clear_does_not_undo_it() -> None:
    embedder = Holding()
    memory = AIMemoryManager(MemoryConfig(enable_persistence=False), embedder=embedder, clock=tick())
    with memory:
        memory.remember(*ALICE, "first")
        embedder.holds = True
        late = threading.Thread(
            target=memory.save_interaction, args=(*ALICE, "the late word", "yes"), kwargs={"topics": ["late"]}
        )
        late.start()
        assert embedder.reached.wait(30)
        memory.clear_tenant("acme")
        embedder.released.set()
        late.join()
        assert memory.stats("acme")["entries"] == memory.stats("acme")["profile_manager"]["user_count"] == 0
        assert memory.recall(*ALICE, "late word", min_score=0) == []
        assert memory.remember(*ALICE, "after").seq > 0
        assert memory.stats("acme")["entries"] == 1


def test_D8_a_user_who_is_cleared_ends_no_save_of_another_that_is_under_way(tmp_path: Path) -> None:
    embedder = Holding()
    config = MemoryConfig(persistence_path=str(tmp_path))
    with AIMemoryManager(config, embedder=embedder, clock=tick()) as memory:
        memory.remember("bob", "acme", "bobs own")
        embedder.holds = True
        late = threading.Thread(target=memory.remember, args=(*ALICE, "the late word"))
        late.start()
        assert embedder.reached.wait(30)
        with UserMemory(tmp_path / "acme_ltm.db", tenant_id="acme", embedder=HashingEmbedder()) as users:
            users.clear_user_memory("bob")
        embedder.released.set()
        late.join()
        assert [entry.text for entry in memory.list(*ALICE).entries] == ["the late word"]
        assert memory.list("bob", "acme").entries == ()


def test_D8_another_process_that_cleared_is_seen_too(tmp_path: Path) -> None:
    embedder = Holding()
    config = MemoryConfig(persistence_path=str(tmp_path))
    with (
        AIMemoryManager(config, embedder=embedder, clock=tick()) as memory,
        AIMemoryManager(config, embedder=HashingEmbedder(), clock=tick()) as other,
    ):
        memory.remember(*ALICE, "first")
        embedder.holds = True
        late = threading.Thread(target=memory.remember, args=(*ALICE, "the late word"))
        late.start()
        assert embedder.reached.wait(30)
        other.clear_tenant("acme")
        embedder.released.set()
        late.join()
        assert memory.stats("acme")["entries"] == other.stats("acme")["entries"] == 0


def test_D8_a_context_that_was_being_built_does_not_come_back_into_working_memory() -> None:
    holds, reached, released = threading.Event(), threading.Event(), threading.Event()

    def count(text: str) -> int:
        if holds.is_set():  # The entries are found and about to be loaded.
            reached.set()
            released.wait(30)
        return len(text.split())

    config = MemoryConfig(enable_persistence=False)
    with AIMemoryManager(config, embedder=HashingEmbedder(), clock=tick(), token_counter=count) as memory:
        memory.remember(*ALICE, "the fennec sleeps", importance=0.9)
        holds.set()
        late = threading.Thread(target=memory.build_context, args=(*ALICE, "fennec"))
        late.start()
        assert reached.wait(30)
        memory.clear_tenant("acme")
        holds.clear()
        released.set()
        late.join()
        assert memory.stats("acme")["working"]["entries"] == 0


def test_D8_uses_that_were_counted_before_a_clear_are_nobodys_after_it(memory: AIMemoryManager) -> None:
    memory.remember(*ALICE, "the fennec sleeps", id="x")
    assert memory.build_context(*ALICE, "fennec").entries
    memory.clear_tenant("acme")
    assert memory.allow_again(*ALICE, "x") == 1  # Else the id of what was erased is refused.
    memory.remember(*ALICE, "the fennec sleeps", id="x")
    memory.flush()
    assert memory.get(*ALICE, "x").access_count == 0


def test_D7_saves_and_clears_from_many_threads_raise_nothing(memory: AIMemoryManager) -> None:
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for n in range(8):
                memory.save_interaction(f"u{number}", "acme", f"fennec {n}", "yes", topics=["foxes"])
                memory.build_context(f"u{number}", "acme", "fennec")
                if number == 0:
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
    memory.clear_tenant("acme")
    assert memory.stats("acme")["entries"] == 0
