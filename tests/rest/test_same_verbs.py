"""The manager's own tests, run against a live server: code moves from the library by changing one line."""

from __future__ import annotations

import importlib.util
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from zerda.memory import AIMemoryManager, Client

OTHERS = Path(__file__).parents[1] / "intelligent"

OWN = {
    "acting_as", "tenants", "claim_maintenance", "reindex", "set_access_policy", "authenticate",
    "audit_of_store", "record_refusal", "changes",
}  # fmt: skip
"""Verbs of the program itself, and of whoever holds its processes."""

INSIDE = re.compile(rf"memory\.(_|{'|'.join(OWN)})")
"""A test that looks into the manager, or asks it for these, cannot be asked of a client."""


def module(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"{name}_over_the_network", OTHERS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def of_the_manager() -> Iterator[tuple[str, Callable[..., Any]]]:
    for name, test in inspect.getmembers(module("test_manager"), inspect.isfunction):
        wanted = {*inspect.signature(test).parameters}
        outside = not INSIDE.search(inspect.getsource(test))
        if name.startswith("test_") and {"memory"} <= wanted <= {"memory", "clock"} and outside:
            yield name, test


TESTS = dict(of_the_manager())


@pytest.mark.parametrize("name", TESTS)
def test_the_client_does_as_the_manager(name: str, request: pytest.FixtureRequest) -> None:
    wanted = inspect.signature(TESTS[name]).parameters
    TESTS[name](**{fixture: request.getfixturevalue(fixture) for fixture in wanted})


def test_the_client_has_the_managers_verbs() -> None:
    here = {name for name, _ in inspect.getmembers(AIMemoryManager, callable) if not name.startswith("_")}
    there = {name for name, _ in inspect.getmembers(Client, callable) if not name.startswith("_")}
    lacking = here - there
    assert lacking == OWN | {f"a{name}" for name in OWN - {"acting_as"}}


def test_the_verbs_take_the_same_arguments() -> None:
    """A client may lack an argument that no network carries, and has none that the manager lacks."""
    left_out, compared = {"progress"}, []
    verbs = {name for name, _ in inspect.getmembers(Client, inspect.isfunction)}
    for name, verb in inspect.getmembers(Client, inspect.isfunction):
        twin = name.startswith("a") and name[1:] in verbs
        if name.startswith("_") or name in ("save_messages", "watch") or twin:
            continue
        compared.append(name)
        here = inspect.signature(getattr(AIMemoryManager, name)).parameters
        there = inspect.signature(verb).parameters
        assert [*there] == [one for one in here if one not in left_out], name
        defaults = {one: parameter.default for one, parameter in here.items() if one not in left_out}
        told = {one: parameter.default for one, parameter in there.items()}
        if name == "build_prompt":
            told["system_instruction"] = defaults["system_instruction"]
        assert told == defaults, name
    assert {"remember", "archive", "audit", "get"} <= {*compared}
