"""Every verb, tried by everybody, under both policies. The table in docs/trust.md is made here.

ZERDA_WRITE_GOLDEN=1 writes it anew.
"""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from zerda.memory import AccessDenied, AIMemoryManager, EntryNotFound, MemoryConfig, Note, Query
from zerda.memory.core.rules.api_keys import key_text, secret_digest
from zerda.memory.core.trust import ApiKey, Receipt
from zerda.memory.testing import START, HashingEmbedder, tick

PAGE = Path(__file__).parents[2] / "docs" / "trust.md"
TABLE = re.compile(r"(?<=<!-- made by tests/trust/test_who_may_do_what.py -->\n).*?(?=\n\n)", re.S)

Call = Callable[[AIMemoryManager, str], Any]
RECEIPT = Receipt(id="r", tenant_id="acme", what="ids", at=START)


def key_of_somebody(memory: AIMemoryManager) -> str:
    """A key that is there, whoever may ask about it."""
    key = ApiKey(id="0" * 16, tenant_id="acme", user_id="eve", principal="eve", role="reader", at=START)
    memory._stores.catalog.put_api_key(key, secret_digest("x" * 43))
    return key_text(key.id, "x" * 43)


def may_not_be_there(call: Callable[[], Any]) -> None:
    """Whether there is such a thing is another question than who may ask."""
    with suppress(EntryNotFound):
        call()


OWN: dict[str, Call] = {
    "save_interaction": lambda m, user: m.save_interaction(user, "acme", "a", "b"),
    "save_many": lambda m, user: m.save_many(user, "acme", [("a", "b")]),
    "remember": lambda m, user: m.remember(user, "acme", "a"),
    "remember_many": lambda m, user: m.remember_many(user, "acme", ["a"]),
    "update": lambda m, user: m.update(user, "acme", f"of {user}", importance=0.4),
    "recall": lambda m, user: m.recall(user, "acme", "fennec"),
    "build_context": lambda m, user: m.build_context(user, "acme", "fennec"),
    "build_prompt": lambda m, user: m.build_prompt(user, "acme", "fennec"),
    "get": lambda m, user: m.get(user, "acme", f"of {user}"),
    "list": lambda m, user: m.list(user, "acme"),
    "history": lambda m, user: m.history(user, "acme", f"of {user}"),
    "entities": lambda m, user: m.entities(user, "acme"),
    "entity": lambda m, user: may_not_be_there(lambda: m.entity(user, "acme", "Nobody")),
    "mentioning": lambda m, user: m.mentioning(user, "acme", "Nobody"),
    "related": lambda m, user: m.related(user, "acme"),
    "changes": lambda m, user: m.changes(user, "acme"),
    "profile": lambda m, user: m.profile(user, "acme"),
    "set_preferences": lambda m, user: m.set_preferences(user, "acme", {"tone": "plain"}),
    "set_retention_boost": lambda m, user: m.set_retention_boost(user, "acme", 0.1),
    "pin": lambda m, user: m.pin(user, "acme", f"of {user}"),
    "archive": lambda m, user: m.archive(user, "acme", f"of {user}"),
    "restore": lambda m, user: m.restore(user, "acme", f"of {user}"),
    "reveal": lambda m, user: m.reveal(user, "acme", f"of {user}"),
    "forget": lambda m, user: m.forget(user, "acme", f"of {user}"),
    "forget_where": lambda m, user: m.forget_where(user, "acme", Query(tags=("x",))),
    "forget_source": lambda m, user: m.forget_source("acme", "x", user_id=user),
    "quarantine": lambda m, user: m.quarantine(user, "acme", "x"),
    "review": lambda m, user: m.review(user, "acme"),
    "memories_since": lambda m, user: m.memories_since("acme", START, user_id=user),
    "allow_again": lambda m, user: m.allow_again(user, "acme", "x"),
    "forget_user": lambda m, user: m.forget_user(user, "acme"),
    "export_user": lambda m, user: list(m.export_user(user, "acme")),
}
WHOLE: dict[str, Call] = {
    "stats": lambda m, user: m.stats("acme"),
    "run_maintenance": lambda m, user: m.run_maintenance("acme"),
    "clear_tenant": lambda m, user: m.clear_tenant("acme"),
    "grant": lambda m, user: m.grant("eve", "acme", "admin"),
    "revoke": lambda m, user: m.revoke("eve", "acme", "admin"),
    "list_grants": lambda m, user: m.list_grants("acme"),
    "forget_where, every user's": lambda m, user: m.forget_where(None, "acme", Query(tags=("x",))),
    "forget_source, every user's": lambda m, user: m.forget_source("acme", "x"),
    "quarantine, every user's": lambda m, user: m.quarantine(None, "acme", "x"),
    "review, every user's": lambda m, user: m.review(None, "acme"),
    "release": lambda m, user: m.release("acme"),
    "memories_since, every user's": lambda m, user: m.memories_since("acme", START),
    "receipts": lambda m, user: m.receipts("acme"),
    "verify_erased": lambda m, user: m.verify_erased(RECEIPT),
    "export_tenant": lambda m, user: list(m.export_tenant("acme")),
    "import_": lambda m, user: m.import_([], "acme"),
    "audit": lambda m, user: m.audit("acme"),
    "verify_audit": lambda m, user: m.verify_audit("acme"),
    "audit_head": lambda m, user: m.audit_head("acme"),
    "create_key": lambda m, user: m.create_key("eve", "acme", "admin"),
    "list_keys": lambda m, user: m.list_keys("acme"),
    "revoke_key": lambda m, user: may_not_be_there(lambda: m.revoke_key("acme", "0" * 16)),
    "tenants": lambda m, user: m.tenants(),
    "claim_maintenance": lambda m, user: m.claim_maintenance(START),
    "authenticate": lambda m, user: m.authenticate(key_of_somebody(m)),
    "audit_of_store": lambda m, user: m.audit_of_store(),
    "set_access_policy": lambda m, user: m.set_access_policy("strict"),
    "reindex": lambda m, user: m.reindex(),
    "mask_stored": lambda m, user: m.mask_stored("acme"),
}
NO_PERMISSION_ASKED = {
    "acting_as",
    "close",
    "flush",
    "record_refusal",
}  # They show and change nothing of anybody.

