"""Memories of one conversation, for chat programs and chains."""

from .buffer import ConversationBufferMemory, ConversationBufferWindowMemory
from .entity import ConversationEntityMemory
from .summary import ConversationSummaryMemory

__all__ = [
    "ConversationBufferMemory",
    "ConversationBufferWindowMemory",
    "ConversationEntityMemory",
    "ConversationSummaryMemory",
]
