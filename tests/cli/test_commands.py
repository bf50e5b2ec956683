"""What each command does, and what it writes for people and for programs."""

import json
from pathlib import Path

import pytest
from command_runs import Run

from zerda.memory import AIMemoryManager, MemoryConfig


@pytest.fixture
def saved(run: Run, talk: Path) -> list[str]:
    """A memory that holds the short conversation; returns its ids, newest first."""
    assert run("import", str(talk)).code == 0
    return [record["id"] for record in run("list", "--json").records]


# ── import ───────────────────────────────────────────────────────────────────────────────────────────


def test_import_tells_what_it_saved_and_what_it_skipped_and_why(run: Run, talk: Path) -> None:
    ran = run("import", str(talk))
    assert ran.out == "read 5, saved 4, already there 0, skipped 1\n"
    assert ran.err == "line 5: is not JSON: Expecting value (column 1)\n"
    assert ran.code == 0


def test_importing_again_adds_nothing_and_two_equal_messages_both_stay(run: Run, talk: Path) -> None:
    run("import", str(talk))
    again = run("import", str(talk), "--json").record
    assert (again["saved"], again["already_there"], again["skipped"]) == (0, 4, 1)
    assert again["faults"] == [{"line": 5, "reason": "is not JSON: Expecting value (column 1)"}]
    texts = [record["text"] for record in run("list", "--json").records]
    assert texts == ["I play the cello.", "ok", "ok", "I am allergic to hazelnuts."]


def test_messages_stay_messages_with_speaker_time_and_session(run: Run, saved: list[str]) -> None:
    record = run("show", saved[-1], "--json").record["entry"]
    assert record["kind"] == "message"
    assert (record["speaker"], record["session_id"], record["origin"]) == ("Ana", "s1", "import")
    assert record["occurred_at"] == "2026-03-01T10:00:00+00:00"


def test_a_grown_file_adds_only_what_is_new(run: Run, talk: Path, saved: list[str]) -> None:
    with talk.open("a") as file:
        file.write('{"speaker": "Ana", "content": "And you?", "at": "2026-03-02T10:05Z", "session": "s2"}\n')
    assert run("import", str(talk)).out == "read 6, saved 1, already there 4, skipped 1\n"


def test_what_the_memory_refuses_is_skipped_alone(run: Run, tmp_path: Path) -> None:
    lines = [{"speaker": "Ana", "content": f"message {number}", "session": "s"} for number in range(20)]
    lines[7]["session"] = "bad\u0000id"
    (tmp_path / "f.jsonl").write_text("\n".join(map(json.dumps, lines)))
    report = run("import", str(tmp_path / "f.jsonl"), "--json").record
    assert (report["saved"], report["skipped"]) == (19, 1)
    assert report["faults"][0]["line"] == 8
    assert "control character" in report["faults"][0]["reason"]


def test_the_same_words_with_other_content_under_masking_are_told_as_a_conflict(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "f.jsonl").write_text('{"speaker": "Ana", "content": "Write to ana@example.org"}')
    assert run("import", str(tmp_path / "f.jsonl")).code == 0
    report = run("import", str(tmp_path / "f.jsonl"), "--no-masking", "--json")
    assert (report.record["saved"], report.record["skipped"], report.code) == (0, 1, 1)


def test_users_of_the_file_keep_what_is_theirs(run: Run, tmp_path: Path) -> None:
    (tmp_path / "f.jsonl").write_text(
        '{"speaker": "Ana", "content": "mine", "user": "ana"}\n'
        '{"speaker": "Ben", "content": "his", "user": 2}\n'
        '{"speaker": "Eva", "content": "no one\'s"}'
    )
    run("import", str(tmp_path / "f.jsonl"), "--user", "eva")
    for user, text in (("ana", "mine"), ("2", "his"), ("eva", "no one's")):
        assert [record["text"] for record in run("list", "--user", user, "--json").records] == [text]


