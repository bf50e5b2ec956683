"""Every item of the checklist has a proof of its name, so that a reader goes from the one to the other.

``P`` names and packages, ``C`` configuration, ``B`` a tenant's bundle, ``M`` the manager, ``R`` access,
``W`` saving, ``X`` contexts, ``Q`` prompts, ``T`` upkeep, ``Y`` awaitable twins, ``L`` threads, ``N`` chat
memories, ``U`` memory user by user, ``D`` defects that an earlier library documents of itself, ``Z`` and
``K`` defects that two earlier ones do not.
"""

import re
from pathlib import Path

import pytest

NUMBERS = {"P": 6, "C": 1, "B": 4, "M": 3, "R": 5, "W": 4, "X": 7, "Q": 2, "T": 4, "Y": 1, "L": 2, "N": 3,
           "U": 10, "D": 18, "Z": 20, "K": 14}  # fmt: skip
ITEMS = [f"{letter}{number}" for letter, last in NUMBERS.items() for number in range(1, last + 1)]


def proofs() -> set[str]:
    """The items that a test of this folder is named after."""
    here = Path(__file__).parent
    texts = [path.read_text("utf-8") for path in here.glob("test_*.py")]
    return {item for text in texts for item in re.findall(r"^ *def test_([A-Z]\d+)_", text, re.M)}


@pytest.mark.parametrize("item", ITEMS)
def test_each_item_has_a_test_of_its_name(item: str) -> None:
    assert item in proofs()
