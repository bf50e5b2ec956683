"""What a profile of tools offers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp_types import ToolAnnotations


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool as a client sees it; its description and its schema come from the function."""

    name: str
    title: str
    function: Callable[..., Awaitable[Any]]
    annotations: ToolAnnotations
