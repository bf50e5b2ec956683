"""The tiers: views of one store, each a scope and a rule. Nothing is copied between them."""

from .long_term import LongTermMemory
from .semantic import SemanticMemory
from .short_term import ShortTermMemory
from .working import WorkingMemory

__all__ = ["LongTermMemory", "SemanticMemory", "ShortTermMemory", "WorkingMemory"]
