"""A month of three tenants, beside a ledger in plain Python of what must be recalled and what must not."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from proving import COUNTS, Start, Told

from zerda.memory import AIMemoryManager, MemoryConfig
from zerda.memory.testing import HashingEmbedder, Ticking, tick

TENANTS = ("acme", "globex", "initech")
DAYS = 30
JUMP_BACK, KILL, CLEAR = (
    11,
    17,
    23,
)  # Days of the clock's jump, of the killed process, of a cleared tenant.
BEGINNING = datetime(2026, 3, 1, 8, tzinfo=UTC)


@dataclass
class Fact:
    """Something that a user said, and what became of it."""

    tenant: str
    user: str
    word: str
    shared: bool = False
    archived: bool = False


@dataclass
class Ledger:
    """What is to be recalled, by id of entry; ``gone`` are words that nobody may meet again."""

    facts: dict[str, Fact] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)

    def forget(self, *ids: str) -> None:
        self.gone |= {self.facts.pop(one).word for one in ids}

    def of(self, tenant: str) -> dict[str, Fact]:
        return {one: fact for one, fact in self.facts.items() if fact.tenant == tenant}

    def visible(self, tenant: str, user: str) -> dict[str, Fact]:
        return {
            one: fact
            for one, fact in self.of(tenant).items()
            if not fact.archived and (fact.user == user or fact.shared)
        }


class Month:
    """The application: what its users do from day to day, and the ledger beside it."""

    def __init__(self, folder: Path, users: int, saves: int) -> None:
        self.folder = folder
        self.users = [f"user{n}" for n in range(users)]
        self.saves = saves
        self.clock: Ticking = tick(BEGINNING)
        self.ledger = Ledger()
        self.random = random.Random(20260301)
        self.words = 0

    @contextmanager
    def opened(self) -> Iterator[AIMemoryManager]:
        """The memory, as a program finds it after a restart."""
        config = MemoryConfig(
            persistence_path=str(self.folder),
            durability="relaxed",
            relevance_floor=0.0,
            token_counter="estimate",
        )
        with AIMemoryManager(config, embedder=HashingEmbedder(256), clock=self.clock) as memory:
            yield memory

    def anyone(self) -> tuple[str, str]:
        return self.random.choice(self.users), self.random.choice(TENANTS)

    def new_word(self) -> str:
        self.words += 1
        return f"w{self.words}q"

    def live(self, memory: AIMemoryManager, day: int) -> None:
        """One day of saves, corrections, archives, erasures, upkeep and clears."""
        for _ in range(self.saves):
            user, tenant = self.anyone()
            self.save(memory, user, tenant)
        for _ in range(3):
            self.change(memory, self.random.choice(sorted(self.ledger.facts)))
        for tenant in TENANTS:
            memory.run_maintenance(tenant)
        if day % 7 == 6:
            self.leave(memory, *self.anyone())
        if day == CLEAR:
            memory.clear_tenant("initech")
            self.ledger.forget(*self.ledger.of("initech"))

    def save(self, memory: AIMemoryManager, user: str, tenant: str) -> None:
        word, shared = self.new_word(), self.random.random() < 0.1
        entry = memory.save_interaction(
            user, tenant, f"The parcel {word} is ready.", "Noted.", importance=0.9,
            visibility="tenant" if shared else None,
        )  # fmt: skip
        self.ledger.facts[entry.id] = Fact(tenant, user, word, shared)

    def change(self, memory: AIMemoryManager, entry_id: str) -> None:
        fact = self.ledger.facts[entry_id]
        owner = (fact.user, fact.tenant)
        deed = self.random.choice(("correct", "archive", "restore", "forget", "pin"))
        if deed == "correct":
            fact.word = self.new_word()
            content = {"input": f"The parcel {fact.word} is ready.", "output": "Noted."}
            memory.update(*owner, entry_id, content=content)
        elif deed == "forget":
            memory.forget(*owner, entry_id)
            self.ledger.forget(entry_id)
        elif deed == "pin":
            memory.pin(*owner, entry_id)
        else:
            fact.archived = deed == "archive"
            (memory.archive if fact.archived else memory.restore)(*owner, entry_id)

    def leave(self, memory: AIMemoryManager, user: str, tenant: str) -> None:
        memory.forget_user(user, tenant)
        self.ledger.forget(*(one for one, fact in self.ledger.of(tenant).items() if fact.user == user))

    def check(self, memory: AIMemoryManager) -> int:
        """Hold the memory against the ledger; return how many questions were asked."""
        asked = 0
        for tenant in TENANTS:
            kept = self.ledger.of(tenant)
            told = memory.stats(tenant)
            assert told["entries"] == sum(not fact.archived for fact in kept.values())
            assert told["archived"] == sum(fact.archived for fact in kept.values())
            for user in self.random.sample(self.users, 3):
                visible = self.ledger.visible(tenant, user)
                assert {one.id for one in memory.list(user, tenant, limit=10**6).entries} == set(visible)
                for one, fact in self.random.sample(sorted(kept.items()), min(3, len(kept))):
                    found = {hit.entry.id for hit in memory.recall(user, tenant, fact.word, limit=50)}
                    context = memory.build_context(user, tenant, fact.word)
                    assert found <= set(visible)
                    assert (one in found) is (one in visible)
                    assert (one in {fate.what for fate in context.trace}) is (one in visible)
                    assert (fact.word in context.full_text) is (one in visible)
                    asked += 1
        for word in self.random.sample(sorted(self.ledger.gone), min(5, len(self.ledger.gone))):
            user, tenant = self.anyone()
            assert word not in memory.build_context(user, tenant, word).full_text
            asked += 1
        return asked


def test_a_month_of_three_tenants_is_remembered_as_the_ledger_says(
    tmp_path: Path, start: Start, told: Told
) -> None:
    month = Month(tmp_path / "memory", users=COUNTS.users_of_a_month, saves=COUNTS.saves_of_a_day)
    asked = 0
    for day in range(DAYS):
        month.clock.set(BEGINNING + timedelta(days=day - 5 if day == JUMP_BACK else day))
        if day == KILL:
            kill_a_writer(month, start)
        with month.opened() as memory:
            month.live(memory, day)
        with month.opened() as memory:  # After a restart.
            asked += month.check(memory)
    kept = len(month.ledger.facts)
    told(
        "A simulated month of three tenants, with restarts, a kill, upkeep, corrections, erasures, clears and"
        " a clock that jumps back, is recalled as a ledger beside it says",
        f"{DAYS} days, {len(month.users)} users, {month.words:,} facts said, {kept:,} to be remembered,"
        f" {len(month.ledger.gone):,} to be gone; {asked:,} questions answered as the ledger says",
    )
    assert kept > 100
    assert month.ledger.gone


def kill_a_writer(month: Month, start: Start) -> None:
    """A process saves until it is killed; what it acknowledged is in the ledger."""
    writer = start("save_facts_until_killed", month.folder, *TENANTS[:1])
    assert writer.stdout is not None
    acknowledged = [writer.stdout.readline().split() for _ in range(5)]
    writer.kill()
    acknowledged += [line.split() for line in writer.stdout if line.endswith("\n")]
    for entry_id, word in acknowledged:
        month.ledger.facts[entry_id] = Fact(TENANTS[0], "user0", word)
    with month.opened() as memory:  # What was kept and not told any more is kept all the same.
        for entry in memory.list("user0", TENANTS[0], limit=10**6).entries:
            if entry.tags == ("killed",) and entry.id not in month.ledger.facts:
                month.ledger.facts[entry.id] = Fact(TENANTS[0], "user0", entry.text.split()[3])
