"""What a server acknowledged is there: under load, after SIGTERM, after a kill, with several workers."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from proving import COUNTS, FULL, Told

pytest.importorskip("fastapi")

from zerda.memory import (
    AccessDenied,
    AIMemoryManager,
    Client,
    MemoryConfig,
    StorageUnavailable,
    ZerdaError,
)

IN_FULL = COUNTS is FULL
ZERDA = [sys.executable, "-c", "import sys; from zerda.memory.cli import main; sys.exit(main())"]
DEADLINE_SECONDS = 300  # Only so that a server that hangs ends; nothing is measured by it.


@dataclass
class Keys:
    """A key for each user of each tenant, made by the program itself."""

    folder: Path
    made: dict[tuple[str, str], str] = field(default_factory=dict)

    def make(self, users: list[tuple[str, str]], role: str = "writer") -> None:
        with library(self.folder) as memory:
            self.made |= {who: memory.create_key(*who, role).secret for who in users}

    def __call__(self, user_id: str | None, tenant_id: str) -> str:
        return self.made[user_id or "root", tenant_id]


@dataclass(frozen=True)
class Server:
    """A server in processes of its own."""

    process: subprocess.Popen[str]
    url: str

    def rss(self) -> int:
        """Bytes of memory of the server."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(status.split("VmRSS:")[1].split()[0]) * 1_024

    def ended(self, number: int) -> int:
        """Send a signal, and wait for the end."""
        os.killpg(self.process.pid, number) if number == signal.SIGKILL else self.process.send_signal(number)
        return self.process.wait(DEADLINE_SECONDS)


@contextmanager
def library(folder: Path) -> Iterator[AIMemoryManager]:
    with AIMemoryManager(MemoryConfig(persistence_path=str(folder), embedding_model="none")) as memory:
        yield memory


