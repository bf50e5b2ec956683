"""Which kinds are masked, for all tenants or some, and that every field is masked the same way."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from zerda.memory import AIMemoryManager, ConfigError, Document, InvalidInput, MaskingPolicy, MemoryConfig
from zerda.memory.security.recognizers.base import Number
from zerda.memory.security.recognizers.view import words
from zerda.memory.testing import HashingEmbedder, tick

MAIL = "anna@example.com"
KEY = "gh" + "p_" + "a1B2c3D4e5" * 4
TOKEN = "ey" + "JhbGciOiJIUzI1NiJ9.ey" + "JzdWIiOiIxMjM0NTY3ODkwIn0." + "dozjgNryP4J3jVmNHl0w5N"


@contextmanager
def opened(
    masking: MaskingPolicy | None = None, *, personal: bool = True, **settings: Any
) -> Iterator[AIMemoryManager]:
    config = MemoryConfig(enable_persistence=False, **settings)
    with AIMemoryManager(
        config, enable_privacy_masking=personal, masking=masking, embedder=HashingEmbedder(), clock=tick()
    ) as memory:
        yield memory


def kept(memory: AIMemoryManager, text: str, tenant: str = "acme") -> object:
    return memory.remember("alice", tenant, text).content


@pytest.mark.parametrize(
    ("personal", "secrets", "expected"),
    [
        (True, True, "[EMAIL_1] [API_KEY_1]"),
        (False, True, f"{MAIL} [API_KEY_1]"),
        (True, False, f"[EMAIL_1] {KEY}"),
        (False, False, f"{MAIL} {KEY}"),
    ],
)
def test_each_switch_leaves_out_its_own_kinds(personal: bool, secrets: bool, expected: str) -> None:
    with opened(personal=personal, mask_secrets=secrets) as memory:
        assert kept(memory, f"{MAIL} {KEY}") == expected
        assert memory.stats("acme")["privacy_masking_active"] is personal


def test_a_tenant_may_have_a_policy_of_its_own() -> None:
    policy = MaskingPolicy(tenants={"shop": MaskingPolicy(let_through=["EMAIL"], custom={"SKU": r"S-\d{4}"})})
    with opened(policy) as memory:
        assert kept(memory, f"{MAIL} S-1234") == "[EMAIL_1] S-1234"
        assert kept(memory, f"{MAIL} S-1234", "shop") == f"{MAIL} [SKU_1]"
        assert memory.profile("alice", "shop").explicit_preferences == {}
        told = memory.set_preferences("alice", "shop", {"mail": MAIL, "sku": "S-1234"}).explicit_preferences
        assert told == {"mail": MAIL, "sku": "[SKU_1]"}


def test_the_switches_hold_for_the_tenants_policies_too() -> None:
    policy = MaskingPolicy(tenants={"shop": MaskingPolicy()})
    with opened(policy, personal=False) as memory:
        assert kept(memory, f"{MAIL} {KEY}", "shop") == f"{MAIL} [API_KEY_1]"


def test_values_may_be_let_through_as_written_or_by_a_star() -> None:
    with opened(MaskingPolicy(allow=["*@Example.com", "+49 30 1234567"])) as memory:
        assert (
            kept(memory, f"{MAIL}, bob@example.org, +49-30-1234567") == f"{MAIL}, [EMAIL_1], +49-30-1234567"
        )


def test_a_recognizer_of_ones_own_takes_part() -> None:
    card = Number(kind="LIBRARY_CARD", loose=("8",), context=words(any="library card*"))
    with opened(MaskingPolicy(recognizers=[card])) as memory:
        assert kept(memory, "my library card is 12345678") == "my library card is [LIBRARY_CARD_1]"
    with opened(MaskingPolicy(recognizers=[card], let_through=["LIBRARY_CARD"])) as memory:
        assert kept(memory, "my library card is 12345678") == "my library card is 12345678"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"kinds": ["EMIAL"]}, "kinds has 'EMIAL'"),
        ({"let_through": ["MAIL"]}, "let_through has 'MAIL'"),
        ({"let_through": "EMAIL"}, "let_through is the text"),
        ({"allow": ["*"]}, "allow has"),
        ({"allow": ["*a*b*c*d*"]}, "at most 3 stars"),
        ({"custom": {"customer": "x"}}, "cannot be a placeholder"),
        ({"custom": {"CUSTOMER": "("}}, "CUSTOMER does not compile"),
        ({"tenants": {"a": "off"}}, "it is a MaskingPolicy"),
    ],
)
def test_a_policy_that_cannot_work_says_why(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        MaskingPolicy(**given)


def test_a_masker_of_ones_own_and_a_policy_exclude_each_other() -> None:
    masker = MaskingPolicy().masker()
    with pytest.raises(ConfigError, match="both given"):
        AIMemoryManager(MemoryConfig(enable_persistence=False), masker=masker, masking=MaskingPolicy())


@pytest.mark.parametrize("field", ["id", "session_id"])
@pytest.mark.parametrize("secret", [KEY, TOKEN, "password=Tr0ub4dor-and-3"])
def test_an_id_that_is_a_secret_is_refused_and_not_told(field: str, secret: str) -> None:
    with opened() as memory, pytest.raises(InvalidInput) as raised:
        memory.remember("alice", "acme", "x", **{field: secret})
    assert secret not in str(raised.value)
    with opened(MaskingPolicy(refuse_secret_ids=False)) as memory:
        memory.remember("alice", "acme", "x", **{field: secret})


def test_an_address_as_an_id_is_the_callers_own() -> None:
    with opened() as memory:
        entry = memory.remember(MAIL, "acme", "x", id=f"{MAIL}/1", session_id=MAIL)
        assert (entry.user_id, entry.id, entry.session_id) == (MAIL, f"{MAIL}/1", MAIL)


def test_every_field_is_masked_the_same_way() -> None:
    with opened() as memory:
        entry = memory.remember(
            "alice", "acme", {"said": MAIL, MAIL: "said"}, speaker=MAIL, tags=[MAIL], topics=[MAIL],
            metadata={"from": MAIL, MAIL: {"deep": [MAIL]}}, importance=0.9,
        )  # fmt: skip
        kept = memory.get("alice", "acme", entry.id)
        seen = [kept.content, kept.speaker, kept.tags, kept.topics, kept.metadata]
        assert MAIL not in str(seen)
        assert str(seen).count("[EMAIL_1]") == 8
        memory.update("alice", "acme", entry.id, content=f"now {MAIL}", metadata={"x": MAIL}, tags=[MAIL])
        assert MAIL not in str(memory.get("alice", "acme", entry.id))
        memory.set_preferences("alice", "acme", {"reach": [MAIL], MAIL: 1})
        assert MAIL not in str(memory.profile("alice", "acme"))
        documents: list[Any] = [f"see {MAIL}", {"page_content": MAIL}, Document("x", {"source": MAIL})]
        context = memory.build_context("alice", "acme", f"who is {MAIL}?", documents=documents)
        assert MAIL not in str(context)
        prompt = memory.build_prompt("alice", "acme", f"who is {MAIL}?", documents=documents)
        assert MAIL not in prompt
        assert "who is [EMAIL_1]?" in prompt
