"""Every operation, tried by everybody who may not: refused, recorded, and nothing told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from calls import CALLS, KEYED, NEEDLE, OF_AN_ENTRY, OURS, ROLES, WITH_BODY, Call
from starlette.testclient import TestClient

from zerda.memory import AIMemoryManager
from zerda.memory.testing import Ticking

Headers = dict[str, str]
Key = Callable[..., Headers]


@pytest.fixture(autouse=True)
def ours(library: AIMemoryManager) -> None:
    """What alice said in acme."""
    library.remember("alice", "acme", f"I saw a {NEEDLE}.", id=OURS)


def sent(http: TestClient, call: Call, headers: Headers) -> Any:
    content = call.content
    more = content.pop("headers", {})
    return http.request(call.method, call.path, headers={**headers, **more}, **content)


def told(answer: Any) -> dict[str, Any]:
    assert answer.headers["content-type"] == "application/problem+json"
    assert NEEDLE not in answer.text
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == answer.status_code
    return problem


def everything(library: AIMemoryManager) -> list[str]:
    return list(library.export_tenant("acme"))[1:]


def bad_keys(library: AIMemoryManager, clock: Ticking) -> dict[str, Headers]:
    """Keys that open nothing, each in its own way."""
    good = library.create_key("alice", "acme", "admin").secret
    revoked = library.create_key("alice", "acme", "admin")
    library.revoke_key("acme", revoked.key.id)
    expired = library.create_key("alice", "acme", "admin", until=clock() + timedelta(hours=1)).secret
    clock.advance(timedelta(hours=2))
    wrong = good[:-1] + ("A" if good[-1] != "A" else "B")
    return {
        "none": {},
        "malformed": {"Authorization": "Bearer zk_"},
        "of another scheme": {"Authorization": f"Basic {good}"},
        "wrong secret": {"X-API-Key": wrong},
        "revoked": {"Authorization": f"Bearer {revoked.secret}"},
        "expired": {"X-API-Key": expired},
        "a token of nobody's": {"Authorization": "Bearer a.b.c"},
    }


def test_every_operation_of_the_document_is_tried_here(http: TestClient) -> None:
    document = http.get("/openapi.json").json()
    operations = {one["operationId"] for path in document["paths"].values() for one in path.values()}
    assert operations == set(CALLS)


def test_without_a_good_key_every_operation_gives_the_same_answer(
    http: TestClient, library: AIMemoryManager, clock: Ticking
) -> None:
    keys = bad_keys(library, clock)
    before = everything(library)
    answers = set()
    for headers in keys.values():
        for call in KEYED.values():
            answer = sent(http, call, headers)
            told(answer)
            answers.add((answer.status_code, answer.text, answer.headers["www-authenticate"]))
    assert len(answers) == 1, answers
    assert next(iter(answers))[0] == 401
    assert everything(library) == before
    stored = {record.action for record in library.audit_of_store()}
    mine = {record.action for record in library.audit("acme") if record.result == "refused"}
    assert stored == {"call, no key", "call, unknown key"}
    assert mine == {"call, revoked key", "call, ended key"}


@pytest.mark.parametrize("role", ROLES[:-1])
def test_a_key_of_a_lesser_role_is_refused_and_that_is_recorded(
    http: TestClient, library: AIMemoryManager, key: Key, role: str
) -> None:
    library.grant("alice", "acme", "admin")  # The user might; the key must not.
    headers = key("alice", "acme", role)
    beyond = {name: call for name, call in KEYED.items() if ROLES.index(call.needs or "") > ROLES.index(role)}
    before = everything(library)
    for name, call in beyond.items():
        answer = sent(http, call, headers)
        assert (name, answer.status_code, told(answer)["type"]) == (
            name,
            403,
            "urn:zerda:problem:access-denied",
        )
    assert everything(library) == before
    refused = [one for one in library.audit("acme") if one.result == "refused"]
    assert [one.actor for one in refused] == ["alice"] * len(beyond)


def test_a_key_of_a_sufficient_role_is_let_through(
    http: TestClient, library: AIMemoryManager, key: Key
) -> None:
    """So that the refusals above are for the role, and not for a request that is wrong anyway."""
    for name, call in KEYED.items():
        if name in ("changes", "clear_tenant"):  # One never ends; after the other there is nothing.
            continue
        library.allow_again("alice", "acme", OURS)
        library.remember("alice", "acme", f"I saw a {NEEDLE}.", id=OURS)
        answer = sent(http, call, key("alice", "acme", call.needs or ""))
        unknown = name in ("revoke_key", "verify_erased", "entity", "release")
        assert (name, answer.status_code) == (name, 404 if unknown else answer.status_code)
        assert unknown or answer.status_code in (200, 201), (name, answer.text)


@pytest.mark.parametrize("who", [("bob", "acme"), ("alice", "other")])
def test_what_is_not_yours_looks_as_if_it_were_not_there(
    http: TestClient, library: AIMemoryManager, key: Key, who: tuple[str, str]
) -> None:
    headers = key(*who, "owner")
    before = everything(library)
    for name, call in OF_AN_ENTRY.items():
        theirs = sent(http, call, headers)
        nowhere = sent(
            http, Call(call.method, call.path.replace(OURS, "nowhere"), call.needs, call.body), headers
        )
        assert (name, theirs.status_code) == (name, 404)
        assert told(theirs) == told(nowhere)
    assert everything(library) == before


@pytest.mark.parametrize("who", [("bob", "acme"), ("alice", "other")])
def test_nothing_of_others_is_in_any_answer(
    http: TestClient, library: AIMemoryManager, key: Key, who: tuple[str, str]
) -> None:
    headers = key(*who, "owner")
    for name, call in KEYED.items():
        if name != "changes" and name not in OF_AN_ENTRY:
            answer = sent(http, call, headers)
            said_by_caller = name in ("build_context", "build_prompt", "recall")
            assert said_by_caller or NEEDLE not in answer.text, name
            assert "I saw a" not in answer.text, name


@pytest.mark.parametrize("named", [{"tenant_id": "other"}, {"user_id": "bob"}])
def test_a_body_that_names_another_is_refused_and_that_is_recorded(
    http: TestClient, library: AIMemoryManager, admin: Headers, named: Headers
) -> None:
    before = everything(library)
    for call in WITH_BODY.values():
        answer = sent(http, Call(call.method, call.path, call.needs, {**call.body, **named}), admin)
        assert told(answer)["type"] == "urn:zerda:problem:not-yours", call
    assert everything(library) == before
    refused = [one for one in library.audit("acme") if one.action == "call, another named"]
    assert [one.actor for one in refused] == ["root"] * len(WITH_BODY)


@pytest.mark.parametrize("believed", ["other/alice", "acme/bob", "other", "%", "acme/"])
def test_a_program_that_believes_to_call_for_another_is_refused(
    http: TestClient, alice: Headers, believed: str
) -> None:
    answer = http.get("/v1/entries", headers={**alice, "Zerda-For": believed})
    assert told(answer)["type"] == "urn:zerda:problem:not-yours"
    assert http.get("/v1/entries", headers={**alice, "Zerda-For": "acme/alice"}).status_code == 200


def test_naming_oneself_is_no_offence(http: TestClient, alice: Headers) -> None:
    body = {"content": "x", "tenant_id": "acme", "user_id": "alice"}
    assert http.post("/v1/memories", json=body, headers=alice).status_code == 201


def test_a_key_that_is_revoked_is_refused_at_the_next_call(
    http: TestClient, library: AIMemoryManager, alice: Headers
) -> None:
    assert http.get("/v1/entries", headers=alice).status_code == 200
    library.revoke_key("acme", library.list_keys("acme")[0].id)
    assert http.get("/v1/entries", headers=alice).status_code == 401


def test_a_user_whose_role_is_taken_is_refused_at_the_next_call(
    http: TestClient, library: AIMemoryManager, alice: Headers
) -> None:
    library.revoke("alice", "acme", "owner")
    assert http.get("/v1/entries", headers=alice).status_code == 403


# ── the door itself ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "evil.example"}, 421), ({"Host": "localhost.evil.example"}, 421), ({"Host": ""}, 421),
        ({"Host": "localhost:99"}, 200), ({"Host": "[::1]:8377"}, 200), ({"Host": "127.0.0.1"}, 200),
        ({"Origin": "https://evil.example"}, 403), ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost"}, 200),
    ],
)  # fmt: skip
def test_other_names_and_other_pages_are_refused(
    http: TestClient, alice: Headers, headers: Headers, status: int
) -> None:
    answer = http.get("/v1/entries", headers={**alice, **headers})
    assert answer.status_code == status
    assert "access-control-allow-origin" not in answer.headers


def test_no_page_is_let_in_by_a_preflight(http: TestClient) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    assert http.options("/v1/memories", headers=asked).status_code == 403


def test_a_body_that_is_too_large_is_refused_however_it_comes(http: TestClient, alice: Headers) -> None:
    def drops() -> Any:
        for _ in range(40):
            yield b"x" * 65_536

    for content in (b"x" * 1_048_577, drops()):
        answer = http.post(
            "/v1/memories", content=content, headers={**alice, "Content-Type": "application/json"}
        )
        assert told(answer)["status"] == 413


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff", b"[]", b"null", b'"x"', b'{"content": 1}', b'{"content":"x","extra":1}',
                b'{"content":"x","importance":NaN}', b'{"content":"fennec \\ud800","importance":2}'],
)  # fmt: skip
def test_a_body_that_makes_no_sense_is_a_problem_that_quotes_nothing(
    http: TestClient, library: AIMemoryManager, alice: Headers, content: bytes
) -> None:
    before = everything(library)
    answer = http.post("/v1/memories", content=content, headers={**alice, "Content-Type": "application/json"})
    assert told(answer)["status"] in (400, 422)
    assert everything(library) == before


def test_a_parameter_that_is_given_twice_is_refused(http: TestClient, alice: Headers) -> None:
    """Else one part of a chain of servers would read the one, and another the other."""
    assert told(http.get("/v1/entries?limit=1&limit=2", headers=alice))["status"] == 400
    assert http.get("/v1/entries?tag=%C3%A9&kind=note", headers=alice).status_code == 200


def test_what_is_nowhere_is_a_problem_too(http: TestClient) -> None:
    assert told(http.get("/nowhere"))["status"] == 404
    assert told(http.put("/v1/recall"))["status"] == 405
