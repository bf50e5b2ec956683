"""Measuring: readers, figures, and what the command prints, on data made up here."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from zerda.memory import AIMemoryManager, ConfigError, InvalidInput, MemoryConfig, MissingExtra, Note
from zerda.memory.bench import locomo, longmemeval, own
from zerda.memory.bench.abstain import abstention
from zerda.memory.bench.measures import Answer, all_sessions_at, any_session_at, difference, share_at
from zerda.memory.bench.others import OTHERS, Other, beside
from zerda.memory.bench.plot import draw
from zerda.memory.bench.rows import STEPS, Ours, ablation, rows, said
from zerda.memory.bench.table import figures, run
from zerda.memory.cli.app import zerda
from zerda.memory.core.rules import ranking

WORDS = MemoryConfig(embedding_model="none")
ABOUT = ["harbour", "violin", "garden", "bakery", "museum", "bicycle", "lantern", "puppy"]


def locomo_file(folder: Path) -> Path:
    """Two conversations in LoCoMo's form, of four turns and questions each."""
    samples = []
    for number in range(2):
        nouns, done = ABOUT[4 * number :][:4], ("closed", "painted")[number]
        turns = [
            {
                "speaker": ("Ann", "Ben")[n % 2],
                "dia_id": f"D1:{n + 1}",
                "text": f"The {noun} was {done} today.",
            }
            for n, noun in enumerate(nouns)
        ]
        asked = [
            {"question": f"Was the {noun} {done}?", "evidence": [f"D1:{n + 1}"], "category": 1 + n % 2}
            for n, noun in enumerate(nouns)
        ]
        asked.append({"question": "And the moon?", "evidence": ["D9:9"], "category": 3})
        conversation = {
            "speaker_a": "Ann", "speaker_b": "Ben", "session_1": turns,
            "session_1_date_time": "1:56 pm on 8 May, 2023",
        }  # fmt: skip
        samples.append({"sample_id": f"conv-{number}", "conversation": conversation, "qa": asked})
    path = folder / "locomo.json"
    path.write_text(json.dumps(samples))
    return path


def longmemeval_file(folder: Path) -> Path:
    """Three questions in LongMemEval's form, the last without an answer."""
    sessions = [
        [{"role": "user", "content": f"I saw the {noun}."}, {"role": "assistant", "content": "How nice!"}]
        for noun in ABOUT[:3]
    ]
    shared = {
        "haystack_sessions": sessions,
        "haystack_session_ids": ["s0", "s1", "s2"],
        "haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/05/21 (Sun) 10:00", "2023/05/22 (Mon) 23:59"],
        "question_type": "single-session-user",
        "answer": "yes",
    }
    questions = [
        {"question_id": "q1", "question": "Did I see the harbour?", "answer_session_ids": ["s0"]},
        {"question_id": "q2", "question": "Harbour and garden?", "answer_session_ids": ["s0", "s2"]},
        {"question_id": "q3_abs", "question": "What of the lantern?", "answer_session_ids": ["s1"]},
    ]
    path = folder / "longmemeval.json"
    path.write_text(json.dumps([one | shared for one in questions]))
    return path


