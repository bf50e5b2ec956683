"""Embeddings from an endpoint: what it is asked, and that no misbehaviour gets through."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from loopback import Loopback, Raw, Received, chain
from zerda.memory.embedding.openai import OpenAIEmbedder
from zerda.memory.errors import ConfigError, EmbeddingError
from zerda.memory.http import Pace

SECRET = "the vault opens at noon"
KEY = "sk-not-for-others"


class Watch:
    """A clock that only sleeping moves, and what was slept."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


def vectors(received: Received) -> dict[str, Any]:
    """Three numbers for a text: its length, its number of blanks, 1."""
    rows = [[len(text), text.count(" "), 1.0] for text in received.body["input"]]
    return {"data": [{"index": i, "embedding": row} for i, row in enumerate(rows)]}


def embedder(loopback: Loopback, watch: Watch | None = None, **options: Any) -> OpenAIEmbedder:
    watch = watch or Watch()
    pace = Pace(clock=watch, sleep=watch.sleep, **options.pop("pace", {}))
    return OpenAIEmbedder(loopback.url, "tiny", api_key=KEY, pace=pace, **options)


def row(text: str) -> np.ndarray:
    plain = np.array([len(text), text.count(" "), 1.0])
    return plain / np.linalg.norm(plain)


def test_texts_become_unit_rows_in_their_order(loopback: Loopback) -> None:
    loopback.answers = [vectors]
    rows = embedder(loopback).embed(["one", "two words", "and three words"])
    assert rows.dtype == np.float32
    assert np.allclose(rows, [row("one"), row("two words"), row("and three words")], atol=1e-6)


def test_the_request_is_what_the_protocol_says(loopback: Loopback) -> None:
    loopback.answers = [vectors]
    embedder(loopback).embed(["one"])
    (request,) = loopback.requests
    assert request.path == "/v1/embeddings"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.body == {"model": "tiny", "input": ["one"], "encoding_format": "float"}


def test_a_path_in_the_address_is_kept(loopback: Loopback) -> None:
    loopback.answers = [vectors]
    OpenAIEmbedder(f"{loopback.url}/api/v3/", "tiny").embed(["one"])
    assert loopback.requests[0].path == "/api/v3/embeddings"
    assert "Authorization" not in loopback.requests[0].headers


def test_vectors_are_put_in_order_by_their_index(loopback: Loopback) -> None:
    loopback.answers = [lambda received: {"data": vectors(received)["data"][::-1]}]
    rows = embedder(loopback).embed(["one", "two words"])
    assert np.allclose(rows, [row("one"), row("two words")], atol=1e-6)


def test_many_texts_go_in_batches(loopback: Loopback) -> None:
    loopback.answers = [vectors]
    rows = embedder(loopback, batch_size=2).embed(["a", "bb", "ccc", "dddd", "eeeee"])
    assert [len(request.body["input"]) for request in loopback.requests] == [2, 2, 1]
    assert np.allclose(rows[4], row("eeeee"), atol=1e-6)


def test_a_question_and_a_passage_get_their_prefixes(loopback: Loopback) -> None:
    loopback.answers = [vectors]
    asymmetric = embedder(loopback, query_prefix="query: ", passage_prefix="passage: ")
    asymmetric.embed(["one"], role="query")
    asymmetric.embed(["one"])
    assert [request.body["input"] for request in loopback.requests] == [["query: one"], ["passage: one"]]


def test_prefixes_revision_and_size_are_part_of_the_fingerprint(loopback: Loopback) -> None:
    variants = [{}, {"query_prefix": "q: "}, {"passage_prefix": "q: "}, {"revision": "2"}, {"dimensions": 3}]
    assert len({embedder(loopback, **options).fingerprint for options in variants}) == len(variants)
    assert embedder(loopback).fingerprint == embedder(loopback, batch_size=5).fingerprint
    assert loopback.requests == []


def test_blank_texts_are_zero_rows_and_are_not_sent(loopback: Loopback) -> None:
    loopback.answers = [vectors]
    rows = embedder(loopback).embed(["", "one", " \n"])
    assert loopback.requests[0].body["input"] == ["one"]
    assert not rows[[0, 2]].any()
    assert rows[1].any()


def test_no_texts_ask_nothing(loopback: Loopback) -> None:
    assert len(embedder(loopback).embed([])) == 0
    assert loopback.requests == []


