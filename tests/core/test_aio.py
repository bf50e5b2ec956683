"""The bridge from sync to async."""

import asyncio
import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from zerda.memory import awaitable

here = contextvars.ContextVar("here", default="nowhere")


class Lamp:
    """Something with a sync method and its twin."""

    executor = None

    def shine(self, colour: str, *, times: int = 1) -> str:
        if times < 1:
            raise ValueError(f"times is {times}; it is at least 1")
        return f"{colour * times} {here.get()} {threading.current_thread().name}"

    ashine = awaitable(shine)


class Lantern(Lamp):
    def shine(self, colour: str, *, times: int = 1) -> str:
        return "lantern " + super().shine(colour, times=times)


def test_the_twin_gives_the_same_result_in_another_thread_with_the_callers_context() -> None:
    here.set("in the test")
    result = asyncio.run(Lamp().ashine("red", times=2))
    assert result.startswith("redred in the test")
    assert "MainThread" not in result


def test_the_twin_raises_what_the_method_raises() -> None:
    with pytest.raises(ValueError, match="times is 0"):
        asyncio.run(Lamp().ashine("red", times=0))


def test_the_twin_follows_an_override() -> None:
    assert asyncio.run(Lantern().ashine("red")).startswith("lantern red")


def test_the_twin_runs_on_the_owners_executor() -> None:
    with ThreadPoolExecutor(1, thread_name_prefix="own") as pool:
        lamp = Lamp()
        lamp.executor = pool
        assert " own_0" in asyncio.run(lamp.ashine("red"))


def test_the_twin_names_itself() -> None:
    assert Lamp.ashine.__name__ == "ashine"
    assert Lamp.ashine.__doc__ == "Awaitable twin of `shine`."


def test_the_twin_of_an_abstract_method_needs_no_override() -> None:
    from abc import ABC, abstractmethod

    class Light(ABC):
        @abstractmethod
        def shine(self) -> str: ...

        ashine = awaitable(shine)

    class Candle(Light):
        def shine(self) -> str:
            return "flicker"

    assert asyncio.run(Candle().ashine()) == "flicker"
