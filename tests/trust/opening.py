"""How the tests of trust open memories."""

from collections.abc import Callable

from zerda.memory import AIMemoryManager

Make = Callable[..., AIMemoryManager]
"""Opens a memory on the test's folder, as another process would; settings are arguments."""
