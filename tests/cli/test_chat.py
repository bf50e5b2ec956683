"""``zerda chat`` against an endpoint of our own on this machine."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


class Endpoint:
    """Answers chat requests with what it is told to, and keeps what it was asked."""

    def __init__(self, url):
        self.url = url
        self.asked = []
        self.keys = []
        self.answers = []


@pytest.fixture
def endpoint():
    """A chat endpoint on a free port of this machine; it stops with the test."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.asked.append(body | {"path": self.path})
            endpoint.keys.append(self.headers.get("Authorization"))
            answer = endpoint.answers.pop(0) if endpoint.answers else None
            message = {"choices": [{"message": {"role": "assistant", "content": answer}}]}
            data = json.dumps(message if answer is not None else {"error": {"message": "no"}}).encode()
            self.send_response(200 if answer is not None else 400)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/v1")
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield endpoint
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def chat(run, endpoint):
    return lambda typed, *args: run("chat", "--base-url", endpoint.url, "--model", "m", *args, input=typed)


def test_it_answers_and_remembers_what_was_said(run, chat, endpoint):
    endpoint.answers = ["How lovely!", "The cello."]
    ran = chat("I play the cello.\n\nWhat do I play?\n")
    assert (ran.code, ran.out) == (0, "How lovely!\nThe cello.\n")
    texts = [record["content"] for record in run("list", "--json").records]
    assert texts == [
        {"input": "What do I play?", "output": "The cello."},
        {"input": "I play the cello.", "output": "How lovely!"},
    ]


def test_the_model_is_told_what_is_remembered(run, chat, endpoint, talk):
    run("import", str(talk))
    endpoint.answers = ["Hazelnuts."]
    chat("hazelnuts?\n", "--system", "Speak like a pirate.", "--max-tokens", "7")
    [asked] = endpoint.asked
    assert (asked["path"], asked["model"]) == ("/v1/chat/completions", "m")
    assert 7 in asked.values()
    assert asked["messages"][0]["content"].startswith("Speak like a pirate.")
    assert "allergic to hazelnuts" in json.dumps(asked["messages"])
    assert asked["messages"][-1] == {"role": "user", "content": "hazelnuts?"}


def test_the_key_comes_from_the_environment_alone(chat, endpoint, monkeypatch):
    endpoint.answers = ["a", "b"]
    chat("one\n")
    monkeypatch.setenv("ZERDA_API_KEY", "secret")
    chat("two\n")
    assert endpoint.keys == [None, "Bearer secret"]


def test_json_is_a_line_for_each_turn(chat, endpoint):
    endpoint.answers = ["a", "b"]
    first, second = chat("one\ntwo\n", "--json", "--session", "s").records
    assert (first["input"], first["output"]) == ("one", "a")
    assert second["tokens"] > 0


def test_an_answer_does_not_drive_the_terminal(chat, endpoint):
    endpoint.answers = ["\x1b[31mred\x1b]0;owned\x07"]
    assert chat("hi\n").out == "red\n"


def test_where_no_one_answers_what_was_said_is_kept(run, chat, endpoint):
    ran = chat("I play the cello.\n")
    assert ran.code == 1
    assert ran.err.startswith("zerda: ")
    assert "Traceback" not in ran.err
    assert [record["text"] for record in run("list", "--json").records] == ["I play the cello."]


def test_it_wants_an_endpoint_and_a_model(run):
    assert run("chat", "--model", "m", input="").code == 2
    assert run("chat", "--base-url", "http://127.0.0.1:1/v1", input="").code == 2
