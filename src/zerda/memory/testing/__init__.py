"""For whoever writes a part of zerda.memory: what a store has to prove, and fakes to test with.

Everything here works without pytest, except `StoreContract` and `StoresContract`, which are tests.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .clocks import START, Ticking, tick
from .drafts import draft
from .embedders import HashingEmbedder
from .llms import ScriptedLLM

if TYPE_CHECKING:
    from .store_contract import StoreContract, StoresContract

__all__ = [
    "START",
    "HashingEmbedder",
    "ScriptedLLM",
    "StoreContract",
    "StoresContract",
    "Ticking",
    "draft",
    "tick",
]


def __getattr__(name: str) -> Any:
    if name not in ("StoreContract", "StoresContract"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from . import store_contract

    return getattr(store_contract, name)
