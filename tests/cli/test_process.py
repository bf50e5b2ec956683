"""The command as users run it: exit codes, pipes, terminals, what is loaded."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from command_runs import OnTerminal, Run

from zerda.memory import AccessDenied, EntryNotFound, InvalidInput, MissingExtra, StorageBusy
from zerda.memory.cli.app import COMMANDS
from zerda.memory.cli.exits import exit_code

LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
"""What is started in the background of a script ignores an interrupt; a test run may be."""

HOSTILE = (
    '{"speaker": "Ana", "content": "hazelnuts \\u001b]0;owned\\u0007 \\u001b[31mred\\u009b5m [bold]b[/bold]"}'
)


# ── exit codes ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (InvalidInput("x"), 1),
        (AccessDenied("x"), 1),
        (StorageBusy("x"), 1),
        (FileNotFoundError("x"), 1),
        (MissingExtra("x", "cli"), 3),
        (EntryNotFound("x"), 4),
    ],
)
def test_every_error_has_its_exit_code(error: Exception, code: int) -> None:
    assert exit_code(error) == code


def test_a_right_command_exits_with_0(run_process: Run, talk: Path) -> None:
    assert run_process("import", str(talk)).code == 0
    found = run_process("recall", "hazelnuts")
    assert (found.code, found.err) == (0, "")


def test_an_error_of_ours_is_one_line_and_1(run_process: Run, talk: Path) -> None:
    run_process("import", str(talk))
    ran = run_process("list", "--tenant", "a\u200bb")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("zerda: tenant_id")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    "args",
    [["bogus"], ["recall"], ["recall", "x", "--limit", "0"], ["import", "no-such-file"], ["list", "--bogus"]],
)
def test_a_wrong_command_line_is_one_line_and_2(run_process: Run, args: list[str]) -> None:
    ran = run_process(*args)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("zerda: ")
    assert len(ran.err.splitlines()) == 1


def test_no_command_at_all_shows_the_help_and_is_2(run_process: Run) -> None:
    ran = run_process()
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[0] == "Usage: zerda [OPTIONS] COMMAND [ARGS]..."


def test_a_full_disk_is_one_line_and_1(
    environment: dict[str, str], zerda_command: list[str], run_process: Run, talk: Path
) -> None:
    run_process("import", str(talk))
    if not os.path.exists("/dev/full"):
        pytest.skip("no full device here")
    with open("/dev/full", "w") as full:
        ran = subprocess.run(
            [*zerda_command, "list"], stdout=full, stderr=subprocess.PIPE, env=environment, check=False
        )
    assert (ran.returncode, ran.stderr) == (1, b"zerda: [Errno 28] No space left on device\n")


@pytest.mark.parametrize("package", ["click", "rich"])
def test_without_the_extra_it_says_what_to_install_and_exits_with_3(
    environment: dict[str, str], zerda_command: list[str], package: str
) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; " + zerda_command[2]
    ran = subprocess.run(
        [sys.executable, "-c", code, "--help"], capture_output=True, text=True, env=environment, check=False
    )
    assert (ran.returncode, ran.stdout) == (3, "")
    assert ran.stderr == f'zerda: {package} is not installed; run: pip install "zerda-memory[cli]"\n'


def test_nothing_to_show_is_4_and_an_empty_recall_is_0(run_process: Run) -> None:
    assert run_process("show", "unknown").code == 4
    assert run_process("recall", "unknown").code == 0


@pytest.mark.skipif(os.name == "nt", reason="POSIX signals")
def test_an_interrupted_command_exits_with_130(environment: dict[str, str], zerda_command: list[str]) -> None:
    with subprocess.Popen(
        [*zerda_command[:-1], LISTENING + zerda_command[-1], "import", "-"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        assert process.stdin is not None
        for _ in range(2_000):  # More than is read ahead and than a pipe holds: it is reading when this ends.
            process.stdin.write('{"role": "user", "content": "' + "x" * 100 + '"}\n')
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert err.splitlines()[-1] == "zerda: interrupted"


# ── pipes ────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(os.name == "nt", reason="POSIX pipes")
def test_a_reader_who_has_heard_enough_is_no_error(
    run_process: Run, environment: dict[str, str], zerda_command: list[str]
) -> None:
    lines = "\n".join(f'{{"role": "user", "content": "message {n} {"x" * 900}"}}' for n in range(300))
    run_process("import", "-", input=lines)
    with subprocess.Popen(
        [*zerda_command, "list", "--limit", "300", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.read(10)
        process.stdout.close()
        assert process.stderr is not None
        err = process.stderr.read()
    assert (process.returncode, err) == (0, b"")


def test_a_demo_that_no_one_hears_to_its_end_is_no_error(
    environment: dict[str, str], zerda_command: list[str]
) -> None:
    with subprocess.Popen(
        [*zerda_command, "demo"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        err = process.stderr.read()
    assert (process.returncode, err) == (0, b"")


def test_an_encoding_that_lacks_a_letter_does_no_harm(run_process: Run) -> None:
    run_process("import", "-", input='{"role": "user", "content": "¿Qué tal? 你好"}')
    ran = run_process("list", PYTHONIOENCODING="latin-1")
    assert ran.code == 0
    assert "¿Qué tal? ??" in ran.out


# ── terminals ────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def on_terminal(environment: dict[str, str], zerda_command: list[str]) -> OnTerminal:
    """Runs a command before a person: returns what the terminal gets, and the exit code."""
    pty = pytest.importorskip("pty")

    def run(*args: str, typed: str = "", **variables: str) -> tuple[str, int]:
        outer, inner = pty.openpty()
        process = subprocess.Popen(
            [*zerda_command, *args],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment | {"COLUMNS": "100"} | variables,
        )
        os.close(inner)
        os.write(outer, typed.encode())
        seen = b"".join(iter(lambda: _read(outer), b""))
        os.close(outer)
        return seen.decode().replace("\r\n", "\n"), process.wait(timeout=60)

    return run


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # Linux says so when the last process has let go of a terminal.
        return b""


@pytest.fixture
def hostile(run_process: Run) -> None:
    """A memory that someone filled with sequences for terminals."""
    run_process("import", "-", input=HOSTILE)


def test_a_terminal_gets_a_table_with_a_heading(
    on_terminal: OnTerminal, run_process: Run, talk: Path
) -> None:
    run_process("import", str(talk))
    seen, code = on_terminal("list")
    assert code == 0
    assert "when (UTC)" in seen
    assert "\x1b[1m" in seen


def test_an_import_shows_how_far_it_is_and_takes_that_away(on_terminal: OnTerminal, talk: Path) -> None:
    seen, code = on_terminal("import", str(talk))
    assert code == 0
    assert "importing, 5 messages" in seen
    assert seen.endswith("read 5, saved 4, already there 0, skipped 1\n")


@pytest.mark.parametrize("args", [["list"], ["recall", "hazelnuts", "--why"], ["stats"], ["demo"]])
def test_no_color_leaves_no_sequence_at_all(on_terminal: OnTerminal, hostile: None, args: list[str]) -> None:
    seen, code = on_terminal(*args, NO_COLOR="1")
    assert code == 0
    assert "\x1b" not in seen


@pytest.mark.parametrize(
    "args", [["list"], ["recall", "hazelnuts"], ["context", "hazelnuts"], ["prompt", "x"]]
)
def test_what_was_said_does_not_drive_the_terminal(
    on_terminal: OnTerminal, hostile: None, args: list[str]
) -> None:
    seen, code = on_terminal(*args)
    assert code == 0
    assert "red" in seen
    assert "\x1b[31m" not in seen
    assert "\x1b]0" not in seen
    assert "\x9b" not in seen
    assert "[bold]b[/bold]" in seen


def test_forget_asks_on_a_terminal(on_terminal: OnTerminal, run_process: Run, talk: Path) -> None:
    run_process("import", str(talk))
    entry_id = run_process("list", "--json", "--limit", "1").record["id"]
    seen, code = on_terminal("forget", entry_id, typed="n\n")
    assert "I play the cello." in seen
    assert "Erase for ever? [y/N]" in seen
    assert code == 0
    assert run_process("show", entry_id).code == 0
    _, code = on_terminal("forget", entry_id, typed="y\n")
    assert code == 0
    assert run_process("show", entry_id).code == 4


# ── what is loaded ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("args", [["--help"], *([name, "--help"] for name in COMMANDS)], ids=" ".join)
def test_help_loads_nothing_that_remembers_or_draws(
    environment: dict[str, str], zerda_command: list[str], args: list[str]
) -> None:
    code = zerda_command[2].replace("sys.exit(main())", "code = main(); ") + (
        "heavy = {'numpy', 'apsw', 'rich', 'onnxruntime', 'tokenizers', 'snowballstemmer', 'sqlite3', "
        "'zerda.memory.intelligent.memory_manager'}; print(code, sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, *args], capture_output=True, text=True, env=environment, check=True
    )
    assert ran.stdout.startswith("Usage: zerda ")
    assert ran.stdout.splitlines()[-1] == "0 []"


def test_the_version_is_told(run_process: Run) -> None:
    import zerda.memory

    assert run_process("--version").out.strip() == zerda.memory.__version__
