"""The one bridge from sync to async."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable, Coroutine
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")


Owner = TypeVar("Owner")


def awaitable(
    method: Callable[Concatenate[Owner, P], R],
) -> Callable[Concatenate[Owner, P], Coroutine[Any, Any, R]]:
    """The awaitable twin of a sync method: same arguments, same result, same exceptions.

    It runs the method on the owner's ``executor`` (the loop's default where it has none), with the
    caller's context variables, and follows an override in a subclass. A cancelled await does not undo
    a call that has begun.
    """
    name = cast(Any, method).__name__

    @functools.wraps(method)
    async def twin(self: Owner, /, *args: P.args, **kwargs: P.kwargs) -> R:
        call = functools.partial(getattr(self, name), *args, **kwargs)
        context = contextvars.copy_context()
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(getattr(self, "executor", None), context.run, call)

    twin.__dict__.pop("__isabstractmethod__", None)  # The twin of an abstract method is a whole one.
    twin.__name__ = f"a{name}"
    twin.__qualname__ = twin.__qualname__.rpartition(".")[0] + f".a{name}"
    twin.__doc__ = f"Awaitable twin of `{name}`."
    return twin
