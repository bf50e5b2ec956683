"""``zerda mask``: a text masked on its way through, and what is stored."""

from __future__ import annotations

import json
from pathlib import Path

from command_runs import Run

from zerda.memory import AIMemoryManager, MemoryConfig

KEY = "\n".join(
    [
        "-----BEGIN " + "PRIVATE KEY-----",
        *["Q0FGRUJBQkU5ODc2NTQzMjEw" * 2] * 30,
        "-----END " + "PRIVATE KEY-----",
    ]
)


def test_a_file_is_masked_and_counts_go_to_standard_error(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_bytes("Grüße an anna@example.com\nund +49 30 1234567\n".encode())
    ran = run("mask", str(file))
    assert ran.out == "Grüße an [EMAIL_1]\nund [PHONE_1]\n"
    assert ran.err == "masked: EMAIL 1, PHONE 1\n"


def test_standard_input_is_masked_too_and_json_counts(run: Run) -> None:
    ran = run("mask", "-", "--json", input="x anna@example.com y anna@example.com\n")
    assert ran.out == "x [EMAIL_1] y [EMAIL_1]\n"
    assert json.loads(ran.err) == {"masked": {"EMAIL": 2}}


def test_a_key_at_any_place_of_a_long_file_is_not_cut_in_two(run: Run) -> None:
    for filler in (65_000, 65_500, 65_530, 130_000):
        text = ("lorem ipsum dolor\n" * (filler // 18 + 1))[:filler] + "\n" + KEY + "\nbye anna@example.com\n"
        ran = run("mask", "-", input=text)
        assert "Q0FGRUJBQkU5" not in ran.out
        assert ran.out.endswith("[PRIVATE_KEY_1]\nbye [EMAIL_1]\n")


def test_one_value_has_one_placeholder_through_a_long_file(run: Run) -> None:
    text = "anna@example.com\n" + "lorem ipsum\n" * 20_000 + "bob@example.com anna@example.com\n"
    out = run("mask", "-", input=text).out.splitlines()
    assert (out[0], out[-1]) == ("[EMAIL_1]", "[EMAIL_2] [EMAIL_1]")


def test_what_is_no_utf_8_passes_as_it_is(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "latin.txt"
    file.write_bytes(b"caf\xe9 anna@example.com\n")
    ran = run("mask", str(file), "--json")
    assert json.loads(ran.err) == {"masked": {"EMAIL": 1}}


def test_a_scan_masks_what_is_stored(run: Run, folder: Path) -> None:
    config = MemoryConfig(persistence_path=str(folder), embedding_model="none")
    with AIMemoryManager(config, enable_privacy_masking=False) as memory:
        memory.remember("me", "local", "write to anna@example.com", id="x")
    dry = json.loads(run("mask", "--scan", "--dry-run", "--json").out)
    assert (dry["rewritten"], dry["receipt"]) == (1, None)
    ran = run("mask", "--scan")
    assert "local: 1 of 1 entries and 0 profiles masked: EMAIL 1" in ran.out
    assert "[EMAIL_1]" in run("show", "x").out


def test_a_file_or_a_scan_must_be_named(run: Run) -> None:
    assert run("mask").code == 2
    assert run("mask", "--scan", "-", input="x").code == 2
    assert run("mask", "-", "--dry-run", input="x").code == 2
