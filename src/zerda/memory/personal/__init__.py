"""Memory user by user, for agents that know whom they talk to."""

from .contextual_memory import ContextualMemory
from .entity_memory import EntityMemory
from .memory_item import MemoryItem
from .memory_storage import MemoryStorage
from .user_memory import UserMemory

__all__ = ["ContextualMemory", "EntityMemory", "MemoryItem", "MemoryStorage", "UserMemory"]
