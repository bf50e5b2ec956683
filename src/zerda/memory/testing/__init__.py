"""For whoever writes a part of zerda.memory: what a store has to prove, and fakes to test with.

Everything here works without pytest, except `StoreContract`, which is a class of tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .clocks import START, Ticking, tick
from .drafts import draft
from .embedders import HashingEmbedder
from .llms import ScriptedLLM

if TYPE_CHECKING:
    from .store_contract import StoreContract

__all__ = ["START", "HashingEmbedder", "ScriptedLLM", "StoreContract", "Ticking", "draft", "tick"]


def __getattr__(name: str) -> Any:
    if name != "StoreContract":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .store_contract import StoreContract

    return StoreContract
