"""Another embedder: noticed, told, and taken over only when all vectors are made anew."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from zerda.memory import AIMemoryManager, ConfigError, MemoryConfig
from zerda.memory.errors import EmbeddingError
from zerda.memory.testing import HashingEmbedder

OLD, NEW = HashingEmbedder(64, name="old"), HashingEmbedder(128, name="new")


class Failing:
    """An embedder that gives up after a number of batches, as a process that is killed."""

    def __init__(self, inner, batches):
        self.inner, self.left = inner, batches
        self.fingerprint, self.dimensions, self.fast, self.max_words = (
            inner.fingerprint,
            inner.dimensions,
            True,
            None,
        )

    def embed(self, texts, *, role="passage"):
        if not self.left:
            raise EmbeddingError("the model went away")
        self.left -= 1
        return self.inner.embed(texts, role=role)


@pytest.fixture
def folder(tmp_path):
    with opened(tmp_path, OLD) as memory:
        for tenant in ("acme", "beta"):
            memory.remember_many("ann", tenant, [f"kite number {n}" for n in range(300)])
    return tmp_path


def opened(folder: Path, embedder):
    config = MemoryConfig(persistence_path=str(folder), embedding_model="none")
    return AIMemoryManager(config, embedder=embedder)


def test_another_embedder_is_noticed_and_told(folder):
    with opened(folder, NEW) as memory:
        stats = memory.stats("acme")
        assert (stats["embedder"], stats["embedder_here"]) == (OLD.fingerprint, NEW.fingerprint)
        assert "zerda reindex" in stats["semantic"]["degraded"][0]
        context = memory.build_context("ann", "acme", "kite number 7")
        assert any(OLD.fingerprint in lack for lack in context.degraded)
        assert memory.recall("ann", "acme", "kite number 7", min_score=0)[0].sources == ("words",)


def test_reindexing_brings_all_tenants_to_the_new_embedder(folder):
    told = []
    with opened(folder, NEW) as memory:
        assert memory.reindex(progress=lambda done, of: told.append((done, of))) == 600
        assert (told[0], told[-1]) == ((0, 600), (600, 600))
        assert memory.stats("acme")["embedder"] == NEW.fingerprint
        assert memory.stats("beta")["semantic"]["degraded"] == []
        assert "meaning" in memory.recall("ann", "acme", "kite number 7", min_score=0)[0].sources
        assert memory.reindex() == 0


def test_the_embedder_stays_until_no_tenant_lacks_a_vector(folder):
    with opened(folder, NEW) as memory:
        assert memory.reindex("acme") == 300
        assert memory.stats("acme")["embedder"] == OLD.fingerprint
        assert memory.reindex("beta") == 300
        assert memory.stats("acme")["embedder"] == NEW.fingerprint


def test_what_was_done_before_a_failure_is_not_done_again(folder):
    with opened(folder, Failing(NEW, 1)) as memory, pytest.raises(EmbeddingError):
        memory.reindex()
    with opened(folder, OLD) as memory:
        assert memory.stats("acme")["embedder"] == OLD.fingerprint
    with opened(folder, NEW) as memory:
        assert memory.reindex() == 600 - 256


def test_a_killed_process_can_be_followed_by_another(folder):
    kill_at_second_report = (
        "import os, sys\n"
        "from zerda.memory import AIMemoryManager, MemoryConfig\n"
        "from zerda.memory.testing import HashingEmbedder\n"
        "config = MemoryConfig(persistence_path=sys.argv[1], embedding_model='none')\n"
        "memory = AIMemoryManager(config, embedder=HashingEmbedder(128, name='new'))\n"
        "memory.reindex(progress=lambda done, of: os.kill(os.getpid(), 9) if done else None)\n"
    )
    source = str(Path(__file__).parents[2] / "src")
    killed = subprocess.run(
        [sys.executable, "-c", kill_at_second_report, str(folder)],
        env={**os.environ, "PYTHONPATH": source},
        check=False,
    )
    assert killed.returncode == -9
    with opened(folder, NEW) as memory:
        assert memory.stats("acme")["embedder"] == OLD.fingerprint
        assert memory.reindex() == 600 - 256
        assert memory.stats("acme")["embedder"] == NEW.fingerprint


def test_what_the_former_embedder_wrote_meanwhile_is_made_anew(folder):
    with opened(folder, OLD) as former, opened(folder, NEW) as memory:

        def meanwhile(done, of):
            if done == 600:
                former.remember("ann", "acme", "a late kite")

        assert memory.reindex(progress=meanwhile) in (600, 601)
        memory.reindex()
        assert memory.stats("acme")["pending"] == 0


def test_without_an_embedder_there_is_nothing_to_index_with(folder):
    with opened(folder, None) as memory, pytest.raises(ConfigError, match="without an embedder"):
        memory.reindex()
