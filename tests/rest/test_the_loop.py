"""No call waits for another's: what touches the memory runs in a thread."""

from __future__ import annotations

import inspect
import socket
import subprocess
import sys
import threading
from typing import Any

import pytest
from serving_here import KeyRing, serving

from zerda.memory import AIMemoryManager, Client, Hits, MemoryConfig
from zerda.memory.rest.app import application
from zerda.memory.rest.routes import changes, entities, entries, health, memories, reviewing, tenant, users
from zerda.memory.rest.serving import listening
from zerda.memory.rest.settings import ServerSettings

ON_THE_LOOP = {"health", "changes", "import_tenant"}
"""They wait for the network, and hand all work to a thread."""


def test_handlers_are_plain_functions_but_for_those_that_wait_for_the_network() -> None:
    routers = [one.router for one in (memories, entries, entities, users, reviewing, tenant, changes, health)]
    on_the_loop = {
        route.operation_id
        for router in routers
        for route in router.routes
        if inspect.iscoroutinefunction(route.endpoint) or inspect.isasyncgenfunction(route.endpoint)
    }
    assert on_the_loop == ON_THE_LOOP


def test_calls_are_answered_while_others_hang(
    library: AIMemoryManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    hanging, released = threading.Barrier(9), threading.Event()

    def hang(*_: Any, **__: Any) -> Any:
        hanging.wait(60)
        released.wait(60)
        return Hits()

    monkeypatch.setattr(AIMemoryManager, "recall", hang)
    with serving(library) as url, Client(url, KeyRing(library)) as client:
        threads = [threading.Thread(target=client.recall, args=("alice", "acme", "x")) for _ in range(8)]
        for thread in threads:
            thread.start()
        hanging.wait(60)  # All eight hang now.
        assert client.remember("alice", "acme", "tea").content == "tea"
        assert client.list("alice", "acme").entries[0].content == "tea"
        released.set()
        for thread in threads:
            thread.join(60)


def test_a_client_needs_none_of_what_a_server_needs() -> None:
    code = """
import sys
from zerda.memory import Client
Client("http://127.0.0.1:9", "zk_").close()
print(sorted({"fastapi", "uvicorn", "pydantic", "prometheus_client"} & set(sys.modules)))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


@pytest.mark.parametrize("package", ["fastapi", "uvicorn", "prometheus_client"])
def test_a_server_that_lacks_a_package_says_what_to_install(package: str) -> None:
    code = f"""
import importlib.util, sys
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == {package!r} else found(name, *rest)
from zerda.memory.cli import main
sys.exit(main(["serve"]))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (ran.returncode, 'pip install "zerda-memory[server]"' in ran.stderr) == (3, True)


def test_answers_are_sent_at_once() -> None:
    """asyncio switches Nagle's algorithm off for sockets that say they are TCP; else each waits for 40 ms."""
    with listening(ServerSettings(port=0)) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_the_application_closes_the_memory_that_it_was_given_to_close() -> None:
    from starlette.testclient import TestClient

    from zerda.memory import StoreClosed

    memory = AIMemoryManager(MemoryConfig(enable_persistence=False, embedding_model="none"))
    with TestClient(application(memory, closes=True), base_url="http://localhost") as http:
        assert http.get("/readyz").status_code == 200
    with pytest.raises(StoreClosed):
        memory.list("alice", "acme")
