"""The memory as tools of the Model Context Protocol, for editors, agents and desktop assistants."""

from importlib.util import find_spec

from zerda.memory import MissingExtra

if find_spec("mcp") is None:
    raise MissingExtra("the Model Context Protocol", "mcp")

from .callers import Caller  # What they need is there.
from .server import PROFILES, build

__all__ = ["PROFILES", "Caller", "build"]
