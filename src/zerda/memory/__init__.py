"""Memory for LLM applications: keeps what was said, finds it again, puts it before the model.

    from zerda.memory import AIMemoryManager

    with AIMemoryManager() as memory:
        memory.save_interaction("alice", "acme", "I moved to Lisbon.", "How do you like it there?")
        print(memory.recall("alice", "acme", "Where does Alice live?"))

Names are loaded when they are first used: importing opens no file, reads no environment.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .context.context_builder import BuiltContext, ContextBuilder, Document, Fate
    from .context.counting import counter_named
    from .conversation import (
        ConversationBufferMemory,
        ConversationBufferWindowMemory,
        ConversationEntityMemory,
        ConversationSummaryMemory,
    )
    from .core.aio import awaitable
    from .core.base import BaseMemory, BaseRetriever
    from .core.entities import Entity, Mention, Naming, Relation, Tie
    from .core.model import Hit, Hits, MemoryEntry, Note, Page, Query, Trust, Unchanged
    from .core.rules.profile import Learnt, UserProfile
    from .core.seams import (
        Clock,
        Embedder,
        EntityExtractor,
        LLMProtocol,
        Masker,
        Reranker,
        Source,
        TokenCounter,
    )
    from .core.trust import (
        ApiKey,
        AuditRecord,
        AuditReport,
        Change,
        Changes,
        Grant,
        IssuedKey,
        MaskReport,
        Proof,
        Receipt,
    )
    from .embedding import embedder_named
    from .errors import (
        AccessDenied,
        ConfigError,
        EmbeddingError,
        EntryChanged,
        EntryConflict,
        EntryErased,
        EntryNotFound,
        ErasureIncomplete,
        InvalidInput,
        KeyNeeded,
        LLMError,
        MissingExtra,
        NotEncrypted,
        SchemaTooNew,
        StorageBusy,
        StorageDamaged,
        StorageError,
        StorageFull,
        StorageReadOnly,
        StorageUnavailable,
        StoreClosed,
        WrongKey,
        ZerdaError,
    )
    from .intelligent.care import (
        KeyStatus,
        backup,
        destroy_tenant,
        doctor,
        encrypt_memory,
        key_status,
        restore,
        resume_key_changes,
        rotate_root_key,
        rotate_tenant_key,
    )
    from .intelligent.config import MemoryConfig
    from .intelligent.memory_manager import AIMemoryManager
    from .intelligent.reviewing import Arrivals
    from .llm import LLMExtractor, LLMReranker, OpenAICompatibleLLM
    from .personal import ContextualMemory, EntityMemory, MemoryItem, MemoryStorage, UserMemory
    from .profiles import UserProfileManager
    from .rest.client import Client
    from .retrieval.selector import MemorySelector
    from .security.access import AccessController, Permission
    from .security.encryptor import MemoryEncryptor
    from .security.keys import key_from_file, key_from_keyring
    from .security.masking import SensitiveDataMasker
    from .security.policy import MaskingPolicy
    from .storage.backup import Manifest
    from .storage.base import Store
    from .storage.doctor import Finding
    from .storage.memory import InMemoryStore
    from .storage.sqlite import SQLiteStore
    from .tiers import LongTermMemory, SemanticMemory, ShortTermMemory, WorkingMemory
    from .transfer import ImportReport
    from .upkeep.forgetting import ForgettingMechanism
    from .upkeep.memory_compressor import MemoryCompressor

__version__ = "0.1.0"

_HOMES = {
    "conversation": (
        "ConversationBufferMemory", "ConversationBufferWindowMemory", "ConversationEntityMemory",
        "ConversationSummaryMemory",
    ),
    "core.base": ("BaseMemory", "BaseRetriever"),
    "context.context_builder": ("BuiltContext", "ContextBuilder", "Document", "Fate"),
    "context.counting": ("counter_named",),
    "core.aio": ("awaitable",),
    "core.entities": ("Entity", "Mention", "Naming", "Relation", "Tie"),
    "core.model": ("Hit", "Hits", "MemoryEntry", "Note", "Page", "Query", "Trust", "Unchanged"),
    "core.rules.profile": ("Learnt", "UserProfile"),
    "core.trust": (
        "ApiKey", "AuditRecord", "AuditReport", "Change", "Changes", "Grant", "IssuedKey", "MaskReport",
        "Proof", "Receipt",
    ),
    "core.seams": (
        "Clock", "Embedder", "EntityExtractor", "LLMProtocol", "Masker", "Reranker", "Source",
        "TokenCounter",
    ),
    "embedding": ("embedder_named",),
    "errors": (
        "AccessDenied", "ConfigError", "EmbeddingError", "EntryChanged", "EntryConflict", "EntryErased",
        "EntryNotFound", "ErasureIncomplete", "InvalidInput", "KeyNeeded", "LLMError", "MissingExtra",
        "NotEncrypted", "SchemaTooNew", "StorageBusy", "StorageDamaged", "StorageError", "StorageFull",
        "StorageReadOnly", "StorageUnavailable", "StoreClosed", "WrongKey", "ZerdaError",
    ),
    "intelligent.care": (
        "KeyStatus", "backup", "destroy_tenant", "doctor", "encrypt_memory", "key_status", "restore",
        "resume_key_changes", "rotate_root_key", "rotate_tenant_key",
    ),
    "intelligent.config": ("MemoryConfig",),
    "intelligent.memory_manager": ("AIMemoryManager",),
    "intelligent.reviewing": ("Arrivals",),
    "llm": ("LLMExtractor", "LLMReranker", "OpenAICompatibleLLM"),
    "personal": ("ContextualMemory", "EntityMemory", "MemoryItem", "MemoryStorage", "UserMemory"),
    "profiles": ("UserProfileManager",),
    "rest.client": ("Client",),
    "retrieval.selector": ("MemorySelector",),
    "security.access": ("AccessController", "Permission"),
    "security.encryptor": ("MemoryEncryptor",),
    "security.keys": ("key_from_file", "key_from_keyring"),
    "security.masking": ("SensitiveDataMasker",),
    "security.policy": ("MaskingPolicy",),
    "storage.backup": ("Manifest",),
    "storage.base": ("Store",),
    "storage.doctor": ("Finding",),
    "storage.memory": ("InMemoryStore",),
    "storage.sqlite": ("SQLiteStore",),
    "transfer": ("ImportReport",),
    "tiers": ("LongTermMemory", "SemanticMemory", "ShortTermMemory", "WorkingMemory"),
    "upkeep.forgetting": ("ForgettingMechanism",),
    "upkeep.memory_compressor": ("MemoryCompressor",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AIMemoryManager",
    "AccessController",
    "AccessDenied",
    "ApiKey",
    "Arrivals",
    "AuditRecord",
    "AuditReport",
    "BaseMemory",
    "BaseRetriever",
    "BuiltContext",
    "Change",
    "Changes",
    "Client",
    "Clock",
    "ConfigError",
    "ContextBuilder",
    "ContextualMemory",
    "ConversationBufferMemory",
    "ConversationBufferWindowMemory",
    "ConversationEntityMemory",
    "ConversationSummaryMemory",
    "Document",
    "Embedder",
    "EmbeddingError",
    "Entity",
    "EntityExtractor",
    "EntityMemory",
    "EntryChanged",
    "EntryConflict",
    "EntryErased",
    "EntryNotFound",
    "ErasureIncomplete",
    "Fate",
    "Finding",
    "ForgettingMechanism",
    "Grant",
    "Hit",
    "Hits",
    "ImportReport",
    "InMemoryStore",
    "InvalidInput",
    "IssuedKey",
    "KeyNeeded",
    "KeyStatus",
    "LLMError",
    "LLMExtractor",
    "LLMProtocol",
    "LLMReranker",
    "Learnt",
    "LongTermMemory",
    "Manifest",
    "MaskReport",
    "Masker",
    "MaskingPolicy",
    "MemoryCompressor",
    "MemoryConfig",
    "MemoryEncryptor",
    "MemoryEntry",
    "MemoryItem",
    "MemorySelector",
    "MemoryStorage",
    "Mention",
    "MissingExtra",
    "Naming",
    "NotEncrypted",
    "Note",
    "OpenAICompatibleLLM",
    "Page",
    "Permission",
    "Proof",
    "Query",
    "Receipt",
    "Relation",
    "Reranker",
    "SQLiteStore",
    "SchemaTooNew",
    "SemanticMemory",
    "SensitiveDataMasker",
    "ShortTermMemory",
    "Source",
    "StorageBusy",
    "StorageDamaged",
    "StorageError",
    "StorageFull",
    "StorageReadOnly",
    "StorageUnavailable",
    "Store",
    "StoreClosed",
    "Tie",
    "TokenCounter",
    "Trust",
    "Unchanged",
    "UserMemory",
    "UserProfile",
    "UserProfileManager",
    "WorkingMemory",
    "WrongKey",
    "ZerdaError",
    "__version__",
    "awaitable",
    "backup",
    "counter_named",
    "destroy_tenant",
    "doctor",
    "embedder_named",
    "encrypt_memory",
    "key_from_file",
    "key_from_keyring",
    "key_status",
    "restore",
    "resume_key_changes",
    "rotate_root_key",
    "rotate_tenant_key",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_HOME_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
