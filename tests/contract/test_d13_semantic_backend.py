"""Vectors are scanned by numpy or by FAISS, with the same answer; taking out of the index deletes nothing."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zerda.memory import (
    AIMemoryManager,
    ConfigError,
    InMemoryStore,
    MemoryConfig,
    MissingExtra,
    Query,
    SemanticMemory,
    SQLiteStore,
    Store,
)
from zerda.memory.gate import scope_of, whole_tenant
from zerda.memory.storage.faiss_index import FaissIndex
from zerda.memory.storage.vector_index import VectorIndex
from zerda.memory.testing import HashingEmbedder, draft, tick

ALICE, BOB = scope_of("acme", "alice"), scope_of("acme", "bob")
WORDS = ["cello", "harp", "tea", "rome", "lisbon", "boat", "garden", "winter"]


def stores(folder: Path, backend: Any) -> list[Store]:
    return [InMemoryStore(vectors=backend), SQLiteStore(folder / f"{backend}.db", vectors=backend)]


def filled(store: Store) -> Store:
    embedder = HashingEmbedder()
    for number in range(200):
        text = " ".join(WORDS[(number * step) % 8] for step in (1, 3, 5)) + f" {number}"
        store.put(ALICE if number % 3 else BOB, [draft(text, id=f"e{number}", user_id=None)])
    pending = store.pending(whole_tenant("acme"), embedder.fingerprint, limit=1_000)
    vectors = embedder.embed([one.text for one in pending])
    store.put_vectors(whole_tenant("acme"), embedder.fingerprint, [one.key for one in pending], vectors)
    return store


@pytest.mark.parametrize("kind", [0, 1], ids=["in memory", "sqlite"])
def test_D13_faiss_and_numpy_find_the_same(tmp_path: Path, kind: int) -> None:
    embedder = HashingEmbedder()
    ours, theirs = (filled(stores(tmp_path, backend)[kind]) for backend in ("numpy", "faiss"))
    assert (ours.vector_backend, theirs.vector_backend) == ("numpy", "faiss")
    for store in (ours, theirs):
        store.delete(ALICE, ["e1", "e2"])
        store.put(ALICE, [draft("cello harp tea late", id="late", user_id=None)])
        late = store.pending(ALICE, embedder.fingerprint, limit=9)
        store.put_vectors(
            ALICE, embedder.fingerprint, [one.key for one in late], embedder.embed([one.text for one in late])
        )
    for scope in (ALICE, BOB, whole_tenant("acme")):
        for question in ("cello harp", "winter garden 7", "rome"):
            vector = embedder.embed([question], role="query")[0]
            found = [
                store.search_vectors(scope, vector, embedder.fingerprint, Query(), limit=20).hits
                for store in (ours, theirs)
            ]
            assert [score for _, score in found[0]] == pytest.approx(
                [score for _, score in found[1]], abs=1e-3
            )
            assert len(found[1]) == 20
    for store in (ours, theirs):
        store.close()


def test_what_was_erased_cannot_be_read_from_the_faiss_index() -> None:
    index = FaissIndex(16)
    vectors = np.eye(16, dtype=np.float16)
    index.add(np.arange(1, 17), np.ones(16, np.int32), vectors)
    index.drop(np.array([3, 5]))
    query = vectors[2].astype(np.float32)
    assert 3 not in index.nearest(query, None, limit=16)
    assert not index._flat.reconstruct(2).any()
    assert index._flat.reconstruct(1).any()


def test_the_faiss_index_looks_at_every_row(tmp_path: Path) -> None:
    random = np.random.default_rng(7)
    vectors = random.standard_normal((40_000, 32)).astype(np.float32)
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float16)
    exact, proposing = FaissIndex(32), VectorIndex(32)
    for index in (exact, proposing):
        index.add(np.arange(1, 40_001), np.ones(40_000, np.int32), vectors)
    for query in random.standard_normal((5, 32)).astype(np.float32):
        truth = np.argsort(-(vectors.astype(np.float32) @ query), kind="stable")[:10] + 1
        assert set(exact.nearest(query, None, limit=10)) == set(truth)


def test_D13_a_manager_searches_with_the_backend_of_its_configuration(tmp_path: Path) -> None:
    for backend, named in (("auto", "numpy"), ("numpy", "numpy"), ("faiss", "faiss")):
        config = MemoryConfig(
            persistence_path=str(tmp_path / backend),
            semantic_backend=backend,
            relevance_floor=0.0,  # type: ignore[arg-type]
        )
        with AIMemoryManager(config, embedder=HashingEmbedder(), clock=tick()) as memory:
            memory.save_interaction("alice", "acme", "the cello stands in the hall", "noted")
            assert memory.stats("acme")["semantic"]["backend"] == named
            assert memory.recall("alice", "acme", "cello")[0].sources


def test_D13_an_unknown_backend_is_a_value_error() -> None:
    with pytest.raises(ValueError, match=r"'hnsw'; it is one of 'auto', 'numpy', 'faiss'"):
        SemanticMemory(backend="hnsw")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="semantic_backend is 'hnsw'"):
        MemoryConfig(semantic_backend="hnsw")  # type: ignore[arg-type]


def test_D13_faiss_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "faiss", None)
    monkeypatch.delitem(sys.modules, "zerda.memory.storage.faiss_index")
    config = MemoryConfig(semantic_backend="faiss", enable_persistence=False)
    for make in (lambda: SemanticMemory(backend="faiss"), lambda: AIMemoryManager(config)):
        with pytest.raises(MissingExtra, match=r"zerda-memory\[faiss\]"):
            make()


def test_D13_a_server_searches_by_itself() -> None:
    with pytest.raises(ConfigError, match="pgvector"):
        AIMemoryManager(MemoryConfig(storage="postgresql://localhost/x", semantic_backend="faiss"))


@pytest.mark.parametrize("backend", ["numpy", "faiss"])
def test_D13_removing_takes_out_of_the_index_and_deletes_nothing(backend: Any) -> None:
    store = InMemoryStore()
    semantic = SemanticMemory("none", 10, "acme", backend, store=store, embedder=HashingEmbedder())
    first = store.put(ALICE, [draft("the cello stands in the hall", id="x", user_id=None)])[0]
    semantic.add(first)
    assert [one.id for one, _ in semantic.search("cello", min_score=0.1)] == ["x"]
    assert semantic.remove("x")
    assert not semantic.remove("x")
    assert not semantic.remove("unknown")
    assert semantic.search("cello") == []
    assert store.get(ALICE, "x").content == "the cello stands in the hall"
    semantic.add(first)
    assert [one.id for one, _ in semantic.search("cello", min_score=0.1)] == ["x"]
    assert (semantic.clear(), semantic.clear()) == (1, 0)
    assert semantic.search("cello") == []
    assert store.count(ALICE, Query()) == 1
