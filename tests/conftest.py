"""Fixtures that several areas share."""

from collections.abc import Iterator

import pytest

from loopback import Loopback


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