CALLERS: dict[str, tuple[str, str]] = {
    "nobody": ("nobody", "nobody"),
    "reader": ("reader", "reader"),
    "writer": ("writer", "writer"),
    "owner": ("owner", "owner"),
    "admin": ("admin", "admin"),
    "revoked": ("revoked", "revoked"),
    "expired": ("expired", "expired"),
    "user of another tenant": ("stranger", "stranger"),
    "admin, for another": ("admin", "owner"),
    "agent, no delegation": ("agent:loose", "owner"),
    "agent, delegated writer": ("agent:planner", "owner"),
    "agent, more than its user": ("agent:planner", "reader"),
}
"""Who acts, and for which user."""


def prepared(policy: Any) -> AIMemoryManager:
    clock = tick()
    config = MemoryConfig(enable_persistence=False, access_policy=policy)
    memory = AIMemoryManager(config, embedder=HashingEmbedder(), clock=clock)
    for user in ("reader", "writer", "owner", "admin", "nobody", "revoked", "expired", "stranger"):
        role = user if user in ("reader", "writer", "owner", "admin") else "owner"
        if user == "expired":
            memory.grant(user, "acme", role, until=clock() + timedelta(hours=1))
        elif user not in ("nobody", "stranger"):
            memory.grant(user, "acme", role)
        scope = memory._gate.administer("acme", user_id=user)  # Asks for no role: readers have entries too.
        said = Note(content=f"the fennec of {user}", id=f"of {user}")
        memory._bundle("acme").store.put(scope, [memory._intake.draft(scope, said)])
    clock.advance(timedelta(hours=2))
    memory.revoke("revoked", "acme", "owner")
    memory.grant("stranger", "other", "admin")
    memory.grant("agent:planner", "acme", "writer", on_behalf_of="owner")
    memory.grant("agent:planner", "acme", "owner", on_behalf_of="reader")
    return memory


def answer(policy: str, actor: str, user: str, call: Call) -> bool:
    """Whether a fresh memory lets the call through."""
    with prepared(policy) as memory:
        try:
            call(memory.acting_as(actor), user)
        except AccessDenied:
            return False
        return True


def cell(actor: str, user: str, call: Call) -> str:
    strict, open_ = (answer(policy, actor, user, call) for policy in ("strict", "open"))
    assert open_ or not strict  # The open policy takes nothing away.
    return "yes" if strict else "if open" if open_ else "no"


def table() -> str:
    rows = [f"| | {' | '.join(CALLERS)} |", f"|---|{'---|' * len(CALLERS)}"]
    for verb, call in {**OWN, **WHOLE}.items():
        answers = " | ".join(cell(*who, call) for who in CALLERS.values())
        name, _, rest = verb.partition(", ")
        rows.append(f"| `{name}`{', ' + rest if rest else ''} | {answers} |")
    return "\n".join(rows)


def test_the_table_in_the_docs_is_what_happens() -> None:
    page = PAGE.read_text("utf-8")
    made = table()
    if os.environ.get("ZERDA_WRITE_GOLDEN"):
        page = TABLE.sub(lambda _: made, page)
        PAGE.write_text(page, "utf-8")
    told = TABLE.search(page)
    assert told is not None
    assert told[0] == made


def test_every_verb_is_in_the_table() -> None:
    verbs = {
        name
        for name, member in inspect.getmembers(AIMemoryManager, inspect.isfunction)
        if not name.startswith("_") and not inspect.iscoroutinefunction(member)
    }
    tried = {verb.partition(",")[0] for verb in (*OWN, *WHOLE)}
    assert verbs - NO_PERMISSION_ASKED == tried


@pytest.mark.parametrize("policy", ["open", "strict"])
def test_a_refused_call_has_done_nothing_and_is_in_the_audit(policy: str) -> None:
    with prepared(policy) as memory:
        before = list(memory.export_tenant("acme"))[1:]
        view = memory.acting_as("agent:loose")
        for name, call in {**OWN, **WHOLE}.items():
            with pytest.raises(AccessDenied):
                call(view, "owner")
            assert list(memory.export_tenant("acme"))[1:] == before, name
        refused = [one for one in memory.audit("acme", limit=10_000) if one.result == "refused"]
        assert len(refused) == len(OWN) + len(WHOLE) - 6  # Six are no tenant's.
        assert {one.chain for one in refused} == {"access"}


def test_the_program_itself_may_do_everything() -> None:
    for policy in ("open", "strict"):
        for call in WHOLE.values():
            with prepared(policy) as memory:
                call(memory, "owner")
