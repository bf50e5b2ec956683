"""What the page on masking says is so."""

import re
from pathlib import Path

import pytest

from zerda.memory.security.masking import SensitiveDataMasker

PAGE = (Path(__file__).parents[2] / "docs" / "masking.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS)
def test_a_code_block_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(block, "docs/masking.md", "exec"), {"__name__": "block"})


def test_every_kind_is_on_the_page() -> None:
    assert {kind for kind in SensitiveDataMasker.available() if f"`{kind}`" not in PAGE} == set()
