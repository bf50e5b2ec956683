"""Importing does nothing, and every public name is there."""

import subprocess
import sys

import pytest

import zerda.memory

QUIET = """
import sys
seen = []
def watch(event, args):
    if event == "open" and not str(args[0]).endswith((".py", ".pyc")):
        seen.append((event, str(args[0])))
    if event.startswith(("socket", "subprocess", "os.mkdir", "sqlite3")):
        seen.append((event, ""))
before = set(sys.modules)
import os
class Watched(dict):
    def __getitem__(self, key): seen.append(("environment", key)); return super().__getitem__(key)
    def get(self, key, default=None): seen.append(("environment", key)); return super().get(key, default)
sys.addaudithook(watch)
os.environ = Watched(os.environ)
import zerda.memory
heavy = {"numpy", "apsw", "snowballstemmer", "onnxruntime", "tokenizers", "click", "rich", "asyncio"}
print(seen, sorted(heavy & set(sys.modules) - before))
"""


def test_importing_opens_no_file_reads_no_environment_and_loads_nothing_heavy() -> None:
    ran = subprocess.run([sys.executable, "-c", QUIET], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[] []"


@pytest.mark.parametrize("name", zerda.memory.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(zerda.memory, name) is not None


def test_public_names_are_sorted_and_told_once() -> None:
    assert zerda.memory.__all__ == sorted(set(zerda.memory.__all__))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Fennec'"):
        _ = zerda.memory.Fennec
