"""Keys of programs: what they open, and for how long, on every kind of catalog and for two openers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import postgres_server
from zerda.memory import (
    AccessDenied,
    AIMemoryManager,
    EntryNotFound,
    InvalidInput,
    IssuedKey,
    MemoryConfig,
    encrypt_memory,
)
from zerda.memory.intelligent.api_keys import Knocks
from zerda.memory.storage.memory_catalog import InMemoryCatalog
from zerda.memory.testing import HashingEmbedder, Ticking

PASSPHRASE = "correct horse battery staple"
KINDS = ["folder", "hidden", pytest.param("postgres", marks=postgres_server.NEEDED_HERE)]
Open = Callable[[], AIMemoryManager]


@pytest.fixture(params=KINDS)
def again(request: pytest.FixtureRequest, tmp_path: Path, clock: Ticking) -> Iterator[Open]:
    """Opens the same memory, each time as another process would."""
    where: dict[str, Any] = {"persistence_path": str(tmp_path / "m"), "hide_ids": request.param == "hidden"}
    if request.param == "postgres":
        where = {"storage": request.getfixturevalue("postgres")}
    key = PASSPHRASE if request.param == "hidden" else None
    opened: list[AIMemoryManager] = []

    def again() -> AIMemoryManager:
        opened.append(
            AIMemoryManager(
                MemoryConfig(**where), embedder=HashingEmbedder(), clock=clock, encryption_key=key
            )
        )
        return opened[-1]

    yield again
    for memory in opened:
        memory.close()


def as_holder(memory: AIMemoryManager, secret: str) -> AIMemoryManager:
    """The memory as a server hands it to whoever holds a key."""
    key = memory.authenticate(secret)
    return memory.acting_as(key.principal, strict=True, at_most=key.role)


def refused(memory: AIMemoryManager, secret: str) -> str:
    with pytest.raises(AccessDenied) as error:
        memory.authenticate(secret)
    return str(error.value)


# ── what a key opens ────────────────────────────────────────────────────────────────────────────────


def test_a_key_opens_its_users_memory_in_every_process(again: Open) -> None:
    here, there = again(), again()
    made = here.create_key("alice", "acme", "writer", name="the laptop")
    assert there.authenticate(made.secret) == made.key
    as_holder(there, made.secret).remember("alice", "acme", "I live in Lisbon.", id="home")
    assert here.get("alice", "acme", "home").content == "I live in Lisbon."


def test_a_revocation_holds_at_the_next_call_in_every_process(again: Open) -> None:
    here, there = again(), again()
    made = here.create_key("alice", "acme")
    assert there.authenticate(made.secret)
    here.revoke_key("acme", made.key.id)
    assert refused(there, made.secret) == refused(here, made.secret)
    assert [key.revoked_at is not None for key in there.list_keys("acme")] == [True]


def test_a_key_ends_when_it_was_said_to(again: Open, clock: Ticking) -> None:
    memory = again()
    made = memory.create_key("alice", "acme", until=clock() + timedelta(days=1))
    assert memory.authenticate(made.secret).until == made.key.until
    clock.advance(timedelta(days=2))
    refused(memory, made.secret)


def test_a_key_is_revoked_by_its_own_tenant_alone(again: Open) -> None:
    memory = again()
    made = memory.create_key("alice", "acme")
    with pytest.raises(EntryNotFound):
        memory.revoke_key("other", made.key.id)
    assert memory.authenticate(made.secret)
    assert memory.list_keys("other") == []


def test_keys_are_listed_by_tenant_oldest_first(again: Open, clock: Ticking) -> None:
    memory = again()
    made: list[IssuedKey] = []
    for user, tenant in (("alice", "acme"), ("bob", "acme"), ("carol", "other")):
        made.append(memory.create_key(user, tenant, "admin"))
        clock.advance(timedelta(minutes=1))
    assert memory.list_keys("acme") == [made[0].key, made[1].key]
    assert memory.list_keys() == [one.key for one in made]


def test_a_catalog_keeps_no_secret(tmp_path: Path, clock: Ticking) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path / "m"), embedding_model="none")
    with AIMemoryManager(config, clock=clock) as memory:
        secret = memory.create_key("alice", "acme").secret
        memory.authenticate(secret)
    kept = b"".join(file.read_bytes() for file in (tmp_path / "m").iterdir())
    assert secret.rpartition("_")[2].encode() not in kept
    assert secret not in repr(memory)


def test_names_of_keys_are_hidden_when_a_memory_is_encrypted(tmp_path: Path, clock: Ticking) -> None:
    config = MemoryConfig(persistence_path=str(tmp_path / "m"), embedding_model="none")
    with AIMemoryManager(config, clock=clock) as memory:
        made = memory.create_key("alice-of-wonderland", "acme-and-sons", name="rabbit hole", agent=None)
    encrypt_memory(tmp_path / "m", PASSPHRASE, hide_ids=True)
    catalog = (tmp_path / "m" / "zerda.db").read_bytes()
    assert not any(name in catalog for name in (b"wonderland", b"acme-and-sons", b"rabbit"))
    with AIMemoryManager(config, clock=clock, encryption_key=PASSPHRASE) as memory:
        assert memory.authenticate(made.secret) == made.key
        assert memory.list_keys("acme-and-sons") == [made.key]


# ── how much it opens ───────────────────────────────────────────────────────────────────────────────


def test_a_key_allows_no_more_than_its_role(memory: AIMemoryManager) -> None:
    memory.grant("alice", "acme", "admin")
    reading = as_holder(memory, memory.create_key("alice", "acme", "reader").secret)
    assert reading.recall("alice", "acme", "anything") == []
    for more in (
        lambda: reading.remember("alice", "acme", "x"),
        lambda: reading.stats("acme"),
        lambda: reading.acting_as("alice", at_most="admin").remember("alice", "acme", "x"),
    ):
        with pytest.raises(AccessDenied):
            more()


def test_a_key_allows_no_more_than_its_user_may(memory: AIMemoryManager) -> None:
    made = memory.create_key("alice", "acme", "owner")
    holder = as_holder(memory, made.secret)
    holder.remember("alice", "acme", "x", id="x")
    memory.revoke("alice", "acme", "owner")
    with pytest.raises(AccessDenied):
        holder.get("alice", "acme", "x")


def test_a_key_opens_no_other_users_memory_and_no_other_tenants(memory: AIMemoryManager) -> None:
    memory.grant("bob", "acme", "owner")
    holder = as_holder(memory, memory.create_key("alice", "acme", "owner").secret)
    for user, tenant in (("bob", "acme"), ("alice", "other")):
        with pytest.raises(AccessDenied):
            holder.list(user, tenant)


def test_an_agents_key_acts_for_its_user_with_what_both_may(memory: AIMemoryManager) -> None:
    memory.grant("alice", "acme", "reader")
    made = memory.create_key("alice", "acme", "writer", agent="agent:planner")
    holder = as_holder(memory, made.secret)
    assert holder.list("alice", "acme").entries == ()
    with pytest.raises(AccessDenied):
        holder.remember("alice", "acme", "x")
    memory.grant("alice", "acme", "writer")
    holder.remember("alice", "acme", "x")
    assert memory.audit("acme")[-1].actor == "agent:planner"


# ── who makes them ──────────────────────────────────────────────────────────────────────────────────


def test_only_an_admin_makes_lists_and_revokes_keys(memory: AIMemoryManager) -> None:
    memory.grant("root", "acme", "admin")
    memory.grant("alice", "acme", "owner")
    made = memory.create_key("alice", "acme", actor="root")
    assert made.key.by == "root"
    for call in (
        lambda: memory.create_key("alice", "acme", "admin", actor="alice"),
        lambda: memory.list_keys("acme", actor="alice"),
        lambda: memory.revoke_key("acme", made.key.id, actor="alice"),
        lambda: memory.acting_as("root").list_keys(),
        lambda: memory.acting_as("root").authenticate(made.secret),
        lambda: memory.acting_as("root").audit_of_store(),
    ):
        with pytest.raises(AccessDenied):
            call()


@pytest.mark.parametrize(
    "wrong",
    [{"role": "king"}, {"name": "a\nb"}, {"name": "x" * 201}, {"agent": "planner"}, {"until": "past"}],
)
def test_a_key_that_makes_no_sense_is_refused(
    memory: AIMemoryManager, clock: Ticking, wrong: dict[str, Any]
) -> None:
    if "until" in wrong:
        wrong = {"until": clock() - timedelta(days=1)}
    with pytest.raises(InvalidInput):
        memory.create_key("alice", "acme", **wrong)
    assert memory.list_keys("acme") == []


# ── what is told of it ──────────────────────────────────────────────────────────────────────────────


def test_all_bad_keys_get_the_same_answer(memory: AIMemoryManager, clock: Ticking) -> None:
    good = memory.create_key("alice", "acme").secret
    revoked = memory.create_key("alice", "acme")
    memory.revoke_key("acme", revoked.key.id)
    last = "A" if good[-1] != "A" else "B"
    bad = ["", "zk_", "x" * 5_000, good[:-1] + last, good.upper(), f" {good}", f"{good}\0", revoked.secret]
    assert len({refused(memory, text) for text in bad}) == 1


def test_changes_of_keys_and_refused_calls_are_in_the_audit(memory: AIMemoryManager) -> None:
    made = memory.create_key("alice", "acme", "reader")
    memory.revoke_key("acme", made.key.id)
    refused(memory, made.secret)
    refused(memory, "zk_none")
    told = [(record.action, record.result) for record in memory.audit("acme") if record.chain == "access"]
    assert told == [
        ("grant reader", "done"), ("key reader", "done"), ("revoke key", "done"),
        ("call, revoked key", "refused"),
    ]  # fmt: skip
    last = memory.audit_of_store()[-1]
    assert (last.action, last.count, last.result) == ("call, unknown key", 1, "refused")
    assert memory.verify_audit("acme").whole


def test_many_knocks_are_few_records_and_none_is_lost() -> None:
    now = [0.0]
    catalog = InMemoryCatalog()
    knocks = Knocks(catalog, lambda: now[0])
    for turn in range(1_000):
        now[0] = turn / 100
        knocks.add("", "unknown key")
    knocks.write()
    counts = [record.count for record in catalog.audit("")]
    assert sum(counts) == 1_000
    assert len(counts) <= 12


@postgres_server.NEEDED_HERE
def test_a_transaction_of_one_tenant_meets_no_keys_of_another(postgres: str) -> None:
    with AIMemoryManager(MemoryConfig(storage=postgres), embedder=HashingEmbedder()) as memory:
        for tenant in ("acme", "other"):
            memory.create_key("alice", tenant)
        catalog: Any = memory._stores.catalog
        with catalog._reading("acme") as db:
            assert db.rows("SELECT DISTINCT tenant_id FROM api_keys") == [("acme",)]
