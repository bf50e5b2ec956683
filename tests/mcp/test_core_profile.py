"""The five tools, over every transport and both dialects: they do the same."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import zerda.memory as package
from zerda.memory import AIMemoryManager, ConfigError, MemoryConfig

pytest.importorskip("mcp", reason="the extra mcp is not installed")

from mcp import Client, StdioServerParameters
from zerda.memory.mcp import Caller, build

ALICE = ("alice", "acme")
TOOLS = {"memory_remember", "memory_recall", "memory_context", "memory_update", "memory_forget"}
SRC = Path(package.__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SRC)}
COMMAND = "import sys; from zerda.memory.cli import main; sys.exit(main())"

Opened = Callable[[], Any]
"""Opens a client; use it as an async context manager."""


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[AIMemoryManager]:
    with AIMemoryManager(MemoryConfig(persistence_path=str(tmp_path / "m"))) as memory:
        yield memory


def arguments(memory: AIMemoryManager) -> list[str]:
    user, tenant = ALICE
    return [
        "-c",
        COMMAND,
        "mcp",
        "--path",
        memory.config.persistence_path,
        "--user",
        user,
        "--tenant",
        tenant,
    ]


def over_stdio(memory: AIMemoryManager) -> StdioServerParameters:
    return StdioServerParameters(command=sys.executable, args=arguments(memory), env=ENVIRONMENT)


@asynccontextmanager
async def over_http(memory: AIMemoryManager) -> AsyncIterator[Client]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, *arguments(memory), "--http", str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, env=ENVIRONMENT) as process:
        try:
            await _listening(port)
            async with Client(f"http://127.0.0.1:{port}/mcp") as client:
                yield client
        finally:
            process.terminate()


async def _listening(port: int) -> None:
    for _ in range(600):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return
    raise AssertionError("the server never listened")


@pytest.fixture(params=["in process", "handshake", "stdio", "http"])
def opened(request: pytest.FixtureRequest, memory: AIMemoryManager) -> Opened:
    def server() -> Any:
        return build(lambda: Caller.of(memory, *ALICE))

    ways: dict[str, Opened] = {
        "in process": lambda: Client(server()),
        "handshake": lambda: Client(server(), mode="legacy"),
        "stdio": lambda: Client(over_stdio(memory)),
        "http": lambda: over_http(memory),
    }
    return ways[request.param]


def used(opened: Opened, use: Callable[[Client], Awaitable[None]]) -> None:
    async def main() -> None:
        async with opened() as client:
            await use(client)

    asyncio.run(main())


async def called(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool answers, as data; it is no error."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """What a tool says instead of an answer."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return text_of(result)


def text_of(result: Any) -> str:
    """The first text of an answer, of whatever kind it is."""
    return str((getattr(result, "content", None) or result.contents)[0].text)


def test_what_is_remembered_is_recalled_corrected_and_forgotten(opened: Opened) -> None:
    async def use(client: Client) -> None:
        kept = await called(client, "memory_remember", text="The cello stands in the hall.", tags=["home"])
        (hit,) = (await called(client, "memory_recall", query="Where is the cello?"))["hits"]
        assert (hit["id"], hit["text"]) == (kept["id"], "The cello stands in the hall.")
        assert 0 < hit["score"] <= 1
        assert (await called(client, "memory_recall", query="Where is the cello?", tags=["work"]))[
            "hits"
        ] == []
        context = await called(client, "memory_context", query="Where is the cello?", token_budget=300)
        assert "The cello stands in the hall." in context["text"]
        assert 0 < context["tokens"] <= 300
        changed = await called(client, "memory_update", id=kept["id"], text="The cello stands in the attic.")
        assert (changed["text"], changed["version"]) == ("The cello stands in the attic.", 2)
        gone = await called(client, "memory_forget", ids=[kept["id"]])
        assert (gone["entries"], gone["complete"]) == (1, True)
        assert (await called(client, "memory_recall", query="Where is the cello?"))["hits"] == []

    used(opened, use)


def test_personal_data_is_masked_before_it_is_kept(opened: Opened) -> None:
    async def use(client: Client) -> None:
        kept = await called(client, "memory_remember", text="Write to ana@example.com about the lamp.")
        assert kept["text"] == "Write to [EMAIL_1] about the lamp."
        assert kept["masked"] == {"EMAIL": 1}

    used(opened, use)


