"""Memories of one conversation, for chat programs and chains."""

from .buffer import ConversationBufferMemory, ConversationBufferWindowMemory
from .summary import ConversationSummaryMemory

__all__ = ["ConversationBufferMemory", "ConversationBufferWindowMemory", "ConversationSummaryMemory"]
