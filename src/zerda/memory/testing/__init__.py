"""For whoever writes a part of zerda.memory: what a store has to prove, and fakes to test with."""

from .clocks import START, Ticking, tick
from .drafts import draft
from .embedders import HashingEmbedder
from .llms import ScriptedLLM

__all__ = ["START", "HashingEmbedder", "ScriptedLLM", "Ticking", "draft", "tick"]
