"""What processes of the tests find: this source, and no configuration of whoever runs them."""

import os
from pathlib import Path

import pytest

import zerda.memory as package


@pytest.fixture
def environment() -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if not name.startswith("ZERDA_")}
    return {**ours, "PYTHONPATH": str(Path(package.__file__).parents[2])}
