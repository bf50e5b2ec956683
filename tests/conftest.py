"""Fixtures that several areas share."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from loopback import Loopback

# A busy machine is no fault of the code: what a test does is bounded, how long it takes is not asserted.
settings.register_profile("zerda", deadline=None)
settings.load_profile("zerda")


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    server = Loopback()
    yield server
    server.close()


@pytest.fixture
def other_loopback() -> Iterator[Loopback]:
    server = Loopback()
    yield server
    server.close()
