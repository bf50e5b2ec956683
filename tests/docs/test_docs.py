"""Every code block of the documentation runs, and everything public is in it."""

import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import zerda.memory
from zerda.memory import MemoryConfig

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [page for page in PAGES if "dev" not in page.relative_to(ROOT).parts]
BLOCK = re.compile(
    r"(?P<note><!-- not run: (?P<why>[^>]+) -->\n)?```(?P<language>\w*)\n(?P<code>.*?)^```$", re.M | re.S
)
SHOWN_ONLY = {"", "text", "json", "toml", "jsonl", "ini"}

RUNNER = """
import json, subprocess, sys
names = {"__name__": "__main__"}
for language, code in json.load(sys.stdin):
    if language == "python":
        exec(compile(code, "block", "exec"), names)
    else:
        subprocess.run(["bash", "-euo", "pipefail", "-c", code], check=True, stdin=subprocess.DEVNULL)
"""


def blocks(page: Path) -> list[tuple[str, str]]:
    found = BLOCK.finditer(page.read_text("utf-8"))
    return [
        (block["language"], block["code"])
        for block in found
        if block["language"] not in SHOWN_ONLY and not block["note"]
    ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_code_blocks_of_a_page_run_in_order(page: Path, tmp_path: Path) -> None:
    import json

    told = blocks(page)
    assert all(language in ("python", "bash") for language, _ in told)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", RUNNER],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": path, "PYTHONPATH": str(ROOT / "src"), "HOME": str(tmp_path), "LANG": "C.UTF-8"},
        timeout=300,
    )
    assert ran.returncode == 0, f"{ran.stdout[-2_000:]}\n{ran.stderr[-4_000:]}"


def all_words() -> str:
    return "\n".join(page.read_text("utf-8") for page in PAGES)


@pytest.mark.parametrize("name", [name for name in zerda.memory.__all__ if not name.startswith("__")])
def test_every_public_name_is_in_the_docs(name: str) -> None:
    assert re.search(rf"\b{name}\b", all_words())


@pytest.mark.parametrize("name", [field.name for field in fields(MemoryConfig)])
def test_every_setting_is_in_the_docs(name: str) -> None:
    assert f"`{name}`" in all_words()


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
