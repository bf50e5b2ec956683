"""``zerda keys``: keys of programs, from the command line."""

from __future__ import annotations

import pytest
from command_runs import Run

from zerda.memory import AccessDenied, AIMemoryManager, MemoryConfig


def test_a_key_is_made_listed_and_revoked(run: Run, folder: object) -> None:
    made = run(
        "keys", "create", "--tenant", "acme", "--user", "alice", "--role", "reader", "--name", "laptop"
    )
    secret = made.out.strip()
    assert (made.code, secret.startswith("zk_"), secret in made.err) == (0, True, False)
    with AIMemoryManager(MemoryConfig(persistence_path=str(folder), embedding_model="none")) as memory:
        key = memory.authenticate(secret)
        assert (key.user_id, key.tenant_id, key.role, key.name) == ("alice", "acme", "reader", "laptop")
        listed = run("keys", "list", "--tenant", "acme")
        assert listed.out.split("\t")[:4] == [key.id, "acme", "alice", "reader"]
        assert secret not in listed.out
        assert run("keys", "list", "--tenant", "other").out == ""
        assert run("keys", "revoke", "--tenant", "other", key.id).code == 4
        assert run("keys", "revoke", "--tenant", "acme", key.id).code == 0
        assert "revoked" in run("keys", "list", "--everyone").out
        with pytest.raises(AccessDenied):
            memory.authenticate(secret)


def test_the_first_admin_is_made_here(run: Run) -> None:
    made = run("keys", "create", "--admin", "--days", "7", "--json")
    assert (made.code, made.record["role"], made.record["until"] is None) == (0, "admin", False)


def test_a_server_listens_elsewhere_only_with_a_key_and_a_name(run: Run) -> None:
    open_to_all = ("serve", "--host", "0.0.0.0", "--port", "0")
    refused = run(*open_to_all, "--name", "memory.example.com")
    assert (refused.code, "there is no key" in refused.err) == (1, True)
    run("keys", "create", "--admin")
    refused = run(*open_to_all)
    assert (refused.code, "--name" in refused.err) == (1, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [(["--oidc-issuer", "https://id.example"], "no audience"), (["--origin", "app.example"], "origin is"),
     (["--workers", "0"], "workers is 0"), (["--port", "70000"], "port is 70000")],
)  # fmt: skip
def test_options_that_make_no_sense_are_refused(run: Run, options: list[str], said: str) -> None:
    refused = run("serve", *options)
    assert (refused.code, said in refused.err) == (1, True)