def test_a_dry_run_touches_nothing(run: Run, talk: Path, folder: Path) -> None:
    assert run("import", str(talk), "--dry-run").out == "read 5, usable 4, skipped 1\n"
    assert run("import", str(talk), "--dry-run", "--json").record["dry_run"] is True
    assert not folder.exists()


def test_standard_input_is_a_file_too(run: Run) -> None:
    line = '{"role": "user", "content": "hello"}'
    assert run("import", "-", input=line).out == "read 1, saved 1, already there 0, skipped 0\n"


def test_a_file_of_which_nothing_can_be_used_is_a_failure(run: Run) -> None:
    ran = run("import", "-", input="nonsense\n" * 25)
    assert ran.code == 1
    assert ran.err.splitlines()[-1] == "and 5 more"


def test_an_empty_file_is_none(run: Run) -> None:
    assert run("import", "-", input="").code == 0


def test_each_locomo_conversation_is_a_tenant(run: Run, tmp_path: Path) -> None:
    turns = {"session_1": [{"speaker": "A", "text": "hi"}], "session_1_date_time": "1:56 pm on 8 May, 2023"}
    document = [{"sample_id": f"conv-{n}", "conversation": turns, "qa": [{"question": "?"}]} for n in (1, 2)]
    (tmp_path / "locomo.json").write_text(json.dumps(document))
    assert run("import", str(tmp_path / "locomo.json")).out.startswith("read 2, saved 2")
    assert run("import", str(tmp_path / "locomo.json"), "--tenant", "bench").out.startswith("read 2, saved 2")
    for tenant in ("conv-1", "conv-2", "bench-conv-1", "bench-conv-2"):
        [record] = run("list", "--tenant", tenant, "--json").records
        assert (record["speaker"], record["text"], record["session_id"]) == ("A", "hi", "session_1")


