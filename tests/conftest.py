"""Fixtures that several areas share."""

import logging
from collections.abc import Iterator

import pytest
from hypothesis import settings

import postgres_server
from loopback import Loopback

# A busy machine is no fault of the code: what a test does is bounded, how long it takes is not asserted.
settings.register_profile("zerda", deadline=None)
settings.load_profile("zerda")


@pytest.fixture(autouse=True)
def logging_as_it_was() -> Iterator[None]:
    """A command or a server sets up logging for its process; here it shares that with other tests."""
    logs = [logging.getLogger(name) for name in ("zerda.memory", "zerda.memory.security.access")]
    before = [(log.level, log.propagate, log.handlers[:]) for log in logs]
    yield
    for log, (level, propagate, handlers) in zip(logs, before, strict=True):
        log.setLevel(level)
        log.propagate = propagate
        log.handlers[:] = handlers


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


@pytest.fixture(scope="session")
def postgres_running() -> Iterator[postgres_server.Server]:
    """The tests' own PostgreSQL server."""
    yield postgres_server.server()
    postgres_server.stop()


@pytest.fixture
def postgres(postgres_running: postgres_server.Server) -> Iterator[str]:
    """The address of an empty memory on it."""
    with postgres_running.memory() as address:
        yield address