def test_the_tools_say_what_they_do(opened: Opened) -> None:
    async def use(client: Client) -> None:
        tools: dict[str, Any] = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == TOOLS
        assert tools["memory_recall"].annotations.read_only_hint
        assert tools["memory_forget"].annotations.destructive_hint
        assert all(tool.description and tool.output_schema for tool in tools.values())

    used(opened, use)


def test_resources_and_the_prompt_are_the_users_own(opened: Opened, memory: AIMemoryManager) -> None:
    mine = memory.remember(*ALICE, "The cello stands in the hall.")
    theirs = memory.remember("bob", "acme", "The piano stands in the cellar.")
    memory.flush()

    async def use(client: Client) -> None:
        recent = text_of(await client.read_resource("memory://recent"))
        assert mine.id in recent
        assert "piano" not in recent
        entry = text_of(await client.read_resource(f"memory://entry/{mine.id}"))
        assert "cello" in entry
        with pytest.raises(Exception, match="no entry"):
            await client.read_resource(f"memory://entry/{theirs.id}")
        prompt = await client.get_prompt("recall_context", {"topic": "cello"})
        assert "The cello stands in the hall." in str(prompt.messages[0].content)

    used(opened, use)


@pytest.mark.parametrize(
    ("tool", "given", "said"),
    [
        ("memory_recall", {"query": "x", "limit": 0}, "limit"),
        ("memory_recall", {"query": ""}, "query"),
        ("memory_remember", {"text": "x", "importance": 2}, "importance"),
        ("memory_remember", {"text": "x", "colour": "red"}, "has no argument 'colour'"),
        ("memory_update", {"id": "unknown", "text": "x"}, "no entry 'unknown'"),
        ("memory_forget", {"ids": []}, "ids"),
    ],
)
def test_a_call_that_makes_no_sense_is_told_what_would(
    memory: AIMemoryManager, tool: str, given: dict[str, Any], said: str
) -> None:
    async def use(client: Client) -> None:
        assert said in await refused(client, tool, **given)

    used(lambda: Client(build(lambda: Caller.of(memory, *ALICE))), use)


@pytest.mark.parametrize("naming", [{"user_id": "bob"}, {"tenant": "other"}, {"actor": "bob"}])
def test_a_call_that_names_another_is_refused_and_recorded(
    memory: AIMemoryManager, naming: dict[str, str]
) -> None:
    memory.remember("bob", "acme", "The piano stands in the cellar.")

    async def use(client: Client) -> None:
        answer = await refused(client, "memory_recall", query="piano", **naming)
        assert "has no argument" in answer
        assert "piano" not in answer.replace("piano'", "")

    used(lambda: Client(build(lambda: Caller.of(memory, *ALICE))), use)
    assert [record.result for record in memory.audit("acme")].count("refused") == 1


def test_only_the_chosen_tools_are_offered(memory: AIMemoryManager) -> None:
    async def use(client: Client) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["memory_recall"]
        assert "nknown tool" in await refused(client, "memory_forget", ids=["x"])

    used(lambda: Client(build(lambda: Caller.of(memory, *ALICE), tools=["memory_recall"])), use)
    with pytest.raises(ConfigError, match="no tool is called 'memory_x'; there are memory_context"):
        build(lambda: Caller.of(memory, *ALICE), tools=["memory_x"])
    with pytest.raises(ConfigError, match="no profile is called 'grand'; there are core"):
        build(lambda: Caller.of(memory, *ALICE), profile="grand")


def test_two_editors_on_one_memory_lose_nothing(memory: AIMemoryManager) -> None:
    async def edit(name: str) -> None:
        async with Client(over_stdio(memory)) as client:
            for number in range(15):
                await called(client, "memory_remember", text=f"{name} wrote note {number} about the harbour.")
                assert (await called(client, "memory_recall", query="harbour note", limit=3))["hits"]

    async def both() -> None:
        await asyncio.gather(edit("ana"), edit("ben"))

    asyncio.run(both())
    said = {entry.text for entry in memory.list(*ALICE, limit=500).entries}
    names = ("ana", "ben")
    assert said == {
        f"{name} wrote note {number} about the harbour." for name in names for number in range(15)
    }
