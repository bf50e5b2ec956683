"""What was acknowledged is there: after a kill, beside other processes, threads, forks and many tenants."""

import random
import sqlite3
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from children import GROUP, WRITER, opened, said, word
from proving import COUNTS, Run, Start, Told

from zerda.memory import AIMemoryManager


def test_what_was_acknowledged_before_a_kill_is_there_and_found(
    tmp_path: Path, start: Start, told: Told
) -> None:
    acknowledged: list[str] = []
    for run in range(COUNTS.kills):
        here = _killed(start, str(tmp_path), run)
        with opened(str(tmp_path), fast=False) as memory:
            _all_found(memory, here, "words")
            memory.flush()
            assert memory.stats("acme")["pending"] == 0
            _all_found(memory, here, "meaning")
        acknowledged += here
    with opened(str(tmp_path)) as memory:
        kept = _names(memory)
    assert set(acknowledged) <= kept
    assert _groups_are_whole(kept)
    assert _checked(tmp_path / "acme_ltm.db") == "ok"
    told(
        "Kill -9 in the middle of saves loses nothing that was acknowledged",
        f"{COUNTS.kills} kills, {len(acknowledged):,} entries acknowledged: all there, found by"
        " their words at once and by their meaning after flush()",
    )


def test_processes_write_to_one_tenant_at_a_time(tmp_path: Path, start: Start, told: Told) -> None:
    times = COUNTS.entries_of_a_process
    writers = [start("save_many_times", tmp_path, run, times) for run in range(COUNTS.processes)]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()
    complaints = [writer.communicate()[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * COUNTS.processes, complaints
    assert not any("locked" in complaint for complaint in complaints)
    wanted = {f"{run}-{turn}" for run in range(COUNTS.processes) for turn in range(times)}
    with opened(str(tmp_path)) as memory:
        assert _names(memory) == wanted
        _all_found(memory, [f"{run}-{times - 1}" for run in range(COUNTS.processes)], "words")
    told(
        f"{COUNTS.processes} processes write {times} entries each to one tenant",
        f'{len(wanted):,} entries there, no "database is locked"',
    )


def test_threads_save_and_recall_on_one_manager(tmp_path: Path, told: Told) -> None:
    def work(thread: int) -> list[str]:
        found = []
        for turn in range(COUNTS.entries_of_a_thread):
            name = f"{thread}-{turn}"
            memory.save_interaction(*WRITER, said(name), "Noted.", id=name)
            found.append(memory.recall(*WRITER, word(name), limit=1, min_score=0)[0].entry.id)
        return found

    with opened(str(tmp_path)) as memory:
        with ThreadPoolExecutor(COUNTS.threads) as pool:
            found = [name for names in pool.map(work, range(COUNTS.threads)) for name in names]
        times = COUNTS.entries_of_a_thread
        wanted = [f"{thread}-{turn}" for thread in range(COUNTS.threads) for turn in range(times)]
        assert found == wanted
        assert memory.stats("acme")["entries"] == len(wanted)
        assert _names(memory) == set(wanted)
    told(
        f"{COUNTS.threads} threads save and recall on one manager",
        f"{len(wanted):,} saved, each recalled at once by its thread; the count is exact, no error",
    )


def test_child_and_parent_both_work_after_a_fork(tmp_path: Path, run: Run, told: Told) -> None:
    assert "parent and child agree" in run("fork_and_work", tmp_path, COUNTS.forks).stdout
    with opened(str(tmp_path)) as memory:
        assert memory.stats("acme")["entries"] == 3 * COUNTS.forks
        assert memory.stats("acme")["pending"] == 0
    assert _checked(tmp_path / "acme_ltm.db") == "ok"
    told(
        "A process that forks with an open memory works on, and so does its child",
        f"{COUNTS.forks} forks: save, recall and flush in both, {3 * COUNTS.forks} entries there",
    )


def test_a_child_works_that_was_forked_while_other_threads_saved(
    tmp_path: Path, run: Run, told: Told
) -> None:
    assert "every child worked" in run("fork_while_others_save", tmp_path, COUNTS.forks).stdout
    with opened(str(tmp_path)) as memory:
        wanted = {"first", *(f"child-{turn}" for turn in range(COUNTS.forks))}
        assert _names(memory) == wanted
    assert _checked(tmp_path / "acme_ltm.db") == "ok"
    told(
        "A process may fork while its other threads save",
        f"{COUNTS.forks} forks beside four saving threads: each child saved, recalled and flushed",
    )


def test_a_tenant_that_waited_for_the_indexer_at_a_fork_is_indexed_in_the_child(run: Run) -> None:
    assert "the child indexed" in run("fork_with_a_tenant_waiting").stdout


def test_thousands_of_tenants_need_few_open_files(tmp_path: Path, run: Run, told: Told) -> None:
    done = run("touch_tenants", tmp_path, COUNTS.tenants, COUNTS.open_files, COUNTS.connections)
    assert int(done.stdout) < COUNTS.open_files
    assert sum(1 for _ in tmp_path.glob("tenant-*_ltm.db")) == COUNTS.tenants
    told(
        f"{COUNTS.tenants:,} tenants touched by one process limited to {COUNTS.open_files} open files",
        f"each saved to and asked; {int(done.stdout)} files open at the most",
    )


def test_a_process_with_fewer_open_files_than_its_connections_need_works(tmp_path: Path, run: Run) -> None:
    done = run("touch_tenants", tmp_path, 40, 16, COUNTS.connections)
    assert int(done.stdout) <= 16


def _killed(start: Start, folder: str, run: int) -> list[str]:
    """Start a process that saves, kill it in the middle of a save, and return what it had acknowledged."""
    chance = random.Random(run)
    process = start("save_until_killed", folder, run)
    assert process.stdout is not None
    acknowledged = [process.stdout.readline().strip() for _ in range(chance.randrange(1, 25))]
    _spin(chance.randrange(40_000))  # So that the kill does not always come at the same place of a save.
    process.kill()
    acknowledged += [line.strip() for line in process.stdout if line.endswith("\n")]
    process.wait()
    assert all(acknowledged), process.stderr and process.stderr.read()
    return acknowledged


def _spin(rounds: int) -> int:
    return sum(number * number for number in range(rounds))


def _all_found(memory: AIMemoryManager, names: Iterable[str], source: str) -> None:
    for name in names:
        (hit,) = memory.recall(*WRITER, word(name) if source == "words" else said(name), limit=1, min_score=0)
        assert hit.entry.id == name
        assert said(name) in hit.entry.text
        assert source in hit.sources


def _names(memory: AIMemoryManager) -> set[str]:
    page = memory.list(*WRITER, limit=500)
    names = [entry.id for entry in page.entries]
    while page.cursor:
        page = memory.list(*WRITER, limit=500, cursor=page.cursor)
        names += [entry.id for entry in page.entries]
    assert len(set(names)) == len(names)
    return set(names)


def _groups_are_whole(names: Iterable[str]) -> bool:
    """Whether what `remember_many` kept together is there together, acknowledged or not."""
    groups: dict[str, int] = {}
    for name in names:
        group = name.rpartition("-")[0]
        groups[group] = groups.get(group, 0) + 1
    return all(
        size == (GROUP if int(group.rpartition("-")[2]) % 3 == 0 else 1) for group, size in groups.items()
    )


def _checked(file: Path) -> str:
    """What SQLite itself says of a file, through the standard library's."""
    connection = sqlite3.connect(file)
    try:
        return str(connection.execute("PRAGMA integrity_check").fetchone()[0])
    finally:
        connection.close()
