"""A memory with something in it, a server before it, and a browser that tells whatever goes wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browsing import CHROMIUM, HOSTILE, QUIET, Open, Watched, watched
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.append(str(Path(__file__).parents[1] / "rest"))

from serving_here import serving

from zerda.memory import AIMemoryManager, MemoryConfig


@pytest.fixture(
    scope="module"
)  # Its loop runs in this thread for as long as it lives: no other tests' may then.
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no Chromium at {CHROMIUM}; install Debian's chromium, or name one in CHROMIUM")
    with sync_playwright() as started:
        chosen = started.chromium.launch(executable_path=CHROMIUM, args=QUIET, chromium_sandbox=False)
        yield chosen
        chosen.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def library(folder: Path) -> Iterator[AIMemoryManager]:
    config = MemoryConfig(persistence_path=str(folder), access_policy="strict")
    with AIMemoryManager(config) as memory:
        memory.create_key("root", "acme", "admin")
        memory.grant("alice", "acme", "owner")
        said = memory.acting_as("alice")
        for question, answer in (
            ("My sister Ana lives in Lisbon.", "How often do you see her?"),
            ("I am allergic to hazelnuts.", "I will keep that in mind."),
            ("Ana works for Siemens in Berlin on Mondays.", "A long way."),
            ("I play the cello in the evening.", "Lovely."),
        ):
            said.save_interaction("alice", "acme", question, answer, session_id="first")
        said.remember("alice", "acme", HOSTILE, id="hostile")
        yield memory


@pytest.fixture
def url(library: AIMemoryManager) -> Iterator[str]:
    with serving(library) as url:
        yield url


@pytest.fixture
def shown(browser: Browser, url: str) -> Iterator[Watched]:
    with watched(browser, url, viewport={"width": 1440, "height": 900}) as told:
        yield told


@pytest.fixture
def open_as(shown: Watched, library: AIMemoryManager, url: str) -> Open:
    """Opens a view with a key of that role."""

    def open_as(
        role: str = "owner", view: str = "overview", user: str = "alice", tenant: str = "acme"
    ) -> Page:
        secret = library.create_key(user, tenant, role).secret
        page = shown.context.new_page()
        page.goto(f"{url}/#key={secret}")
        page.wait_for_selector("main h1")
        page.evaluate("view => { location.hash = '#/' + view }", view)
        return page

    return open_as