def bench(*args: str) -> str:
    result = CliRunner().invoke(zerda, ["bench", *args], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_locomo_is_read_with_the_questions_whose_evidence_is_there(tmp_path: Path) -> None:
    first, second = locomo.conversations(locomo_file(tmp_path))
    assert [asked.evidence for asked in first.questions] == [frozenset({f"D1:{n}"}) for n in range(1, 5)]
    assert (first.notes[0].id, first.notes[0].speaker) == ("D1:1", "Ann")
    assert second.session_of["D1:2"] == second.session_of["D1:1"]


def test_longmemeval_is_read_a_memory_to_each_question(tmp_path: Path) -> None:
    path = longmemeval_file(tmp_path)
    one, two = longmemeval.conversations(path)
    assert (one.name, len(one.notes), one.questions[0].category) == ("q1", 6, "single-session-user")
    assert one.questions[0].evidence == {"0:0", "0:1"}
    assert two.questions[0].evidence == {"0:0", "0:1", "2:0", "2:1"}
    assert str(one.notes[0].occurred_at) == "2023-05-20 02:21:00+00:00"
    assert [c.name for c in longmemeval.conversations(path, with_abstention=True)] == ["q1", "q2", "q3_abs"]


def test_any_and_all_sessions_are_told_apart() -> None:
    session_of = {"a": "s1", "b": "s1", "c": "s2", "d": "s3"}
    answer = Answer(("a", "b", "d", "c"), frozenset({"a", "c"}), "", "", session_of)
    assert (any_session_at(answer, 1), all_sessions_at(answer, 1)) == (1, 0)
    assert (all_sessions_at(answer, 2), all_sessions_at(answer, 3)) == (0, 1)


def test_a_difference_is_paired_by_question() -> None:
    def answers(found: tuple[str, ...]) -> list[Answer]:
        return [Answer(found, frozenset({"a"}), "", "", {}) for _ in range(20)]

    assert difference(answers(("a",)), answers(("b",)), lambda one: share_at(one, 10)) == (100, 100)
    assert difference(answers(("a",)), answers(("a",)), lambda one: share_at(one, 10)) == (0, 0)


def test_ours_without_a_step_is_another_ranking(tmp_path: Path) -> None:
    (conversation, _) = locomo.conversations(locomo_file(tmp_path))
    whole, wordless = (run("r", Ours(WORDS, without), [conversation]) for without in ((), ("words",)))
    assert figures(whole, whole).means["MRR"] == 100
    assert figures(wordless, whole).means["MRR"] < 100
    assert set(STEPS) == set(ranking.STEPS)
    assert len(ablation("none")) == len(STEPS) + 1


def test_a_stranger_s_questions_get_nothing(tmp_path: Path) -> None:
    told = abstention("ours", Ours(WORDS), list(locomo.conversations(locomo_file(tmp_path))))
    assert told.silent == 100
    assert told.without_floor == 100


def test_the_rows_stand_side_by_side(tmp_path: Path) -> None:
    lines = bench("locomo", str(locomo_file(tmp_path)), "--embedder", "none", "--json").splitlines()
    told = {line["row"]: line for line in map(json.loads, lines)}
    assert list(told) == ["plain FTS5", "ours, words alone"]
    assert told["plain FTS5"]["means"]["R@10"] == 100
    assert told["ours, words alone"]["above_first"]["all"] == [0, 0]
    assert told["ours, words alone"]["questions"] == 8


def test_with_an_embedder_meaning_stands_beside() -> None:
    assert list(rows("auto")) == ["plain FTS5", "ours, words alone", "meaning alone", "ours"]
    assert list(rows("none", reranker="late")) == ["plain FTS5", "ours, words alone", "ours, judged anew"]


def test_a_baseline_tells_what_has_changed(tmp_path: Path) -> None:
    path = str(locomo_file(tmp_path))
    before = json.loads(bench("locomo", path, "--row", "plain FTS5", "--json"))
    before["means"]["R@10"] -= 12.5
    (tmp_path / "before.jsonl").write_text(json.dumps(before))
    out = bench("locomo", path, "--row", "plain FTS5", "--baseline", str(tmp_path / "before.jsonl"))
    assert "plain FTS5\t+0.0\t+12.5\t+0.0" in out


def test_longmemeval_counts_sessions(tmp_path: Path) -> None:
    out = bench("longmemeval", str(longmemeval_file(tmp_path)), "--embedder", "none", "--json")
    ours = json.loads(out.splitlines()[-1])
    assert (ours["main"], ours["questions"]) == ("any session@5", 2)
    assert ours["means"]["all sessions@5"] == 100


def test_one_s_own_questions_are_asked_of_one_s_own_memory(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    config = MemoryConfig(persistence_path=str(folder), embedding_model="none")
    with AIMemoryManager(config) as memory:
        kept = memory.remember_many("me", "local", [f"The {noun} was closed." for noun in ABOUT])
    asked = tmp_path / "own.jsonl"
    asked.write_text("\n".join(
        json.dumps({"question": f"What of the {noun}?", "ids": [entry.id]})
        for noun, entry in zip(ABOUT, kept, strict=True)
    ))  # fmt: skip
    where = ("own", str(asked), "--path", str(folder))
    plain, told = map(json.loads, bench(*where, "--embedder", "none", "--json").splitlines())
    assert (plain["row"], told["row"]) == ("plain FTS5", "this memory")
    assert (told["questions"], told["means"]["R@5"], told["means"]["MRR"]) == (8, 100, 100)
    assert told["above_first"]["all"] == [0, 0]
    rows_found = [json.loads(line)["row"] for line in bench(*where, "--json").splitlines()]
    assert rows_found == ["plain FTS5", "meaning alone", "this memory"]


def test_one_question_is_enough_and_one_about_what_is_not_there_is_refused(tmp_path: Path) -> None:
    asked = tmp_path / "own.jsonl"
    with AIMemoryManager(MemoryConfig(enable_persistence=False, embedding_model="none")) as memory:
        for number in range(3):
            memory.remember("me", "local", f"The violin {number} was sold.", id=f"v{number}")
        asked.write_text('{"question": "Was the violin 1 sold?", "ids": ["v1"]}')
        told = own.conversation(memory, "me", "local", own.questions(asked))
        one = run("this memory", own.rows(memory, "me", "local")["this memory"], [told])
        assert (len(told.notes), figures(one, one).questions) == (3, 1)
        asked.write_text('{"question": "Was the violin sold?", "ids": ["v1", "v9"]}')
        with pytest.raises(InvalidInput, match="'v9'"):
            own.conversation(memory, "me", "local", own.questions(asked))


def test_an_exchange_is_said_by_both(tmp_path: Path) -> None:
    assert said(Note(content={"input": "Hi.", "output": "Hello!"})) == "Hi.\nHello!"
    assert said(Note(content="Hi.", speaker="Ann")) == "Ann: Hi."


def test_another_system_stands_beside_with_the_same_embedder(tmp_path: Path) -> None:
    pytest.importorskip("langgraph.store.memory")
    lines = bench("locomo", str(locomo_file(tmp_path)), "--beside", "langgraph", "--json").splitlines()
    told = {line["row"]: line for line in map(json.loads, lines)}
    assert list(told)[-1] == "langgraph"
    assert told["langgraph"]["questions"] == 8
    assert told["langgraph"]["means"]["R@10"] == told["meaning alone"]["means"]["R@10"] == 100


def test_another_system_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = Other("no_such_module.at_all", "nothing-at-all", OTHERS["chroma"].run)
    monkeypatch.setitem(OTHERS, "missing", missing)  # type: ignore[arg-type]
    assert beside([], "none") == {}
    with pytest.raises(ConfigError, match="no system is named 'pinecone'; there are chroma"):
        beside(["pinecone"], "static")
    with pytest.raises(ConfigError, match="pip install nothing-at-all"):
        beside(["missing"], "static")
    assert "missing" not in beside(["installed"], "static")
    with pytest.raises(ConfigError, match="makes no vectors"):
        beside(["langgraph"], "none")


def test_speed_tells_of_a_user_beside_others(tmp_path: Path) -> None:
    (tmp_path / "texts").write_text("The violin was sold.\n\nThe garden was sold.\n")
    line = bench("speed", "--size", "60", "--beside", "30", "--embedders", "auto", "--json",
                 "--texts", str(tmp_path / "texts"))  # fmt: skip
    told = json.loads(line)
    assert (told["entries"], told["beside"], told["two_stage"]) == (60, 30, 1.0)
    assert told["bytes_of_memory_per_entry"] > 128  # At least its vector, a byte for each number.


def test_what_protection_costs_is_told_beside_what_it_may() -> None:
    lines = bench("trust", "--entries", "60", "--leaving", "20", "--tenants", "3", "--json").splitlines()
    told = {one["what"]: one["value"] for one in map(json.loads, lines)}
    assert len(told) == 11
    assert all(value > 0 for what, value in told.items() if "adds" not in what)
    assert "20 entries erased of 60" in told
    assert "the root key of 3 tenants is changed, by the clock" in told


@pytest.mark.parametrize("text", ["", '{"question": "x"}', "[]", "{"])
def test_a_file_of_questions_that_makes_no_sense_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "own.jsonl").write_text(text)
    with pytest.raises(InvalidInput, match=r"question"):
        own.questions(tmp_path / "own.jsonl")


def test_a_picture_without_its_extra_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"zerda-memory\[bench\]"):
        draw([], tmp_path / "p.png")


def test_a_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    bench("locomo", str(locomo_file(tmp_path)), "--embedder", "none", "--plot", str(tmp_path / "p.png"))
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
