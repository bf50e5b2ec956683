"""`zerda export`, and `zerda import --format zerda`."""

import json
from pathlib import Path

from command_runs import Run


def test_what_is_exported_comes_in_elsewhere_once(run: Run, talk: Path, tmp_path: Path) -> None:
    run("import", str(talk))
    exported = run("export")
    assert exported.code == 0
    kinds = [record["type"] for record in exported.records]
    assert kinds == ["header", "entry", "entry", "entry", "entry", "end"]
    file = tmp_path / "all.jsonl"
    file.write_text(exported.out, "ascii")
    elsewhere = ("--path", str(tmp_path / "elsewhere"))
    taken = run("import", str(file), "--format", "zerda", *elsewhere)
    assert (taken.code, taken.out) == (
        0,
        "read 4, saved 4, already there 0, erased before 0, skipped 0\n",
    )
    assert run("import", str(file), "--format", "zerda", "--json", *elsewhere).record["already_there"] == 4
    assert run("export", *elsewhere).records[1:] == exported.records[1:]


def test_a_user_exports_their_own_and_everyone_is_asked_for(run: Run) -> None:
    run("import", "-", "--user", "ann", input='{"speaker": "Ann", "content": "the kite"}\n')
    run("import", "-", "--user", "ben", input='{"speaker": "Ben", "content": "the harbour"}\n')
    assert "kite" not in run("export", "--user", "ben").out
    everyone = run("export", "--everyone").records
    assert [record["content"] for record in everyone if record["type"] == "entry"] == [
        "the kite",
        "the harbour",
    ]


def test_a_file_that_was_cut_short_is_told_and_exits_otherwise(run: Run, talk: Path, tmp_path: Path) -> None:
    run("import", str(talk))
    lines = run("export").out.splitlines()
    spoilt = [lines[0], lines[1][:-5], *lines[2:-1]]
    ran = run("import", "-", "--format", "zerda", "--path", str(tmp_path / "x"), input="\n".join(spoilt))
    assert ran.code == 1
    assert ran.err == "line 2: it is no JSON\nthe file ends before its last line: it was cut short\n"
    assert run("import", "-", "--format", "zerda", "--dry-run", input="").code == 2


def test_what_is_no_export_is_refused(run: Run) -> None:
    ran = run("import", "-", "--format", "zerda", input=json.dumps({"content": "x"}))
    assert ran.code != 0
    assert "no export" in ran.err
