"""Masking reaches its goals on the texts that it was tuned on, and on the half that was held back."""

from collections.abc import Callable

import pytest
from masking_texts import SECRETS, Case, build

from zerda.memory.security.masking import SensitiveDataMasker

MASKER = SensitiveDataMasker()
CASES = {half: [(case, MASKER.find(case.text)) for case in build(half)] for half in ("tuning", "held")}
halves = pytest.mark.parametrize("half", ["tuning", "held"])


def _covered(half: str, wanted: Callable[[str], bool]) -> float:
    shares = [
        _share(case, found, start, end)
        for case, found in CASES[half]
        for start, end, kind in case.spans
        if wanted(kind)
    ]
    return sum(share >= 0.95 for share in shares) / len(shares)


def _share(case: Case, found: list, start: int, end: int) -> float:  # type: ignore[type-arg]
    masked = {at for each in found for at in range(each.start, each.end)}
    return len(masked.intersection(range(start, end))) / (end - start)


def test_the_set_is_as_large_and_as_varied_as_it_claims() -> None:
    cases = [case for half in CASES.values() for case, _ in half]
    assert len(cases) >= 450
    assert len({case.language for case in cases}) >= 15
    assert len({kind for case in cases for _, _, kind in case.spans}) >= 19
    assert sum(not case.spans for case in cases) >= 140
    assert not {case.text for case, _ in CASES["tuning"]} & {case.text for case, _ in CASES["held"]}


@halves
def test_personal_data_is_covered(half: str) -> None:
    assert _covered(half, lambda kind: kind not in SECRETS) >= 0.95


@halves
def test_secrets_are_covered(half: str) -> None:
    assert _covered(half, lambda kind: kind in SECRETS) >= 0.97


@halves
def test_findings_are_right(half: str) -> None:
    right = [
        any(each.kind == kind and each.start < end and start < each.end for start, end, kind in case.spans)
        for case, found in CASES[half]
        for each in found
    ]
    assert sum(right) / len(right) >= 0.96


@halves
def test_hard_negatives_stay(half: str) -> None:
    touched = [bool(found) for case, found in CASES[half] if not case.spans]
    assert sum(touched) / len(touched) <= 0.03
