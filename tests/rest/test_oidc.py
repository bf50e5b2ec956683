"""Tokens of an issuer, behind the same seam as keys: signed here, with the issuer's keys on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from starlette.testclient import TestClient

from zerda.memory import AIMemoryManager, ConfigError
from zerda.memory.rest.app import application
from zerda.memory.rest.oidc import Oidc

AUDIENCE = "zerda"
Sign = Callable[..., str]


@pytest.fixture(scope="module")
def private() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65_537, key_size=2_048)


@pytest.fixture
def issuer(private: rsa.RSAPrivateKey) -> Iterator[str]:
    """An issuer that tells where its keys are, and its keys."""
    key = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(private.public_key()))
    jwks = {"keys": [{**key, "kid": "one", "use": "sig", "alg": "RS256"}]}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            here = f"http://127.0.0.1:{server.server_address[1]}"
            told = jwks if self.path == "/jwks" else {"issuer": here, "jwks_uri": f"{here}/jwks"}
            body = json.dumps(told).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def sign(private: rsa.RSAPrivateKey, issuer: str) -> Sign:
    """A token of the issuer's, with some of its claims changed."""

    def sign(*, key: Any = private, kid: str = "one", algorithm: str = "RS256", **changed: Any) -> str:
        claims = {
            "iss": issuer, "aud": AUDIENCE, "sub": "alice", "tenant": "acme",
            "exp": datetime.now(UTC) + timedelta(minutes=5), **changed,
        }  # fmt: skip
        told = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(told, key, algorithm, {"kid": kid})

    return sign


@pytest.fixture
def http(library: AIMemoryManager, issuer: str) -> Iterator[TestClient]:
    library.grant("alice", "acme", "writer")
    with TestClient(
        application(library, verifiers=[Oidc(issuer, AUDIENCE)]), base_url="http://localhost"
    ) as client:
        yield client


def status(http: TestClient, token: str, path: str = "/v1/whoami") -> int:
    return http.get(path, headers={"Authorization": f"Bearer {token}"}).status_code


def test_a_token_opens_its_subjects_memory_with_what_was_granted(
    http: TestClient, library: AIMemoryManager, sign: Sign
) -> None:
    headers = {"Authorization": f"Bearer {sign()}"}
    assert http.get("/v1/whoami", headers=headers).json() == {
        "tenant_id": "acme", "user_id": "alice", "principal": "alice", "role": None,
    }  # fmt: skip
    made = http.post("/v1/memories", json={"content": "tea"}, headers=headers).json()
    assert library.get("alice", "acme", made["id"]).content == "tea"
    assert status(http, sign(), "/v1/stats") == 403


def test_a_subject_that_was_granted_nothing_is_refused(http: TestClient, sign: Sign) -> None:
    assert status(http, sign(sub="mallory"), "/v1/entries") == 403
    assert status(http, sign(tenant="other"), "/v1/entries") == 403


@pytest.mark.parametrize(
    "wrong",
    [
        {"exp": datetime.now(UTC) - timedelta(minutes=5)}, {"exp": None}, {"aud": "another"}, {"aud": None},
        {"iss": "https://elsewhere.example"}, {"iss": None}, {"sub": None}, {"sub": ""}, {"sub": "agent:x"},
        {"tenant": None}, {"nbf": datetime.now(UTC) + timedelta(days=1)}, {"kid": "another"},
        {"key": "x" * 64, "algorithm": "HS256"}, {"key": None, "algorithm": "none"},
    ],
    ids=lambda wrong: "-".join(wrong) + "-" + str(wrong.get("algorithm", "")),
)  # fmt: skip
def test_a_token_that_is_not_good_here_gets_the_answer_of_every_bad_key(
    http: TestClient, sign: Sign, wrong: dict[str, Any]
) -> None:
    bad = http.get("/v1/entries", headers={"Authorization": f"Bearer {sign(**wrong)}"})
    none = http.get("/v1/entries")
    assert (bad.status_code, bad.text) == (401, none.text)


def test_a_token_signed_by_another_is_refused(http: TestClient, sign: Sign) -> None:
    another = rsa.generate_private_key(public_exponent=65_537, key_size=2_048)
    assert status(http, sign(key=another)) == 401
    head, _, tail = sign().rpartition(".")
    assert status(http, f"{head}.{tail[::-1]}") == 401


def test_keys_of_the_memory_work_beside_tokens(http: TestClient, library: AIMemoryManager) -> None:
    assert status(http, library.create_key("bob", "acme").secret) == 200


def test_an_issuer_that_is_not_there_or_not_safe_is_told(issuer: str) -> None:
    with pytest.raises(ConfigError, match="begins with https"):
        Oidc("http://id.example", AUDIENCE)
    with pytest.raises(ConfigError, match="jwks_uri"):
        Oidc("http://127.0.0.1:9", AUDIENCE)


def test_the_tenant_may_be_one_for_all(issuer: str, sign: Sign) -> None:
    one = Oidc(issuer, AUDIENCE, tenant_id="acme")
    assert one.identify(sign(tenant="other")).tenant_id == "acme"
    assert "alice" not in one.identify(sign()).key_id
