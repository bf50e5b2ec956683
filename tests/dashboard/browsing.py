"""The browser that the tests drive, and what goes wrong in it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
QUIET = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
         "--disable-component-update", "--disable-sync"]  # fmt: skip
HOSTILE = (
    "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    '<a href="javascript:alert(1)">x</a> ‮تحت ${alert(1)} {{7*7}} </textarea></dialog>\n'
)

Open = Callable[..., Page]


class Watched:
    """A browser's context, with what went wrong in it: nothing may."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.context, self.wrong, self.allowed = context, list[str](), set[str]()
        context.on("console", lambda said: said.type == "error" and self._told(said.text))
        context.on("weberror", lambda error: self._told(str(error.error)))
        context.on("request", lambda asked: self._asked(asked.url, url))

    def _told(self, text: str) -> None:
        if not any(f"status of {one}" in text for one in self.allowed):
            self.wrong.append(text)

    def _asked(self, asked: str, url: str) -> None:
        if urlsplit(asked).scheme not in ("blob", "data") and not asked.startswith(url):
            self.wrong.append(f"a request to {asked}")


@contextmanager
def watched(browser: Browser, url: str, **options: object) -> Iterator[Watched]:
    context = browser.new_context(**options)  # type: ignore[arg-type]
    context.set_default_timeout(15_000)
    told = Watched(context, url)
    yield told
    context.close()
    assert told.wrong == []
