"""The dashboard, driven as people do."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import resources
from pathlib import Path

import pytest
from browsing import HOSTILE, Open, Watched, watched
from playwright.sync_api import Browser, Page, expect

from zerda.memory import AIMemoryManager, EntryNotFound

AXE = resources.files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
VIEWS = (
    "overview", "search?q=Where does Ana live?", "context?q=Where does Ana live?", "timeline", "sessions",
    "sessions/first", "entities", "entities/Ana", "profile", "review", "audit", "settings", "memory/hostile",
)  # fmt: skip
SAVE = """
import sys
from zerda.memory import AIMemoryManager, MemoryConfig
with AIMemoryManager(MemoryConfig(persistence_path=sys.argv[1])) as memory:
    memory.acting_as("alice").remember("alice", "acme", "A kingfisher flew by.")
"""


def settled(page: Page) -> None:
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator(".loading, .settling")).to_have_count(0)


def test_a_question_is_answered_with_scores_in_parts_and_near_misses(open_as: Open) -> None:
    page = open_as(view="search")
    page.get_by_label("Question").fill("Where does Ana live?")
    first = page.locator(".hits .card").first
    expect(first).to_contain_text("Lisbon")
    expect(first).to_contain_text("likely relevant")
    expect(first.locator(".legend")).to_contain_text("words")
    page.get_by_label("Question").fill("What is my brother called?")
    expect(page.get_by_text("Nothing answers this")).to_be_visible()
    expect(page.get_by_text("Near misses")).to_be_visible()


def test_less_room_puts_less_before_the_model_and_says_why(open_as: Open, library: AIMemoryManager) -> None:
    page = open_as(view="context?q=Where does Ana live?")
    settled(page)
    much = int(page.locator(".tokens").inner_text())
    page.get_by_role("slider").fill("50")
    expect(page.locator("main [role=status]").first).to_contain_text("of 50 tokens")
    settled(page)
    assert int(page.locator(".tokens").inner_text()) <= 50 < much
    expect(page.locator("main")).to_contain_text("no room")
    library.flush("acme")
    assert {entry.access_count for entry in library.list("alice", "acme").entries} == {0}


def test_a_memory_is_edited_pinned_archived_and_restored(open_as: Open, library: AIMemoryManager) -> None:
    entry = library.list("alice", "acme").entries[-1]
    page = open_as(view=f"memory/{entry.id}")
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("User").fill("My sister Ana lives in Porto.")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("main .exchange")).to_contain_text("Porto")
    expect(page.get_by_role("heading", name="Versions")).to_be_visible()
    page.get_by_role("button", name="Pin").click()
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    page.get_by_role("button", name="Archive").click()
    expect(page.get_by_role("button", name="Restore")).to_be_visible()
    kept = library.get("alice", "acme", entry.id)
    assert (kept.version, kept.pinned, kept.archived_at is None) == (2, True, False)
    page.get_by_role("button", name="Restore").click()
    expect(page.get_by_role("button", name="Archive")).to_be_visible()


def test_a_memory_is_forgotten_after_a_preview_and_leaves_a_receipt(
    open_as: Open, library: AIMemoryManager
) -> None:
    page = open_as(view="memory/hostile")
    page.get_by_role("button", name="Forget…").click()
    expect(page.get_by_role("dialog")).to_contain_text("What would go")
    assert library.get("alice", "acme", "hostile")
    page.get_by_role("button", name="Forget for ever").click()
    receipt = page.locator(".receipt")
    expect(receipt).to_contain_text("Nothing of it is left")
    expect(receipt).to_contain_text(library.receipts("acme")[-1].id)
    with pytest.raises(EntryNotFound):
        library.get("alice", "acme", "hostile")


def test_what_another_process_keeps_appears_by_itself(open_as: Open, folder: Path) -> None:
    page = open_as(view="timeline")
    expect(page.locator(".live.on")).to_be_visible()
    subprocess.run([sys.executable, "-c", SAVE, str(folder)], check=True, timeout=120)
    expect(page.get_by_text("A kingfisher flew by.")).to_be_visible()


def test_the_keyboard_is_enough(open_as: Open) -> None:
    page = open_as()
    settled(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Search")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("/")
    expect(page.get_by_label("Question")).to_be_focused()
    page.keyboard.type("cello")
    expect(page.locator(".hits .card")).not_to_have_count(0)
    page.keyboard.press("Tab")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Memory", exact=True)).to_be_visible()
    settled(page)
    page.keyboard.press("p")
    expect(page.get_by_role("button", name="Unpin")).to_be_visible()
    page.keyboard.press("x")
    expect(page.get_by_role("dialog")).to_contain_text("Forget this memory?")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(page.get_by_role("heading", name="Timeline")).to_be_visible()


def test_a_reader_sees_no_button_that_would_be_refused(open_as: Open) -> None:
    page = open_as("reader", "memory/hostile")
    settled(page)
    expect(page.locator("main button")).to_have_count(0)
    expect(page.get_by_role("link", name="Audit and erasures")).to_have_count(0)
    for view in ("profile", "review", "settings"):
        page.evaluate("view => { location.hash = '#/' + view }", view)
        settled(page)
        names = page.locator("main button").all_inner_texts()
        assert names == (["Export"] if view == "settings" else [])


def test_anothers_memory_is_not_found(open_as: Open, shown: Watched, library: AIMemoryManager) -> None:
    shown.allowed.add("404")
    library.acting_as("alice")
    page = open_as("admin", "memory/hostile", user="bob", tenant="other")
    expect(page.get_by_role("alert")).to_contain_text("Not found")


def test_what_is_hostile_stays_text_and_a_megabyte_of_it_is_shown_in_pieces(
    open_as: Open, library: AIMemoryManager
) -> None:
    long = HOSTILE * (900_000 // len(HOSTILE))
    library.acting_as("alice").remember("alice", "acme", long, id="long")
    page = open_as(view="memory/long")
    expect(page.locator("main .said").first).to_contain_text("<img src=x onerror=")
    expect(page.get_by_role("button", name=re.compile("Show more"))).to_be_visible()
    assert len(page.locator("main .said").first.inner_text()) < 10_000
    assert page.locator("main img, main script, main a[href^=javascript]").count() == 0
    for view in ("timeline", "search?q=img onerror", "context?q=img onerror"):
        page.evaluate("view => { location.hash = '#/' + view }", view)
        settled(page)
        assert page.locator("main img, main script, main a[href^=javascript]").count() == 0
        assert "owned" not in page.title()


def test_a_key_that_opens_nothing_is_told_so(shown: Watched, url: str) -> None:
    shown.allowed.add("401")
    page = shown.context.new_page()
    page.goto(url)
    page.get_by_label("Key").fill("zk_nothing")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_role("alert")).to_be_visible()


def test_the_key_leaves_the_address(open_as: Open) -> None:
    assert "key=" not in open_as().url


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_every_view_is_accessible_and_fits(
    browser: Browser, url: str, library: AIMemoryManager, width: int, scheme: str
) -> None:
    library.grant("alice", "acme", "admin")
    secret = library.create_key("alice", "acme", "admin").secret
    with watched(browser, url, viewport={"width": width, "height": 844}, color_scheme=scheme) as told:
        page = told.context.new_page()
        page.goto(f"{url}/#key={secret}")
        page.wait_for_selector("main h1")
        page.evaluate(AXE)
        for view in VIEWS:
            page.evaluate("view => { location.hash = '#/' + view }", view)
            settled(page)
            found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
            serious = [
                (one["id"], one["nodes"][0]["html"])
                for one in found
                if one["impact"] in ("serious", "critical")
            ]
            assert (view, serious) == (view, [])
            assert page.evaluate("document.documentElement.scrollWidth") <= width, view


def test_the_page_may_ask_nobody_else(url: str, open_as: Open) -> None:
    page = open_as()
    answer = page.request.get(url)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for name in ("..%2fapp.py", "../app.py", "vendor/README.md", "nothing.js"):
        assert page.request.get(f"{url}/page/{name}").status == 404
