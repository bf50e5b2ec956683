"""What hangs is waited for so long and no longer, then left alone for a while; what fails is told at once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from zerda.memory.core.patience import Patience
from zerda.memory.errors import LLMError


class Called:
    """Work that hangs until it is released, or answers; counts how often it was begun."""

    def __init__(self) -> None:
        self.begun = 0
        self.hangs = True
        self.released = threading.Event()

    def __call__(self) -> str:
        self.begun += 1
        if self.hangs:
            self.released.wait(60)
        return "well"


@pytest.fixture
def work() -> Iterator[Called]:
    called = Called()
    yield called
    called.released.set()


@pytest.fixture
def now() -> list[float]:
    return [0.0]


@pytest.fixture
def patience(now: list[float]) -> Patience:
    return Patience("the model", LLMError, hangs=2, rest_seconds=30, clock=lambda: now[0])


def refused(patience: Patience, work: Callable[[], str]) -> str:
    with pytest.raises(LLMError) as told:
        patience.wait_for(work, 0.01)
    return str(told.value)


def test_after_two_that_hung_it_is_left_alone_and_then_asked_again(
    patience: Patience, work: Called, now: list[float]
) -> None:
    for _ in range(2):
        assert refused(patience, work) == "the model gave no answer within 0.01 s"
    assert "2 times in a row; it is asked again in 30 s" in refused(patience, work)
    assert work.begun == 2
    now[0] = 31
    work.hangs = False
    assert [patience.wait_for(work, 60) for _ in range(3)] == ["well"] * 3


def test_while_one_tries_again_the_others_are_refused(
    patience: Patience, work: Called, now: list[float]
) -> None:
    for _ in range(2):
        refused(patience, work)
    now[0] = 31
    tried: list[str] = []

    def nested() -> str:
        tried.append(refused(patience, work))
        return "well"

    assert patience.wait_for(nested, 60) == "well"
    assert "asked again in 30 s" in tried[0]
    assert work.begun == 2


def test_one_that_hangs_now_and_then_is_not_left_alone(patience: Patience, work: Called) -> None:
    for hangs in (True, False) * 4:
        work.hangs = hangs
        if hangs:
            refused(patience, work)
        else:
            assert patience.wait_for(work, 60) == "well"
    assert work.begun == 8


def test_one_that_fails_at_once_is_asked_each_time(patience: Patience) -> None:
    def fails() -> str:
        raise ValueError("a text of somebody's")

    assert [refused(patience, fails) for _ in range(5)] == ["the model failed with ValueError"] * 5
