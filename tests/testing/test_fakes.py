import os
import subprocess
import sys
from datetime import timedelta

import numpy as np
import pytest

import zerda.memory.testing
from zerda.memory.core.seams import LLMProtocol
from zerda.memory.errors import LLMError
from zerda.memory.testing import START, HashingEmbedder, ScriptedLLM, draft, tick


def printed(code, **environment):
    """What a fresh interpreter prints that runs the code."""
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), **environment}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    return run.stdout


def test_a_clock_moves_a_step_at_each_call():
    clock = tick()
    assert [clock(), clock()] == [START, START + timedelta(seconds=1)]


def test_a_clock_can_be_set_back_and_moved_on():
    clock = tick()
    clock.set(START - timedelta(days=1))
    clock.advance(timedelta(hours=2))
    assert clock() == START - timedelta(hours=22)


def test_texts_that_share_words_are_nearer_than_others():
    embedder = HashingEmbedder(256)
    texts = ["my sister lives in Rome", "Rome is where my sister lives", "tea"]
    question, answer, other = embedder.embed(texts)
    assert question @ answer > 0.8
    assert question @ other < 0.3


def test_rows_have_unit_length_and_silence_has_none():
    rows = HashingEmbedder(8).embed(["one two three", "", "?!"])
    assert rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1).tolist() == pytest.approx([1, 0, 0])


def test_vectors_do_not_depend_on_the_process():
    code = "from zerda.memory.testing import HashingEmbedder as H; print(H(8).embed(['a b']).tobytes().hex())"
    told = {printed(code, PYTHONHASHSEED=seed) for seed in ("1", "2")}
    assert len(told) == 1


def test_embedders_of_different_sizes_have_different_fingerprints():
    assert HashingEmbedder(64).fingerprint != HashingEmbedder(32).fingerprint


def test_a_scripted_model_answers_in_order_and_remembers_its_prompts():
    llm = ScriptedLLM(["one", TimeoutError("late"), "three"])
    assert isinstance(llm, LLMProtocol)
    assert llm.generate("a") == "one"
    with pytest.raises(TimeoutError):
        llm.generate("b")
    assert llm.generate("c") == "three"
    assert llm.prompts == ["a", "b", "c"]


def test_a_scripted_model_without_answers_fails_as_a_model_does():
    with pytest.raises(LLMError, match="prompt 1"):
        ScriptedLLM().generate("a")


def test_a_draft_has_the_passages_and_vectors_of_its_content():
    embedder = HashingEmbedder(32)
    made = draft({"input": "hello there", "output": "good morning"}, embedder=embedder, user_id="ann")
    assert made.entry.kind == "interaction"
    assert made.entry.user_id == "ann"
    assert [passage.role for passage in made.passages] == ["input", "output"]
    assert made.vectors.shape == (2, 32)
    assert made.fingerprint == embedder.fingerprint


def test_drafts_have_ids_of_their_own_and_equal_hashes_for_equal_contents():
    one, other = draft("same"), draft("same")
    assert one.entry.id != other.entry.id
    assert one.entry.content_hash == other.entry.content_hash


def test_the_fakes_work_without_pytest():
    code = (
        "import sys; sys.modules['pytest'] = None; sys.modules['hypothesis'] = None\n"
        "import zerda.memory.testing as t; t.draft('x'); print(t.HashingEmbedder(8).embed(['x']).shape)\n"
        "try: t.StoreContract\n"
        "except ImportError as error: print(error)\n"
    )
    first, second = printed(code).splitlines()
    assert first == "(1, 8)"
    assert "pytest is not installed" in second


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        getattr(zerda.memory.testing, "Nonsense")  # noqa: B009 - the name is not there
