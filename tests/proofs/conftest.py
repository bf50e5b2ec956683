"""What the proofs share: processes of their own, and what is told of each in the table of scripts/prove."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from proving import Run, Start, Told

SOURCE = Path(__file__).parents[2] / "src"
CHILDREN = Path(__file__).with_name("children.py")
DEADLINE_SECONDS = 3_000  # Only so that a run that hangs ends; nothing is measured by it.


@pytest.fixture
def told(record_property: Callable[[str, object], None]) -> Told:
    """Tell what was shown, and what was seen, for the table."""

    def tell(promise: str, seen: str) -> None:
        record_property("promise", promise)
        record_property("seen", seen)

    return tell


@pytest.fixture
def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCE)}


@pytest.fixture
def run(environment: dict[str, str]) -> Run:
    """Run a program of children.py to its end, which must be a good one."""

    def run(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(CHILDREN), program, *map(str, arguments)]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=DEADLINE_SECONDS
        )
        assert done.returncode == 0, done.stderr[-4_000:]
        return done

    return run


@pytest.fixture
def start(environment: dict[str, str]) -> Iterator[Start]:
    """Start a program of children.py; whatever still runs at the end of the test is killed."""
    with ExitStack() as stack:

        def start(program: str, *arguments: object) -> "subprocess.Popen[str]":
            process = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, str(CHILDREN), program, *map(str, arguments)],
                    env=environment,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
            )
            stack.callback(process.kill)
            return process

        yield start