def test_more_than_one_batch_goes_in(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zerda.memory.cli.commands.import_file.BATCH_MESSAGES", 3)
    lines = [json.dumps({"speaker": "Ana", "content": f"message {n}"}) for n in range(10)]
    assert run("import", "-", input="\n".join(lines)).out.startswith("read 10, saved 10")
    texts = [record["text"] for record in run("list", "--json").records]
    assert texts == [f"message {n}" for n in range(9, -1, -1)]


def test_long_messages_make_short_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    from zerda.memory.cli.commands import import_file

    monkeypatch.setattr(import_file, "BATCH_CHARACTERS", 10)
    notes = [import_file._Note("t", "u", n, {"content": "x" * 6}) for n in range(5)]
    assert [len(batch) for batch in import_file._batches(iter(notes))] == [2, 2, 1]


# ── recall, context, prompt ──────────────────────────────────────────────────────────────────────────


def test_recall_writes_a_line_for_each_hit(run: Run, saved: list[str]) -> None:
    first, *_ = run("recall", "hazelnuts").out.splitlines()
    score, when, who, what, entry_id = first.split("\t")
    assert 0 < float(score) < 1
    assert (when, who) == ("2026-03-01 10:00", "Ana")
    assert (what, entry_id) == ("I am allergic to hazelnuts.", saved[-1])


def test_recall_tells_why(run: Run, saved: list[str]) -> None:
    line = run("recall", "hazelnuts", "--why").out.splitlines()[0]
    assert "words +" in line
    assert "(proposed by words)" in line


def test_recall_in_json_holds_the_entry_and_the_parts_of_the_score(run: Run, saved: list[str]) -> None:
    hit = run("recall", "hazelnuts", "--json").records[0]
    assert hit["entry"]["id"] == saved[-1]
    assert hit["parts"]["words"] > 0
    assert hit["sources"] == ["words"]


def test_recall_keeps_to_its_limits(run: Run, saved: list[str]) -> None:
    assert run("recall", "allergic cello", "--limit", "1", "--json").records[0:] != []
    assert len(run("recall", "allergic cello", "--limit", "1", "--json").records) == 1
    sessions = {
        r["entry"]["session_id"] for r in run("recall", "allergic cello", "--session", "s2", "--json").records
    }
    assert sessions == {"s2"}
    assert run("recall", "hazelnuts", "--min-score", "1", "--json").records == []


def test_an_empty_recall_is_a_normal_answer(run: Run, saved: list[str]) -> None:
    ran = run("recall", "zeppelin")
    assert (ran.code, ran.out, ran.err) == (0, "", "nothing is remembered about that\n")
    assert run("recall", "zeppelin", "--json").out == ""


def test_context_shows_what_a_model_would_be_given(run: Run, saved: list[str]) -> None:
    ran = run("context", "hazelnuts")
    assert "I am allergic to hazelnuts." in ran.out
    assert " tokens, " in ran.err


def test_context_in_json_holds_messages_trace_and_tokens(run: Run, saved: list[str]) -> None:
    built = run("context", "hazelnuts", "--json", "--budget", "100").record
    assert 0 < built["tokens"] <= 100
    assert built["messages"][-1] == {"role": "user", "content": "hazelnuts"}
    assert any(fate["what"] == saved[-1] for fate in built["trace"])


def test_a_prompt_holds_instruction_context_and_question(run: Run, saved: list[str]) -> None:
    text = run("prompt", "hazelnuts?", "--system", "Speak like a pirate.").out
    assert text.startswith("Speak like a pirate.")
    assert text.endswith("=== Current Query ===\nhazelnuts?\n")
    assert run("prompt", "hazelnuts?", "--json").record["prompt"].endswith("hazelnuts?")


# ── list, show, forget, stats ────────────────────────────────────────────────────────────────────────


def test_pages_of_a_list_meet(run: Run, saved: list[str]) -> None:
    first = run("list", "--limit", "3", "--json")
    cursor = first.err.removeprefix("there is more: --cursor ").strip()
    second = run("list", "--limit", "3", "--cursor", cursor, "--json")
    assert [record["id"] for record in first.records + second.records] == saved
    assert second.err == ""


def test_a_listed_text_is_cut_and_the_shown_one_is_whole(run: Run) -> None:
    text = "word " * 100
    run("import", "-", input=json.dumps({"speaker": "Ana", "content": text}))
    *_, what, entry_id = run("list").out.rstrip("\n").split("\t")
    assert (len(what), what[-1]) == (200, "…")
    assert run("show", entry_id).out.startswith(text)


def test_show_tells_former_versions(run: Run, folder: Path, saved: list[str]) -> None:
    with AIMemoryManager(MemoryConfig(persistence_path=str(folder), embedding_model="none")) as memory:
        memory.update("me", "local", saved[-1], content="I am allergic to walnuts.")
    shown = run("show", saved[-1]).out
    assert shown.startswith("I am allergic to walnuts.\n")
    assert "version 1, recorded" in shown
    assert shown.endswith(":\nI am allergic to hazelnuts.\n")
    versions = run("show", saved[-1], "--json").record["versions"]
    assert [version["text"] for version in versions] == [
        "I am allergic to hazelnuts.",
        "I am allergic to walnuts.",
    ]


def test_show_finds_nothing_of_another_user_or_tenant(run: Run, saved: list[str]) -> None:
    assert run("show", saved[0]).code == 0
    assert run("show", saved[0], "--user", "you").code == 4
    assert run("show", saved[0], "--tenant", "other").code == 4


def test_forget_erases(run: Run, saved: list[str]) -> None:
    ran = run("forget", saved[0], saved[1], "unknown", "--yes")
    assert (ran.code, ran.out) == (0, "forgotten: 2 of 3\n")
    assert [record["id"] for record in run("list", "--json").records] == saved[2:]
    assert run("forget", saved[0], "--yes", "--json").record == {"forgotten": 0, "asked": 1}
    assert run("forget", saved[0], "--yes").code == 4


def test_forget_does_not_erase_unasked(run: Run, saved: list[str]) -> None:
    ran = run("forget", saved[0])
    assert ran.code == 2
    assert "--yes" in ran.err
    assert run("show", saved[0]).code == 0


def test_stats_count(run: Run, saved: list[str]) -> None:
    assert run("stats", "--json").record["entries"] == 4
    assert "entries\t4" in run("stats").out.splitlines()


def test_a_new_memory_is_empty_and_no_error(run: Run) -> None:
    assert run("list").out == run("recall", "anything").out == ""
    assert run("stats", "--json").record["entries"] == 0
    assert run("context", "anything").code == run("prompt", "anything").code == 0


@pytest.mark.parametrize(
    "args",
    [
        ["recall", "tea"], ["list"], ["stats"], ["context", "tea"], ["prompt", "tea"], ["export"],
        ["entities"], ["review"], ["since", "2026-01-01"], ["mask", "--scan"], ["keys", "list"],
    ],
)  # fmt: skip
def test_reading_where_there_is_no_memory_makes_none(run: Run, folder: Path, args: list[str]) -> None:
    ran = run(*args, "--path", str(folder / "neverthere"))
    assert ran.code == 0
    assert "there is no memory in" in ran.err
    assert not folder.exists()


@pytest.mark.parametrize("args", [["quarantine", "x"], ["release", "x"], ["keys", "revoke", "x"]])
def test_what_changes_something_makes_no_memory_where_there_is_none(
    run: Run, folder: Path, args: list[str]
) -> None:
    ran = run(*args, "--path", str(folder / "neverthere"))
    assert ran.code != 0
    assert "there is no memory in" in ran.err
    assert not folder.exists()


# ── demo ─────────────────────────────────────────────────────────────────────────────────────────────


def test_the_demo_shows_saving_recalling_and_the_context(run: Run) -> None:
    out = run("demo").out
    for question in ("What is Mia allergic to?", "What is Jonas's shoe size?"):
        assert question in out
    assert "ms each" in out
    assert "my daughter Mia is allergic to hazelnuts" in out
    assert "=== Relevant Memories ===" in out


def test_the_demo_in_json_tells_what_it_cost(run: Run) -> None:
    shown = run("demo", "--json").record
    assert shown["messages"] == 42
    assert shown["bytes_on_disk"] > 0
    assert shown["context"]["tokens"] > 0
    assert [len(recalled["question"]) > 0 for recalled in shown["recalls"]] == [True] * 6


def test_the_demo_leaves_nothing_behind(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("ZERDA_PATH")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(tmp_path.iterdir())
    assert run("demo").code == 0
    assert set(tmp_path.iterdir()) == before


def test_the_demo_stays_where_it_is_told_to(run: Run, folder: Path) -> None:
    run("demo")
    assert len(run("list", "--tenant", "demo", "--json").records) == 42
    assert "42 messages" in run("demo").out


def test_the_conversation_of_the_demo_is_whole() -> None:
    from zerda.memory.cli.commands.demo import conversation

    messages = conversation()
    assert len(messages) == 42
    assert {message.speaker for message in messages} == {"Ines", "Jonas", "assistant"}
    assert sum(message.content == "ok" for message in messages) == 2
    assert messages == sorted(messages, key=lambda message: message.at)


# ── options ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_configuration_file_is_read_and_options_go_before_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZERDA_PATH")
    (tmp_path / "zerda.toml").write_text(
        f'[memory]\npersistence_path = "{(tmp_path / "a").as_posix()}"\nembedding_model = "none"\n'
    )
    config = ("--config", str(tmp_path / "zerda.toml"))
    run("import", "-", *config, input='{"role": "user", "content": "hello"}')
    assert (tmp_path / "a").exists()
    assert len(run("list", *config).out.splitlines()) == 1
    assert run("list", *config, "--path", str(tmp_path / "b")).out == ""


def test_tenant_and_user_come_from_the_environment_too(
    run: Run, talk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZERDA_TENANT", "acme")
    monkeypatch.setenv("ZERDA_USER", "alice")
    run("import", str(talk))
    record = run("list", "--json", "--limit", "1").record
    assert (record["tenant_id"], record["user_id"]) == ("acme", "alice")
