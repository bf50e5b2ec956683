"""C1, B1 to B4, M1 to M3: the configuration, a tenant's bundle, and how a manager is made."""

import inspect
import threading
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from zerda.memory import (
    AccessController,
    AIMemoryManager,
    ContextBuilder,
    ForgettingMechanism,
    LongTermMemory,
    MemoryCompressor,
    MemoryConfig,
    MemorySelector,
    SemanticMemory,
    ShortTermMemory,
    SQLiteStore,
    UserProfileManager,
    WorkingMemory,
)
from zerda.memory.gate import whole_tenant
from zerda.memory.intake import Intake
from zerda.memory.testing import HashingEmbedder, draft, tick

Making = Callable[..., AIMemoryManager]
NAMED = [
    "window_size", "max_working", "max_tokens", "persistence_path", "embedding_model", "embedding_cache_size",
    "retrieval_limit", "importance_threshold", "min_importance", "max_long_term", "enable_persistence",
    "enable_decay", "base_decay_rate", "deletion_threshold",
]  # fmt: skip


def test_C1_a_bare_configuration_works_and_each_field_is_set_by_keyword() -> None:
    bare = MemoryConfig()
    names = {one.name for one in fields(bare)}
    assert names >= set(NAMED)
    for name in names:
        assert getattr(MemoryConfig(**{name: getattr(bare, name)}), name) == getattr(bare, name)


@pytest.mark.parametrize("touch", [
    lambda m: m.save_interaction("alice", "new", "a", "b"),
    lambda m: m.build_context("alice", "new", "a"),
    lambda m: m.recall("alice", "new", "a"),
    lambda m: m.stats("new"),
    lambda m: m.run_maintenance("new"),
    lambda m: m.clear_tenant("new"),
])  # fmt: skip
def test_B1_the_first_touch_makes_a_bundle_and_it_stays_the_same(make: Making, touch: Any) -> None:
    memory = make()
    assert not memory._bundles
    touch(memory)
    bundle = memory._bundles["new"]
    memory.save_interaction("alice", "new", "c", "d")
    assert memory._bundle("new") is bundle
    assert memory._bundle("other") is not bundle