def test_dimensions_are_learnt_from_the_first_answer(loopback: Loopback) -> None:
    loopback.answers = [vectors]
    asked = embedder(loopback)
    assert asked.dimensions == 3
    assert asked.dimensions == 3
    assert len(loopback.requests) == 1


def test_a_long_text_is_read_to_its_end(loopback: Loopback) -> None:
    loopback.answers = [vectors]
    text = " ".join(f"Sentence number {i} is here." for i in range(200)) + " The needle."
    assert embedder(loopback).embed([text]).shape == (1, 3)
    sent = loopback.requests[0].body["input"]
    assert len(sent) > 1
    assert max(len(piece.split()) for piece in sent) <= 180
    assert sent[-1].endswith("The needle.")


def test_a_lone_surrogate_is_no_obstacle(loopback: Loopback) -> None:
    loopback.answers = [vectors]
    embedder(loopback).embed(["broken \ud800 text"])
    assert loopback.requests[0].body["input"] == ["broken � text"]


BAD: dict[str, Callable[[Received], Any] | Raw] = {
    "a vector too few": lambda received: {"data": vectors(received)["data"][:1]},
    "a vector too many, without index": lambda received: {"data": [{"embedding": [1.0, 2.0]}] * 3},
    "the first index is 1": lambda received: {"data": vectors(received)["data"][1:]},
    "a vector too many": lambda received: {"data": vectors(received)["data"] * 2},
    "NaN": lambda received: {"data": [{"index": 0, "embedding": [float("nan"), 1.0, 1.0]}] * 2},
    "infinite": lambda received: {"data": [{"embedding": [1e300, 1.0, 1.0]}] * 2},
    "different sizes": lambda received: {"data": [{"embedding": [1.0]}, {"embedding": [1.0, 2.0]}]},
    "no numbers": lambda received: {"data": [{"embedding": received.body["input"]}] * 2},
    "base64": lambda received: {"data": [{"embedding": "AACAPw=="}] * 2},
    "empty vectors": lambda received: {"data": [{"embedding": []}] * 2},
    "the same index twice": lambda received: {"data": [{"index": 0, "embedding": [1.0]}] * 2},
    "an index that is text": lambda received: {"data": [{"index": "0", "embedding": [1.0]}] * 2},
    "null": lambda received: None,
    "a list": lambda received: received.body["input"],
    "an error with status 200": lambda received: {"error": {"message": str(received.body["input"])}},
    "HTML": lambda received: Raw(f"<html>{received.body['input']}</html>".encode()),
    "bytes that are no text": Raw(b"\xff\xfe{"),
    "half an answer": Raw(b'{"data": [', announced=100),
    "nothing": Raw(b""),
    "a status of 400": lambda received: Raw(json.dumps(received.body).encode(), status=400),
    "a status of 500": lambda received: Raw(json.dumps(received.body).encode(), status=500),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_answer_is_an_embedding_error_without_the_text(kind: str, loopback: Loopback) -> None:
    loopback.answers = [BAD[kind]]
    with pytest.raises(EmbeddingError) as caught:
        embedder(loopback).embed([SECRET, "other"])
    for error in chain(caught.value):
        told = (
            f"{error} {error.args} {vars(error)} {getattr(error, 'doc', '')} {getattr(error, 'object', '')}"
        )
        assert SECRET not in told
        assert KEY not in told
    assert SECRET not in "".join(traceback.format_exception(caught.value))


def test_half_an_answer_is_told_as_such(loopback: Loopback) -> None:
    loopback.answers = [Raw(b'{"data": [', announced=100)]
    with pytest.raises(EmbeddingError, match="broke off"):
        embedder(loopback).embed(["one"])


def test_another_size_than_before_is_an_error(loopback: Loopback) -> None:
    loopback.answers = [vectors, lambda received: {"data": [{"embedding": [1.0, 2.0]}]}]
    asked = embedder(loopback)
    asked.embed(["one"])
    with pytest.raises(EmbeddingError, match=r"2 dimensions; before it had 3"):
        asked.embed(["one"])


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_failure_is_tried_again_with_growing_pauses(status: int, loopback: Loopback) -> None:
    loopback.answers = [Raw(status=status), Raw(status=status), vectors]
    watch = Watch()
    assert embedder(loopback, watch).embed(["one"]).shape == (1, 3)
    assert watch.slept == [0.5, 1.0]


def test_the_server_may_say_how_long_to_wait(loopback: Loopback) -> None:
    loopback.answers = [Raw(status=429, headers={"Retry-After": "4"}), vectors]
    watch = Watch()
    embedder(loopback, watch).embed(["one"])
    assert watch.slept == [4.0]


def test_a_wait_beyond_the_timeout_is_not_waited(loopback: Loopback) -> None:
    loopback.answers = [Raw(status=429, headers={"Retry-After": "3600"}), vectors]
    watch = Watch()
    with pytest.raises(EmbeddingError, match="HTTP 429"):
        embedder(loopback, watch).embed(["one"])
    assert watch.slept == []


def test_tries_are_bounded(loopback: Loopback) -> None:
    loopback.answers = [Raw(status=500)]
    with pytest.raises(EmbeddingError, match="HTTP 500"):
        embedder(loopback).embed(["one"])
    assert len(loopback.requests) == 3


def test_a_refusal_is_not_tried_again(loopback: Loopback) -> None:
    loopback.answers = [Raw(status=401)]
    with pytest.raises(EmbeddingError, match="HTTP 401; check the API key"):
        embedder(loopback).embed(["one"])
    assert len(loopback.requests) == 1


def test_a_silent_server_is_given_up(loopback: Loopback) -> None:
    loopback.answers = [loopback.hang]
    with pytest.raises(EmbeddingError, match="did not answer in time"):
        OpenAIEmbedder(loopback.url, "tiny", timeout_seconds=0.05).embed(["one"])
    assert len(loopback.requests) == 1


def test_a_closed_port_is_an_embedding_error(loopback: Loopback) -> None:
    nobody = Loopback()
    nobody.close()
    with pytest.raises(EmbeddingError, match="cannot be reached"):
        embedder(nobody).embed(["one"])


def test_a_redirect_is_not_followed_and_the_key_goes_nowhere(
    loopback: Loopback, other_loopback: Loopback
) -> None:
    loopback.answers = [Raw(status=307, headers={"Location": f"{other_loopback.url}/v1/embeddings"})]
    other_loopback.answers = [vectors]
    with pytest.raises(EmbeddingError, match="redirects"):
        embedder(loopback).embed(["one"])
    assert len(loopback.requests) == 1
    assert other_loopback.requests == []


def test_a_failing_endpoint_is_left_alone_then_tried_once(loopback: Loopback) -> None:
    loopback.answers = [Raw(status=503)]
    watch = Watch()
    asked = embedder(loopback, watch, pace={"attempts": 1, "failures": 2, "rest_seconds": 30.0})
    for _ in range(4):
        with pytest.raises(EmbeddingError):
            asked.embed(["one"])
    assert len(loopback.requests) == 2, "the third and fourth call asked nobody"
    watch.now += 29
    with pytest.raises(EmbeddingError, match="2 times in a row; it is asked again in 1 s"):
        asked.embed(["one"])
    watch.now += 2
    with pytest.raises(EmbeddingError, match="HTTP 503"):
        asked.embed(["one"])
    assert len(loopback.requests) == 3
    watch.now += 31
    loopback.answers = [vectors]
    asked.embed(["one"])
    asked.embed(["two"])
    assert len(loopback.requests) == 5


def test_refusals_do_not_open_the_breaker(loopback: Loopback) -> None:
    loopback.answers = [Raw(status=400)]
    asked = embedder(loopback, pace={"failures": 2})
    for _ in range(4):
        with pytest.raises(EmbeddingError, match="HTTP 400"):
            asked.embed(["one"])


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:11434",
        "ftp://host/v1",
        "http://",
        "http://host:port/v1",
        "http://host/v1?a=b",
        "http://ho st",
    ],
)
def test_an_address_that_cannot_work_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="base_url"):
        OpenAIEmbedder(url, "tiny")


def test_a_password_in_the_address_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigError, match="api_key") as caught:
        OpenAIEmbedder("https://me:hunter2@host/v1", "tiny")
    assert "hunter2" not in str(caught.value)


def test_a_key_with_a_line_break_is_refused_and_not_shown() -> None:
    with pytest.raises(ConfigError, match="line break") as caught:
        OpenAIEmbedder("https://host/v1", "tiny", api_key="sk-hunter2\nX: y")
    assert "hunter2" not in str(caught.value)


def test_the_environment_is_not_asked(loopback: Loopback, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-elsewhere")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    loopback.answers = [vectors]
    OpenAIEmbedder(loopback.url, "tiny").embed(["one"])
    assert "Authorization" not in loopback.requests[0].headers
