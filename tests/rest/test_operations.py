"""What the operations do that the client's verbs do not show: statuses, tags, repeated requests, forms."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from serving_here import KeyRing, serving
from starlette.testclient import TestClient

from zerda.memory import AIMemoryManager, Client, EntryChanged, StorageUnavailable
from zerda.memory.rest.bodies import ChatMessage
from zerda.memory.rest.callers import Pace
from zerda.memory.rest.messages import notes_of

Headers = dict[str, str]


# ── keeping ─────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_kept_is_created_and_tagged(
    http: TestClient, library: AIMemoryManager, alice: Headers
) -> None:
    said = {"user_input": "I moved to Lisbon.", "assistant_output": "Nice!", "tags": ["home"]}
    answer = http.post("/v1/interactions", json=said, headers=alice)
    assert answer.status_code == 201
    entry = library.get("alice", "acme", answer.json()["id"])
    assert (entry.content, entry.tags) == ({"input": "I moved to Lisbon.", "output": "Nice!"}, ("home",))
    assert http.get(f"/v1/entries/{entry.id}", headers=alice).headers["etag"] == answer.headers["etag"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/interactions", {"user_input": "a", "assistant_output": "b"}),
        ("/v1/memories", {"content": "a"}),
        ("/v1/documents", {"content": "a"}),
        ("/v1/memories/batch", {"notes": ["a", "b", {"content": "c"}]}),
        ("/v1/messages", {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]}),
    ],
)
def test_a_repeated_request_is_kept_once(
    http: TestClient, library: AIMemoryManager, alice: Headers, path: str, body: Any
) -> None:
    again = {**alice, "Idempotency-Key": "order-7"}
    first, second = (http.post(path, json=body, headers=again) for _ in range(2))
    assert (first.status_code, first.json()) == (201, second.json())
    kept = library.stats("acme")["entries"]
    http.post(path, json=body, headers={**alice, "Idempotency-Key": "order-8"})
    assert library.stats("acme")["entries"] == 2 * kept


def test_an_idempotency_key_with_another_body_is_a_conflict(http: TestClient, alice: Headers) -> None:
    again = {**alice, "Idempotency-Key": "order-7"}
    assert http.post("/v1/memories", json={"content": "a"}, headers=again).status_code == 201
    assert http.post("/v1/memories", json={"content": "b"}, headers=again).status_code == 409


def test_idempotency_keys_of_two_users_are_two(
    http: TestClient, library: AIMemoryManager, key: Callable[..., Headers]
) -> None:
    for user in ("alice", "bob"):
        headers = {**key(user), "Idempotency-Key": "1"}
        assert http.post("/v1/memories", json={"content": user}, headers=headers).status_code == 201
    assert library.stats("acme")["entries"] == 2


def test_a_document_says_where_it_is_from(http: TestClient, library: AIMemoryManager, alice: Headers) -> None:
    body = {"content": "The fennec is a fox.", "source": "animals.txt"}
    answer = http.post("/v1/documents", json=body, headers=alice).json()
    assert (answer["kind"], answer["origin"], answer["source"]) == ("document", "file", "animals.txt")


# ── messages ────────────────────────────────────────────────────────────────────────────────────────


def notes(*messages: dict[str, Any]) -> tuple[list[Any], int]:
    return notes_of([ChatMessage(**one) for one in messages])


def test_a_question_and_its_answer_are_one_interaction() -> None:
    told, left_out = notes(
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Who am I?"},
        {"role": "assistant", "content": "Alice.", "refusal": None},
        {"role": "user", "content": [{"type": "text", "text": "And"}, {"type": "image_url"},
                                     {"type": "text", "text": "where?"}]},
    )  # fmt: skip
    assert told == [
        {"content": {"input": "Who am I?", "output": "Alice."}, "kind": "interaction"},
        {"content": "And\nwhere?", "kind": "message", "speaker": "user", "origin": "user"},
    ]
    assert left_out == 1


def test_who_said_it_and_what_a_tool_answered_are_told() -> None:
    told, left_out = notes(
        {"role": "user", "content": "Hi", "name": "Ana"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]},
        {"role": "tool", "content": "21 °C", "tool_call_id": "1"},
        {"role": "assistant", "content": "Warm."},
    )
    assert [(one["speaker"], one["origin"]) for one in told] == [
        ("Ana", "user"), ("tool", "tool"), ("assistant", "assistant"),
    ]  # fmt: skip
    assert left_out == 1


# ── one entry ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("odd", ["a/b", "a%2Fb", "a?b#c", "..", "a b", "ä€😀", "%", "a/history", "a%"])
def test_an_odd_id_is_found_under_its_own_name(
    http: TestClient, library: AIMemoryManager, alice: Headers, odd: str
) -> None:
    library.remember("alice", "acme", "odd", id=odd)
    library.remember("alice", "acme", "plain", id="a")
    path = f"/v1/entries/{quote(odd, safe='').replace('.', '%2E')}"
    assert http.get(path, headers=alice).json()["id"] == odd
    assert len(http.get(f"{path}/history", headers=alice).json()["versions"]) == 1
    assert http.delete(path, headers=alice).json()["counts"]["entries"] == 1
    assert http.get(path, headers=alice).status_code == 404


def test_only_the_entry_that_is_meant_is_changed(
    http: TestClient, library: AIMemoryManager, alice: Headers
) -> None:
    library.remember("alice", "acme", "tea", id="x")
    tag = http.get("/v1/entries/x", headers=alice).headers["etag"]
    changed = http.patch("/v1/entries/x", json={"content": "coffee"}, headers={**alice, "If-Match": tag})
    assert (changed.status_code, changed.json()["version"]) == (200, 2)
    late = http.patch("/v1/entries/x", json={"content": "milk"}, headers={**alice, "If-Match": tag})
    assert late.status_code == 412
    assert library.get("alice", "acme", "x").content == "coffee"
    anything = http.patch("/v1/entries/x", json={"tags": ["a"]}, headers={**alice, "If-Match": "*"})
    assert anything.status_code == 200


def test_the_library_changes_only_the_version_that_is_named(library: AIMemoryManager) -> None:
    library.remember("alice", "acme", "tea", id="x")
    assert library.update("alice", "acme", "x", content="coffee", if_version=1).version == 2
    with pytest.raises(EntryChanged):
        library.update("alice", "acme", "x", content="milk", if_version=1)
    assert library.get("alice", "acme", "x").content == "coffee"


def test_what_is_known_already_is_not_sent_again(
    http: TestClient, library: AIMemoryManager, alice: Headers
) -> None:
    library.remember("alice", "acme", "tea", id="x")
    tag = http.get("/v1/entries/x", headers=alice).headers["etag"]
    same = http.get("/v1/entries/x", headers={**alice, "If-None-Match": f'"other", {tag}'})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    library.pin("alice", "acme", "x")
    assert http.get("/v1/entries/x", headers={**alice, "If-None-Match": tag}).status_code == 200


def test_a_page_leads_to_the_next(http: TestClient, library: AIMemoryManager, alice: Headers) -> None:
    library.remember_many(
        "alice", "acme", [{"content": f"note {n}", "tags": [f"t{n % 2}"]} for n in range(7)]
    )
    found: list[str] = []
    query = "limit=2&tag=t0"
    while query:
        page = http.get(f"/v1/entries?{query}", headers=alice).json()
        found += [entry["content"] for entry in page["entries"]]
        query = f"limit=2&tag=t0&cursor={page['cursor']}" if page["cursor"] else ""
    assert found == ["note 6", "note 4", "note 2", "note 0"]


def test_sessions_are_told_the_last_first(http: TestClient, library: AIMemoryManager, alice: Headers) -> None:
    for session, count in (("s1", 2), ("s2", 3)):
        for n in range(count):
            library.remember("alice", "acme", f"{session} {n}", session_id=session)
    told = http.get("/v1/sessions", headers=alice).json()["sessions"]
    assert [(one["session_id"], one["entries"]) for one in told] == [("s2", 3), ("s1", 2)]


def test_an_erasure_is_shown_before_it_is_done(
    http: TestClient, library: AIMemoryManager, alice: Headers
) -> None:
    library.remember_many("alice", "acme", [{"content": "a", "id": "a", "tags": ["x"]}, "b"])
    body = {"query_by": {"tags": ["x"]}, "preview": True}
    shown = http.post("/v1/forget-where", json=body, headers=alice).json()
    assert (shown["preview"], shown["counts"]["entries"]) == (True, 1)
    done = http.post("/v1/forget-where", json={**body, "preview": False}, headers=alice).json()
    assert (done["preview"], done["complete"]) == (False, True)
    assert [entry.content for entry in library.list("alice", "acme").entries] == ["b"]
    assert http.post("/v1/memories", json={"content": "a", "id": "a"}, headers=alice).status_code == 409


# ── limits, changes, the end ────────────────────────────────────────────────────────────────────────


def test_a_key_saves_up_calls_and_no_more() -> None:
    now = [0.0]
    pace = Pace(60, lambda: now[0])
    assert [pace.wait("a") for _ in range(10)] == [0.0] * 10
    assert pace.wait("a") == pytest.approx(1.0)
    assert pace.wait("b") == 0.0
    now[0] = 1.0
    assert pace.wait("a") == 0.0
    assert pace.wait("a") > 0
    now[0] = 1_000.0
    assert sum(pace.wait("a") == 0.0 for _ in range(50)) == 10


def test_a_key_that_calls_too_often_is_told_when_to_come_again(library: AIMemoryManager) -> None:
    from zerda.memory.rest.app import application
    from zerda.memory.rest.settings import ServerSettings

    secret = library.create_key("alice", "acme").secret
    settings = ServerSettings(requests_per_minute=6)
    with TestClient(application(library, settings), base_url="http://localhost") as http:
        answers = [http.get("/v1/whoami", headers={"X-API-Key": secret}) for _ in range(3)]
    assert [one.status_code for one in answers] == [200, 429, 429]
    assert int(answers[1].headers["retry-after"]) >= 1


def test_changes_are_told_as_they_are_made_by_whomever(library: AIMemoryManager) -> None:
    with serving(library) as url, Client(url, KeyRing(library)) as client:
        watching = client.watch("alice", "acme")
        library.remember("bob", "acme", "not hers")
        library.remember("alice", "acme", "hers", id="x")
        client.pin("alice", "acme", "x")
        client.forget("alice", "acme", "x")
        seen = [next(watching) for _ in range(3)]
        assert [(one.action, one.count) for one in seen] == [("save", 1), ("mark pinned", 1), ("erase", 1)]
        again = client.watch("alice", "acme", after=seen[0].number)
        assert next(again) == seen[1]


def test_a_stream_ends_when_its_key_does(library: AIMemoryManager) -> None:
    made = library.create_key("alice", "acme")
    with serving(library) as url, Client(url, made.secret) as client:
        watching = client.watch("alice", "acme")
        library.remember("alice", "acme", "hers")
        assert next(watching).action == "save"
        library.revoke_key("acme", made.key.id)
        library.remember("alice", "acme", "hers again")
        assert list(itertools.islice(watching, 1)) == []


def test_streams_are_limited_and_end_with_the_server(library: AIMemoryManager) -> None:
    with serving(library, streams=1) as url, Client(url, KeyRing(library)) as client:
        watching = client.watch("alice", "acme")
        library.remember("alice", "acme", "hers")
        next(watching)
        with pytest.raises(Exception, match="more often"):
            client.watch("alice", "acme")
    assert list(watching) == []


def test_a_server_that_is_gone_is_unavailable(library: AIMemoryManager) -> None:
    with serving(library) as url:
        client = Client(url, KeyRing(library))
        client.remember("alice", "acme", "x")
    with pytest.raises(StorageUnavailable):
        client.recall("alice", "acme", "x")
    client.close()


def test_counts_and_logs_name_nobody(
    http: TestClient,
    library: AIMemoryManager,
    alice: Headers,
    admin: Headers,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("INFO", "zerda.memory.rest")
    http.post("/v1/memories", json={"content": "fennec", "id": "entry-of-alice"}, headers=alice)
    http.get("/v1/entries/entry-of-alice", headers=alice)
    http.get("/v1/entries/nowhere-at-all", headers=alice)
    told = http.get("/metrics", headers=admin).text
    assert 'zerda_requests_total{operation="remember",outcome="ok"} 1.0' in told
    assert 'zerda_requests_total{operation="get_entry",outcome="not found"} 1.0' in told
    lines = [json.dumps(getattr(record, "told", {})) + record.getMessage() for record in caplog.records]
    assert any('"operation": "remember", "status": 201' in line for line in lines)
    for word in ("fennec", "alice", "acme", "nowhere"):
        assert word not in told
        assert not any(word in line for line in lines)


def test_a_bug_is_answered_and_told_without_its_words(
    http: TestClient, library: AIMemoryManager, alice: Headers, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    def broken(*_: Any, **__: Any) -> Any:
        raise RuntimeError("fennec")

    monkeypatch.setattr(AIMemoryManager, "profile", broken)
    quiet = TestClient(http.app, base_url="http://localhost", raise_server_exceptions=False)
    answer = quiet.get("/v1/profile", headers=alice)
    assert (answer.status_code, answer.json()["type"]) == (500, "urn:zerda:problem:internal-error")
    assert "fennec" not in answer.text + caplog.text
    assert "RuntimeError at " in caplog.text