@contextmanager
def served(folder: Path, environment: dict[str, str], *options: str) -> Iterator[Server]:
    """A server on a folder, once it is ready; whatever still runs at the end of the block is killed."""
    command = [*ZERDA, "serve", "--port", "0", "--path", str(folder), "--embedder", "none",
               "--requests-per-minute", "0", *options]  # fmt: skip
    log = folder.with_name(f"{folder.name}.log").open("a")
    with (
        log,
        subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, start_new_session=True
        ) as process,
    ):
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            _wait_until(lambda: _ready(url), process)
            yield Server(process, url)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def _ready(url: str) -> bool:
    from urllib.error import URLError
    from urllib.request import urlopen

    try:
        with urlopen(f"{url}/readyz", timeout=60) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def _wait_until(condition: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        assert process.poll() is None, "the server ended before it was ready"
        assert time.monotonic() < until, "the server never became ready"
        time.sleep(0.05)


@dataclass
class Writers:
    """Threads that save until they are stopped or the server is gone, and know what was acknowledged."""

    client: Client
    users: list[tuple[str, str]]
    acknowledged: list[tuple[str, str, str]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    errors: list[ZerdaError] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)
    threads: list[threading.Thread] = field(default_factory=list)

    def start(self, *, ask_every: int = 0) -> None:
        for number, who in enumerate(self.users):
            thread = threading.Thread(target=self._work, args=(number, who, ask_every), daemon=True)
            self.threads.append(thread)
            thread.start()

    def wait_for(self, saves: int, server: Server) -> None:
        """Wait until so many are acknowledged."""
        _wait_until(lambda: len(self.acknowledged) >= saves, server.process)

    def join(self) -> None:
        for thread in self.threads:
            thread.join(DEADLINE_SECONDS)
        assert not any(thread.is_alive() for thread in self.threads)

    def _work(self, number: int, who: tuple[str, str], ask_every: int) -> None:
        turn = 0
        while not self.stopped.is_set():
            turn += 1
            name = f"{number}-{turn}-{random.getrandbits(32):08x}"
            began = time.perf_counter()
            try:
                if ask_every and turn % ask_every == 0:
                    self.client.recall(*who, f"What was the code word of {number}?", limit=3)
                else:
                    self.client.save_interaction(*who, f"The code word is w{name}", "Noted.", id=name)
                    self.acknowledged.append((*who, name))
            except ZerdaError as error:
                self.errors.append(error)
                if isinstance(error, StorageUnavailable):
                    return
            self.seconds.append(time.perf_counter() - began)


def lost(folder: Path, acknowledged: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """What was acknowledged and is not there."""
    wanted: dict[tuple[str, str], set[str]] = {}
    for user, tenant, name in acknowledged:
        wanted.setdefault((user, tenant), set()).add(name)
    gone: list[tuple[str, str, str]] = []
    with library(folder) as memory:
        for who, names in wanted.items():
            kept: set[str] = set()
            cursor: str | None = None
            while True:
                page = memory.list(*who, limit=1_000, cursor=cursor)
                kept |= {entry.id for entry in page.entries}
                if (cursor := page.cursor) is None:
                    break
            gone += [(*who, name) for name in names - kept]
        for tenant in {tenant for _, tenant in wanted}:
            assert memory.verify_audit(tenant).whole
    return gone


def counted(url: str, key: str, operation: str) -> float:
    """How often an operation went well, as the server tells Prometheus."""
    from urllib.request import Request, urlopen

    with urlopen(Request(f"{url}/metrics", headers={"X-API-Key": key}), timeout=60) as answer:
        text = answer.read().decode("utf-8")
    told = f'zerda_requests_total{{operation="{operation}",outcome="ok"}} '
    return sum(float(line.removeprefix(told)) for line in text.splitlines() if line.startswith(told))


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


@pytest.mark.parametrize(
    ("number", "workers"),
    [
        (signal.SIGKILL, 1),
        (signal.SIGTERM, 2),
        *([(signal.SIGTERM, 1), (signal.SIGKILL, 2)] if IN_FULL else []),
    ],
)
def test_what_a_server_acknowledged_is_there_when_it_was_ended(
    tmp_path: Path, environment: dict[str, str], told: Told, number: signal.Signals, workers: int
) -> None:
    folder, keys = tmp_path / "m", Keys(tmp_path / "m")
    users = [(f"u{n}", f"t{n % 3}") for n in range(8)]
    keys.make(users)
    acknowledged: list[Any] = []
    runs = 10 if IN_FULL else 1
    for run in range(runs):
        with (
            served(folder, environment, "--workers", str(workers)) as server,
            Client(server.url, keys) as client,
        ):
            writers = Writers(client, users)
            writers.start()
            writers.wait_for(30 + random.randrange(60), server)
            code = server.ended(number)
            assert number == signal.SIGKILL or code == 0, code
            writers.join()
            assert len(writers.errors) == len(users), run  # Each was told that its last one failed.
            assert {type(error) for error in writers.errors} == {StorageUnavailable}
            acknowledged += writers.acknowledged
    assert lost(folder, acknowledged) == []
    told(
        f"{number.name} during writes to a server of {workers} worker{'s' if workers > 1 else ''}",
        f"{runs} times, {len(acknowledged):,} saves acknowledged: all there; all others were told an error",
    )


def test_several_workers_answer_on_one_store_and_a_revocation_holds_in_all(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    folder, keys = tmp_path / "m", Keys(tmp_path / "m")
    keys.make([("alice", "acme")], "owner")
    keys.make([("root", "acme")], "admin")
    with served(folder, environment, "--workers", "2") as server, Client(server.url, keys) as client:
        # A connection of its own for each call, so that both workers get some.
        for turn in range(12):
            with Client(server.url, keys) as other:
                other.remember("alice", "acme", f"note {turn}", id=f"n{turn}")
                assert other.get("alice", "acme", f"n{turn}").content == f"note {turn}"
        assert client.stats("acme")["entries"] == 12
        assert counted(server.url, keys("root", "acme"), "remember") == 12  # By both workers together.
        (key,) = [one for one in client.list_keys("acme") if one.user_id == "alice"]
        client.revoke_key("acme", key.id)
        for _ in range(12):
            with Client(server.url, keys) as other, pytest.raises(AccessDenied):
                other.list("alice", "acme")
        assert server.ended(signal.SIGTERM) == 0


@pytest.mark.parametrize("tenants", [1, 50] if IN_FULL else [8])
def test_many_clients_at_once_lose_nothing_and_meet_no_error(
    tmp_path: Path, environment: dict[str, str], told: Told, tenants: int
) -> None:
    folder, keys = tmp_path / "m", Keys(tmp_path / "m")
    clients, seconds = (200, 60) if IN_FULL else (24, 2)
    users = [(f"u{n}", f"t{n % tenants}") for n in range(clients)]
    keys.make(users)
    with served(folder, environment) as server, Client(server.url, keys, timeout_seconds=120) as client:
        writers = Writers(client, users)
        writers.start(ask_every=4)
        time.sleep(seconds / 2)  # The load itself: nothing is waited for.
        half = server.rss()
        time.sleep(seconds / 2)
        whole = server.rss()
        writers.stopped.set()
        writers.join()
        assert writers.errors == []
        assert server.ended(signal.SIGTERM) == 0
    assert lost(folder, writers.acknowledged) == []
    assert whole < half * 1.25 + 32 * 1_048_576
    p50, p95 = (percentile(writers.seconds, share) * 1_000 for share in (0.5, 0.95))
    told(
        f"{clients} clients save and recall for {seconds} s on {tenants} tenant{'s' if tenants > 1 else ''}",
        f"{len(writers.seconds):,} calls without an error, {len(writers.acknowledged):,} saves all there;"
        f" p50 {p50:.0f} ms, p95 {p95:.0f} ms; {half / 1_048_576:.0f} MB after half of it,"
        f" {whole / 1_048_576:.0f} MB at the end",
    )