def test_B1_threads_that_touch_a_tenant_first_share_one_bundle(memory: AIMemoryManager) -> None:
    bundles: set[int] = set()
    begin = threading.Barrier(8)

    def touch() -> None:
        begin.wait()
        bundles.add(id(memory._bundle("acme")))

    threads = [threading.Thread(target=touch) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(bundles) == 1


def test_B2_its_members_are_built_from_the_configuration(make: Making, tmp_path: Path) -> None:
    memory = make(
        window_size=7, max_working=3, max_tokens=123, embedding_model="none", embedding_cache_size=5
    )
    bundle = memory._bundle("acme")
    assert isinstance(bundle.stm, ShortTermMemory)
    assert isinstance(bundle.working, WorkingMemory)
    assert isinstance(bundle.ltm, LongTermMemory)
    assert isinstance(bundle.semantic, SemanticMemory)
    assert bundle.stm.window_size == 7
    assert (bundle.working.capacity, bundle.working.token_budget) == (3, 123)
    assert bundle.ltm.db_path == f"{memory.config.persistence_path}/acme_ltm.db"
    assert bundle.semantic.model_name == "none"
    assert {one.tenant_id for one in (bundle.stm, bundle.working, bundle.ltm, bundle.semantic)} == {"acme"}


@pytest.mark.parametrize(("kind", "names"), [
    (ShortTermMemory, ["window_size", "tenant_id"]),
    (WorkingMemory, ["capacity", "token_budget", "tenant_id"]),
    (LongTermMemory, ["db_path", "tenant_id"]),
    (SemanticMemory, ["model_name", "cache_size", "tenant_id"]),
])  # fmt: skip
def test_B2_the_tiers_take_the_documented_arguments(kind: type, names: list[str]) -> None:
    assert list(inspect.signature(kind).parameters)[: len(names)] == names


def test_B3_the_file_appears_at_the_first_touch(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    with AIMemoryManager(MemoryConfig(persistence_path=str(folder)), embedder=HashingEmbedder()) as memory:
        assert not folder.exists()
        memory.stats("acme")
        assert (folder / "acme_ltm.db").is_file()
        assert not (folder / "other_ltm.db").exists()


def test_B4_tenants_share_nothing_and_entries_name_theirs(memory: AIMemoryManager) -> None:
    for tenant in ("acme", "other"):
        memory.save_interaction("alice", tenant, f"the cello of {tenant}", "noted", importance=0.9)
        memory.build_context("alice", tenant, "the cello")
    for tenant in ("acme", "other"):
        bundle = memory._bundle(tenant)
        shown = [*bundle.stm.get_all(), *bundle.ltm.get_recent(), *bundle.working.get_all()]
        shown += bundle.semantic.search_entries("the cello")
        assert {entry.tenant_id for entry in shown} == {tenant}
        assert {entry.metadata["tenant_id"] for entry in bundle.stm.get_all()} == {tenant}


def test_B4_one_file_shared_by_hand_keeps_tenants_apart(tmp_path: Path) -> None:
    file = tmp_path / "shared.db"
    one, two = LongTermMemory(str(file), "acme"), LongTermMemory(str(file), tenant_id="other")
    kept = ShortTermMemory(5, "acme").add({"input": "a", "output": "b"})
    one.store(kept)
    assert (one.count(), two.count()) == (1, 0)
    two.clear()
    assert one.get(kept.id).content == {"input": "a", "output": "b"}
    one.close()
    two.close()


def test_M1_the_constructor_is_as_documented() -> None:
    told = inspect.signature(AIMemoryManager).parameters
    assert list(told)[:2] == ["config", "llm"]
    assert told["config"].default is told["llm"].default is told["encryption_key"].default is None
    assert told["enable_privacy_masking"].default is True
    assert told["max_workers"].default == 4
    assert told["encryption_key"].kind is inspect.Parameter.KEYWORD_ONLY


def test_M2_what_all_tenants_share_has_its_numbers_from_the_configuration(make: Making) -> None:
    memory = make(
        retrieval_limit=3, max_tokens=321, base_decay_rate=0.2, min_importance=0.3, deletion_threshold=0.4
    )
    assert isinstance(memory._selector, MemorySelector)
    assert memory._selector._top_k == 3
    assert isinstance(memory._compressor, MemoryCompressor)
    assert isinstance(memory._forgetting, ForgettingMechanism)
    assert memory._forgetting.base_decay_rate == 0.2
    assert memory._forgetting.min_importance == 0.3
    assert memory._forgetting.deletion_threshold == 0.4
    assert isinstance(memory._context_builder, ContextBuilder)
    assert memory._context_builder._budget == 321
    assert isinstance(memory._access, AccessController)
    assert isinstance(memory._bundle("acme").profiles, UserProfileManager)
    assert memory.executor is memory.executor


def test_M2_profiles_are_on_disk_only_with_persistence(tmp_path: Path) -> None:
    for persistent in (True, False):
        folder = tmp_path / str(persistent)
        config = MemoryConfig(persistence_path=str(folder), enable_persistence=persistent)
        for again in (False, True):
            with AIMemoryManager(config, embedder=HashingEmbedder()) as memory:
                if not again:
                    memory.set_preferences("alice", "acme", {"tone": "dry"})
                kept = dict(memory.profile("alice", "acme").explicit_preferences)
            assert kept == ({"tone": "dry"} if persistent or not again else {})
        assert folder.exists() is persistent


def test_M3_any_object_that_generates_is_a_model(make: Making) -> None:
    class Model:
        def generate(self, prompt: str, max_tokens: int = 256) -> str:
            return "what was said"

    memory = make(llm=Model())
    assert memory.llm is not None
    memory.save_interaction("alice", "acme", "a", "b")
    assert memory.build_context("alice", "acme", "a").full_text


def test_Z17_a_memory_that_keeps_nothing_makes_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with AIMemoryManager(
        MemoryConfig(enable_persistence=False), embedder=HashingEmbedder(), clock=tick()
    ) as memory:
        memory.save_interaction("alice", "acme", "a", "b")
    assert list(tmp_path.iterdir()) == []


def test_D12_decay_of_long_term_memory_reads_every_row(tmp_path: Path) -> None:
    clock = tick(datetime(2026, 1, 1, tzinfo=UTC))
    store = SQLiteStore(tmp_path / "m.db", durability="relaxed")
    scope = whole_tenant("acme")
    drafts = [
        draft(f"e{n}", id=f"e{n}", importance=0.1, promoted_at=clock(), recorded_at=clock(), user_id=None)
        for n in range(2_500)
    ]
    store.put(scope, drafts)

    later = tick(datetime(2027, 1, 1, tzinfo=UTC))
    ltm = LongTermMemory(tenant_id="acme", store=store, intake=Intake(clock=later))
    assert ltm.apply_global_decay(0.5) == 2_500
    assert (ltm.apply_global_decay(0.5), ltm.count()) == (0, 0)
    store.close()
